/** Whether there is a vowel at a place. */
export const isVowelAt = (word: string, at: number, vowels: string): boolean =>
  at >= 0 && at < word.length && vowels.includes(word[at] as string)

/** Where the region begins that follows the first consonant behind a vowel: Snowball's R1, and from there R2. */
export function regionAfterConsonant(word: string, vowels: string, from = 0): number {
  let at = from
  while (at < word.length && !vowels.includes(word[at] as string)) at++
  while (at < word.length && vowels.includes(word[at] as string)) at++
  return Math.min(at + 1, word.length)
}

/** Where the region begins that follows the first vowel. */
export function regionAfterVowel(word: string, vowels: string, from = 0): number {
  let at = from
  while (at < word.length && !vowels.includes(word[at] as string)) at++
  return Math.min(at + 1, word.length)
}

/** Snowball's RV of Romance languages: behind the third letter, or the vowel or consonant that ends the beginning. */
export function romanceRegion(word: string, vowels: string): number {
  const { length } = word
  const vowel = (at: number) => isVowelAt(word, at, vowels)
  const past = (from: number, wantVowel: boolean) => {
    for (let at = from; at < length; at++) if (vowel(at) === wantVowel) return at + 1
    return length
  }
  if (length < 2) return length
  if (vowel(0)) return vowel(1) ? past(2, false) : past(2, true)
  return vowel(1) ? Math.min(3, length) : past(2, true)
}

/** Marks letters between vowels as consonants by capitals, from left to right. */
export function markBetweenVowels(
  word: string,
  vowels: string,
  marks: Readonly<Record<string, { readonly mark: string; readonly beforeVowel: boolean }>>,
): string {
  const letters = word.split('')
  for (let at = 1; at < letters.length; at++) {
    const found = marks[letters[at] as string]
    if (found === undefined || !vowels.includes(letters[at - 1] as string)) continue
    const next = letters[at + 1]
    if (found.beforeVowel && (next === undefined || !vowels.includes(next))) continue
    letters[at] = found.mark
  }
  return letters.join('')
}
