import { createHash } from 'node:crypto'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { packageVersion } from '../../package-version.ts'
import { ArrivingSegment } from '../index/arriving-segment.ts'
import type { SegmentPlace } from '../index/document-operation.ts'
import { SEGMENT_FORMATS } from '../index/segment-file.ts'
import { isOfInverting } from '../metadata/inverting-settings.ts'
import { ShortLived } from '../short-lived.ts'
import type { MovedSegments, SegmentOffer, SegmentPart } from './moved-segments.ts'
import { mappingsOf, type OpenIndices } from './open-indices.ts'

/** Largest segment that is moved: it is in memory on both sides while it is. */
const MOST_BYTES = 1024 * 1024 * 1024
/** How long a segment is kept that nobody asks for any more. */
const KEPT_MS = 60_000

/** {@link MovedSegments} of the indices that are open. */
export class SegmentExchange implements MovedSegments {
  readonly #indices: OpenIndices
  /** Given to others, by index number and id. */
  readonly #given = new ShortLived<SharedArrayBuffer>(KEPT_MS)
  /** By index number and what the giver calls it. */
  readonly #arriving = new ShortLived<ArrivingSegment>(KEPT_MS)
  #count = 0

  constructor(indices: OpenIndices) {
    this.#indices = indices
  }

  fingerprint(name: string): string | undefined {
    const shard = this.#indices.shard(name)
    if (!shard.defersAnalysis) return undefined
    const settings = Object.entries(this.#indices.get(name).metadata.settings).filter(([key]) => isOfInverting(key))
    settings.sort(([a], [b]) => (a < b ? -1 : 1))
    const of = [packageVersion(), SEGMENT_FORMATS, shard.mapping.engineVersion, settings, mappingsOf(shard.mapping)]
    return createHash('sha256').update(JSON.stringify(of, sorted)).digest('hex')
  }

  offers(index: string): readonly SegmentOffer[] {
    const { invertedSince = Number.POSITIVE_INFINITY } = this.#indices.get(index).metadata
    return this.#indices.shard(index).segments.flatMap(({ name, numDocs, stored }) => {
      const { minSeqNo, maxSeqNo } = stored.directory
      if (minSeqNo < invertedSince || numDocs === 0 || stored.sizeBytes > MOST_BYTES) return []
      return { name, minSeqNo, maxSeqNo, docs: numDocs, sizeBytes: stored.sizeBytes }
    })
  }

  async give(name: string, id: string, offset: number, most: number): Promise<SegmentPart | undefined> {
    let bytes = this.#given.get(this.#key(name, id))
    let given = id
    if (bytes === undefined && offset === 0) {
      bytes = await this.#indices.shard(name).segmentBytes(id)
      given = `${id}.${++this.#count}`
      if (bytes !== undefined) this.#given.set(this.#key(name, given), bytes)
    }
    if (bytes === undefined || offset < 0 || offset > bytes.byteLength) return undefined
    const part = Buffer.from(bytes, offset, Math.min(most, bytes.byteLength - offset))
    return { id: given, sizeBytes: bytes.byteLength, bytes: part }
  }

  take(
    name: string,
    id: string,
    part: { readonly offset: number; readonly sizeBytes: number; readonly bytes: Uint8Array },
  ): void {
    const { offset, sizeBytes, bytes } = part
    const key = this.#key(name, id)
    if (!(sizeBytes <= MOST_BYTES) || offset + bytes.length > sizeBytes)
      throw illegalArgument(`a segment has at most [${MOST_BYTES}] bytes, and parts that are within it`)
    if (offset === 0) this.#arriving.set(key, new ArrivingSegment(id, sizeBytes))
    const segment = this.#arriving.get(key)
    if (segment?.givenBytes !== offset) throw illegalArgument(`[${id}] does not go on at [${offset}]`)
    segment.give(bytes)
  }

  async turn(name: string, { segment: id, position }: SegmentPlace): Promise<void> {
    const segment = this.#arriving.get(this.#key(name, id))
    if (position === 0 && segment !== undefined) await this.#indices.shard(name).expect(segment)
    else await segment?.turn(position)
  }

  #key(name: string, id: string): string {
    return `${this.#indices.get(name).number}/${id}`
  }
}

/** Members in an order that does not depend on who wrote them first. */
function sorted(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
