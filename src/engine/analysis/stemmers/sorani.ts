import { endingStemmer } from './ending-rules.ts'

const possessive = endingStemmer([[6, 3, 'مان یان تان']])
const nominal = endingStemmer([
  [6, 3, 'ێکی'],
  [7, 4, 'یەکی'],
  [5, 2, 'ێک'],
  [6, 3, 'یەک'],
  [6, 3, 'ەکە'],
  [5, 2, 'کە'],
  [7, 4, 'ەکان'],
  [6, 3, 'کان'],
  [7, 4, 'یانی'],
  [6, 3, 'انی'],
  [6, 3, 'یان'],
  [5, 2, 'ان'],
  [7, 4, 'یانە'],
  [6, 3, 'انە'],
  [5, 2, 'ایە ەیە'],
  [4, 1, 'ە'],
  [4, 1, 'ی'],
])

/** The light stemmer of Sorani Kurdish. @source Lucene, SoraniStemmer */
export function stemSorani(word: string): string {
  let w = word
  if (w.length > 5 && w.endsWith('دا')) w = w.slice(0, -2)
  else if (w.length > 4 && w.endsWith('نا')) w = w.slice(0, -1)
  else if (w.length > 6 && w.endsWith('ەوە')) w = w.slice(0, -3)
  return nominal(possessive(w))
}
