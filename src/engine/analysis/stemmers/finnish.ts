import { regionAfterConsonant } from './regions.ts'
import { SuffixTable, suffixList } from './suffix-table.ts'

const VOWELS = 'aeiouyäö'
const PARTICLES = new SuffixTable([
  ['end', 'pa kaan han kin hän kään ko pä kö'],
  ['R2', 'sti'],
])
const POSSESSIVES = new SuffixTable([
  ['si', 'si'],
  ['ni', 'ni'],
  ['cut', 'nsa nsä mme nne'],
  ['an', 'an'],
  ['än', 'än'],
  ['en', 'en'],
])
const CASES = new SuffixTable([
  ['cut', 'lla na ssa ta lta sta lle ine ksi llä nä ssä tä ltä stä'],
  ['a', 'a ä'],
  ['tta', 'tta ttä'],
  ['n', 'n'],
  ['h', 'han hen hin hon hän hön'],
  ['VI', 'den tten siin'],
  ['long', 'seen'],
])
const OTHERS = suffixList('eja imma impa immi impi ejä immä impä mma mpa mmi mpi mmä mpä')
const isLong = (text: string): boolean => /(?:aa|ee|ii|oo|uu|ää|öö)$/.test(text)

/** What is no vowel, and what of it is a consonant: digits are none since Snowball 2.0. */
const NO_VOWEL = '[^aeiouyäö]'
const CONSONANT = '[bcdfghjklmnpqrstvwxz]'

interface Endings {
  readonly partitive: RegExp
  readonly vowelLast: RegExp
  readonly doubled: RegExp
}
const endingsBehind = (consonant: string): Endings => ({
  partitive: new RegExp(`${consonant}[aeiouyäö]$`),
  vowelLast: new RegExp(`${consonant}[aeiä]$`),
  doubled: new RegExp(`(${consonant})\\1([aeiouyäö]*)$`),
})
const OLDER = endingsBehind(NO_VOWEL)
const NEWER = endingsBehind(CONSONANT)

/** The Finnish stemmer. @source snowballstem.org, as of Lucene 7.7.3 */
export const stemFinnish = (word: string): string => stem(word, OLDER)
/** The Finnish stemmer that leaves numbers alone. @source snowballstem.org, as of Lucene 9.12.2 */
export const stemFinnishWords = (word: string): string => stem(word, NEWER)

function stem(word: string, endings: Endings): string {
  const r1 = regionAfterConsonant(word, VOWELS)
  const r2 = regionAfterConsonant(word, VOWELS, r1)
  let w = stripParticle(word, r1, r2)
  w = stripPossessive(w, r1)
  const cased = stripCase(w, r1, endings)
  w = cased ?? w
  w = stripOther(w, r2)
  if (cased !== undefined) {
    if (/[ij]$/.test(w) && w.length - 1 >= r1) w = w.slice(0, -1)
  } else w = stripTPlural(w, r1, r2)
  return tidy(w, r1, endings)
}

function stripParticle(w: string, r1: number, r2: number): string {
  const found = PARTICLES.find(w, r1)
  if (found === undefined) return w
  const stem = w.slice(0, found.start)
  const fits = found.action === 'R2' ? found.start >= r2 : /[aeinotuyäö]$/.test(stem)
  return fits ? stem : w
}

function stripPossessive(w: string, r1: number): string {
  const found = POSSESSIVES.find(w, r1)
  if (found === undefined) return w
  const stem = w.slice(0, found.start)
  switch (found.action) {
    case 'si':
      return stem.endsWith('k') ? w : stem
    case 'ni':
      return stem.endsWith('kse') ? `${stem.slice(0, -1)}i` : stem
    case 'cut':
      return stem
    case 'an':
      return /(?:ta|ssa|sta|lla|lta|na)$/.test(stem) ? stem : w
    case 'än':
      return /(?:tä|ssä|stä|llä|ltä|nä)$/.test(stem) ? stem : w
    case 'en':
      return /(?:lle|ine)$/.test(stem) ? stem : w
  }
}

/** The word without its case ending; undefined when it has none. */
function stripCase(w: string, r1: number, { partitive }: Endings): string | undefined {
  // An ending that has to stand behind something is passed over for a shorter one where it does not.
  for (let size = 4; size > 0; size--) {
    const found = CASES.find(w.slice(w.length - size), 0)
    if (found === undefined || found.text.length !== size || w.length - size < r1) continue
    const stem = w.slice(0, w.length - size)
    switch (found.action) {
      case 'VI':
        if (/[aeiouäö]i$/.test(stem)) return stem
        continue
      case 'long':
        if (isLong(stem)) return stem
        continue
      case 'cut':
        return stem
      case 'h':
        return stem.endsWith(found.text[1] as string) ? stem : undefined
      case 'n':
        return isLong(stem) || stem.endsWith('ie') ? stem.slice(0, -1) : stem
      case 'a':
        return partitive.test(stem) ? stem : undefined
      case 'tta':
        return stem.endsWith('e') ? stem : undefined
    }
  }
  return undefined
}

function stripOther(w: string, r2: number): string {
  const found = OTHERS.find(w, r2)
  if (found === undefined) return w
  const stem = w.slice(0, found.start)
  return found.text.startsWith('m') && stem.endsWith('po') ? w : stem
}

function stripTPlural(w: string, r1: number, r2: number): string {
  if (!/[aeiouyäö]t$/.test(w) || w.length - 2 < r1) return w
  const stem = w.slice(0, -1)
  const found = /i?mma$/.exec(stem)
  if (found === null) return stem
  const long = found[0].length === 4 && found.index >= r2
  const start = long ? found.index : stem.length - 3
  if (start < r2) return stem
  return !long && stem.slice(0, start).endsWith('po') ? stem : stem.slice(0, start)
}

function tidy(word: string, r1: number, { vowelLast, doubled }: Endings): string {
  let w = word
  const inside = (size: number) => w.length - size >= r1
  if (inside(2) && isLong(w)) w = w.slice(0, -1)
  if (inside(2) && vowelLast.test(w)) w = w.slice(0, -1)
  if (inside(2) && /[ou]j$/.test(w)) w = w.slice(0, -1)
  if (inside(2) && /jo$/.test(w)) w = w.slice(0, -1)
  // The last consonant, with the vowels behind it, is not doubled.
  return w.replace(doubled, '$1$2')
}
