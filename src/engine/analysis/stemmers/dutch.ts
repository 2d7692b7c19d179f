import { isVowelAt, markBetweenVowels, regionAfterConsonant } from './regions.ts'
import { SuffixTable } from './suffix-table.ts'

const VOWELS = 'aeiouyè'
const MARKS = { i: { mark: 'I', beforeVowel: true }, y: { mark: 'Y', beforeVowel: false } }
const STEP1 = new SuffixTable([
  ['heid', 'heden'],
  ['en', 'en ene'],
  ['s', 's se'],
])
const STEP4 = new SuffixTable([
  ['end', 'end ing'],
  ['ig', 'ig'],
  ['lijk', 'lijk'],
  ['baar', 'baar'],
  ['bar', 'bar'],
])

/** The Dutch stemmer. @source snowballstem.org, as of Lucene 7.7.3 */
export function stemDutch(word: string): string {
  const plain = word.replace(/[äáëéïíöóüú]/g, (char) => 'aaeeiioouu'['äáëéïíöóüú'.indexOf(char)] as string)
  let w = markBetweenVowels(plain.replace(/^y/, 'Y'), VOWELS, MARKS)
  const first = regionAfterConsonant(w, VOWELS)
  const r2 = regionAfterConsonant(w, VOWELS, first)
  const r1 = Math.max(first, 3)
  w = stripFirst(w, r1)
  const beforeE = w
  w = stripE(w, r1)
  const foundE = w !== beforeE
  w = stripHeid(w, r1, r2)
  w = stripDerivation(w, r1, r2, foundE)
  const doubled = /([^aeiouyè])(aa|ee|oo|uu)([^aeiouyèI])$/.exec(w)
  if (doubled !== null) w = w.slice(0, -2) + w.slice(-1)
  return w.replace(/[YI]/g, (char) => char.toLowerCase())
}

const undouble = (w: string): string => (/(?:kk|dd|tt)$/.test(w) ? w.slice(0, -1) : w)

/** @param start  where the ending `en` begins */
function stripEn(w: string, start: number, r1: number): string {
  const stem = w.slice(0, start)
  if (start < r1 || stem === '' || isVowelAt(stem, start - 1, VOWELS) || stem.endsWith('gem')) return w
  return undouble(stem)
}

function stripFirst(w: string, r1: number): string {
  const found = STEP1.find(w)
  if (found === undefined) return w
  const stem = w.slice(0, found.start)
  if (found.action === 'en') return stripEn(w, found.start, r1)
  if (found.start < r1) return w
  if (found.action === 'heid') return `${stem}heid`
  return /[^aeijouyè]$/.test(stem) ? stem : w
}

function stripE(w: string, r1: number): string {
  const stem = w.slice(0, -1)
  return w.endsWith('e') && stem.length >= r1 && /[^aeiouyè]$/.test(stem) ? undouble(stem) : w
}

function stripHeid(w: string, r1: number, r2: number): string {
  if (!w.endsWith('heid') || w.length - 4 < r2 || w.at(-5) === 'c') return w
  const stem = w.slice(0, -4)
  return stem.endsWith('en') ? stripEn(stem, stem.length - 2, r1) : stem
}

function stripDerivation(w: string, r1: number, r2: number, foundE: boolean): string {
  const found = STEP4.find(w)
  if (found === undefined || found.start < r2) return w
  const stem = w.slice(0, found.start)
  switch (found.action) {
    case 'end':
      if (stem.endsWith('ig') && stem.length - 2 >= r2 && stem.at(-3) !== 'e') return stem.slice(0, -2)
      return undouble(stem)
    case 'ig':
      return stem.endsWith('e') ? w : stem
    case 'lijk':
      return stripE(stem, r1)
    case 'baar':
      return stem
    case 'bar':
      return foundE ? stem : w
  }
}
