import { compareDoubles } from '../double-order.ts'

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

/** The first `size` of the candidates in sorted order. */
export function selectTop(candidates: Int32Array, size: number, compare: (a: number, b: number) => number): number[] {
  if (size <= 0) return []
  if (candidates.length <= size) return [...candidates].sort(compare)
  // A heap of the best so far, the worst of them on top.
  const heap: number[] = []
  const worse = (a: number, b: number): boolean => compare(a, b) > 0
  for (let i = 0; i < candidates.length; i++) {
    const candidate = candidates[i] as number
    if (heap.length < size) {
      let at = heap.length
      heap.push(candidate)
      while (at > 0) {
        const up = (at - 1) >> 1
        if (!worse(heap[at] as number, heap[up] as number)) break
        ;[heap[at], heap[up]] = [heap[up] as number, heap[at] as number]
        at = up
      }
    } else if (worse(heap[0] as number, candidate)) {
      heap[0] = candidate
      let at = 0
      for (;;) {
        let child = at * 2 + 1
        if (child >= size) break
        if (child + 1 < size && worse(heap[child + 1] as number, heap[child] as number)) child++
        if (!worse(heap[child] as number, heap[at] as number)) break
        ;[heap[at], heap[child]] = [heap[child] as number, heap[at] as number]
        at = child
      }
    }
  }
  return heap.sort(compare)
}
