/** Whether any name fits a pattern of each list. */
export function patternListsMeet(left: readonly string[], right: readonly string[]): boolean {
  return left.some((a) => right.some((b) => patternsMeet(a, b)))
}

/** Whether some name fits both patterns. Row by row over the second one's ends, so that many stars cost no more than few. */
function patternsMeet(a: string, b: string): boolean {
  let below = new Array<boolean>(b.length + 2).fill(false)
  for (let i = a.length; i >= 0; i--) {
    const row = new Array<boolean>(b.length + 2).fill(false)
    for (let j = b.length; j >= 0; j--) {
      if (i === a.length && j === b.length) row[j] = true
      else if (a[i] === '*') row[j] = (below[j] as boolean) || (j < b.length && (row[j + 1] as boolean))
      else if (b[j] === '*') row[j] = (row[j + 1] as boolean) || (i < a.length && (below[j] as boolean))
      else row[j] = i < a.length && a[i] === b[j] && (below[j + 1] as boolean)
    }
    below = row
  }
  return below[0] as boolean
}
