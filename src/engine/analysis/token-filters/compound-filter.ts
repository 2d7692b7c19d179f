import type { TokenFilter } from '../analyzer.ts'
import type { WordTest } from '../word-lists.ts'
import { RewritingFilter } from './rewriting-filter.ts'

/** Options, named as the settings'; lengths in UTF-16 units. */
export interface CompoundOptions {
  readonly isWord: WordTest
  readonly minWordSize: number
  readonly minSubwordSize: number
  readonly maxSubwordSize: number
  readonly onlyLongestMatch: boolean
}

/** Adds the words of a list that a compound contains. @source Lucene, DictionaryCompoundWordTokenFilter */
export function dictionaryCompoundFilter(o: CompoundOptions): TokenFilter {
  return compoundFilter(o, (term) => subwords(term, o))
}

/** Adds parts of a token, which stand on its place, to those that are long enough. */
export function compoundFilter(o: CompoundOptions, partsOf: (term: string) => Iterable<string>): TokenFilter {
  return new RewritingFilter((tokens, out) => {
    for (let i = 0; i < tokens.length; i++) {
      const term = tokens.terms[i] as string
      out.append(tokens, i)
      if (term.length < o.minWordSize) continue
      for (const word of partsOf(term)) {
        out.append(tokens, i)
        out.terms[out.length - 1] = word
        out.positionIncrements[out.length - 1] = 0
      }
    }
  })
}

function* subwords(term: string, o: CompoundOptions): Iterable<string> {
  for (let start = 0; start <= term.length - o.minSubwordSize; start++) {
    let longest: string | undefined
    const most = Math.min(o.maxSubwordSize, term.length - start)
    for (let size = o.minSubwordSize; size <= most; size++) {
      const word = term.slice(start, start + size)
      if (!o.isWord(word)) continue
      if (o.onlyLongestMatch) longest = word
      else yield word
    }
    if (longest !== undefined) yield longest
  }
}
