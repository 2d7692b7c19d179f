/**
 * Whether two words are so few edits apart (insertions, deletions, substitutions; neighbours swapped count as one with
 * `transpositions`), the first `prefixLength` characters being equal.
 */
export function withinEdits(
  a: string,
  b: string,
  {
    edits,
    prefixLength,
    transpositions,
  }: { readonly edits: number; readonly prefixLength: number; readonly transpositions: boolean },
): boolean {
  const left = [...a]
  const right = [...b]
  if (Math.abs(left.length - right.length) > edits) return false
  for (let i = 0; i < Math.min(prefixLength, left.length); i++) if (left[i] !== right[i]) return false
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
  return (above[right.length] as number) <= edits
}
