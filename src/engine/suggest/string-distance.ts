const { fround } = Math

/** Ways to say how alike two words are, by the names of requests. */
export type StringDistance = 'internal' | 'damerau_levenshtein' | 'levenshtein' | 'jaro_winkler' | 'ngram'

/** Likeness of two words from 0 to 1, a 32-bit float. `internal` is damerau_levenshtein over the shorter word. */
export function likeness(distance: Exclude<StringDistance, 'internal'>, a: string, b: string): number {
  switch (distance) {
    case 'damerau_levenshtein': {
      const longest = Math.max(points(a).length, points(b).length)
      return longest === 0 ? 1 : fround(1 - fround(edits(points(a), points(b), true) / shortest(a, b)))
    }
    case 'levenshtein': {
      const longest = Math.max(a.length, b.length)
      if (longest === 0) return 1
      return fround(1 - fround(edits([...a], [...b], false) / longest))
    }
    case 'jaro_winkler':
      return jaroWinkler(a, b)
    case 'ngram':
      return nGram(a, b)
  }
}

const points = (text: string): string[] => Array.from(text)

const shortest = (a: string, b: string): number => Math.min(points(a).length, points(b).length)

function edits(a: readonly string[], b: readonly string[], swaps: boolean): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let best = Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1)
      if (swaps && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (before[j - 2] as number) + 1)
      }
      next.push(best)
    }
    before = row
    row = next
  }
  return row[b.length] as number
}

/** @source Winkler, «String comparator metrics and enhanced decision rules»; threshold 0.7 as Lucene has it */
function jaroWinkler(a: string, b: string): number {
  const [short, long] = a.length > b.length ? [b, a] : [a, b]
  const range = Math.max(Math.floor(long.length / 2) - 1, 0)
  const shortMatch = new Int32Array(short.length).fill(-1)
  const taken = new Uint8Array(long.length)
  let matches = 0
  for (let i = 0; i < short.length; i++) {
    for (let j = Math.max(i - range, 0); j < Math.min(i + range + 1, long.length); j++) {
      if (taken[j] === 1 || short[i] !== long[j]) continue
      shortMatch[i] = j
      taken[j] = 1
      matches++
      break
    }
  }
  if (matches === 0) return 0
  const left = [...short].filter((_, i) => shortMatch[i] !== -1)
  const right = [...long].filter((_, j) => taken[j] === 1)
  const moved = Math.floor(left.filter((c, i) => c !== right[i]).length / 2)
  let prefix = 0
  while (prefix < short.length && a[prefix] === b[prefix]) prefix++
  // Each step is a float.
  const ofBoth = fround(fround(matches / a.length) + fround(matches / b.length))
  const jaro = fround(fround(ofBoth + fround((matches - moved) / matches)) / 3)
  if (jaro < fround(0.7)) return jaro
  const share = fround(Math.min(fround(0.1), fround(1 / long.length)) * prefix)
  return fround(jaro + fround(share * fround(1 - jaro)))
}

/** @source Kondrak, «N-gram similarity and distance», bigrams */
function nGram(source: string, target: string): number {
  const n = 2
  const [sl, tl] = [source.length, target.length]
  if (sl === 0 || tl === 0) return sl === tl ? 1 : 0
  if (sl < n || tl < n) {
    let cost = 0
    for (let i = 0; i < Math.min(sl, tl); i++) if (source[i] === target[i]) cost++
    return fround(cost / Math.max(sl, tl))
  }
  const padded = '\0'.repeat(n - 1) + source
  let previous = Float32Array.from({ length: sl + 1 }, (_, i) => i)
  for (let j = 1; j <= tl; j++) {
    const gram = j < n ? '\0'.repeat(n - j) + target.slice(0, j) : target.slice(j - n, j)
    const row = new Float32Array(sl + 1)
    row[0] = j
    for (let i = 1; i <= sl; i++) {
      let cost = 0
      let size = n
      for (let k = 0; k < n; k++) {
        const c = padded[i - 1 + k]
        if (c !== gram[k]) cost++
        else if (c === '\0') size--
      }
      const share = fround(cost / size)
      row[i] = Math.min((row[i - 1] as number) + 1, (previous[i] as number) + 1, (previous[i - 1] as number) + share)
    }
    previous = row
  }
  return fround(1 - fround((previous[sl] as number) / Math.max(tl, sl)))
}
