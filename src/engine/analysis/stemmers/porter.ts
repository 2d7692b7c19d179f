import { SuffixTable, suffixList } from './suffix-table.ts'

type Step2 = SuffixTable<string>

const COMMON_STEP2 = [
  ['ate', 'ational ation ator'],
  ['tion', 'tional'],
  ['ence', 'enci'],
  ['ance', 'anci'],
  ['ize', 'izer ization'],
  ['al', 'alli alism aliti'],
  ['ent', 'entli'],
  ['e', 'eli'],
  ['ous', 'ousli ousness'],
  ['ive', 'iveness iviti'],
  ['ful', 'fulness'],
] as const
const LUCENE_STEP2: Step2 = new SuffixTable<string>([...COMMON_STEP2, ['ble', 'bli biliti'], ['log', 'logi']])
const SNOWBALL_STEP2: Step2 = new SuffixTable<string>([...COMMON_STEP2, ['able', 'abli'], ['ble', 'biliti']])
const STEP3: Step2 = new SuffixTable<string>([
  ['ic', 'icate iciti ical'],
  ['', 'ative ful ness'],
  ['al', 'alize'],
])
const STEP4 = suffixList('al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize')

/**
 * Porter's stemming algorithm as Lucene's PorterStemFilter runs it.
 * @source M. F. Porter, «An algorithm for suffix stripping», 1980, with the departures of Lucene's PorterStemmer (logi → log, bli → ble, short words stay)
 */
export function porterStem(word: string): string {
  return word.length < 3 ? word : stem(word, LUCENE_STEP2, /([^aeioulsz])\1$/)
}

/** Porter's stemming algorithm as Snowball has it. @source snowballstem.org, Porter stemmer, as of Lucene 7.7.3 */
export function stemPorter(word: string): string {
  return stem(word, SNOWBALL_STEP2, /([bdfgmnprt])\1$/)
}

/** @param doubles  consonants of which one of two is dropped */
function stem(word: string, step2: Step2, doubles: RegExp): string {
  let w = stripPast(stripPlural(word), doubles)
  if (w.endsWith('y') && hasVowel(w.slice(0, -1))) w = `${w.slice(0, -1)}i`
  w = replaceSuffix(w, step2)
  w = replaceSuffix(w, STEP3)
  w = stripSuffix(w)
  if (w.endsWith('e')) {
    const rest = w.slice(0, -1)
    const m = measure(rest)
    if (m > 1 || (m === 1 && !endsInShortSyllable(rest))) w = rest
  }
  return w.endsWith('ll') && measure(w) > 1 ? w.slice(0, -1) : w
}

/** Walks over a text; answers the number of vowels followed by consonants, and what the last letter is. */
function scan(text: string): { readonly measure: number; readonly vowels: boolean; readonly lastIsConsonant: boolean } {
  let measured = 0
  let vowels = false
  let consonant = false
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] as string
    const before: boolean = consonant
    // y is a consonant at the start and behind a vowel.
    consonant = letter === 'y' ? i === 0 || !before : !'aeiou'.includes(letter)
    if (!consonant) vowels = true
    else if (i > 0 && !before) measured++
  }
  return { measure: measured, vowels, lastIsConsonant: consonant }
}

const measure = (text: string): number => scan(text).measure
const hasVowel = (text: string): boolean => scan(text).vowels

/** Consonant, vowel, consonant; the last none of w, x, y. */
function endsInShortSyllable(w: string): boolean {
  if (w.length < 3 || /[wxy]$/.test(w)) return false
  return scan(w).lastIsConsonant && !scan(w.slice(0, -1)).lastIsConsonant && scan(w.slice(0, -2)).lastIsConsonant
}

function stripPlural(w: string): string {
  if (!w.endsWith('s') || w.endsWith('ss')) return w
  return w.slice(0, w.endsWith('sses') || w.endsWith('ies') ? -2 : -1)
}

function stripPast(w: string, doubles: RegExp): string {
  if (w.endsWith('eed')) return measure(w.slice(0, -3)) > 0 ? w.slice(0, -1) : w
  const cut = w.endsWith('ed') ? 2 : w.endsWith('ing') ? 3 : 0
  if (cut === 0 || !hasVowel(w.slice(0, -cut))) return w
  const rest = w.slice(0, -cut)
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (doubles.test(rest) && scan(rest).lastIsConsonant) return rest.slice(0, -1)
  // Two of l, s or z stay, and nothing is added to them.
  if (/(?:ll|ss|zz)$/.test(rest)) return rest
  return measure(rest) === 1 && endsInShortSyllable(rest) ? `${rest}e` : rest
}

function replaceSuffix(w: string, table: Step2): string {
  const found = table.find(w)
  if (found === undefined) return w
  const rest = w.slice(0, found.start)
  return measure(rest) > 0 ? rest + found.action : w
}

function stripSuffix(w: string): string {
  const found = STEP4.find(w)
  if (found === undefined) return w
  const rest = w.slice(0, found.start)
  if (found.text === 'ion' && !/[st]$/.test(rest)) return w
  return measure(rest) > 1 ? rest : w
}
