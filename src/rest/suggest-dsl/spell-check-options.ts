import type { SpellCheckOptions, SuggestMode } from '../../engine/suggest/spell-checker.ts'
import type { StringDistance } from '../../engine/suggest/string-distance.ts'
import { illegalSuggest, type SuggestBody } from './suggest-body.ts'

const DISTANCES: Readonly<Record<string, StringDistance>> = {
  internal: 'internal',
  damerau_levenshtein: 'damerau_levenshtein',
  levenshtein: 'levenshtein',
  levenstein: 'levenshtein',
  jaro_winkler: 'jaro_winkler',
  jarowinkler: 'jaro_winkler',
  ngram: 'ngram',
}

/** Members that `term` and the generators of `phrase` share. @throws {ServiceError} illegal_argument_exception */
export function readSpellCheckOptions(body: SuggestBody): SpellCheckOptions {
  const between = (name: string, least: number, most: number, fallback: number): number => {
    const number = body.number(name) ?? fallback
    if (number >= least && number <= most) return number
    throw illegalSuggest(`${camelCase(name)} must be between ${least} and ${most}`)
  }
  const notNegative = (fallback: number, ...names: readonly string[]): number => {
    const number = body.number(...names) ?? fallback
    if (number >= 0) return number
    throw illegalSuggest(`${camelCase(names[0] as string)} must be positive`)
  }
  const mode = (body.string('suggest_mode') ?? 'missing').toLowerCase()
  if (mode !== 'missing' && mode !== 'popular' && mode !== 'always') {
    throw illegalSuggest(
      `No enum constant org.elasticsearch.search.suggest.term.TermSuggestionBuilder.SuggestMode.${mode.toUpperCase()}`,
    )
  }
  const sort = (body.string('sort') ?? 'score').toLowerCase()
  if (sort !== 'score' && sort !== 'frequency') throw illegalSuggest(`Illegal suggest sort ${sort}`)
  const distance = body.string('string_distance') ?? 'internal'
  const name = distance.toLowerCase()
  const known = Object.hasOwn(DISTANCES, name) ? DISTANCES[name] : undefined
  if (known === undefined) throw illegalSuggest(`Illegal distance option ${distance}`)
  return {
    suggestMode: mode as SuggestMode,
    accuracy: between('accuracy', 0, 1, 0.5),
    sort,
    distance: known,
    maxEdits: between('max_edits', 1, 2, 2),
    maxInspections: notNegative(5, 'max_inspections'),
    maxTermFreq: notNegative(0.01, 'max_term_freq'),
    prefixLength: notNegative(1, 'prefix_length', 'prefix_len'),
    minWordLength: notNegative(4, 'min_word_length', 'min_word_len'),
    minDocFreq: notNegative(0, 'min_doc_freq'),
  }
}

/** Names in messages are the real server's own (`max_edits` → `maxEdits`). */
function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}
