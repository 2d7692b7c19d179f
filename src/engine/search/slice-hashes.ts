import { ValueHash } from '../algorithms/value-hash.ts'
import type { SegmentReader } from '../index/segment-reader.ts'
import type { FieldMapping } from '../mapping/field-mapping.ts'
import { hasBit } from './lucene/bit-set.ts'

/**
 * Whether some value of a document passes, by the hash of what doc values keep of it: longs, and of floats the whole numbers
 * of the same order. Of a document without values zero is asked about.
 */
export type AnyHash = (doc: number, passes: (hash: number) => boolean) => boolean

/** The hashes of a field's values in a segment. */
export function columnHashes(segment: SegmentReader, path: string, field: FieldMapping | undefined): AnyHash {
  const hash = new ValueHash()
  if (path === '_seq_no') {
    return (doc, passes) => {
      hash.ofInteger(segment.seqNo(doc))
      return passes(hash.low | 0)
    }
  }
  const column = segment.field(path)?.docValues
  if (field === undefined || (column?.kind !== 'numeric' && column?.kind !== 'bigint')) return (_, passes) => passes(0)
  const { present, offsets, values } = column
  const add = adder(field, hash)
  return (doc, passes) => {
    if (present !== undefined && !hasBit(present, doc)) return passes(0)
    const end = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
    for (let at = offsets === undefined ? doc : (offsets[doc] as number); at < end; at++) {
      add(values[at] as number | bigint)
      if (passes(hash.low | 0)) return true
    }
    return false
  }
}

function adder(field: FieldMapping, hash: ValueHash): (value: number | bigint) => void {
  const single = new Float32Array(1)
  const bits = new Int32Array(single.buffer)
  const singleBits = (value: number): number => {
    single[0] = value
    return (bits[0] as number) & 0x7fffffff
  }
  const sortable = (value: number, magnitude: number): void =>
    hash.ofInteger(value < 0 || Object.is(value, -0) ? ~magnitude : magnitude)
  switch (field.kind === 'number' ? field.type : field.kind) {
    case 'double':
      return (value) => hash.ofSortableDouble(Number(value))
    case 'float':
      return (value) => sortable(Number(value), singleBits(Number(value)))
    case 'half_float':
      return (value) => sortable(Number(value), halfBits(Math.abs(Number(value)), singleBits(Number(value))))
    case 'scaled_float': {
      const factor = field.kind === 'number' ? (field.scalingFactor ?? 1) : 1
      return (value) => hash.ofInteger(Math.round(Number(value) * factor))
    }
    default:
      return (value) => (typeof value === 'bigint' ? hash.ofLong(value) : hash.ofInteger(value))
  }
}

/** Bits of half precision; of what is too small for an exponent, its steps. */
function halfBits(magnitude: number, single: number): number {
  return magnitude < 2 ** -14 ? magnitude * 2 ** 24 : (single >>> 13) - (112 << 10)
}
