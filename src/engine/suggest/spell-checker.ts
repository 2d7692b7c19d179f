import { compareTexts } from '../algorithms/text-order.ts'
import { faultInQueryPhase } from '../search/query-phase.ts'
import { likeness, type StringDistance } from './string-distance.ts'
import type { SimilarTerm, SuggestDictionary } from './suggest-dictionary.ts'

/** When words are to be found for a word: where it is missing, where they are more frequent, always. */
export type SuggestMode = 'missing' | 'popular' | 'always'

/** How words like another are looked for. */
export interface SpellCheckOptions {
  readonly suggestMode: SuggestMode
  readonly accuracy: number
  readonly sort: 'score' | 'frequency'
  readonly distance: StringDistance
  readonly maxEdits: number
  readonly maxInspections: number
  /** A share of the documents below 1, else a number of them. */
  readonly maxTermFreq: number
  readonly prefixLength: number
  readonly minWordLength: number
  readonly minDocFreq: number
}

/** A word like another. */
export interface SimilarWord {
  readonly text: string
  readonly score: number
  readonly freq: number
}

/**
 * Words of a dictionary like a given one, the best first.
 *
 * @source Lucene's DirectSpellChecker
 */
export function similarWords(
  word: string,
  count: number,
  dictionary: SuggestDictionary,
  options: SpellCheckOptions,
): SimilarWord[] {
  const { suggestMode, maxTermFreq, minWordLength, minDocFreq, maxEdits, maxInspections } = options
  if (minWordLength > 0 && Array.from(word).length < minWordLength) return []
  const docFreq = dictionary.docFreq(word)
  if (suggestMode === 'missing' && docFreq > 0) return []
  const most = maxTermFreq >= 1 ? maxTermFreq : Math.ceil(Math.fround(Math.fround(maxTermFreq) * dictionary.maxDoc))
  if (docFreq > most) return []
  let least = suggestMode === 'popular' ? docFreq : 0
  if (minDocFreq >= 1) least = Math.max(least, Math.trunc(minDocFreq))
  else if (minDocFreq > 0) least = Math.max(least, Math.trunc(minDocFreq * dictionary.maxDoc) - 1)
  const inspections = count * maxInspections
  const found = new Map<string, SimilarWord>()
  const inspect = (edits: number): void => {
    for (const one of inspected(word, inspections, edits, least, dictionary, options)) found.set(one.text, one)
  }
  inspect(1)
  if (maxEdits > 1 && found.size < inspections) inspect(maxEdits)
  return [...found.values()].sort(options.sort === 'score' ? byScore : byFrequency).slice(0, count)
}

function inspected(
  word: string,
  size: number,
  edits: number,
  least: number,
  dictionary: SuggestDictionary,
  { accuracy, distance, prefixLength }: SpellCheckOptions,
): SimilarWord[] {
  const least32 = Math.fround(accuracy)
  const words: (SimilarTerm & { readonly score: number })[] = []
  const candidates = dictionary.similar(word, edits, Math.max(prefixLength, edits - 1))
  if (size <= 0 && candidates.length > 0) {
    const reason = 'Cannot read field "boost" because the return value of "java.util.PriorityQueue.peek()" is null'
    throw faultInQueryPhase('null_pointer_exception', reason)
  }
  for (const similar of candidates) {
    if (similar.term === word || similar.docFreq <= least) continue
    const score = distance === 'internal' ? similar.boost : likeness(distance, word, similar.term)
    if (score >= least32) words.push({ ...similar, score })
  }
  return words
    .sort((a, b) => b.boost - a.boost || compareTexts(a.term, b.term))
    .slice(0, size)
    .map(({ term, docFreq, score }) => ({ text: term, score, freq: docFreq }))
}

/** The best score first, then the most frequent. */
export function byScore(a: SimilarWord, b: SimilarWord): number {
  return b.score - a.score || b.freq - a.freq || compareTexts(a.text, b.text)
}

/** The most frequent first, then the best score. */
export function byFrequency(a: SimilarWord, b: SimilarWord): number {
  return b.freq - a.freq || b.score - a.score || compareTexts(a.text, b.text)
}
