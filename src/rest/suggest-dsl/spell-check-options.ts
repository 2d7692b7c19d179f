import { type EngineVersion, packageOf } from '../../engine/engine-version.ts'
import type { SpellCheckOptions, SuggestMode } from '../../engine/suggest/spell-checker.ts'
import type { StringDistance } from '../../engine/suggest/string-distance.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { Warnings } from '../deprecation/warnings.ts'

const DISTANCES: Readonly<Record<string, StringDistance>> = {
  internal: 'internal',
  damerau_levenshtein: 'damerau_levenshtein',
  levenshtein: 'levenshtein',
  jaro_winkler: 'jaro_winkler',
  ngram: 'ngram',
}

/** What `term` and the generators of `phrase` do unless they are told. */
export const SPELL_CHECK_DEFAULTS: SpellCheckOptions = {
  suggestMode: 'missing',
  accuracy: 0.5,
  sort: 'score',
  distance: 'internal',
  maxEdits: 2,
  maxInspections: 5,
  maxTermFreq: Math.fround(0.01),
  prefixLength: 1,
  minWordLength: 4,
  minDocFreq: 0,
}

/** Names that 6.x still knows. */
const OLDER_DISTANCES: ReadonlyMap<string, StringDistance> = new Map([
  ['levenstein', 'levenshtein'],
  ['jarowinkler', 'jaro_winkler'],
])

/** Undefined: there is none of that name. */
export function distanceNamed(
  name: string,
  engineVersion: EngineVersion,
  warnings: Warnings | undefined,
): StringDistance | undefined {
  const known = name.toLowerCase()
  if (Object.hasOwn(DISTANCES, known)) return DISTANCES[known]
  const found = OLDER_DISTANCES.get(known)
  if (engineVersion !== 'Elasticsearch_6.8' || found === undefined) return undefined
  warnings?.note('distance_name', known, found)
  return found
}

const MODES: readonly string[] = ['missing', 'popular', 'always'] satisfies SuggestMode[]

/** Undefined: there is none of that name. */
export function modeNamed(name: string): SuggestMode | undefined {
  const known = name.toLowerCase()
  return MODES.includes(known) ? (known as SuggestMode) : undefined
}

/** @throws {ServiceError} illegal_argument_exception */
export function sortNamed(name: string, engineVersion: EngineVersion): SpellCheckOptions['sort'] {
  const known = name.toLowerCase()
  if (known === 'score' || known === 'frequency') return known
  throw illegalArgument(`No enum constant ${packageOf(engineVersion)}.search.suggest.SortBy.${name.toUpperCase()}`)
}

/** What Lucene says of numbers of documents. @throws {ServiceError} illegal_argument_exception */
export function checkFrequencies({ maxTermFreq, minDocFreq }: SpellCheckOptions): void {
  for (const frequency of [maxTermFreq, minDocFreq]) {
    if (frequency < 1 || (Number.isInteger(frequency) && frequency <= 0x7fffffff)) continue
    throw illegalArgument('Fractional absolute document frequencies are not allowed')
  }
}
