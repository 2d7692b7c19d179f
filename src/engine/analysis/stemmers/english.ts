import { isVowelAt, regionAfterConsonant } from './regions.ts'
import { SuffixTable, suffixList } from './suffix-table.ts'

const VOWELS = 'aeiouy'
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...'sky news howe atlas cosmos bias andes'.split(' ').map((word) => [word, word] as const),
])
const INVARIANT = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '))
const APOSTROPHES = suffixList("' 's 's'")
const PLURALS = new SuffixTable([
  ['ss', 'sses'],
  ['i', 'ied ies'],
  ['s', 's'],
  ['keep', 'us ss'],
])
const PASTS = new SuffixTable([
  ['ee', 'eed eedly'],
  ['', 'ed edly ing ingly'],
])
const STEP2 = new SuffixTable([
  ['tion', 'tional'],
  ['ence', 'enci'],
  ['ance', 'anci'],
  ['able', 'abli'],
  ['ent', 'entli'],
  ['ize', 'izer ization'],
  ['ate', 'ational ation ator'],
  ['al', 'alism aliti alli'],
  ['ful', 'fulness fulli'],
  ['ous', 'ousli ousness'],
  ['ive', 'iveness iviti'],
  ['ble', 'biliti bli'],
  ['og', 'ogi'],
  ['less', 'lessli'],
  ['', 'li'],
])
const STEP3 = new SuffixTable([
  ['tion', 'tional'],
  ['ate', 'ational'],
  ['al', 'alize'],
  ['ic', 'icate iciti ical'],
  ['', 'ful ness'],
  ['R2', 'ative'],
])
const STEP4 = suffixList('al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion')

/** The English stemmer «Porter 2». @source snowballstem.org, English stemmer, as of Lucene 7.7.3 */
export function stemEnglish(word: string): string {
  const exception = EXCEPTIONS.get(word)
  if (exception !== undefined) return exception
  if (word.length < 3) return word
  const plain = word.startsWith("'") ? word.slice(1) : word
  let w = markYs(plain.replace(/^y/, 'Y'))
  const isMarked = w !== plain
  const prefix = /^(?:gener|commun|arsen)/.exec(w)?.[0].length
  const r1 = prefix ?? regionAfterConsonant(w, VOWELS)
  const r2 = regionAfterConsonant(w, VOWELS, r1)
  w = stripPlural(w)
  if (!INVARIANT.has(w)) {
    w = stripPast(w, r1)
    if (/[yY]$/.test(w) && w.length > 2 && !isVowelAt(w, w.length - 2, VOWELS)) w = `${w.slice(0, -1)}i`
    w = derive(w, r1, r2)
    w = stripEnd(w, r1, r2)
  }
  return isMarked ? w.replaceAll('Y', 'y') : w
}

function markYs(word: string): string {
  let out = word
  for (let at = 1; at < out.length; at++)
    if (out[at] === 'y' && isVowelAt(out, at - 1, VOWELS)) out = `${out.slice(0, at)}Y${out.slice(at + 1)}`
  return out
}

const hasVowel = (text: string): boolean => /[aeiouy]/.test(text)

function stripPlural(word: string): string {
  const apostrophe = APOSTROPHES.find(word)
  const w = apostrophe === undefined ? word : word.slice(0, apostrophe.start)
  const found = PLURALS.find(w)
  if (found === undefined || found.action === 'keep') return w
  const stem = w.slice(0, found.start)
  if (found.action === 'ss') return `${stem}ss`
  if (found.action === 'i') return stem + (stem.length > 1 ? 'i' : 'ie')
  return hasVowel(stem.slice(0, -1)) ? stem : w
}

function stripPast(w: string, r1: number): string {
  const found = PASTS.find(w)
  if (found === undefined) return w
  const stem = w.slice(0, found.start)
  if (found.action === 'ee') return found.start >= r1 ? `${stem}ee` : w
  if (!hasVowel(stem)) return w
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1)
  return stem.length === r1 && endsInShortSyllable(stem) ? `${stem}e` : stem
}

function endsInShortSyllable(w: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$/.test(w) || /^[aeiouy][^aeiouy]$/.test(w)
}

function derive(word: string, r1: number, r2: number): string {
  let w = word
  const second = STEP2.find(w)
  if (second !== undefined && second.start >= r1) {
    const stem = w.slice(0, second.start)
    const { action, text } = second
    const fits = text === 'ogi' ? stem.endsWith('l') : text === 'li' ? /[cdeghkmnrt]$/.test(stem) : true
    if (fits) w = stem + action
  }
  const third = STEP3.find(w)
  if (third !== undefined && third.start >= r1) {
    const stem = w.slice(0, third.start)
    if (third.action !== 'R2') w = stem + third.action
    else if (third.start >= r2) w = stem
  }
  const fourth = STEP4.find(w)
  if (fourth !== undefined && fourth.start >= r2) {
    const stem = w.slice(0, fourth.start)
    if (fourth.text !== 'ion' || /[st]$/.test(stem)) w = stem
  }
  return w
}

function stripEnd(w: string, r1: number, r2: number): string {
  const stem = w.slice(0, -1)
  if (w.endsWith('e')) return stem.length >= r2 || (stem.length >= r1 && !endsInShortSyllable(stem)) ? stem : w
  return w.endsWith('ll') && stem.length >= r2 ? stem : w
}
