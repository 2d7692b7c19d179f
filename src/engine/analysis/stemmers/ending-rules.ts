/** Endings of one kind: words longer than `minLength` lose `cut` units. */
export type EndingRule = readonly [minLength: number, cut: number, endings: string]

/**
 * A stemmer that takes one ending off: the first of the rules that fits decides.
 *
 * @param rules  each with its endings, with blanks between
 */
export function endingStemmer(rules: readonly EndingRule[]): (word: string) => string {
  const prepared = rules.map(([minLength, cut, endings]) => ({ minLength, cut, endings: endings.split(' ') }))
  return (word) => {
    for (const { minLength, cut, endings } of prepared) {
      if (word.length <= minLength) continue
      for (const ending of endings) if (word.endsWith(ending)) return word.slice(0, -cut)
    }
    return word
  }
}

/** Letters without their accents, as one map for many stemmers. */
export function withoutAccents(word: string, accented: string, plain: string): string {
  let out: string | undefined
  for (let i = 0; i < word.length; i++) {
    const at = accented.indexOf(word[i] as string)
    if (at < 0) {
      if (out !== undefined) out += word[i]
    } else out = (out ?? word.slice(0, i)) + plain[at]
  }
  return out ?? word
}
