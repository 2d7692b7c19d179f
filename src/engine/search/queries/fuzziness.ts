import { illegalArgument } from '../../../illegal-argument.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { knowsNoField } from '../../mapping/knows-no-field.ts'
import { isWordlessMetadata } from '../../mapping/metadata-fields.ts'
import { doubleOfText } from '../../mapping/types/number-value.ts'
import { FuzzyQuery } from '../lucene/fuzzy-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { unmapped } from './no-terms.ts'
import {
  checkIndexed,
  checkSearchable,
  checkTypeWords,
  creating,
  fieldOf,
  illegalQuery,
  literally,
  normalized,
  type QueryContext,
  requireAllowed,
  typeName,
} from './query-context.ts'
import { scored } from './scored.ts'
import { parseRewrite, rewrittenQuery } from './term-rewrite.ts'

/** What a fuzzy query may be told. */
export interface FuzzinessOptions {
  readonly fuzziness: string
  readonly prefixLength: number
  readonly maxExpansions: number
  /** Undefined: as the version has it; 6.x's `fuzzy` counts a swap as two edits unless told otherwise. */
  readonly transpositions?: boolean
  readonly rewrite?: string
}

/** Whether fuzzy words are refused for a field that no mapping lists. */
export function refusesFuzzyWords(path: string, { search }: QueryContext): boolean {
  if (knowsNoField(search.mapping, path)) return false
  return path === '_index' || (path === '_type' && !search.isLucene9) || isWordlessMetadata(path, search.mapping)
}

/** The DSL's `fuzzy`. */
export function fuzzyQuery(
  path: string,
  text: string,
  options: FuzzinessOptions & { readonly isParsed?: boolean },
  context: QueryContext,
): LuceneQuery {
  const field = fieldOf(path, context)
  if (field === undefined) {
    if (!refusesFuzzyWords(path, context)) return unmapped(path, context)
    checkTypeWords(path, context)
    const reason = `Can only use fuzzy queries on keyword and text fields - not on [${path}] which is of type [${path}]`
    throw illegalQuery(context, reason)
  }
  if (context.isParsed || options.isParsed) return fuzzyWord(literally(field), text, options, context)
  checkWords(field, context)
  checkSearchable(field, context)
  return fuzzyTerm(field, text, options, context)
}

/** A word of a full text query, or one near it: the values of such queries stand among a field's terms or nowhere. */
export function fuzzyWord(
  field: FieldMapping,
  text: string,
  options: FuzzinessOptions,
  context: QueryContext,
): LuceneQuery {
  checkWords(field, context, 'wildcard')
  checkIndexed(field, context)
  return fuzzyTerm(field, text, options, context)
}

/** @throws {ServiceError} for a field that has no words, or is of a type whose words are none to this query */
function checkWords(field: FieldMapping, context: QueryContext, other?: string): void {
  const hasWords = field.kind === 'text' || (field.kind === 'keyword' && field.constant === undefined)
  if (hasWords && typeName(field) !== other) return
  const reason = `Can only use fuzzy queries on keyword and text fields - not on [${field.path}] which is of type [${typeName(field)}]`
  throw illegalQuery(context, reason)
}

function fuzzyTerm(field: FieldMapping, text: string, options: FuzzinessOptions, context: QueryContext): LuceneQuery {
  requireAllowed('[fuzzy] queries', context)
  // As terms have it, which are UTF-8.
  const word = normalized(field, text).toWellFormed()
  const maxEdits = creating(context, () => {
    checkFuzzy(options)
    return editsAllowed(options.fuzziness, word)
  })
  const query = new FuzzyQuery(field.path, word, {
    maxEdits,
    prefixLength: options.prefixLength,
    transpositions: options.transpositions ?? !context.search.isLucene7,
    maxExpansions: options.maxExpansions,
  })
  const { rewrite } = options
  if (rewrite === undefined) return scored(query, field)
  const method = creating(context, () => parseRewrite(rewrite))
  return rewrittenQuery(field.path, query.expansions(context.search), method, context)
}

/** @throws {ServiceError} illegal_argument_exception */
function checkFuzzy({ fuzziness, prefixLength, maxExpansions }: FuzzinessOptions): void {
  const wrong =
    Number(fuzziness) <= -1
      ? 'maxEdits must be between 0 and 2'
      : prefixLength < 0
        ? 'prefixLength cannot be negative.'
        : maxExpansions <= 0
          ? 'maxExpansions must be positive.'
          : undefined
  if (wrong !== undefined) throw illegalArgument(wrong)
}

/** Edits that `AUTO`, `AUTO:low,high` or a number allow a text. */
export function editsAllowed(fuzziness: string, text: string): number {
  const { length } = Array.from(text)
  const auto = /^AUTO(?::(\d+),(\d+))?$/i.exec(fuzziness)
  if (auto !== null) {
    const low = Number(auto[1] ?? 3)
    const high = Number(auto[2] ?? 6)
    return length < low ? 0 : length < high ? 1 : 2
  }
  const edits = doubleOfText(fuzziness.toUpperCase())
  // A share of the length in the oldest notation; the distance is capped either way.
  return Math.max(0, Math.min(2, Math.trunc(edits)))
}
