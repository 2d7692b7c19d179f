/** Shapes that are remembered; those not seen for longest are forgotten first. */
const REMEMBERED = 2_000

/** How much the newest measurement counts. */
const WEIGHT = 0.2

/** What searches of a shape took lately, in ms of a thread's time. */
export class RequestCosts {
  readonly #ms = new Map<number, number>()

  /** Undefined for a shape that was not measured yet. */
  of(shape: number): number | undefined {
    return this.#ms.get(shape)
  }

  measured(shape: number, ms: number): void {
    const before = this.#ms.get(shape)
    if (before !== undefined) {
      this.#ms.set(shape, before + (ms - before) * WEIGHT)
      return
    }
    if (this.#ms.size >= REMEMBERED) this.#ms.delete(this.#ms.keys().next().value as number)
    this.#ms.set(shape, ms)
  }
}
