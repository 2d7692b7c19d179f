/**
 * Porter's stemming algorithm as Lucene's PorterStemFilter runs it.
 * @source M. F. Porter, «An algorithm for suffix stripping», 1980, with the two departures of Lucene's PorterStemmer (logi → log, bli → ble)
 */
export function porterStem(word: string): string {
  if (word.length < 3 || !/^[a-z]/.test(word)) return word
  let w = word
  w = step1a(w)
  w = step1b(w)
  if (/y$/.test(w) && hasVowel(w.slice(0, -1))) w = `${w.slice(0, -1)}i`
  w = replaceSuffix(w, STEP2, 0)
  w = replaceSuffix(w, STEP3, 0)
  w = step4(w)
  if (w.endsWith('e')) {
    const stem = w.slice(0, -1)
    const m = measure(stem)
    if (m > 1 || (m === 1 && !endsCvc(stem))) w = stem
  }
  if (w.endsWith('ll') && measure(w.slice(0, -1)) > 1) w = w.slice(0, -1)
  return w
}

const STEP2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
]
const STEP3: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]
const STEP4 = [
  'al',
  'ance',
  'ence',
  'er',
  'ic',
  'able',
  'ible',
  'ant',
  'ement',
  'ment',
  'ent',
  'ion',
  'ou',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
]

function isConsonant(w: string, i: number): boolean {
  const c = w[i] as string
  if ('aeiou'.includes(c)) return false
  return c === 'y' ? i === 0 || !isConsonant(w, i - 1) : true
}

function measure(stem: string): number {
  let m = 0
  let vowel = false
  for (let i = 0; i < stem.length; i++) {
    if (!isConsonant(stem, i)) vowel = true
    else if (vowel) {
      m++
      vowel = false
    }
  }
  return m
}

function hasVowel(stem: string): boolean {
  for (let i = 0; i < stem.length; i++) if (!isConsonant(stem, i)) return true
  return false
}

function endsCvc(w: string): boolean {
  const i = w.length - 1
  if (i < 2 || !isConsonant(w, i) || isConsonant(w, i - 1) || !isConsonant(w, i - 2)) return false
  return !'wxy'.includes(w[i] as string)
}

function step1a(w: string): string {
  if (w.endsWith('sses')) return w.slice(0, -2)
  if (w.endsWith('ies')) return w.slice(0, -2)
  if (w.endsWith('ss') || !w.endsWith('s')) return w
  return w.slice(0, -1)
}

function step1b(w: string): string {
  if (w.endsWith('eed')) return measure(w.slice(0, -3)) > 0 ? w.slice(0, -1) : w
  const cut = w.endsWith('ed') ? 2 : w.endsWith('ing') ? 3 : 0
  if (cut === 0 || !hasVowel(w.slice(0, -cut))) return w
  const stem = w.slice(0, -cut)
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`
  const last = stem[stem.length - 1]
  if (last === stem[stem.length - 2] && isConsonant(stem, stem.length - 1) && stem.length > 1) {
    return 'lsz'.includes(last as string) ? stem : stem.slice(0, -1)
  }
  return measure(stem) === 1 && endsCvc(stem) ? `${stem}e` : stem
}

function replaceSuffix(w: string, table: readonly (readonly [string, string])[], least: number): string {
  // The longest suffix that fits decides, whether or not its condition holds.
  let found: readonly [string, string] | undefined
  for (const entry of table)
    if (w.endsWith(entry[0]) && (found === undefined || entry[0].length > found[0].length)) found = entry
  if (found === undefined) return w
  const stem = w.slice(0, w.length - found[0].length)
  return measure(stem) > least ? stem + found[1] : w
}

function step4(w: string): string {
  let found: string | undefined
  for (const suffix of STEP4)
    if (w.endsWith(suffix) && (found === undefined || suffix.length > found.length)) found = suffix
  if (found === undefined) return w
  const stem = w.slice(0, w.length - found.length)
  if (found === 'ion' && !/[st]$/.test(stem)) return w
  return measure(stem) > 1 ? stem : w
}
