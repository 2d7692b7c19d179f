import { endingStemmer, withoutAccents } from './ending-rules.ts'

const swedish = endingStemmer([
  [7, 5, 'elser heten'],
  [6, 4, 'arne erna ande else aste orna aren'],
  [5, 3, 'are ast het'],
  [4, 2, 'ar er or en at te et'],
  [3, 1, 'a e n t'],
])
const withoutS = (word: string): string => (word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word)

/** Savoy's light Swedish stemmer. @source Lucene, SwedishLightStemmer */
export const stemSwedishLightly = (word: string): string => swedish(withoutS(word))

const bokmaal = endingStemmer([
  [7, 5, 'heter heten'],
  [5, 3, 'dom het'],
  [7, 5, 'elser elsen'],
  [6, 4, 'ende else este eren'],
  [5, 3, 'ere est ene'],
  [4, 2, 'er en et st te'],
  [3, 1, 'a e n'],
])
const nynorsk = endingStemmer([
  [7, 5, 'heita'],
  [8, 6, 'heiter leiken leikar'],
  [5, 3, 'dom'],
  [6, 4, 'heit semd leik'],
  [7, 5, 'elser elsen'],
  [6, 4, 'ande else aste aren'],
  [5, 3, 'are ast ene ane'],
  [4, 2, 'er en et ar te'],
  [3, 1, 'a e n'],
])
const bokmaalMinimal = endingStemmer([
  [5, 3, 'ene'],
  [4, 2, 'er en et'],
  [3, 1, 'a e'],
])
const nynorskMinimal = endingStemmer([
  [5, 3, 'ene ane'],
  [4, 2, 'er en et ar'],
  [3, 1, 'a e'],
])

/** Light stemmer of Bokmål. @source Lucene, NorwegianLightStemmer */
export const stemBokmaalLightly = (word: string): string => bokmaal(withoutS(word))
/** Light stemmer of Nynorsk. @source Lucene, NorwegianLightStemmer */
export const stemNynorskLightly = (word: string): string => nynorsk(withoutS(word))
/** Plural stemmer of Bokmål. @source Lucene, NorwegianMinimalStemmer */
export const stemBokmaalMinimally = (word: string): string => bokmaalMinimal(withoutS(word))
/** Plural stemmer of Nynorsk. @source Lucene, NorwegianMinimalStemmer */
export const stemNynorskMinimally = (word: string): string => nynorskMinimal(withoutS(word))

/** Plural stemmer of German. @source Lucene, GermanMinimalStemmer (Savoy) */
export function stemGermanMinimally(word: string): string {
  if (word.length < 5) return word
  return germanPlural(withoutAccents(word, 'äöü', 'aou'))
}

const germanPlural = endingStemmer([
  [6, 3, 'nen'],
  [5, 2, 'en se es er'],
  [4, 1, 'e n r s'],
])

const germanFirst = endingStemmer([
  [5, 3, 'ern'],
  [4, 2, 'em en er es'],
  [3, 1, 'e bs ds fs gs hs ks ls ms ns ts'],
])
const germanSecond = endingStemmer([
  [5, 3, 'est'],
  [4, 2, 'er en bst dst fst gst hst kst lst mst nst tst'],
])

/** Savoy's light German stemmer. @source Lucene, GermanLightStemmer */
export const stemGermanLightly = (word: string): string =>
  germanSecond(germanFirst(withoutAccents(word, 'àáâäòóôöìíîïùúûü', 'aaaaooooiiiiuuuu')))

/** Harman's «S» stemmer. @source Lucene, EnglishMinimalStemmer */
export function stemEnglishMinimally(word: string): string {
  if (word.length < 3 || !word.endsWith('s') || /[us]s$/.test(word)) return word
  if (word.length > 3 && /[^ae]ies$/.test(word)) return `${word.slice(0, -3)}y`
  return /[iaoe]es$/.test(word) ? word : word.slice(0, -1)
}

const KEEPS_E =
  'shoes canoes oboes cliches avalanches mustaches moustaches quiches headaches heartaches porsches tranches caches'.split(
    ' ',
  )
/** Whether a plural keeps its `e`: what ends as one of these does, as far as there are letters to compare. */
const keepsE = (word: string): boolean => KEEPS_E.some((known) => word.endsWith(known) || known.endsWith(word))

/** Takes plurals of English off. @source OpenSearch, EnglishPluralStemFilter */
export function stemEnglishPlurals(word: string): string {
  const { length } = word
  if (length < 3 || !word.endsWith('s') || /[us]s$/.test(word)) return word
  if (length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  const losesE = length > 3 && (word.endsWith('oes') || (length > 4 && /(?:x|[sc]h|ss)es$/.test(word)))
  return word.slice(0, losesE && !keepsE(word) ? -2 : -1)
}
