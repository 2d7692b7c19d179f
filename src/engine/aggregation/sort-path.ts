import { ServiceError } from '../../errors.ts'
import type { NamedAggregator } from './aggregator.ts'

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
