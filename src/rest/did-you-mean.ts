/**
 * ` did you mean [a]?` where known names are like an unknown one, else nothing.
 *
 * @param isLikestFirst  whether they come by likeness, then name; else by name alone
 */
export function didYouMean(unknown: string, known: Iterable<string>, isLikestFirst = true): string {
  const alike = [...known].filter((name) => likeness(unknown, name) > 0.5).sort()
  if (isLikestFirst) alike.sort((a, b) => likeness(unknown, b) - likeness(unknown, a))
  if (alike.length === 0) return ''
  return alike.length === 1 ? ` did you mean [${alike[0]}]?` : ` did you mean any of [${alike.join(', ')}]?`
}

/** As Lucene's LevenshteinDistance has it: 1 for the same name, 0 for one without anything in common. */
function likeness(a: string, b: string): number {
  return 1 - editDistance(a, b) / Math.max(a.length, b.length)
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
