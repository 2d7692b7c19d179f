import { compareDoubles } from '../algorithms/double-order.ts'

/** A part of a path to sort by: `name`, `name[key]`, the last also `name.key`. */
export interface SortPathElement {
  readonly text: string
  readonly name: string
  readonly key: string | undefined
}

/** One criterion that buckets are sorted by. */
export type BucketOrder =
  | { readonly by: 'count' | 'key'; readonly ascending: boolean }
  | {
      readonly by: 'path'
      readonly elements: readonly SortPathElement[]
      /** Names of the elements, a key behind the last. */
      readonly path: readonly string[]
      readonly text: string
      readonly ascending: boolean
    }

/** What a comparator looks at. */
export interface OrderedBuckets {
  count(bucket: number): number
  compareKeys(a: number, b: number): number
  /** Value of a bucket under a path. */
  value(bucket: number, path: readonly string[]): number
}

/**
 * Comparator of bucket ordinals; ties go to the lower key. NaN comes last whichever way it is sorted.
 */
export function bucketComparator(
  orders: readonly BucketOrder[],
  buckets: OrderedBuckets,
): (a: number, b: number) => number {
  const criteria = orders.map((order) => comparatorOf(order, buckets))
  if (!orders.some((order) => order.by === 'key')) criteria.push((a, b) => buckets.compareKeys(a, b))
  return (a, b) => {
    for (let i = 0; i < criteria.length; i++) {
      const difference = criteria[i]!(a, b)
      if (difference !== 0) return difference
    }
    return 0
  }
}

function comparatorOf(order: BucketOrder, buckets: OrderedBuckets): (a: number, b: number) => number {
  const sign = order.ascending ? 1 : -1
  switch (order.by) {
    case 'count':
      return (a, b) => sign * (buckets.count(a) - buckets.count(b))
    case 'key':
      return (a, b) => sign * buckets.compareKeys(a, b)
    case 'path': {
      const known = new Map<number, number>()
      const value = (bucket: number): number => {
        let found = known.get(bucket)
        if (found === undefined) {
          found = buckets.value(bucket, order.path)
          known.set(bucket, found)
        }
        return found
      }
      return (a, b) => compareDiscardingNaN(value(a), value(b), order.ascending)
    }
  }
}

function compareDiscardingNaN(a: number, b: number, ascending: boolean): number {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1
  if (Number.isNaN(b)) return -1
  return ascending ? compareDoubles(a, b) : compareDoubles(b, a)
}
