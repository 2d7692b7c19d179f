/**
 * How many edits two words are apart (insertions, deletions, substitutions; neighbours swapped count as one with
 * `transpositions`); infinitely many where the first `prefixLength` characters are not equal, or for more than `edits` by length.
 */
export function editsBetween(
  a: string,
  b: string,
  {
    edits,
    prefixLength,
    transpositions,
  }: { readonly edits: number; readonly prefixLength: number; readonly transpositions: boolean },
): number {
  const left = [...a]
  const right = [...b]
  if (Math.abs(left.length - right.length) > edits) return Number.POSITIVE_INFINITY
  for (let i = 0; i < Math.min(prefixLength, left.length); i++)
    if (left[i] !== right[i]) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let above = Array.from({ length: right.length + 1 }, (_, j) => j)
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1]
      let cost = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + (same ? 0 : 1),
      )
      const swapped = transpositions && i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      if (swapped) cost = Math.min(cost, (before[j - 2] as number) + 1)
      row.push(cost)
    }
    before = above
    above = row
  }
  return above[right.length] as number
}
