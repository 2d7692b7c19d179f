import { isVowelAt, markBetweenVowels, regionAfterConsonant, romanceRegion } from './regions.ts'
import { SuffixTable, suffixList } from './suffix-table.ts'

const VOWELS = 'aeiouâîă'
const MARKS = { u: { mark: 'U', beforeVowel: true }, i: { mark: 'I', beforeVowel: true } }
const STEP0 = new SuffixTable([
  ['', 'ului ul'],
  ['a', 'aua'],
  ['e', 'ea ele elor'],
  ['i', 'iua iile iei ii ilor iilor'],
  ['ab', 'ile'],
  ['at', 'atei'],
  ['aţi', 'aţia aţie'],
])
const COMBINATIONS = new SuffixTable([
  ['abil', 'abilitate abilitati abilităi abilităţi'],
  ['ibil', 'ibilitate'],
  ['iv', 'ivitate ivitati ivităi ivităţi'],
  ['ic', 'icala iciva icale icitate icive icali icatori icitati icivi icităi icităţi ical icator iciv icală icivă'],
  ['at', 'ativa aţiune atoare ătoare ative atori ători ativi ator ător ativ ativă'],
  ['it', 'itiva iţiune itoare itive itori itivi itor itiv itivă'],
])
const STANDARD = new SuffixTable([
  [
    '',
    'ica abila ibila oasa ata ita anta uta iva ic ice abile ibile oase ate itate ite ante ute ive ici abili ibili atori osi ati itati iti anti uti ivi ităi oşi ităţi abil ibil ator os at it ant ut iv ică abilă ibilă oasă ată ită antă ută ivă',
  ],
  ['ţ', 'iune iuni'],
  ['ist', 'ista isme iste isti işti ism ist istă'],
])
const VERBS = new SuffixTable([
  [
    'consonant',
    'ea ia esc ăsc ind ând are ere ire âre ase ise use âse eşte ăşte eze ai eai iai eşti ăşti ui ezi âi aşi aseşi iseşi useşi âseşi işi uşi âşi eaţi iaţi arăţi aserăţi iserăţi userăţi âserăţi irăţi urăţi ârăţi am eam iam asem isem usem âsem arăm aserăm iserăm userăm âserăm irăm urăm ârăm au eau iau indu ându ez ească ară aseră iseră useră âseră iră ură âră ează',
  ],
  ['cut', 'se sese sei seşi seseşi aţi eţi iţi âţi serăţi seserăţi em sesem im âm ăm serăm seserăm seră seseră'],
])
const ENDS = suffixList('a e ie i ă')

/** The Romanian stemmer; it knows s and t with cedilla, not those with comma. @source snowballstem.org, as of Lucene 7.7.3 */
export function stemRomanian(word: string): string {
  let w = markBetweenVowels(word, VOWELS, MARKS)
  const rv = romanceRegion(w, VOWELS)
  const r1 = regionAfterConsonant(w, VOWELS)
  const r2 = regionAfterConsonant(w, VOWELS, r1)
  w = stripPlural(w, r1)
  const combined = stripCombinations(w, r1)
  const standard = stripStandard(combined, r2)
  w = standard ?? combined
  if (combined === w && standard === undefined) w = stripVerb(w, rv)
  const end = ENDS.find(w)
  if (end !== undefined && end.start >= rv) w = w.slice(0, end.start)
  return w.replace(/[IU]/g, (char) => char.toLowerCase())
}

function stripPlural(w: string, r1: number): string {
  const found = STEP0.find(w)
  if (found === undefined || found.start < r1) return w
  const stem = w.slice(0, found.start)
  if (found.action !== 'ab') return stem + found.action
  return stem.endsWith('ab') ? w : `${stem}i`
}

function stripCombinations(word: string, r1: number): string {
  let w = word
  for (;;) {
    const found = COMBINATIONS.find(w)
    if (found === undefined || found.start < r1) return w
    w = w.slice(0, found.start) + found.action
  }
}

function stripStandard(w: string, r2: number): string | undefined {
  const found = STANDARD.find(w)
  if (found === undefined || found.start < r2) return undefined
  const stem = w.slice(0, found.start)
  if (found.action !== 'ţ') return stem + found.action
  return stem.endsWith('ţ') ? `${stem.slice(0, -1)}t` : undefined
}

function stripVerb(w: string, rv: number): string {
  const found = VERBS.find(w, rv)
  if (found === undefined) return w
  const stem = w.slice(0, found.start)
  if (found.action === 'cut') return stem
  if (stem.length <= rv) return w
  return stem.endsWith('u') || !isVowelAt(stem, stem.length - 1, VOWELS) ? stem : w
}
