/** Values by name, each let go of once nobody has asked for it for a while. */
export class ShortLived<T> {
  readonly #keptMs: number
  readonly #entries = new Map<string, { readonly value: T; readonly timer: NodeJS.Timeout }>()

  constructor(keptMs: number) {
    this.#keptMs = keptMs
  }

  get(name: string): T | undefined {
    const entry = this.#entries.get(name)
    entry?.timer.refresh()
    return entry?.value
  }

  set(name: string, value: T): void {
    clearTimeout(this.#entries.get(name)?.timer)
    const timer = setTimeout(() => this.#entries.delete(name), this.#keptMs)
    timer.unref()
    this.#entries.set(name, { value, timer })
  }
}
