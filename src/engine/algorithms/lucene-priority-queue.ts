/**
 * A heap that keeps the greatest of what it is offered, in Lucene's steps: which of equals it keeps, and in which order,
 * is what Lucene's keeps.
 *
 * @source org.apache.lucene.util.PriorityQueue
 */
export class LucenePriorityQueue<T> {
  readonly #capacity: number
  readonly #isLess: (a: T, b: T) => boolean
  /** From 1 on, the least first. */
  readonly #heap: (T | undefined)[] = [undefined]

  constructor(capacity: number, isLess: (a: T, b: T) => boolean) {
    this.#capacity = capacity
    this.#isLess = isLess
  }

  /** Takes one in, in the place of the least where all places are taken and that is not greater. */
  offer(one: T): void {
    const heap = this.#heap
    if (heap.length - 1 < this.#capacity) {
      heap.push(one)
      this.#rise(heap.length - 1)
    } else if (heap.length > 1 && !this.#isLess(one, heap[1] as T)) {
      heap[1] = one
      this.#sink()
    }
  }

  /** As {@link offer}, but what equals the least stays out. */
  offerGreater(one: T): void {
    const least = this.#heap[1]
    if (this.#heap.length - 1 < this.#capacity || (least !== undefined && this.#isLess(least, one))) this.offer(one)
  }

  /** Empties it: the greatest first. */
  drain(): T[] {
    const heap = this.#heap
    const out: T[] = []
    while (heap.length > 1) {
      out.push(heap[1] as T)
      const last = heap.pop() as T
      if (heap.length === 1) break
      heap[1] = last
      this.#sink()
    }
    return out.reverse()
  }

  #rise(from: number): void {
    const heap = this.#heap
    const one = heap[from] as T
    let at = from
    for (let up = at >>> 1; up > 0 && this.#isLess(one, heap[up] as T); up = at >>> 1) {
      heap[at] = heap[up]
      at = up
    }
    heap[at] = one
  }

  #sink(): void {
    const heap = this.#heap
    const size = heap.length - 1
    const one = heap[1] as T
    const lesser = (left: number): number =>
      left + 1 <= size && this.#isLess(heap[left + 1] as T, heap[left] as T) ? left + 1 : left
    let at = 1
    for (let down = lesser(2); down <= size && this.#isLess(heap[down] as T, one); down = lesser(at << 1)) {
      heap[at] = heap[down]
      at = down
    }
    heap[at] = one
  }
}
