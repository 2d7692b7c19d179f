import { regionAfterConsonant } from './regions.ts'
import { SuffixTable, suffixList } from './suffix-table.ts'

const VOWELS = 'aeiouõäöü'
const EMPHASES = new SuffixTable([
  ['gi', 'gi'],
  ['ki', 'ki'],
])
const VERBS = new SuffixTable([
  ['cut', 'mata ksid nuksid sime ksime nuksime dakse takse site ksite nuksite sin ksin nuksin daks taks'],
  ['a', 'akse'],
  ['vowel', 'da b me n'],
])
const SPECIAL_NOUNS = new SuffixTable([
  ['lase', 'lane lasse lasi last'],
  ['mise', 'mine misse misi mist'],
  ['lise', 'line lisse lisi list'],
])
const CASES = suffixList('ga ta le sse l s ks t lt st')
const PLURALS = new SuffixTable([
  ['iku', 'ikkude ike ikke'],
  ['short', 'sid'],
  ['t', 'te'],
  ['vowel', 'd de'],
])
const DOUBLES = suffixList('kk pp tt')
const PARTICIPLES = suffixList('va du nu tu')
const DEGREES = new SuffixTable([
  ['vowel', 'mai m'],
  ['cut', 'ma'],
])
const I_PLURALS = suffixList('i')
/** Verbs by their stems, which the rules would not find. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map(
  (
    [
      ['joo', 'joob jood joodakse jooma joomata joome joon joote joovad juua juuakse jõi jõid jõime jõin jõite'],
      [
        'saa',
        'saab saad saada saadakse saadi saaks saaksid saaksime saaksin saaksite saama saamata saame saan saate saavad sai said saime sain saite',
      ],
      [
        'viima',
        'viia viiakse viib viid viidi viiks viiksid viiksime viiksin viiksite viima viimata viime viin viisime viisin viisite viite viivad',
      ],
      [
        'keesi',
        'keeb keed keedakse keeks keeksid keeksime keeksin keeksite keema keemata keeme keen kees keeta keete keevad',
      ],
      [
        'löö',
        'lööb lööd löödakse löödi lööks lööksid lööksime lööksin lööksite lööma löömata lööme löön lööte löövad lüüa lüüakse',
      ],
      ['löi', 'lõi lõid lõime lõin lõite'],
      [
        'loo',
        'loob lood loodi looks looksid looksime looksin looksite looma loomata loome loon loote loovad luua luuakse',
      ],
      [
        'käisi',
        'käia käiakse käib käid käidi käiks käiksid käiksime käiksin käiksite käima käimata käime käin käis käite käivad',
      ],
      [
        'söö',
        'sõi sõid sõime sõin sõite sööb sööd söödakse söödi sööks sööksid sööksime sööksin sööksite sööma söömata sööme söön sööte söövad süüa süüakse',
      ],
      [
        'too',
        'toob tood toodi tooks tooksid tooksime tooksin tooksite tooma toomata toome toon toote toovad tuua tuuakse tõi tõid tõime tõin tõite',
      ],
      [
        'võisi',
        'võib võid võida võidakse võidi võiks võiksid võiksime võiksin võiksite võima võimata võime võin võis võite võivad',
      ],
      [
        'jääma',
        'jäi jäid jäime jäin jäite jääb jääd jääda jäädakse jäädi jääks jääksid jääksime jääksin jääksite jääma jäämata jääme jään jääte jäävad',
      ],
      [
        'müüsi',
        'müüa müüakse müüb müüd müüdi müüks müüksid müüksime müüksin müüksite müüma müümata müüme müün müüs müüte müüvad',
      ],
      ['luge', 'loeb loed loeks loeksid loeksime loeksin loeksite loeme loen loete loevad'],
      ['põde', 'põeb põed põeks põeksid põeksime põeksin põeksite põeme põen põete põevad'],
      ['ladu', 'laob laod laoks laoksid laoksime laoksin laoksite laome laon laote laovad'],
      [
        'tegi',
        'teeb teed teeks teeksid teeksime teeksin teeksite teeme teen teete teevad tegema tegemata teha tehakse tehti',
      ],
      [
        'nägi',
        'näeb näed näeks näeksid näeksime näeksin näeksite näeme näen näete näevad nägema nägemata näha nähakse nähti',
      ],
    ] as const
  ).flatMap(([stem, words]) => words.split(' ').map((word) => [word, stem] as const)),
)
const isLong = (text: string): boolean => /(?:aa|ee|ii|oo|uu|ää|öö|üü|õõ)$/.test(text)
const isVowelBehind = (text: string): boolean => /[aeiou]$/.test(text) || isLong(text)

/** The Estonian stemmer. @source snowballstem.org, as of Lucene 8.7.0 and 9.12.2 */
export function stemEstonian(word: string): string {
  const exception = EXCEPTIONS.get(word)
  if (exception !== undefined) return exception
  const r1 = regionAfterConsonant(word, VOWELS)
  const plain = stripEmphasis(word, r1)
  const w = stripVerb(plain, r1) ?? stripNoun(plain, r1)
  const vowelAt = w.length - 1
  const isDouble = VOWELS.includes(w.charAt(vowelAt)) && DOUBLES.find(w.slice(0, vowelAt)) !== undefined
  return isDouble ? w.slice(0, vowelAt - 2) + w.slice(vowelAt - 1) : w
}

function stripEmphasis(w: string, r1: number): string {
  const found = EMPHASES.find(w, r1)
  if (found === undefined || found.start < 4) return w
  const stem = w.slice(0, found.start)
  const fits =
    found.action === 'gi' ? /[aceijlmnoqruvwxõäöü]$/.test(stem) && !isLong(stem) : /[bdfghkpstzšž]$/.test(stem)
  return fits ? stem : w
}

/** The stem of a verb; undefined for what is none. */
function stripVerb(w: string, r1: number): string | undefined {
  const found = VERBS.find(w, r1)
  if (found === undefined) return undefined
  const stem = w.slice(0, found.start)
  if (found.action === 'a') return `${stem}a`
  return found.action === 'cut' || /[aeiouõäöü]$/.test(stem) ? stem : undefined
}

function stripNoun(word: string, r1: number): string {
  let w = word
  const special = SPECIAL_NOUNS.find(w, r1)
  if (special !== undefined) w = w.slice(0, special.start) + special.action
  const ending = CASES.find(w, r1)
  if (ending !== undefined && isVowelBehind(w.slice(0, ending.start))) w = w.slice(0, ending.start)
  w = stripPlural(w, r1)
  const degree = DEGREES.find(w, r1)
  if (degree !== undefined && (degree.action === 'cut' || /[aeiou]$/.test(w.slice(0, degree.start))))
    w = w.slice(0, degree.start)
  const plural = I_PLURALS.find(w, r1)
  if (plural !== undefined && /[aeiou]$/.test(w.slice(0, plural.start))) w = w.slice(0, plural.start)
  return w.slice(0, PARTICIPLES.find(w, r1)?.start)
}

function stripPlural(w: string, r1: number): string {
  const found = PLURALS.find(w, r1)
  if (found === undefined) return w
  const stem = w.slice(0, found.start)
  switch (found.action) {
    case 'iku':
      return `${stem}iku`
    case 'short':
      return isLong(stem) ? w : stem
    case 'vowel':
      return isVowelBehind(stem) ? stem : w
    case 't':
      if (stem.length >= 4 && /(?:mis|las|lis)$/.test(stem)) return `${stem}e`
      if (stem.endsWith('t')) return w
      return stem.length >= 4 ? stem : `${stem}t`
  }
}
