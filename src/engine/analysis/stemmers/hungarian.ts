import { SuffixTable, suffixList } from './suffix-table.ts'

const isVowel = (char: string): boolean => /[aeiouáéíóõöúûü]/.test(char)
const DOUBLES = /(?:bb|cc|ccs|dd|ff|gg|ggy|jj|kk|ll|lly|mm|nn|nny|pp|rr|ss|ssz|tt|tty|vv|zz|zzs)$/
const CASES = suffixList(
  'ba ra be re ig nak nek val vel ul nál nél ból ról tól bõl rõl tõl ül n an ban en ben képpen on ön képp kor t at et ként anként enként onként ot ért öt hez hoz höz vá vé',
)
/** What stands for the ending. */
const SPECIAL_CASES = new SuffixTable([
  ['e', 'én'],
  ['a', 'án ánként'],
])
const OTHER_CASES = new SuffixTable([
  ['', 'stul stül astul estül'],
  ['a', 'ástul'],
  ['e', 'éstül'],
])
const OWNED = new SuffixTable([
  ['', 'aké eké oké öké ké éi é'],
  ['e', 'éké ééi éé'],
  ['a', 'áké áéi'],
])
const SINGULAR_OWNERS = new SuffixTable([
  ['', 'unk ünk nk juk jük uk ük am em om m ad ed od öd d ja je a e o'],
  ['a', 'ánk ájuk ám ád á'],
  ['e', 'énk éjük ém éd é'],
])
const PLURAL_OWNERS = new SuffixTable([
  [
    '',
    'jaim jeim aim eim im jaid jeid aid eid id jai jei ai ei i jaink jeink aink eink ink jaitok jeitek aitok eitek itek jaik jeik aik eik ik',
  ],
  ['a', 'áim áid ái áink áitok áik'],
  ['e', 'éim éid éi éink éitek éik'],
])
const PLURALS = new SuffixTable([
  ['a', 'ák'],
  ['e', 'ék'],
  ['', 'ök ak ok ek k'],
])

/**
 * The Hungarian stemmer, which until Snowball 2.0 took the letters of Latin 1, õ and û, for ő and ű.
 *
 * @source snowballstem.org (Anna Tordai), as of Lucene 7.7.3 and 8.7
 */
export function stemHungarian(word: string): string {
  const r1 = region(word)
  const replace = (w: string, table: SuffixTable<string>) => {
    const found = table.find(w)
    return found === undefined || found.start < r1 ? w : w.slice(0, found.start) + found.action
  }
  let w = undouble(word, /[ae]l$/, r1)
  const found = CASES.find(w)
  if (found !== undefined && found.start >= r1) {
    w = w.slice(0, found.start)
    if (/[áé]$/.test(w) && w.length - 1 >= r1) w = w.slice(0, -1) + (w.endsWith('á') ? 'a' : 'e')
  }
  w = replace(w, SPECIAL_CASES)
  w = replace(w, OTHER_CASES)
  w = undouble(w, /[áé]$/, r1)
  for (const table of [OWNED, SINGULAR_OWNERS, PLURAL_OWNERS, PLURALS]) w = replace(w, table)
  return w
}

function region(w: string): number {
  if (w === '') return 0
  if (!isVowel(w[0] as string)) {
    for (let at = 1; at < w.length; at++) if (isVowel(w[at] as string)) return at + 1
    return w.length
  }
  for (let at = 1; at < w.length; at++) {
    if (isVowel(w[at] as string)) continue
    return at + (/^(?:dzs|cs|gy|ly|ny|sz|ty|zs)/.exec(w.slice(at))?.[0].length ?? 1)
  }
  return w.length
}

/** Takes an ending off a doubled consonant, and one of the two with it. */
function undouble(w: string, ending: RegExp, r1: number): string {
  const found = ending.exec(w)
  if (found === null || found.index < r1) return w
  const stem = w.slice(0, found.index)
  return DOUBLES.test(stem) ? stem.slice(0, -2) + stem.slice(-1) : w
}

const swapLetters = (text: string): string =>
  text.replace(/[õőûű]/g, (char) => ({ õ: 'ő', ő: 'õ', û: 'ű', ű: 'û' })[char] as string)

/** The Hungarian stemmer since then. @source as of Lucene 9.12 */
export const stemHungarianLetters = (word: string): string => swapLetters(stemHungarian(swapLetters(word)))
