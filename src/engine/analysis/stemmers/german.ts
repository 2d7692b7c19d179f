import { markBetweenVowels, regionAfterConsonant } from './regions.ts'
import { SuffixTable } from './suffix-table.ts'

const VOWELS = 'aeiouyäöü'
const MARKS = { u: { mark: 'U', beforeVowel: true }, y: { mark: 'Y', beforeVowel: true } }
const STEP1 = new SuffixTable([
  ['cut', 'e em en ern er es'],
  ['s', 's'],
])
const STEP2 = new SuffixTable([
  ['cut', 'en er est'],
  ['st', 'st'],
])
const STEP3 = new SuffixTable([
  ['end', 'end ung'],
  ['ig', 'ig isch ik'],
  ['lich', 'lich heit'],
  ['keit', 'keit'],
])

/** The German stemmer. @source snowballstem.org, as of Lucene 7.7.3 */
export function stemGerman(word: string): string {
  return stem(word.replaceAll('ß', 'ss'))
}

/** The German stemmer's variant that reads `ae`, `oe` and `ue` as umlauts. @source snowballstem.org, as of Lucene 7.7.3 */
export function stemGerman2(word: string): string {
  // The marks are set before the digraphs are read, so a marked u is none of them; two letters behind qu are passed over.
  return stem(word, (marked) => marked.replace(/ß|ae|oe|ue|qu[\s\S]{0,2}/g, (found) => DIGRAPHS[found] ?? found))
}

function stem(word: string, read: (marked: string) => string = (marked) => marked): string {
  let w = read(markBetweenVowels(word, VOWELS, MARKS))
  let r1 = w.length
  let r2 = w.length
  if (w.length >= 3) {
    const first = regionAfterConsonant(w, VOWELS)
    r1 = Math.max(first, 3)
    r2 = regionAfterConsonant(w, VOWELS, first)
  }
  w = stripInflection(w, r1)
  w = stripDerivation(w, r1, r2)
  return w.replace(/[UYäöü]/g, (char) => PLAIN[char] as string)
}

const DIGRAPHS: Readonly<Record<string, string>> = { ß: 'ss', ae: 'ä', oe: 'ö', ue: 'ü' }
const PLAIN: Readonly<Record<string, string>> = { U: 'u', Y: 'y', ä: 'a', ö: 'o', ü: 'u' }

function stripInflection(word: string, r1: number): string {
  let w = word
  const first = STEP1.find(w)
  if (first !== undefined && first.start >= r1 && (first.action === 'cut' || /[bdfghklmnrt]s$/.test(w)))
    w = w.slice(0, first.start)
  const second = STEP2.find(w)
  if (second !== undefined && second.start >= r1) {
    if (second.action === 'cut' || (/[bdfghklmnt]st$/.test(w) && w.length >= 6)) w = w.slice(0, second.start)
  }
  return w
}

function stripDerivation(word: string, r1: number, r2: number): string {
  const found = STEP3.find(word)
  if (found === undefined || found.start < r2) return word
  const w = word.slice(0, found.start)
  switch (found.action) {
    case 'end':
      return w.endsWith('ig') && w.length - 2 >= r2 && w.at(-3) !== 'e' ? w.slice(0, -2) : w
    case 'ig':
      return w.endsWith('e') ? word : w
    case 'lich':
      return /e[rn]$/.test(w) && w.length - 2 >= r1 ? w.slice(0, -2) : w
    case 'keit': {
      const size = w.endsWith('lich') ? 4 : w.endsWith('ig') ? 2 : 0
      return size > 0 && w.length - size >= r2 ? w.slice(0, -size) : w
    }
  }
}
