import type { BucketOrder } from '../../engine/aggregation/bucket-order.ts'
import type { IncludeExclude } from '../../engine/aggregation/terms/include-exclude.ts'
import type { TermsDefinition } from '../../engine/aggregation/terms/terms-aggregator-definition.ts'
import { parseRegexp } from '../../engine/analysis/automaton/regexp-parser.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { tokenBehind } from '../body/object-at.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readInt } from '../body/read-int.ts'
import { type AggregationBody, type JsonObject, parsingError } from './aggregation-body.ts'
import { pathElements } from './path-elements.ts'
import { readValuesSource } from './values-source-fields.ts'

/** `terms`. */
export function parseTerms(body: AggregationBody): TermsDefinition {
  const source = readValuesSource(body)
  const thresholds = readThresholds(body, 10, 1)
  const order = readOrder(body) ?? [{ by: 'count', ascending: false } as const]
  const filter = readIncludeExclude(body)
  const showsBucketErrors = body.boolean('show_term_doc_count_error') ?? false
  const hints = readHints(body)
  return { kind: 'terms', source, ...thresholds, order, filter, showsBucketErrors, hints }
}

/** `rare_terms` (7.x): terms with few documents, the rarest first. */
export function parseRareTerms(body: AggregationBody): TermsDefinition {
  const source = readValuesSource(body)
  const maxDocCount = body.integer('max_doc_count', (most) => {
    if (most <= 0) throw illegalArgument(`[max_doc_count] must be greater than 0. Found [${most}] in [${body.name}]`)
    if (most > 100) throw illegalArgument(`[max_doc_count] must be smallerthan 100in [${body.name}]`)
    return most
  })
  body.number('precision', (precision) => {
    if (precision < 0.00001) throw illegalArgument('[precision] must be greater than 0.00001')
    return precision
  })
  return {
    kind: 'terms',
    source,
    size: Number.MAX_SAFE_INTEGER,
    shardSize: undefined,
    minDocCount: 1,
    shardMinDocCount: 0,
    maxDocCount: maxDocCount ?? 1,
    order: [{ by: 'count', ascending: true }],
    filter: readIncludeExclude(body),
    showsBucketErrors: false,
  }
}

/** `size`, `shard_size`, `min_doc_count`, `shard_min_doc_count`. */
export function readThresholds(
  body: AggregationBody,
  defaultSize: number,
  defaultMinDocCount: number,
  isSignificant = false,
): {
  readonly size: number
  readonly shardSize: number | undefined
  readonly minDocCount: number
  readonly shardMinDocCount: number
} {
  const count = (field: string, shown: string): number | undefined =>
    body.long(field, (least) => {
      if (least < 0)
        throw illegalArgument(`[${shown}] must be greater than or equal to 0. Found [${least}] in [${body.name}]`)
      return least
    })
  const given = body.integer('size', (most) => {
    if (most > 0) return most
    throw illegalArgument(`[size] must be greater than 0. Found [${most}] in [${body.name}]`)
  })
  const size = given ?? defaultSize
  const shardSize = body.integer('shard_size', (given) => {
    if (given > 0) return given
    const than = isSignificant ? 'than  0' : 'than 0'
    throw illegalArgument(`[shardSize] must be greater ${than}. Found [${given}] in [${body.name}]`)
  })
  const minDocCount = count('min_doc_count', 'minDocCount') ?? defaultMinDocCount
  const shardMinDocCount = count('shard_min_doc_count', 'shardMinDocCount') ?? 0
  // What is significant is looked for just as it is asked for.
  if (isSignificant) return { size, shardSize, minDocCount, shardMinDocCount }
  return {
    size,
    shardSize: shardSize === undefined ? undefined : Math.max(shardSize, size),
    minDocCount,
    shardMinDocCount: Math.min(shardMinDocCount, minDocCount),
  }
}

/** Both say how to compute, not what: checked, without effect but for what a profile calls it. */
function readHints(body: AggregationBody): NonNullable<TermsDefinition['hints']> {
  return { collectMode: readCollectMode(body), executionHint: checkExecutionHint(body) }
}

/** `collect_mode`. */
export function readCollectMode(body: AggregationBody): string | undefined {
  return body.text('collect_mode', (value) => {
    if (value === 'depth_first' || value === 'breadth_first') return value
    throw new ServiceError('parse_exception', `no [collect_mode] found for value [${value}]`)
  })
}

/** `execution_hint`; a name that is none is told when the aggregation is made in an index. */
export function checkExecutionHint(body: AggregationBody): string | undefined {
  const hint = body.string('execution_hint')
  const old = ['global_ordinals_hash', 'global_ordinals_low_cardinality']
  if (hint === undefined || hint === 'map' || hint === 'global_ordinals' || old.includes(hint)) return hint
  const reason = `Unknown \`execution_hint\`: [${hint}], expected any of [map, global_ordinals]`
  body.note('illegal_argument_exception', reason, true)
  return hint
}

/** `order`: an object or an array of objects with one member each. */
export function readOrder(body: AggregationBody): BucketOrder[] | undefined {
  const orders = body.objectList('order', readOneOrder)
  if (orders?.length !== 0) return orders?.flat()
  throw body.failed('order', new ServiceError('index_out_of_bounds_exception', 'Index 0 out of bounds for length 0'))
}

function readOneOrder(list: readonly JsonValue[], index: number): BucketOrder[] {
  const one = list[index] as JsonValue
  if (!isObject(one))
    throw parsingError(`Unexpected token [${tokenBehind(list, index)}] for [order]`).at(list, index, 'next')
  const entries = Object.entries(one)
  if (entries.length === 0) throw parsingError('Must specify at least one field for [order]').at(one, undefined, 'end')
  // Of several members the last one counts, but all are read.
  return placed(one, undefined, () => entries.map(([key]) => orderOf(one, key)).slice(-1), 'end')
}

function orderOf(json: JsonObject, key: string): BucketOrder {
  const direction = json[key] ?? null
  if (typeof direction !== 'string')
    throw parsingError(`Unexpected token [${tokenName(direction)}] for [order]`).at(json, key)
  const lower = direction.toLowerCase()
  if (lower !== 'asc' && lower !== 'desc') throw parsingError(`Unknown order direction [${direction}]`).at(json, key)
  const ascending = lower === 'asc'
  if (key === '_term' || key === '_time' || key === '_key') return { by: 'key', ascending }
  if (key === '_count') return { by: 'count', ascending }
  const elements = pathElements(key)
  const last = elements.at(-1)?.key
  const path = elements.map(({ name }) => name)
  return { by: 'path', elements, path: last === undefined ? path : [...path, last], text: key, ascending }
}

/** `include` and `exclude`. */
export function readIncludeExclude(body: AggregationBody): IncludeExclude | undefined {
  const include = readSide(body, 'include')
  const exclude = readSide(body, 'exclude')
  if (include === undefined && exclude === undefined) return undefined
  if (include !== undefined && 'partition' in include) {
    if (exclude !== undefined) {
      throw body.failed('exclude', illegalArgument('Cannot specify any excludes when using a partition-based include'))
    }
    return include
  }
  const isPattern = (side: Side | undefined): boolean =>
    side !== undefined && 'values' in side && typeof side.values === 'string'
  if (include !== undefined && exclude !== undefined && isPattern(include) !== isPattern(exclude)) {
    const [pattern, set] = isPattern(include)
      ? ['regex-based include', 'set-based method']
      : ['set-based include', 'regex-based method']
    throw body.failed('exclude', illegalArgument(`Cannot mix a ${pattern} with a ${set}`))
  }
  return {
    ...(include === undefined ? {} : { include: include.values }),
    ...(exclude === undefined || !('values' in exclude) ? {} : { exclude: exclude.values }),
  }
}

type Side =
  | { readonly values: string | readonly (string | number | bigint | boolean)[] }
  | { readonly partition: { readonly partition: number; readonly count: number } }

function readSide(body: AggregationBody, field: 'include' | 'exclude'): Side | undefined {
  const value = body.raw(field)
  if (value === undefined && body.isNull(field)) throw body.wrongToken(field, null)
  if (value === undefined) return undefined
  if (typeof value === 'string') {
    // 6.x reads it at once.
    if (body.context.engineVersion === 'Elasticsearch_6.8') body.read(field, () => void parseRegexp(value))
    return { values: value }
  }
  if (Array.isArray(value)) {
    return body.read(field, () => {
      for (const [i, one] of value.entries()) {
        if (typeof one === 'object')
          throw new ServiceError(
            'parse_exception',
            'Array elements in include/exclude clauses should be string values',
          ).at(value, i)
      }
      // Read in their order, so that the first of them that cannot be is told.
      return { values: [...(value as (string | number | bigint | boolean)[])].sort() }
    })
  }
  if (field === 'exclude' || !isObject(value)) throw body.wrongToken(field, value)
  return body.read(field, () => {
    const { partition, num_partitions: count, ...rest } = value
    const [unknown] = Object.keys(rest)
    if (unknown !== undefined)
      throw new ServiceError('parse_exception', `Unknown parameter in Include/Exclude clause: ${unknown}`).at(
        value,
        unknown,
      )
    if (partition === undefined) throw illegalArgument('Missing [partition] parameter for partition-based include')
    if (count === undefined) throw illegalArgument('Missing [num_partitions] parameter for partition-based include')
    const number = placed(value, 'partition', () => readInt(partition, body.isLegacy))
    const partitions = placed(value, 'num_partitions', () => readInt(count, body.isLegacy))
    if (number < 0 || number >= partitions) {
      const reason = `Partition must be >=0 and < numPartition which is ${partitions}`
      throw illegalArgument(reason).at(value, undefined, 'end')
    }
    return { partition: { partition: number, count: partitions } }
  })
}
