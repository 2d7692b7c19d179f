/** Threads that can be on the board: the writer at place 0 and the readers behind it. */
export const MAX_THREADS = 64

/** What the threads of a domain tell each other in shared memory, without messages. */
export class ThreadBoard {
  readonly shared: SharedArrayBuffer
  readonly #numbers: Int32Array

  constructor(shared = new SharedArrayBuffer((MAX_THREADS + 1) * 4)) {
    this.shared = shared
    this.#numbers = new Int32Array(shared)
  }

  /** How often credentials were taken back. */
  get revocations(): number {
    return Atomics.load(this.#numbers, 0)
  }

  revoked(): void {
    Atomics.add(this.#numbers, 0, 1)
  }

  /** Says how many connections of a thread are active; -1: there is no such thread. */
  setActive(place: number, connections: number): void {
    // One more than said, so that memory's zeroes mean: no thread.
    Atomics.store(this.#numbers, place + 1, connections + 1)
  }

  /** Active connections of the other thread that has fewest; undefined when there is no other. */
  fewestActive(place: number): number | undefined {
    let fewest: number | undefined
    for (let other = 0; other < MAX_THREADS; other++) {
      const active = Atomics.load(this.#numbers, other + 1) - 1
      if (other !== place && active >= 0 && (fewest === undefined || active < fewest)) fewest = active
    }
    return fewest
  }
}
