import { SuffixTable, suffixList } from './suffix-table.ts'

/** R1 of the Scandinavian stemmers: behind the first consonant that follows a vowel, but not before the fourth letter. */
function region(word: string, vowels: RegExp): number {
  if (word.length < 3) return word.length
  const vowel = word.search(vowels)
  if (vowel < 0) return word.length
  for (let at = vowel + 1; at < word.length; at++) if (!vowels.test(word[at] as string)) return Math.max(at + 1, 3)
  return word.length
}

const SWEDISH_MAIN = new SuffixTable([
  [
    'cut',
    'a arna erna heterna orna ad e ade ande arne are aste en anden aren heten ern ar er heter or as arnas ernas ornas es ades andes ens arens hetens erns at andet het ast',
  ],
  ['s', 's'],
])

/** The Swedish stemmer. @source snowballstem.org, as of Lucene 7.7.3 */
export function stemSwedish(word: string): string {
  const r1 = region(word, /[aeiouyäåö]/)
  let w = word
  const found = SWEDISH_MAIN.find(w, r1)
  if (found !== undefined && (found.action === 'cut' || /[bcdfghjklmnoprtvy]s$/.test(w))) w = w.slice(0, found.start)
  if (w.length - 2 >= r1 && /(?:dd|gd|nn|dt|gt|kt|tt)$/.test(w)) w = w.slice(0, -1)
  const other = /(?:lig|els|ig|löst|fullt)$/.exec(w)
  if (other === null || other.index < r1)
    return other === null || !/lig$/.test(w) || w.length - 2 < r1 ? w : w.slice(0, -2)
  return other[0] === 'löst' || other[0] === 'fullt' ? w.slice(0, -1) : w.slice(0, other.index)
}

const NORWEGIAN_MAIN = new SuffixTable([
  [
    'cut',
    'a e ede ande ende ane ene hetene en heten ar er heter as es edes endes enes hetenes ens hetens ers ets et het ast',
  ],
  ['s', 's'],
  ['er', 'erte ert'],
])
const NORWEGIAN_OTHER = suffixList('leg eleg ig eig lig elig els lov elov slov hetslov')

/** The Norwegian stemmer. @source snowballstem.org, as of Lucene 7.7.3 */
export function stemNorwegian(word: string): string {
  const r1 = region(word, /[aeiouyåæø]/)
  let w = word
  const found = NORWEGIAN_MAIN.find(w, r1)
  if (found !== undefined) {
    const stem = w.slice(0, found.start)
    if (found.action === 'cut') w = stem
    else if (found.action === 'er') w = `${stem}er`
    else if (/(?:[bcdfghjlmnoprtvyz]|[^aeiouyåæø]k)$/.test(stem)) w = stem
  }
  if (w.length - 2 >= r1 && /(?:dt|vt)$/.test(w)) w = w.slice(0, -1)
  const other = NORWEGIAN_OTHER.find(w, r1)
  return other === undefined ? w : w.slice(0, other.start)
}

const DANISH_MAIN = new SuffixTable([
  [
    'cut',
    'hed ethed ered e erede ende erende ene erne ere en heden eren er heder erer heds es endes erendes enes ernes eres ens hedens erens ers ets erets et eret',
  ],
  ['s', 's'],
])
const DANISH_OTHER = new SuffixTable([
  ['cut', 'ig lig elig els'],
  ['løs', 'løst'],
])

/** The Danish stemmer. @source snowballstem.org, as of Lucene 7.7.3 */
export const stemDanish = (word: string): string => danish(word, /([^aeiouyåæø])\1$/)
/** The Danish stemmer that leaves numbers alone. @source snowballstem.org, as of Lucene 9.12.2 */
export const stemDanishWords = (word: string): string => danish(word, /([bcdfghjklmnpqrstvwxz])\1$/)

function danish(word: string, doubled: RegExp): string {
  const r1 = region(word, /[aeiouyåæø]/)
  let w = word
  const found = DANISH_MAIN.find(w, r1)
  if (found !== undefined && (found.action === 'cut' || /[abcdfghjklmnoprtvyzå]s$/.test(w))) w = w.slice(0, found.start)
  const pair = (text: string) => (text.length - 2 >= r1 && /(?:gd|dt|gt|kt)$/.test(text) ? text.slice(0, -1) : text)
  w = pair(w)
  if (w.endsWith('igst')) w = w.slice(0, -2)
  const other = DANISH_OTHER.find(w, r1)
  if (other !== undefined) w = other.action === 'cut' ? pair(w.slice(0, other.start)) : w.slice(0, -1)
  return w.length - 1 >= r1 && doubled.test(w) ? w.slice(0, -1) : w
}
