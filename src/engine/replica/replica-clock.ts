/**
 * Two counts in shared memory by which a replica sees, without being sent anything, whether it is up to date: so what
 * was answered to one client is seen by the next request of another, whichever thread serves it.
 */
export class ReplicaClock {
  readonly shared: SharedArrayBuffer
  readonly #counts: Int32Array

  constructor(shared = new SharedArrayBuffer(8)) {
    this.shared = shared
    this.#counts = new Int32Array(shared)
  }

  /** News posted until now; raised after each was posted. */
  get news(): number {
    return Atomics.load(this.#counts, 0)
  }

  /** Commits of the store until now; raised before anything is answered that they made durable. */
  get commits(): number {
    return Atomics.load(this.#counts, 1)
  }

  posted(): void {
    Atomics.add(this.#counts, 0, 1)
  }

  committed(): void {
    Atomics.add(this.#counts, 1, 1)
  }
}
