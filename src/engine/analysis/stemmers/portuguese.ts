import { regionAfterConsonant, romanceRegion } from './regions.ts'
import { SuffixTable, suffixList } from './suffix-table.ts'

const VOWELS = 'aeiouáéíóúâêô'
const ENDINGS = [
  [
    '',
    'ica ância adora osa ista eza ante ável ível ico ismo oso amento imento aça~o ador icas adoras osas istas ezas adores antes aço~es icos ismos osos amentos imentos',
  ],
  ['ente', 'ência ências'],
  ['amente', 'amente'],
  ['mente', 'mente'],
  ['idade', 'idade idades'],
  ['iva', 'iva ivo ivas ivos'],
  ['ira', 'ira iras'],
] as const
const STANDARD = new SuffixTable([...ENDINGS, ['log', 'logía logías'], ['u', 'ución uciones']])
const STANDARD_2 = new SuffixTable([...ENDINGS, ['log', 'logia logias'], ['u', 'uça~o uço~es']])
const VERBS = suffixList(
  'ada ida ia aria eria iria ara era ira ava asse esse isse aste este iste ei arei erei irei am iam ariam eriam iriam aram eram iram avam em arem erem irem assem essem issem ado ido ando endo indo ara~o era~o ira~o ar er ir as adas idas ias arias erias irias aras eras iras avas es ardes erdes irdes ares eres ires asses esses isses astes estes istes is ais eis areis ereis ireis áreis éreis íreis ásseis ésseis ísseis áveis íeis aríeis eríeis iríeis ados idos amos áramos éramos íramos ávamos íamos aríamos eríamos iríamos emos aremos eremos iremos ássemos êssemos íssemos imos armos ermos irmos ámos arás erás irás eu iu ou ará erá irá',
)
const RESIDUES = suffixList('a i o os á í ó')

/** The Portuguese stemmer. @source snowballstem.org, as of Lucene 7.7.3 and 8.7 */
export const stemPortuguese = (word: string): string => stem(word, STANDARD)

/** The Portuguese stemmer since Snowball 2.0, without Spanish among its endings. @source as of Lucene 9.12 */
export const stemPortuguese2 = (word: string): string => stem(word, STANDARD_2)

function stem(word: string, endings: typeof STANDARD): string {
  let w = word.replaceAll('ã', 'a~').replaceAll('õ', 'o~')
  const rv = romanceRegion(w, VOWELS)
  const r1 = regionAfterConsonant(w, VOWELS)
  const r2 = regionAfterConsonant(w, VOWELS, r1)
  const stemmed = stripStandard(w, endings, rv, r1, r2) ?? cut(w, VERBS.find(w, rv)?.start)
  if (stemmed !== undefined) {
    w = stemmed
    if (w.endsWith('ci') && w.length - 1 >= rv) w = w.slice(0, -1)
  } else {
    const found = RESIDUES.find(w)
    if (found !== undefined && found.start >= rv) w = w.slice(0, found.start)
  }
  w = stripForm(w, rv)
  return w.replaceAll('a~', 'ã').replaceAll('o~', 'õ')
}

const cut = (w: string, at: number | undefined): string | undefined => (at === undefined ? undefined : w.slice(0, at))

function stripStandard(w: string, endings: typeof STANDARD, rv: number, r1: number, r2: number): string | undefined {
  const found = endings.find(w)
  if (found === undefined) return undefined
  const { start, action } = found
  const stem = w.slice(0, start)
  const also = (text: string, suffixes: RegExp) => {
    const size = suffixes.exec(text)?.[0].length ?? 0
    return size > 0 && text.length - size >= r2 ? text.slice(0, -size) : text
  }
  if (action === 'ira') return start >= rv && stem.endsWith('e') ? `${stem}ir` : undefined
  if (action === 'amente') {
    if (start < r1) return undefined
    const rest = also(stem, /(?:iv|ic|os|ad)$/)
    return rest !== stem && stem.endsWith('iv') ? also(rest, /at$/) : rest
  }
  if (start < r2) return undefined
  switch (action) {
    case 'mente':
      return also(stem, /(?:ante|avel|ível)$/)
    case 'idade':
      return also(stem, /(?:abil|ic|iv)$/)
    case 'iva':
      return also(stem, /at$/)
    default:
      return stem + action
  }
}

function stripForm(w: string, rv: number): string {
  if (w.endsWith('ç')) return `${w.slice(0, -1)}c`
  if (!/[eéê]$/.test(w) || w.length - 1 < rv) return w
  const stem = w.slice(0, -1)
  return /(?:gu|ci)$/.test(stem) && stem.length - 1 >= rv ? stem.slice(0, -1) : stem
}
