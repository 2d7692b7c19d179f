import type { TopHitsDefinition } from '../../engine/aggregation/top-hits-aggregator.ts'
import type { SortKey } from '../../engine/search/search-request.ts'
import { shownSource, sourceOption } from '../documents/source-filter.ts'
import { checkDocValueCount } from '../search/check-field-counts.ts'
import { parseDocValueFields } from '../search/doc-value-fields.ts'
import type { FetchOptions } from '../search/fetch-options.ts'
import { checkTopHitsWindow } from '../search/inner-hit-window.ts'
import { parseScriptFields } from '../search/script-fields.ts'
import { type AggregationBody, illegalArgument } from './aggregation-body.ts'

/** How the hits of a `top_hits` are shown: what its {@link TopHitsDefinition.fetch} is. */
export interface TopHitsFetch {
  readonly options: FetchOptions
  readonly sort: readonly SortKey[]
}

/** `top_hits`. */
export function parseTopHits(body: AggregationBody): TopHitsDefinition {
  const from = notNegative(body, 'from') ?? 0
  const size = notNegative(body, 'size') ?? 3
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
  const { engineVersion } = body.context.queries
  return {
    kind: 'top_hits',
    from,
    size,
    sort,
    trackScores: body.boolean('track_scores') ?? false,
    fetch,
    check(searchers) {
      checkTopHitsWindow(body.name, from + size, searchers)
      if (engineVersion !== 'Elasticsearch_6.8') checkDocValueCount(options, searchers)
    },
  }
}

function notNegative(body: AggregationBody, field: 'from' | 'size'): number | undefined {
  const value = body.integer(field)
  if (value === undefined || value >= 0) return value
  throw illegalArgument(`[${field}] must be greater than or equal to 0. Found [${value}] in [${body.name}]`)
}
