import type { TopHitsDefinition } from '../../engine/aggregation/top-hits-aggregator.ts'
import type { SortKey } from '../../engine/search/search-request.ts'
import { shownSource, sourceOption } from '../endpoints/source-filter.ts'
import { parseDocValueFields } from '../search/doc-value-fields.ts'
import type { FetchOptions } from '../search/fetch-options.ts'
import { parseScriptFields } from '../search/script-fields.ts'
import { type AggregationBody, illegalArgument } from './aggregation-body.ts'

/** How the hits of a `top_hits` are shown: what its {@link TopHitsDefinition.fetch} is. */
export interface TopHitsFetch {
  readonly options: FetchOptions
  readonly sort: readonly SortKey[]
}

/** Hits of one bucket at most, unless an index allows more. */
const MAX_RESULT_WINDOW = 100

/** `top_hits`. */
export function parseTopHits(body: AggregationBody): TopHitsDefinition {
  const from = notNegative(body, 'from') ?? 0
  const size = notNegative(body, 'size') ?? 3
  if (from + size > MAX_RESULT_WINDOW) {
    body.note(
      'illegal_argument_exception',
      `Top hits result window is too large, the top hits aggregator [${body.name}]'s from + size must be less than or equal to: [${MAX_RESULT_WINDOW}] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
      false,
    )
  }
  const sortJson = body.raw('sort')
  const sort = sortJson === undefined ? [] : body.context.parseSort(sortJson)
  const stored = body.raw('stored_fields')
  const storedFields = stored === undefined ? undefined : Array.isArray(stored) ? stored.map(String) : [String(stored)]
  const scriptFields = parseScriptFields(body.raw('script_fields'), body.context.queries)
  const options: FetchOptions = {
    source: shownSource(sourceOption(body.raw('_source')), storedFields, scriptFields.length > 0),
    storedFields,
    docValueFields: parseDocValueFields(body.raw('docvalue_fields'), body.context.queries.engineVersion),
    ...(scriptFields.length === 0 ? {} : { scriptFields }),
    version: body.boolean('version') ?? false,
    seqNo: body.boolean('seq_no_primary_term') ?? false,
    explain: body.boolean('explain') ?? false,
    highlight: body.raw('highlight'),
  }
  const fetch: TopHitsFetch = { options, sort }
  return { kind: 'top_hits', from, size, sort, trackScores: body.boolean('track_scores') ?? false, fetch }
}

function notNegative(body: AggregationBody, field: 'from' | 'size'): number | undefined {
  const value = body.integer(field)
  if (value === undefined || value >= 0) return value
  throw illegalArgument(`[${field}] must be greater than or equal to 0. Found [${value}] in [${body.name}]`)
}
