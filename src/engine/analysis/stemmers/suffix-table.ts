/** A suffix that was found. */
export interface FoundSuffix<A> {
  readonly text: string
  /** Where it begins in the word. */
  readonly start: number
  /** What the table says of it. */
  readonly action: A
}

/** Finds the longest suffix of a list, as Snowball's `substring among` does: a shorter one is not tried in its place. */
export class SuffixTable<const A> {
  readonly #actions = new Map<string, A>()
  readonly #lengths: readonly number[]

  /** @param groups  what is done with suffixes, and the suffixes, with blanks between */
  constructor(groups: readonly (readonly [action: A, suffixes: string])[]) {
    for (const [action, suffixes] of groups) for (const suffix of suffixes.split(' ')) this.#actions.set(suffix, action)
    const lengths = new Set(Array.from(this.#actions.keys(), (suffix) => suffix.length))
    this.#lengths = [...lengths].sort((a, b) => b - a)
  }

  /** @param from  the suffix begins here or later */
  find(word: string, from = 0): FoundSuffix<A> | undefined {
    const { length } = word
    for (const size of this.#lengths) {
      const start = length - size
      if (start < from) continue
      const text = word.slice(start)
      const action = this.#actions.get(text)
      if (action !== undefined) return { text, start, action }
    }
    return undefined
  }
}

/** A table that only says which suffixes there are. */
export const suffixList = (suffixes: string): SuffixTable<true> => new SuffixTable([[true, suffixes]])
