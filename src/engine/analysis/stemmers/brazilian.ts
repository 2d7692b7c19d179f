import { withoutAccents } from './ending-rules.ts'

const isVowel = (char: string | undefined): boolean => char !== undefined && 'aeiou'.includes(char)

/** Standard endings in the order they are tried, with what replaces them; the real stemmer's slip about `logias` included. */
const STANDARD: readonly (readonly [ending: string, region: 'r1' | 'r2' | 'rv', replacement: string])[] = [
  ['uciones', 'r2', 'u'],
  ...'imentos amentos adores adoras'.split(' ').map((ending) => [ending, 'r2', ''] as const),
  ['logias', 'r2', 'logias'],
  ['encias', 'r2', 'ente'],
  ['amente', 'r1', ''],
  ...'idades acoes imento amento adora ismos istas'.split(' ').map((ending) => [ending, 'r2', ''] as const),
  ['logia', 'r2', 'log'],
  ['ucion', 'r2', 'u'],
  ['encia', 'r2', 'ente'],
  ...'mente idade acao ezas icos icas ismo avel ivel ista osos osas ador ivas ivos'
    .split(' ')
    .map((ending) => [ending, 'r2', ''] as const),
  ['iras', 'rv', 'ir'],
  ...'eza ico ica oso osa iva ivo'.split(' ').map((ending) => [ending, 'r2', ''] as const),
  ['ira', 'rv', 'ir'],
]
const VERBS =
  'issemos essemos assemos ariamos eriamos iriamos iremos eremos aremos avamos iramos eramos aramos asseis esseis isseis arieis erieis irieis irmos iamos armos ermos areis ereis ireis asses esses isses astes assem essem issem ardes erdes irdes ariam eriam iriam arias erias irias estes istes aveis aria eria iria asse esse isse aste este iste arei erei irei aram eram iram avam arem erem irem ando endo indo arao erao irao adas idas aras eras iras avas ares eres ires ados idos amos emos imos ieis ada ida ara era ira iam ado ido ias ais eis ear ia ei am em ar er ir as es is eu iu ou'.split(
    ' ',
  )

/** The Brazilian Portuguese stemmer. @source Lucene, BrazilianStemmer */
export function stemBrazilian(word: string): string {
  let w = withoutAccents(word.toLowerCase(), 'áâãéêíóôõúüçñ', 'aaaeeiooouucn')
  w = w.length < 2 ? w : w.replace(/^["'\-,;.?!]/, '')
  w = w.length < 2 ? w : w.replace(/["'\-,;.?!]$/, '')
  if (w.length <= 2 || w.length >= 30) return word
  if (/[^\p{L}]/u.test(w)) return w
  const regions = { r1: regionText(w), r2: regionText(regionText(w)), rv: verbRegion(w) }
  const standard = stripStandard(w, regions)
  const stripped = standard ?? stripVerb(w, regions.rv)
  const rv = regions.rv
  if (rv === undefined) return stripped ?? w
  w = stripped ?? stripResidue(w, rv)
  // The regions stay those of the whole word.
  if (stripped !== undefined && rv.endsWith('ci') && w.endsWith('i')) w = w.slice(0, -1)
  if (rv.endsWith('e') && w.endsWith('e')) w = stripE(w, rv)
  return w
}

function stripE(word: string, rv: string): string {
  const w = word.slice(0, -1)
  if (rv.endsWith('gue')) return w.replace(/u$/, '')
  return rv.endsWith('cie') ? w.replace(/i$/, '') : w
}

/** What follows the first consonant behind the first vowels; the last letter is not looked at. */
function regionText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const last = text.length - 1
  let at = 0
  while (at < last && !isVowel(text[at])) at++
  while (at < last && isVowel(text[at])) at++
  return at >= last ? undefined : text.slice(at + 1)
}

function verbRegion(w: string): string | undefined {
  const last = w.length - 1
  if (last > 0 && !isVowel(w[1])) {
    let at = 2
    while (at < last && !isVowel(w[at])) at++
    if (at < last) return w.slice(at + 1)
  }
  if (last > 1 && isVowel(w[0]) && isVowel(w[1])) {
    let at = 2
    while (at < last && isVowel(w[at])) at++
    if (at < last) return w.slice(at + 1)
  }
  return last > 2 ? w.slice(3) : undefined
}

function stripStandard(
  w: string,
  regions: Readonly<Record<'r1' | 'r2' | 'rv', string | undefined>>,
): string | undefined {
  for (const [ending, region, replacement] of STANDARD) {
    if (!w.endsWith(ending) || regions[region]?.endsWith(ending) !== true) continue
    const stem = w.slice(0, -ending.length)
    if (region === 'rv' && !stem.endsWith('e')) continue
    return stem + replacement
  }
  return undefined
}

function stripVerb(w: string, rv: string | undefined): string | undefined {
  if (rv === undefined) return undefined
  // The original finds `ira` and takes nothing off.
  for (const ending of VERBS) if (rv.endsWith(ending)) return ending === 'ira' ? w : w.slice(0, -ending.length)
  return undefined
}

function stripResidue(w: string, rv: string): string {
  if (rv.endsWith('os')) return w.slice(0, -2)
  return /[aio]$/.test(rv) ? w.slice(0, -1) : w
}
