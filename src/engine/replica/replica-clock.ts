/**
 * Counts in shared memory by which a replica sees, without being sent anything, whether it is up to date: so what
 * was answered to one client is seen by the next request of another, whichever thread serves it.
 */
export class ReplicaClock {
  readonly shared: SharedArrayBuffer
  readonly #counts: Int32Array

  constructor(shared = new SharedArrayBuffer(12)) {
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

  /** True while something was answered that the store's tables do not have yet; read before {@link commits}. */
  get isBehind(): boolean {
    return Atomics.load(this.#counts, 2) !== 0
  }
  set isBehind(isBehind: boolean) {
    Atomics.store(this.#counts, 2, isBehind ? 1 : 0)
  }

  posted(): void {
    Atomics.add(this.#counts, 0, 1)
  }

  committed(): void {
    Atomics.add(this.#counts, 1, 1)
  }
}
