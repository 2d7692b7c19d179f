import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { NamedAggregator, SortedAs } from './aggregator.ts'
import type { BucketOrder, SortPathElement } from './bucket-order.ts'

/** Value of a bucket under a path that {@link checkSortPaths} found in order, or what is left of it. */
export function followSortPath(children: readonly NamedAggregator[], bucket: number, path: readonly string[]): number {
  const [name, ...rest] = path
  return children.find((child) => child.name === name)?.aggregator.sortValue(bucket, rest) ?? Number.NaN
}

/**
 * Looks whether buckets can be sorted by what is asked for, before there are any.
 *
 * @throws {ServiceError} aggregation_execution_exception
 */
export function checkSortPaths(
  orders: readonly BucketOrder[],
  children: readonly NamedAggregator[],
  engineVersion: EngineVersion,
): void {
  for (const order of orders) {
    const why =
      order.by === 'path' ? faultOf(order.elements, children, engineVersion === 'Elasticsearch_6.8') : undefined
    if (order.by !== 'path' || why === undefined) continue
    const isUnknown = typeof why !== 'string'
    const reason = isUnknown
      ? `Invalid aggregator order path [${order.text}]. Unknown aggregation [${why.unknown}]`
      : `Invalid aggregation order path [${order.text}]. ${why}`
    const cause = engineVersion === 'Elasticsearch_6.8' || isUnknown ? {} : { cause: illegalArgument(why) }
    throw new ServiceError('aggregation_execution_exception', reason, { inQueryPhase: true, ...cause })
  }
}

const ON_SINGLE_BUCKETS =
  'Buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations within the path and a final single-bucket or a metrics aggregation at the path end.'

/** Why a path leads nowhere; undefined: it leads to a number. 6.x says it its own way. */
function faultOf(
  elements: readonly SortPathElement[],
  children: readonly NamedAggregator[],
  isLegacy: boolean,
): string | { readonly unknown: string } | undefined {
  let inside = children
  for (const [i, { text, name, key }] of elements.entries()) {
    const found = inside.find((child) => child.name === name)?.aggregator
    if (found === undefined) {
      return isLegacy
        ? { unknown: name }
        : `The provided aggregation [${text}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`
    }
    if (i === elements.length - 1) return faultOfLast(found.sortedAs, name, key, isLegacy)
    if (!isLegacy && key !== undefined) return `Key only allowed on last aggregation path element but got [${text}]`
    if (found.sortedAs !== 'bucket' || key !== undefined) {
      const path = elements.slice(0, i + 1).map((element) => element.text)
      return isLegacy
        ? `${ON_SINGLE_BUCKETS} Sub-path [${path.join('>')}] points to non single-bucket aggregation`
        : `${ON_SINGLE_BUCKETS} [${name}] is not single-bucket.`
    }
    inside = found.inside
  }
  return undefined
}

function faultOfLast(
  sortedAs: SortedAs | undefined,
  name: string,
  key: string | undefined,
  isLegacy: boolean,
): string | undefined {
  if (sortedAs === undefined) return ON_SINGLE_BUCKETS
  if (sortedAs === 'bucket') {
    if (key === undefined || key === 'doc_count') return undefined
    const otherwise = isLegacy ? '' : ' or "key".'
    return `Ordering on a single-bucket aggregation can only be done on its doc_count. Either drop the key (a la "${name}") or change it to "doc_count" (a la "${name}.doc_count")${otherwise}`
  }
  if (sortedAs === 'value') {
    if (key === undefined || key === 'value') return undefined
    return `Ordering on a single-value metrics aggregation can only be done on its value. Either drop the key (a la "${name}") or change it to "value" (a la "${name}.value")`
  }
  if (key === undefined)
    return `When ordering on a multi-value metrics aggregation a metric name must be specified${isLegacy ? '' : '.'}`
  return sortedAs(key) ? undefined : `Unknown metric name [${key}] on multi-value metrics aggregation [${name}]`
}
