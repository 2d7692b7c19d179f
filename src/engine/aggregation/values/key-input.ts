import type { NumericDocValues, SegmentReader } from '../../index/segment-reader.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import { globalKeys, withKey } from './global-keys.ts'
import { addCounts, type OrdinalLeaf } from './ordinal-leaf.ts'
import { TermHashes } from './term-hashes.ts'
import { noteSpent, type Rounding, type ValueOrdinals, valueOrdinals } from './value-ordinals.ts'
import type { ValuesSource } from './values-source.ts'

/** A numeric field in one segment. */
export interface KeyLeaf extends OrdinalLeaf {
  readonly column: ValueOrdinals | undefined
}

const floatingHashes = new WeakMap<Float64Array, TermHashes>()
const wholeHashes = new WeakMap<Float64Array, TermHashes>()

const NO_VALUES: KeyLeaf = { column: undefined, map: undefined, missing: -1 }

/** The rounded numbers of a field over all segments of all indices of a search, numbered ascending. */
export class KeyInput {
  /** By global ordinal. */
  readonly keys: Float64Array
  readonly #leaves: ReadonlyMap<SegmentReader, KeyLeaf>

  private constructor(keys: Float64Array, leaves: ReadonlyMap<SegmentReader, KeyLeaf>) {
    this.keys = keys
    this.#leaves = leaves
  }

  /** Undefined where some segment's numbers are not to be had that way, or not yet. */
  static open(context: AggregationContext, sources: readonly ValuesSource[], rounding: Rounding): KeyInput | undefined {
    if (context.plain) return undefined
    const opened: { reader: SegmentReader; ordinals: ValueOrdinals | undefined; missing: number | undefined }[] = []
    const lists: Float64Array[] = []
    for (const [i, { segments }] of context.searchers.entries()) {
      const source = sources[i] as ValuesSource
      if (source.kind === 'unmapped') continue
      if (source.kind !== 'numeric') return undefined
      for (const reader of segments) {
        const column = reader.field(source.path)?.docValues
        if (column !== undefined && column.kind !== 'numeric') return undefined
        const ordinals = column === undefined ? undefined : valueOrdinals(column, reader.maxDoc, rounding)
        if (column !== undefined && ordinals === undefined) return undefined
        if (ordinals !== undefined) lists.push(ordinals.keys)
        opened.push({ reader, ordinals, missing: source.missing })
      }
    }
    const standIn = opened.find(({ missing }) => missing !== undefined)?.missing
    const missingKey = standIn === undefined ? undefined : rounding.round(standIn)
    if (missingKey !== undefined) {
      if (!Number.isFinite(missingKey) || Object.is(missingKey, -0)) return undefined
      if (opened.some(({ missing }) => missing !== undefined && missing !== standIn)) return undefined
    }
    let { keys, maps } = globalKeys(lists)
    if (missingKey !== undefined) ({ keys, maps } = withKey({ keys, maps }, missingKey))
    const missingOrdinal = missingKey === undefined ? -1 : keys.indexOf(missingKey)
    const leaves = new Map<SegmentReader, KeyLeaf>()
    let at = 0
    for (const { reader, ordinals, missing } of opened) {
      const map = ordinals === undefined ? undefined : maps[at++]
      leaves.set(reader, { column: ordinals, map, missing: missing === undefined ? -1 : missingOrdinal })
    }
    return new KeyInput(keys, leaves)
  }

  /** Whether no document has several keys. */
  get isSingle(): boolean {
    for (const { column } of this.#leaves.values()) if (column?.offsets !== undefined) return false
    return true
  }

  /** Hashes of the keys as values of the field, kept as long as the keys are. */
  hashes(isFloating: boolean): TermHashes {
    const { keys } = this
    const ofKind = isFloating ? floatingHashes : wholeHashes
    let known = ofKind.get(keys)
    if (known === undefined) {
      known = new TermHashes(keys.length, (ordinal, hash) => {
        if (isFloating) hash.ofDouble(keys[ordinal] as number)
        else hash.ofInteger(keys[ordinal] as number)
      })
      ofKind.set(keys, known)
    }
    return known
  }

  /**
   * Adds all documents of a segment to counts by global ordinal.
   *
   * @returns false: some value stands in for a missing one there, so that documents must be looked at
   */
  countSegment(segment: SegmentScope, counts: Int32Array): boolean {
    const { column, map, missing } = this.leaf(segment)
    if (missing >= 0) return false
    if (column !== undefined) addCounts(column.docCounts, map, counts)
    return true
  }

  leaf({ reader }: SegmentScope): KeyLeaf {
    return this.#leaves.get(reader) ?? NO_VALUES
  }
}

/** Documents gone through value by value for want of a {@link KeyInput}: noted by segment, so that one is made in time. */
export class ValuesSpent {
  readonly #sources: readonly ValuesSource[]
  readonly #rounding: Rounding
  #segment: SegmentScope | undefined
  #documents = 0

  constructor(sources: readonly ValuesSource[], rounding: Rounding) {
    this.#sources = sources
    this.#rounding = rounding
  }

  /** Goes on with another segment. */
  openSegment(segment: SegmentScope): void {
    this.note()
    this.#segment = segment
  }

  add(documents: number): void {
    this.#documents += documents
  }

  /** Notes what the open segment's documents came to. */
  note(): void {
    if (this.#documents > 0 && this.#segment !== undefined) {
      const { reader, searcherOrdinal } = this.#segment
      const source = this.#sources[searcherOrdinal]
      const column = source?.kind === 'numeric' ? reader.field(source.path)?.docValues : undefined
      if (column?.kind === 'numeric') noteSpent(column as NumericDocValues, this.#rounding, this.#documents)
    }
    this.#documents = 0
  }
}
