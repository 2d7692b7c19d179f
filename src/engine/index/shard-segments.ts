import { IGNORED_FIELD } from '../mapping/ignored-field.ts'
import { segmentsDropped } from './dropped-segments.ts'
import { deletedSince, liveCount, withoutDocuments } from './live-docs.ts'
import { LiveSegment, StoredSegment } from './stored-segment.ts'

/** The segments of a shard that searches see, in the order of their writes. A change makes a new list: who has taken one keeps it. */
export class ShardSegments {
  readonly #keepsEmpty: () => boolean
  #list: readonly LiveSegment[] = []
  #generation = 0
  /** Number of the next one's name. */
  nextNumber = 0
  /** Names of those that a merge joins. */
  joining: ReadonlySet<string> = new Set()

  /** @param keepsEmpty  whether segments stay of which every document is deleted */
  constructor(keepsEmpty: () => boolean) {
    this.#keepsEmpty = keepsEmpty
  }

  get list(): readonly LiveSegment[] {
    return this.#list
  }

  /** Counts the changes of the list. */
  get generation(): number {
    return this.#generation
  }

  /** A new segment of bytes that were just made, not yet on the list. */
  make(bytes: SharedArrayBuffer): LiveSegment {
    const name = `_${(this.nextNumber++).toString(36)}`
    return new LiveSegment(name, new StoredSegment(bytes, { trusted: true }), undefined)
  }

  /** The list as a start finds it. */
  begin(segments: readonly LiveSegment[]): void {
    this.#list = segments
  }

  /** Takes segments on, and documents out of all of them. */
  show(added: readonly LiveSegment[], deletedSeqNos: readonly number[]): void {
    this.#list = this.#withoutEmpty(withoutDocuments([...this.#list, ...added], deletedSeqNos))
    this.#generation++
  }

  /**
   * Puts what neighbours were joined to in their place, without what was deleted of them meanwhile.
   *
   * @param joined  undefined: nothing was left of them
   */
  replace(sources: readonly LiveSegment[], joined: SharedArrayBuffer | undefined): void {
    const from = this.#list.findIndex((s) => s.name === sources[0]?.name)
    const current = this.#list.slice(from, from + sources.length)
    if (from < 0 || current.some((s, i) => s.name !== sources[i]?.name))
      throw new Error('the segments of a merge were replaced under it')
    const made = joined === undefined ? [] : withoutDocuments([this.make(joined)], deletedSince(sources, current))
    this.#list = [...this.#list.slice(0, from), ...made, ...this.#list.slice(from + sources.length)]
    this.#generation++
    segmentsDropped(sizeOf(sources))
  }

  /** Whether the segment of a document tells that no value was passed over as malformed: to find that out again is to parse its source. */
  isWhole(seqNo: number): boolean {
    for (let at = this.#list.length - 1; at >= 0; at--) {
      const segment = this.#list[at] as LiveSegment
      const doc = segment.stored.docOfSeqNo(seqNo)
      if (doc < 0) continue
      const field = segment.field(IGNORED_FIELD.path)
      if (field === undefined) return true
      const { docValues: column } = field
      if (column === undefined) return false
      const { present, offsets } = column
      if (offsets !== undefined) return offsets[doc] === offsets[doc + 1]
      return present !== undefined && ((present[doc >>> 5] as number) & (1 << (doc & 31))) === 0
    }
    return false
  }

  /** Nobody here uses them any more. */
  drop(): void {
    segmentsDropped(sizeOf(this.#list))
  }

  /** Without segments of which every document is deleted, as Lucene keeps none: scores count what is in them. A merge drops its own. */
  #withoutEmpty(segments: LiveSegment[]): LiveSegment[] {
    if (this.#keepsEmpty()) return segments
    return segments.filter((segment) => {
      const isKept = segment.liveDocs === undefined || liveCount(segment) > 0 || this.joining.has(segment.name)
      if (!isKept) segmentsDropped(segment.stored.sizeBytes)
      return isKept
    })
  }
}

function sizeOf(segments: readonly LiveSegment[]): number {
  return segments.reduce((sum, { stored }) => sum + stored.sizeBytes, 0)
}
