import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { NamedAggregator } from './aggregator.ts'
import type { BucketOrder } from './bucket-order.ts'

/**
 * Value of a bucket under a path that begins with the name of one of its aggregations.
 *
 * @throws {ServiceError} aggregation_execution_exception when there is none of that name
 */
export function followSortPath(children: readonly NamedAggregator[], bucket: number, path: readonly string[]): number {
  const [name, ...rest] = path
  const child = children.find((c) => c.name === name)
  if (child === undefined) {
    throw new ServiceError(
      'aggregation_execution_exception',
      `Invalid aggregator order path [${path.join('>')}]. Unknown aggregation [${name}]`,
    )
  }
  return child.aggregator.sortValue(bucket, rest)
}

/**
 * Looks whether buckets can be sorted by what is asked for, before there are any.
 *
 * @throws {ServiceError} aggregation_execution_exception for the name of what is no aggregation inside
 */
export function checkSortPaths(
  orders: readonly BucketOrder[],
  children: readonly NamedAggregator[],
  engineVersion: EngineVersion,
): void {
  for (const order of orders) {
    if (order.by !== 'path' || children.some(({ name }) => name === order.path[0])) continue
    const [name] = order.path
    if (engineVersion === 'Elasticsearch_6.8') {
      const reason = `Invalid aggregator order path [${order.text}]. Unknown aggregation [${name}]`
      throw new ServiceError('aggregation_execution_exception', reason, { inQueryPhase: true })
    }
    const why = `The provided aggregation [${name}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`
    throw new ServiceError(
      'aggregation_execution_exception',
      `Invalid aggregation order path [${order.text}]. ${why}`,
      {
        inQueryPhase: true,
        cause: new ServiceError('illegal_argument_exception', why),
      },
    )
  }
}
