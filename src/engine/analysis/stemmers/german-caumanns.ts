/** What stands for letters that belong together while endings are cut. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  $: 'sch',
  '§': 'ch',
  '%': 'ei',
  '&': 'ie',
  '#': 'ig',
  '!': 'st',
}

/** Caumanns' German stemmer, that of the filter `german_stem`. @source Lucene, GermanStemmer (Caumanns, «A Fast and Simple Stemming Algorithm for German Words») */
export function stemGermanCaumanns(word: string): string {
  const term = word.toLowerCase()
  if (/[^\p{L}]/u.test(term)) return term
  const { text, substituted } = substitute(term)
  let w = strip(text, substituted)
  if (w.length > 5 && w.endsWith('erin*')) w = strip(w.slice(0, -1), substituted)
  w = w.replace(/z$/, 'x')
  let out = ''
  let last = ''
  for (const char of w) {
    const letters: string = char === '*' ? last : (SUBSTITUTES[char] ?? char)
    out += letters
    last = letters.slice(-1)
  }
  return out.length > 4 ? out.replace('gege', 'ge') : out
}

function substitute(term: string): { readonly text: string; readonly substituted: number } {
  const s = term.split('')
  let substituted = 0
  for (let at = 0; at < s.length; at++) {
    const char = s[at] as string
    if (at > 0 && char === s[at - 1]) s[at] = '*'
    else if (char === 'ä') s[at] = 'a'
    else if (char === 'ö') s[at] = 'o'
    else if (char === 'ü') s[at] = 'u'
    else if (char === 'ß') {
      s.splice(at, 1, 's', 's')
      substituted++
    }
    const pair = `${s[at]}${s[at + 1] ?? ''}`
    if (at < s.length - 2 && pair === 'sc' && s[at + 2] === 'h') {
      s.splice(at, 3, '$')
      substituted += 2
      continue
    }
    const sign = { ch: '§', ei: '%', ie: '&', ig: '#', st: '!' }[pair]
    if (sign === undefined) continue
    s.splice(at, 2, sign)
    substituted++
  }
  return { text: s.join(''), substituted }
}

function strip(text: string, substituted: number): string {
  let w = text
  while (w.length > 3) {
    if (w.length + substituted > 5 && w.endsWith('nd')) w = w.slice(0, -2)
    else if (w.length + substituted > 4 && /e[mr]$/.test(w)) w = w.slice(0, -2)
    else if (/[esnt]$/.test(w)) w = w.slice(0, -1)
    else break
  }
  return w
}
