/** Likeness from which a name is offered as a guess. */
const THRESHOLD = 0.7

/** Known names that a mistyped one may mean: more than 70 % alike by Levenshtein distance, best first. */
export function closestNames(name: string, known: readonly string[]): string[] {
  return known
    .map((candidate) => ({ candidate, likeness: likeness(name, candidate) }))
    .filter((guess) => guess.likeness > THRESHOLD)
    .sort((left, right) => right.likeness - left.likeness)
    .map(({ candidate }) => candidate)
}

/** As Lucene's LevenshteinDistance has it: 1 for the same name, 0 for one without anything in common. */
export function likeness(left: string, right: string): number {
  const longer = Math.max(left.length, right.length)
  if (longer === 0) return 1
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const current = [i]
    for (let j = 1; j <= right.length; j++) {
      const substitution = (previous[j - 1] as number) + (left[i - 1] === right[j - 1] ? 0 : 1)
      current.push(Math.min(substitution, (previous[j] as number) + 1, (current[j - 1] as number) + 1))
    }
    previous = current
  }
  return 1 - (previous[right.length] as number) / longer
}
