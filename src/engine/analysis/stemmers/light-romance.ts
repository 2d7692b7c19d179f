import { withoutAccents } from './ending-rules.ts'

/** Plural stemmer of French. @source Lucene, FrenchMinimalStemmer (Savoy) */
export const stemFrenchMinimally = (word: string): string => frenchMinimal(word, /(.)\1$/su)
/** As {@link stemFrenchMinimally}, and numbers stay. @source Lucene 9.12.2, FrenchMinimalStemmer */
export const stemFrenchWordsMinimally = (word: string): string => frenchMinimal(word, /(\p{L})\1$/u)

function frenchMinimal(word: string, doubled: RegExp): string {
  if (word.length < 6) return word
  if (word.endsWith('x')) return word.endsWith('aux') ? `${word.slice(0, -2)}l` : word.slice(0, -1)
  const w = word.replace(/s$/, '').replace(/r$/, '').replace(/e$/, '').replace(/é$/, '')
  return doubled.test(w) ? w.slice(0, -1) : w
}

/** From, least length above which, and what replaces it; `end`: nothing more is tried. */
type FrenchRule = readonly [ending: string, minLength: number, replacement: string]

const FRENCH_FIRST: readonly FrenchRule[] = [
  ['issement', 9, 'ir'],
  ['issant', 8, 'ir'],
]
const FRENCH_AGENTS: readonly FrenchRule[] = [
  ['ficatrice', 11, 'fier'],
  ['ficateur', 10, 'fier'],
  ['catrice', 9, 'quer'],
  ['cateur', 8, 'quer'],
  ['atrice', 8, 'er'],
  ['ateur', 7, 'er'],
]
const FRENCH_LATER: readonly FrenchRule[] = [
  ['ième', 5, ''],
  ['teuse', 7, 'ter'],
  ['teur', 6, 'ter'],
  ['euse', 5, 'eu'],
  ['ère', 8, 'er'],
  ['ive', 7, 'if'],
  ['folle', 4, 'fou'],
  ['molle', 4, 'mou'],
  ['nnelle', 9, 'n'],
  ['nnel', 9, 'n'],
]
const FRENCH_LAST: readonly FrenchRule[] = [
  ['esse', 8, 'e'],
  ['inage', 7, 'in'],
  ['isation', 9, ''],
  ['isateur', 9, ''],
  ['ation', 8, ''],
  ['ition', 8, ''],
]

/** Savoy's light French stemmer. @source Lucene, FrenchLightStemmer */
export function stemFrenchLightly(word: string): string {
  let w = word
  if (w.length > 5 && w.endsWith('x')) w = /[^e]aux$/.test(w) ? `${w.slice(0, -2)}l` : w.slice(0, -1)
  if (w.length > 3 && w.endsWith('x')) w = w.slice(0, -1)
  if (w.length > 3 && w.endsWith('s')) w = w.slice(0, -1)
  return normalizeFrench(stripFrench(w))
}

function apply(w: string, rules: readonly FrenchRule[]): string | undefined {
  for (const [ending, minLength, replacement] of rules)
    if (w.length > minLength && w.endsWith(ending)) return w.slice(0, -ending.length) + replacement
  return undefined
}

function stripFrench(word: string): string {
  const first = apply(word, FRENCH_FIRST)
  if (first !== undefined) return first
  if (word.length > 6 && word.endsWith('ement')) {
    const w = word.slice(0, -4)
    return w.length > 3 && w.endsWith('ive') ? `${w.slice(0, -2)}f` : w
  }
  const agent = apply(word, FRENCH_AGENTS)
  if (agent !== undefined) return agent
  let w = word.length > 6 && word.endsWith('trice') ? `${word.slice(0, -4)}eur` : word
  const later = apply(w, FRENCH_LATER)
  if (later !== undefined) return later
  if (w.length > 4 && w.endsWith('ète')) w = `${w.slice(0, -3)}et`
  if (w.length > 8 && w.endsWith('ique')) w = w.slice(0, -4)
  const last = apply(w, FRENCH_LAST)
  if (last === undefined) return w
  return w.endsWith('isation') && last.length > 5 && last.endsWith('ual') ? `${last.slice(0, -2)}el` : last
}

function normalizeFrench(word: string): string {
  let w = word
  if (w.length > 4) {
    w = withoutAccents(w, 'àáâôèéêùûîç', 'aaaoeeeuuic')
    // Of letters that stand twice one stays, until the word is short.
    w = w.replace(/(\p{L})\1+/gu, '$1')
  }
  if (w.length > 4 && w.endsWith('ie')) w = w.slice(0, -2)
  if (w.length > 4) {
    w = w.replace(/r$/, '').replace(/e$/, '').replace(/e$/, '')
    if (w.at(-1) === w.at(-2) && /\p{L}$/u.test(w)) w = w.slice(0, -1)
  }
  return w
}

/** Savoy's light Italian stemmer. @source Lucene, ItalianLightStemmer */
export function stemItalianLightly(word: string): string {
  if (word.length < 6) return word
  const w = withoutAccents(word, 'àáâäòóôöèéêëùúûüìíîï', 'aaaaooooeeeeuuuuiiii')
  if (/(?:i|h)[ei]$/.test(w) || /i[ao]$/.test(w)) return w.slice(0, -2)
  return /[aeio]$/.test(w) ? w.slice(0, -1) : w
}

/** Savoy's light Spanish stemmer. @source Lucene, SpanishLightStemmer */
export function stemSpanishLightly(word: string): string {
  if (word.length < 5) return word
  const w = withoutAccents(word, 'àáâäòóôöèéêëùúûüìíîï', 'aaaaooooeeeeuuuuiiii')
  if (/[aeo]$/.test(w)) return w.slice(0, -1)
  if (w.endsWith('eses')) return w.slice(0, -2)
  if (w.endsWith('ces')) return `${w.slice(0, -3)}z`
  return /[oae]s$/.test(w) ? w.slice(0, -2) : w
}

/** Savoy's light Portuguese stemmer. @source Lucene, PortugueseLightStemmer */
export function stemPortugueseLightly(word: string): string {
  if (word.length < 4) return word
  let w = stripPortuguese(word)
  if (w.length > 3 && w.endsWith('a')) w = masculine(w)
  if (w.length > 4 && /[aeo]$/.test(w)) w = w.slice(0, -1)
  return withoutAccents(w, 'àáâãäòóôõöèéêëùúûüìíîïç', 'aaaaaoooooeeeeuuuuiiiic')
}

function stripPortuguese(w: string): string {
  const { length } = w
  const end = (size: number, text: string) => w.slice(0, -size) + text
  if (length > 4 && /[lrsz]es$/.test(w)) return end(2, '')
  if (length > 3 && w.endsWith('ns')) return end(2, 'm')
  if (length > 4) {
    if (/[eé]is$/.test(w)) return end(3, 'el')
    if (w.endsWith('ais')) return end(2, 'l')
    if (w.endsWith('óis')) return end(3, 'ol')
    if (w.endsWith('is')) return end(1, 'l')
  }
  if (length > 3 && /[õã]es$/.test(w)) return end(3, 'ão')
  if (length > 6 && w.endsWith('mente')) return end(5, '')
  return length > 3 && w.endsWith('s') ? end(1, '') : w
}

function masculine(w: string): string {
  const end = (size: number, text: string) => w.slice(0, -size) + text
  if (w.length > 7 && /(?:inha|iaca|eira)$/.test(w)) return end(1, 'o')
  if (w.length <= 6) return w
  if (/(?:osa|ica|ida|ada|iva|ama)$/.test(w)) return end(1, 'o')
  if (w.endsWith('ona')) return end(3, 'ão')
  if (w.endsWith('ora')) return end(1, '')
  if (w.endsWith('esa')) return end(3, 'ês')
  return w.endsWith('na') ? end(1, 'o') : w
}
