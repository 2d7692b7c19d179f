import type { TokenFilter } from '../analyzer.ts'
import { type CompoundOptions, compoundFilter } from './compound-filter.ts'
import type { HyphenationPatterns } from './hyphenation-patterns.ts'

/** What Lucene 9 can leave out beside what is not the longest. */
export interface HyphenationOptions extends CompoundOptions {
  readonly patterns: HyphenationPatterns
  /** No words inside of words that were found. */
  readonly noSubMatches: boolean
  /** No words that begin inside of words that were found. */
  readonly noOverlappingMatches: boolean
}

/**
 * Adds the words of a list that stand between the hyphens of a compound, whether or not their last letter belongs to
 * them. @source Lucene, HyphenationCompoundWordTokenFilter
 *
 * @param isLucene9  that one goes from long to short, and never adds the whole word
 */
export function hyphenationCompoundFilter(o: HyphenationOptions, isLucene9: boolean): TokenFilter {
  return compoundFilter(o, (term) => (isLucene9 ? partsByLength(term, o) : parts(term, o)))
}

function* parts(term: string, o: HyphenationOptions): Iterable<string> {
  const places = o.patterns.places(term, 1, 1) ?? []
  for (const [i, start] of places.entries()) {
    let longest: string | undefined
    for (const end of places.slice(i + 1)) {
      if (end - start > o.maxSubwordSize) break
      const word = end - start < o.minSubwordSize ? undefined : wordOf(term.slice(start, end), o)
      if (word === undefined) continue
      if (!o.onlyLongestMatch) yield word
      else if (longest === undefined || word.length > longest.length) longest = word
    }
    if (longest !== undefined) yield longest
  }
}

function* partsByLength(term: string, o: HyphenationOptions): Iterable<string> {
  const isEvery = !o.onlyLongestMatch && !o.noSubMatches && !o.noOverlappingMatches
  if (!isEvery && wordOf(term, o) !== undefined) return
  const places = o.patterns.places(term, 1, 1) ?? []
  const most = Math.min(o.maxSubwordSize, term.length - 1)
  let taken = -1
  for (let i = 0; i < places.length; i++) {
    if (o.noOverlappingMatches) i = Math.max(i, taken)
    const start = places[i] as number
    const until = o.noSubMatches ? Math.max(taken, i) : i
    for (let j = places.length - 1; j > until; j--) {
      const size = (places[j] as number) - start
      if (size > most) continue
      if (size < o.minSubwordSize) break
      const word = wordOf(term.slice(start, start + size), o)
      if (word === undefined) continue
      yield word
      taken = j
      if (!isEvery) break
    }
  }
}

/** A part that is a word, or is one without its last letter. */
function wordOf(part: string, { isWord }: CompoundOptions): string | undefined {
  if (isWord(part)) return part
  const shorter = part.slice(0, -1)
  return shorter !== '' && isWord(shorter) ? shorter : undefined
}
