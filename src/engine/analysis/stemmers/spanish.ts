import { regionAfterConsonant, romanceRegion } from './regions.ts'
import { SuffixTable, suffixList } from './suffix-table.ts'

const VOWELS = 'aeiouáéíóúü'
const PRONOUNS = suffixList('la sela le me se lo selo las selas les los selos nos')
const BEFORE_PRONOUN = new SuffixTable([
  ['iendo', 'iéndo'],
  ['ando', 'ándo'],
  ['ar', 'ár'],
  ['er', 'ér'],
  ['ir', 'ír'],
  ['cut', 'ando iendo ar er ir'],
  ['u', 'yendo'],
])
const STANDARD = new SuffixTable([
  [
    '',
    'ica osa ista anza able ible ico ismo oso amiento imiento icas osas istas anzas ables ibles icos ismos osos amientos imientos',
  ],
  ['ic', 'ancia adora ante ación ador ancias adoras aciones adores antes'],
  ['log', 'logía logías'],
  ['u', 'ución uciones'],
  ['ente', 'encia encias'],
  ['amente', 'amente'],
  ['mente', 'mente'],
  ['idad', 'idad idades'],
  ['at', 'iva ivo ivas ivos'],
])
const Y_VERBS = suffixList('ya ye yan yen yeron yendo yo yas yes yais yamos yó')
const VERBS = new SuffixTable([
  ['gu', 'en es éis emos'],
  [
    'cut',
    'aba ada ida ara iera ía aría ería iría ad ed id ase iese aste iste an aban aran ieran ían arían erían irían asen iesen aron ieron arán erán irán ado ido ando iendo ar er ir as abas adas idas aras ieras ías arías erías irías ases ieses abais arais ierais íais aríais eríais iríais aseis ieseis asteis isteis áis aréis eréis iréis ados idos amos ábamos áramos iéramos íamos aríamos eríamos iríamos aremos eremos iremos ásemos iésemos imos arás erás irás ís ará erá irá aré eré iré ió',
  ],
])
const RESIDUES = new SuffixTable([
  ['cut', 'a o os á í ó'],
  ['gu', 'e é'],
])

/** The Spanish stemmer. @source snowballstem.org, as of Lucene 7.7.3 */
export function stemSpanish(word: string): string {
  const rv = romanceRegion(word, VOWELS)
  const r1 = regionAfterConsonant(word, VOWELS)
  const r2 = regionAfterConsonant(word, VOWELS, r1)
  let w = stripPronoun(word, rv)
  w = stripStandard(w, r1, r2) ?? stripVerb(w, rv) ?? w
  w = stripResidue(w, rv)
  return w.replace(/[áéíóú]/g, (char) => 'aeiou'['áéíóú'.indexOf(char)] as string)
}

function stripPronoun(w: string, rv: number): string {
  const pronoun = PRONOUNS.find(w)
  if (pronoun === undefined) return w
  const rest = w.slice(0, pronoun.start)
  const found = BEFORE_PRONOUN.find(rest)
  if (found === undefined || found.start < rv) return w
  if (found.action === 'cut') return rest
  if (found.action === 'u') return rest.charAt(found.start - 1) === 'u' ? rest : w
  return rest.slice(0, found.start) + found.action
}

function stripStandard(w: string, r1: number, r2: number): string | undefined {
  const found = STANDARD.find(w)
  if (found === undefined) return undefined
  const stem = w.slice(0, found.start)
  if (found.action === 'amente') {
    if (found.start < r1) return undefined
    const size = /(?:iv|ic|os|ad)$/.test(stem) && stem.length - 2 >= r2 ? 2 : 0
    const rest = stem.slice(0, stem.length - size)
    return size > 0 && stem.endsWith('iv') && rest.endsWith('at') && rest.length - 2 >= r2 ? rest.slice(0, -2) : rest
  }
  if (found.start < r2) return undefined
  const also = (suffixes: RegExp) => {
    const size = suffixes.exec(stem)?.[0].length ?? 0
    return size > 0 && stem.length - size >= r2 ? stem.slice(0, -size) : stem
  }
  switch (found.action) {
    case 'ic':
      return also(/ic$/)
    case 'mente':
      return also(/(?:ante|able|ible)$/)
    case 'idad':
      return also(/(?:abil|ic|iv)$/)
    case 'at':
      return also(/at$/)
    default:
      return stem + found.action
  }
}

function stripVerb(w: string, rv: number): string | undefined {
  const first = Y_VERBS.find(w, rv)
  if (first !== undefined && w.charAt(first.start - 1) === 'u') return w.slice(0, first.start)
  const found = VERBS.find(w, rv)
  if (found === undefined) return undefined
  const stem = w.slice(0, found.start)
  return found.action === 'gu' && stem.endsWith('gu') ? stem.slice(0, -1) : stem
}

function stripResidue(w: string, rv: number): string {
  const found = RESIDUES.find(w)
  if (found === undefined || found.start < rv) return w
  const stem = w.slice(0, found.start)
  return found.action === 'gu' && stem.endsWith('gu') && stem.length - 1 >= rv ? stem.slice(0, -1) : stem
}
