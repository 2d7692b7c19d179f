/** What a heap of spans looks at. */
interface Placed {
  readonly start: number
  readonly end: number
}

/** Spans by start, then end, first on top: moved as Lucene's PriorityQueue moves them, which decides among equals. */
export class SpanHeap<T extends Placed> {
  /** From index 1 on. */
  readonly #heap: (T | undefined)[] = [undefined]

  get top(): T | undefined {
    return this.#heap[1]
  }

  clear(): void {
    this.#heap.length = 1
  }

  add(spans: T): void {
    const heap = this.#heap
    heap.push(spans)
    let i = heap.length - 1
    for (let parent = i >>> 1; parent > 0 && isBefore(spans, heap[parent] as T); parent = i >>> 1) {
      heap[i] = heap[parent]
      i = parent
    }
    heap[i] = spans
  }

  /** To be called when the top one has moved. */
  updateTop(): void {
    const heap = this.#heap
    const size = heap.length - 1
    const node = heap[1]
    if (node === undefined) return
    let i = 1
    for (let child = smaller(heap, 2, size); child <= size && isBefore(heap[child] as T, node); ) {
      heap[i] = heap[child]
      i = child
      child = smaller(heap, i << 1, size)
    }
    heap[i] = node
  }
}

function smaller<T extends Placed>(heap: readonly (T | undefined)[], left: number, size: number): number {
  const right = left + 1
  return right <= size && isBefore(heap[right] as T, heap[left] as T) ? right : left
}

function isBefore(a: Placed, b: Placed): boolean {
  return a.start === b.start ? a.end < b.end : a.start < b.start
}
