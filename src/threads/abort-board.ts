/** Requests that a thread can have at a time and still be told that a client has gone. */
const PLACES = 256

/** Tells a thread in the middle of a search that nobody waits for it any more: messages would be read when it is over. */
export class AbortBoard {
  readonly shared: SharedArrayBuffer
  readonly #aborted: Int32Array

  constructor(shared = new SharedArrayBuffer(PLACES * 4)) {
    this.shared = shared
    this.#aborted = new Int32Array(shared)
  }

  /** @param id  of the request, 1 or more */
  abort(id: number): void {
    Atomics.store(this.#aborted, id % PLACES, id)
  }

  isAborted(id: number): boolean {
    return Atomics.load(this.#aborted, id % PLACES) === id
  }
}
