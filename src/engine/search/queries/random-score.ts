import { mix32, murmur32 } from '../../algorithms/murmur.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { DocValues, SegmentReader } from '../../index/segment-reader.ts'
import { uninvertedColumn } from '../../index/uninverted-column.ts'
import { javaHash } from '../../java/java-hash-order.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { isWholeType } from '../../mapping/types/number-value.ts'
import { shardAmong } from '../../metadata/shard-routing.ts'
import { longHash } from '../../script/values/script-value.ts'
import { documentShard } from '../document-shard.ts'
import { noFieldData } from '../field-data.ts'
import { geoPointValues } from '../geo-point-values.ts'
import { hasBit } from '../lucene/bit-set.ts'
import type { LeafFunction } from '../lucene/function-score-query.ts'
import type { Leaf } from '../lucene/leaf.ts'
import type { ScoreFunction } from './query.ts'
import { fieldOf, illegalQuery, type QueryContext } from './query-context.ts'

type RandomFunction = ScoreFunction & { readonly kind: 'random' }

/** A random function whose seed is known. */
export interface SeededRandom {
  readonly kind: 'random'
  readonly seed: number
  /** Undefined: numbers of documents. */
  readonly field?: string
}

/** Settles what a random function goes by: without a seed by the time and the documents' numbers, without a field by ids. */
export function seeded({ seed, field }: RandomFunction, { search }: QueryContext): SeededRandom {
  if (seed === undefined) return { kind: 'random', seed: longHash(BigInt(Math.trunc(search.now))) }
  return { kind: 'random', seed, field: field ?? '_id' }
}

/**
 * Elasticsearch's RandomScoreFunction: 24 bits of a hash of the field's smallest value, salted by seed, index and shard.
 *
 * @throws {ServiceError} query_shard_exception for a field that is not there or whose values cannot be read by document
 */
export function randomFunction(made: RandomFunction, context: QueryContext): (leaf: Leaf) => LeafFunction {
  const { searcher, engineVersion } = context.search
  const seed = made.seed ?? 0
  const values = made.field === undefined ? undefined : randomValues(made.field, context)
  const saltOf = randomSalt(searcher, engineVersion, seed)
  return (leaf) => {
    const { segment, docBase } = leaf
    const read = values?.(leaf)
    return (doc) => {
      const salt = saltOf(segment, doc)
      if (read === undefined) return fraction(mix32((docBase + doc) ^ salt))
      const value = read(doc)
      return value === undefined ? fraction(salt) : hashFraction(value, salt)
    }
  }
}

/** What random scores of documents are salted with: the seed, the index and the shard. */
export function randomSalt(
  searcher: IndexSearcher,
  engineVersion: EngineVersion,
  seed: number,
): (segment: SegmentReader, doc: number) => number {
  const shards = searcher.limit('index.number_of_shards', 1)
  const routingShards = searcher.limit('index.number_of_routing_shards', 0) || undefined
  const shardOf = (routing: string): number => shardAmong(shards, routingShards, engineVersion, routing)
  const base = javaHash(searcher.indexName) << 10
  const salts = Array.from({ length: shards }, (_, shard) => mix32(seed ^ (base | shard)))
  return (segment, doc) => salts[shards === 1 ? 0 : documentShard(searcher, segment, doc, shardOf)] as number
}

/** A number from 0 to 1 that bytes lead to. */
export function hashFraction(bytes: Uint8Array, salt: number): number {
  return fraction(murmur32(bytes, salt))
}

/** What explanations say of a random score. */
export function randomDescription({ seed, field }: RandomFunction): string {
  return `random score function (seed: ${seed}, field: ${field ?? null})`
}

const fraction = (hash: number): number => (hash & 0xffffff) / 2 ** 24

/** Reads what is hashed of a document: the smallest of its values, by their bytes; undefined: it has none. */
type ReadBytes = (doc: number) => Uint8Array | undefined

function randomValues(path: string, context: QueryContext): (leaf: Leaf) => ReadBytes {
  const { searcher, isLucene7 } = context.search
  const metadata = metadataValues(path, context)
  if (metadata !== undefined) return metadata
  const field = fieldOf(path, context)
  const why = noFieldData(path, field, isLucene7) ?? (field === undefined ? notMapped(path, context) : undefined)
  if (why !== undefined) throw illegalQuery(context, why)
  if (field === undefined) return () => () => undefined
  return (leaf) => fieldValues(field, leaf)

  function notMapped(name: string, { search }: QueryContext): string | undefined {
    if (search.searcher.maxDoc === 0 && search.mapping.matchFields('*').length === 0) return undefined
    return `Field [${name}] is not mapped on [[${searcher.indexName}/${searcher.indexUuid}]] and cannot be used as a source of random numbers.`
  }
}

function metadataValues(path: string, { search }: QueryContext): ((leaf: Leaf) => ReadBytes) | undefined {
  const { searcher, isLucene7, engineVersion } = search
  const typed = engineVersion !== 'OpenSearch_2.19'
  const typeOf = ({ segment }: Leaf, doc: number): string =>
    segment.typeNames[segment.typeOrdinals[doc] as number] ?? '_doc'
  const text = (read: (leaf: Leaf, doc: number) => string) => (leaf: Leaf) => (doc: number) =>
    Buffer.from(read(leaf, doc))
  if (path === '_seq_no') return ({ segment }) => digitsOf((doc) => segment.seqNo(doc))
  if (path === '_id') return text(({ segment }, doc) => searcher.name(segment, doc).id)
  if (path === '_index') return text(() => searcher.indexName)
  if (path === '_type' && typed) return text(typeOf)
  if (path === '_uid' && isLucene7)
    return text((leaf, doc) => `${typeOf(leaf, doc)}#${searcher.name(leaf.segment, doc).id}`)
  return undefined
}

/** Reads a whole number from 0 on as its decimal digits; what it gives is valid until it is called again. */
function digitsOf(read: (doc: number) => number): ReadBytes {
  const room = new Uint8Array(16)
  const byLength = Array.from({ length: room.length + 1 }, (_, length) => room.subarray(room.length - length))
  return (doc) => {
    let rest = read(doc)
    let from = room.length
    do {
      const tens = Math.floor(rest / 10)
      room[--from] = 48 + rest - tens * 10
      rest = tens
    } while (rest > 0)
    return byLength[room.length - from]
  }
}

function fieldValues(field: FieldMapping, { segment }: Leaf): ReadBytes {
  const reader = segment.field(field.path)
  if (reader === undefined) return () => undefined
  if (field.kind === 'geo_point') {
    const points = geoPointValues(segment, field.path)
    return (doc) => {
      const found: Uint8Array[] = []
      points?.(doc, (lat, lon) => {
        found.push(Buffer.from(`${javaDouble(lat)}, ${javaDouble(lon)}`))
        return false
      })
      return smallest(found)
    }
  }
  const column = field.kind === 'text' ? uninvertedColumn(reader, segment.maxDoc) : reader.docValues
  if (column === undefined) return () => undefined
  if (column.kind === 'ordinal') {
    const { dictionary, values } = column
    return firstOf(column, (at) => dictionary.term(values[at] as number))
  }
  if (column.kind === 'binary') return firstOf(column, (at) => column.value(at))
  const { values } = column
  const isFloat = field.kind === 'number' && !isWholeType(field.type)
  const write = (at: number): Uint8Array =>
    Buffer.from(isFloat ? javaDouble(Number(values[at])) : String(values[at]), 'latin1')
  // Numbers are sorted as texts before one is taken.
  return (doc) => {
    const [from, to] = range(column, doc)
    if (to - from <= 1) return to === from ? undefined : write(from)
    return smallest(Array.from({ length: to - from }, (_, i) => write(from + i)))
  }
}

function firstOf(column: DocValues, read: (at: number) => Uint8Array): ReadBytes {
  return (doc) => {
    const [from, to] = range(column, doc)
    return to === from ? undefined : read(from)
  }
}

/** Where a document's values stand in a column. */
function range({ present, offsets }: DocValues, doc: number): readonly [from: number, to: number] {
  if (present !== undefined && !hasBit(present, doc)) return [0, 0]
  return offsets === undefined ? [doc, doc + 1] : [offsets[doc] as number, offsets[doc + 1] as number]
}

const smallest = (values: readonly Uint8Array[]): Uint8Array | undefined =>
  values.reduce<Uint8Array | undefined>((a, b) => (a === undefined || Buffer.compare(b, a) < 0 ? b : a), undefined)
