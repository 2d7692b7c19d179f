interface Union<L, T> {
  readonly lists: readonly L[]
  readonly value: T
}

/**
 * What several lists amount to together, kept as long as the first of them is: for searches that come again over the
 * same segments.
 */
export class RecentUnions<L extends object, T> {
  readonly #known = new WeakMap<L, readonly Union<L, T>[]>()

  /** What is kept of lists of which this is the first. */
  known(first: L): readonly T[] {
    return (this.#known.get(first) ?? []).map(({ value }) => value)
  }

  /** What is known of these very lists in this order, or is made of them now. */
  get(first: L, lists: readonly L[], make: () => T, isKept = true): T {
    const known = this.#known.get(first) ?? []
    const found = known.find(
      (union) => union.lists.length === lists.length && union.lists.every((list, i) => list === lists[i]),
    )
    if (found !== undefined) return found.value
    const value = make()
    if (!isKept) return value
    // The segments of an index change one by one: older combinations are not asked for again.
    this.#known.set(first, [...known.slice(-3), { lists, value }])
    return value
  }
}
