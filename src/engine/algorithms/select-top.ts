/** The first `size` of the candidates in sorted order. */
export function selectTop<T>(candidates: ArrayLike<T>, size: number, compare: (a: T, b: T) => number): T[] {
  if (size <= 0) return []
  if (candidates.length <= size) return Array.from(candidates).sort(compare)
  // A heap of the best so far, the worst of them on top.
  const heap: T[] = []
  const worse = (a: T, b: T): boolean => compare(a, b) > 0
  for (let i = 0; i < candidates.length; i++) {
    const candidate = candidates[i] as T
    if (heap.length < size) {
      let at = heap.length
      heap.push(candidate)
      while (at > 0) {
        const up = (at - 1) >> 1
        if (!worse(heap[at] as T, heap[up] as T)) break
        ;[heap[at], heap[up]] = [heap[up] as T, heap[at] as T]
        at = up
      }
    } else if (worse(heap[0] as T, candidate)) {
      heap[0] = candidate
      let at = 0
      for (;;) {
        let child = at * 2 + 1
        if (child >= size) break
        if (child + 1 < size && worse(heap[child + 1] as T, heap[child] as T)) child++
        if (!worse(heap[child] as T, heap[at] as T)) break
        ;[heap[at], heap[child]] = [heap[child] as T, heap[at] as T]
        at = child
      }
    }
  }
  return heap.sort(compare)
}
