import type { TermDictionary } from '../../index/segment-reader.ts'
import { type NearTerm, type NearTermOptions, nearTermSearch } from './near-terms.ts'

/** Searches whose finds are kept for a dictionary at most. */
const MAX_KEPT = 256

/** By what was searched for; dictionaries never change. */
const keptTerms = new WeakMap<TermDictionary, Map<string, readonly NearTerm[]>>()

/**
 * A search for the terms near a text, as {@link nearTermSearch} makes it, that remembers what it found in each dictionary: after
 * a refresh only new segments are searched.
 */
export function keptNearTermSearch(
  text: string,
  options: NearTermOptions,
): (terms: TermDictionary) => readonly NearTerm[] {
  const key = `${options.maxEdits} ${options.prefixLength} ${options.transpositions} ${text}`
  let search: ((terms: TermDictionary) => readonly NearTerm[]) | undefined
  return (terms) => {
    let kept = keptTerms.get(terms)
    if (kept === undefined) {
      kept = new Map()
      keptTerms.set(terms, kept)
    }
    let found = kept.get(key)
    if (found === undefined) {
      search ??= nearTermSearch(text, options)
      found = search(terms)
      if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value as string)
      kept.set(key, found)
    }
    return found
  }
}
