/** Shapes that are remembered; those not seen for longest are forgotten first. */
const REMEMBERED = 2_000

/** How far a measurement moves what is expected: up by a tenth, or down. */
const STEP = 1.1

/**
 * What searches of a shape take, in ms: about the median of what was measured lately. (Not the mean: where threads have to
 * share a core, or one is collecting garbage, a short search may now and then take a hundred times as long.)
 */
export class RequestCosts {
  readonly #ms = new Map<number, number>()

  /** Undefined for a shape that was not measured yet. */
  of(shape: number): number | undefined {
    return this.#ms.get(shape)
  }

  measured(shape: number, ms: number): void {
    const before = this.#ms.get(shape)
    if (before === undefined) this.expect(shape, ms)
    else this.#ms.set(shape, ms > before ? Math.min(before * STEP, ms) : Math.max(before / STEP, ms))
  }

  /** Whatever was measured before. */
  expect(shape: number, ms: number): void {
    if (this.#ms.size >= REMEMBERED) this.#ms.delete(this.#ms.keys().next().value as number)
    this.#ms.set(shape, ms)
  }
}
