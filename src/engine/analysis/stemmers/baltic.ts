import { regionAfterConsonant } from './regions.ts'
import { SuffixTable, suffixList } from './suffix-table.ts'

/** Endings, how many vowels the word has to have more than, and whether they softened what stands before. */
const LATVIAN: readonly (readonly [affix: string, vowels: number, softens: boolean])[] = [
  ['ajiem', 3, false],
  ['ajai', 3, false],
  ...['ajam', 'ajām', 'ajos', 'ajās'].map((affix) => [affix, 2, false] as const),
  ['iem', 2, true],
  ...['ajā', 'ais', 'ai', 'ei'].map((affix) => [affix, 2, false] as const),
  ...['ām', 'am', 'ēm', 'īm', 'im', 'um'].map((affix) => [affix, 1, false] as const),
  ['us', 1, true],
  ...['as', 'ās', 'es'].map((affix) => [affix, 1, false] as const),
  ['os', 1, true],
  ...['ij', 'īs', 'ēs', 'is', 'ie'].map((affix) => [affix, 1, false] as const),
  ['u', 1, true],
  ['a', 1, true],
  ['i', 1, true],
  ...['e', 'ā', 'ē', 'ī', 'ū', 'o'].map((affix) => [affix, 1, false] as const),
  ['s', 0, false],
  ['š', 0, false],
]
const HARDENED: readonly (readonly [string, string])[] = [
  ['pj', 'p'],
  ['bj', 'b'],
  ['mj', 'm'],
  ['vj', 'v'],
  ['šņ', 'sn'],
  ['žņ', 'zn'],
  ['šļ', 'sl'],
  ['žļ', 'zl'],
  ['ļņ', 'ln'],
  ['ļļ', 'll'],
  ['č', 'c'],
  ['ļ', 'l'],
  ['ņ', 'n'],
]

/** The light stemmer of Latvian. @source Lucene, LatvianStemmer (Karlis Kreslins) */
export function stemLatvian(word: string): string {
  const vowels = word.match(/[aeiouāēīū]/g)?.length ?? 0
  for (const [affix, more, softens] of LATVIAN) {
    if (vowels <= more || word.length < affix.length + 3 || !word.endsWith(affix)) continue
    const stem = word.slice(0, -affix.length)
    if (!softens) return stem
    // The original keeps the ending where it hardens nothing.
    return harden(word, stem)
  }
  return word
}

function harden(word: string, stem: string): string {
  if (word[stem.length] === 'u') {
    if (stem.endsWith('kš')) return `${stem.slice(0, -1)}st`
    if (stem.endsWith('ņņ')) return `${stem.slice(0, -2)}nn`
  }
  for (const [soft, hard] of HARDENED) if (stem.endsWith(soft)) return stem.slice(0, -soft.length) + hard
  return stem
}

const VOWELS = 'aeiouyąęėįųū'
const ENDINGS = suffixList(
  'a ia eria osna iosna uosna iuosna ysna ėsna e ie enie erie oje ioje uje iuje yje enyje eryje ėje ame iame sime ome ėme tumėme ose iose uose iuose yse enyse eryse ėse ate iate ite kite site ote tute ėte tumėte i ai iai eriai ei tumei ki imi erimi umi iumi si asi iasi esi iesi siesi isi aisi eisi tumeisi uisi osi ėjosi uosi iuosi siuosi usi ausi čiausi ąsi ėsi ųsi tųsi ti enti inti oti ioti uoti iuoti auti iauti yti ėti telėti inėti terėti ui iui eniui oj ėj k am iam iem im sim om tum ėm tumėm an on ion un iun ėn o io enio ėjo uo s as ias es ies is ais iais tumeis imis enimis omis iomis umis ėmis enis asis ysis ams iams iems ims enims erims oms ioms ums ėms ens os ios uos iuos ers us aus iaus ius ys enys erys omÄs otÄs ąs iąs ės amės iamės imės kimės simės omės ėmės tumėmės atės iatės sitės otės ėtės tumėtės įs ūs tųs at iat it sit ot ėt tumėt u au iau čiau iu eniu siu y ą ią ė ę į enį erį ų ių erų',
)
const SUFFIXES = suffixList(
  'ing aj iaj iej oj ioj uoj iuoj auj ąj iąj ėj ųj iųj ok iok iuk uliuk učiuk išk iul yl ėl am dam jam zgan ain esn op iop ias ies ais iais os ios uos iuos aus iaus ąs iąs ęs utėait ant iant siant int ot uot iuot yt ėt ykšt iau dav sv šv ykšč ę ėję',
)
const CONFLICTS = new SuffixTable([
  ['aitė', 'aite aitės'],
  ['uotė', 'uote uotės'],
  ['ėjimas', 'ėjime'],
  ['esys', 'esiu'],
  ['asys', 'asius'],
  ['avimas', 'avime'],
  ['ojimas', 'ojime'],
  ['okatė', 'okate okatės'],
])

/** The Lithuanian stemmer. @source snowballstem.org (Dainius Jocas), as of Lucene 7.7.3 */
export function stemLithuanian(word: string): string {
  // A prefix a- of a long word does not count for the region.
  const r1 = regionAfterConsonant(word, VOWELS, word.startsWith('a') && word.length > 6 ? 1 : 0)
  const conflict = CONFLICTS.find(word)
  let w = conflict === undefined ? word : word.slice(0, conflict.start) + conflict.action
  w = w.slice(0, ENDINGS.find(w, r1)?.start)
  w = hardenLithuanian(w)
  for (let found = SUFFIXES.find(w, r1); found !== undefined; found = SUFFIXES.find(w, r1)) w = w.slice(0, found.start)
  w = hardenLithuanian(w)
  return w.endsWith('gd') ? w.slice(0, -1) : w
}

const hardenLithuanian = (w: string): string => w.replace(/č$/, 't').replace(/dž$/, 'd')
