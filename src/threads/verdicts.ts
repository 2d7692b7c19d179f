const PENDING = 0
const ALLOWED = 1
const DENIED = 2

/** Hands a search thread, in the middle of a request, what the first thread says to its question. One is asked at a time. */
export class Verdicts {
  readonly shared: SharedArrayBuffer
  readonly #cell: Int32Array

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared
    this.#cell = new Int32Array(shared)
  }

  /** Asks and waits. @param ask  sends the question, which {@link give} answers in the other thread */
  await(ask: () => void): boolean {
    Atomics.store(this.#cell, 0, PENDING)
    ask()
    Atomics.wait(this.#cell, 0, PENDING)
    return Atomics.load(this.#cell, 0) === ALLOWED
  }

  give(isAllowed: boolean): void {
    Atomics.store(this.#cell, 0, isAllowed ? ALLOWED : DENIED)
    Atomics.notify(this.#cell, 0)
  }
}
