import type { IndexSearcher } from '../index/index-searcher.ts'
import type { TermDictionary } from '../index/segment-reader.ts'
import { typeName } from '../search/queries/query-context.ts'
import { nearTermSearch } from '../search/terms/near-terms.ts'

/** A term like another. */
export interface SimilarTerm {
  readonly term: string
  readonly docFreq: number
  /** 1 - edits / length of the shorter; a 32-bit float. */
  readonly boost: number
}

/** The terms of a field over all segments of an index. */
export class SuggestDictionary {
  readonly maxDoc: number
  /** Occurrences of all terms. */
  readonly sumTotalTermFreq: number
  /** Number of terms; -1: not known, for there are several segments, with terms or without. */
  readonly size: number
  readonly #dictionaries: readonly TermDictionary[]
  /** Whether a term counts once for each document, however often it has it. */
  readonly #countsOnce: boolean

  constructor(searcher: IndexSearcher, path: string) {
    this.maxDoc = searcher.maxDoc
    const fields = searcher.segments.flatMap((reader) => reader.field(path) ?? [])
    this.#dictionaries = fields.flatMap(({ terms }) => terms ?? [])
    const field = searcher.mapping.field(path)
    this.#countsOnce = field !== undefined && typeName(field) === 'match_only_text'
    const sums = fields.map((reader) => (this.#countsOnce ? reader.sumDocFreq : reader.sumTotalTermFreq))
    this.sumTotalTermFreq = sums.some((sum) => sum < 0) ? -1 : sums.reduce((all, sum) => all + sum, 0)
    this.size = searcher.segments.length === 1 ? (this.#dictionaries[0]?.size ?? 0) : -1
  }

  /** False when no document has a term. */
  get hasTerms(): boolean {
    return this.#dictionaries.length > 0
  }

  docFreq(term: string): number {
    return this.#sum(term, (dictionary, ordinal) => dictionary.docFreq(ordinal))
  }

  totalTermFreq(term: string): number {
    if (this.#countsOnce) return this.docFreq(term)
    return this.#sum(term, (dictionary, ordinal) => dictionary.totalTermFreq(ordinal))
  }

  /** Terms within some edits of a text (swaps of neighbours are one), in no order. */
  similar(text: string, maxEdits: number, prefixLength: number): SimilarTerm[] {
    const search = nearTermSearch(text, { maxEdits, prefixLength, transpositions: true })
    const length = Array.from(text).length
    const found = new Map<string, { docFreq: number; boost: number }>()
    for (const dictionary of this.#dictionaries) {
      for (const { ordinal, edits, length: other } of search(dictionary)) {
        const term = dictionary.termText(ordinal)
        const known = found.get(term)
        const docFreq = (known?.docFreq ?? 0) + dictionary.docFreq(ordinal)
        const boost = edits === 0 ? 1 : Math.fround(1 - Math.fround(edits / Math.min(length, other)))
        found.set(term, { docFreq, boost })
      }
    }
    return [...found].map(([term, { docFreq, boost }]) => ({ term, docFreq, boost }))
  }

  #sum(term: string, count: (dictionary: TermDictionary, ordinal: number) => number): number {
    const bytes = Buffer.from(term)
    let sum = 0
    for (const dictionary of this.#dictionaries) {
      const ordinal = dictionary.find(bytes)
      if (ordinal >= 0) sum += count(dictionary, ordinal)
    }
    return sum
  }
}
