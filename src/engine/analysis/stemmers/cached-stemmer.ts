import type { Stemmer } from './stemmer-types.ts'

/** Terms longer than this cannot be indexed, whatever their stem. */
const LONGEST_TERM = 32_766
/** Longer strings may be views of the text they were cut from, and would hold all of it. */
const LONGEST_CACHED = 12
const CACHE_SIZE = 16_384

const cached = new WeakMap<Stemmer, Stemmer>()

/** A stemmer that remembers the stems of words it met, wherever it is used, and lets endless words be. */
export function cachedStemmer(stem: Stemmer): Stemmer {
  const known = cached.get(stem)
  if (known !== undefined) return known
  const stems = new Map<string, string>()
  const stemmer: Stemmer = (term) => {
    if (term.length > LONGEST_CACHED) return term.length > LONGEST_TERM ? term : stem(term)
    const found = stems.get(term)
    if (found !== undefined) return found
    const made = stem(term)
    if (stems.size >= CACHE_SIZE) stems.clear()
    stems.set(term, made)
    return made
  }
  cached.set(stem, stemmer)
  return stemmer
}
