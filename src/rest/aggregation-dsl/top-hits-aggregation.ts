import type { TopHitsDefinition } from '../../engine/aggregation/metrics/top-hits-aggregator.ts'
import type { SortKey } from '../../engine/search/search-request.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { tokenName } from '../../token-name.ts'
import { tokenText } from '../body/token-text.ts'
import { shownSource, sourceOption } from '../documents/source-filter.ts'
import { checkDocValueCount } from '../search/check-field-counts.ts'
import { parseDocValueFields } from '../search/doc-value-fields.ts'
import type { FetchOptions } from '../search/fetch-options.ts'
import { checkTopHitsWindow } from '../search/inner-hit-window.ts'
import { parseScriptFields } from '../search/script-fields.ts'
import { type AggregationBody, parsingError } from './aggregation-body.ts'

/** How the hits of a `top_hits` are shown: what its {@link TopHitsDefinition.fetch} is. */
export interface TopHitsFetch {
  readonly options: FetchOptions
  readonly sort: readonly SortKey[]
}

/** `top_hits`. */
export function parseTopHits(body: AggregationBody): TopHitsDefinition {
  const { engineVersion } = body.context.queries
  const fields = body.isLegacy ? [] : ['fields']
  const values = 'from size version seq_no_primary_term explain track_scores _source stored_fields sort'.split(' ')
  body.checkTokens(
    {
      VALUE_STRING: values,
      VALUE_NUMBER: values,
      VALUE_BOOLEAN: values,
      START_OBJECT: ['_source', 'script_fields', 'highlight', 'sort'],
      START_ARRAY: ['_source', 'stored_fields', 'docvalue_fields', 'sort', ...fields],
    },
    (field, token) => `Unknown key for a ${token} in [${field}].`,
  )
  const from = notNegative(body, 'from') ?? 0
  const size = notNegative(body, 'size') ?? 3
  const sortJson = body.raw('sort')
  const sort = sortJson === undefined ? [] : body.context.parseSort(sortJson)
  const storedFields = readStoredFields(body)
  const scriptFields = parseScriptFields(body.raw('script_fields'), body.context.queries, 'script_fields')
  const sourceFields = parseDocValueFields(body.isLegacy ? undefined : body.raw('fields'), engineVersion)
  const options: FetchOptions = {
    source: shownSource(sourceOption(body.raw('_source')), storedFields, scriptFields.length > 0),
    storedFields,
    docValueFields: parseDocValueFields(body.raw('docvalue_fields'), engineVersion, true),
    ...(sourceFields.length === 0 ? {} : { sourceFields }),
    ...(scriptFields.length === 0 ? {} : { scriptFields }),
    version: body.plainBoolean('version') ?? false,
    seqNo: body.plainBoolean('seq_no_primary_term') ?? false,
    explain: body.plainBoolean('explain') ?? false,
    highlight: body.raw('highlight'),
  }
  const fetch: TopHitsFetch = { options, sort }
  return {
    kind: 'top_hits',
    from,
    size,
    sort,
    trackScores: body.plainBoolean('track_scores') ?? false,
    fetch,
    check(searchers) {
      checkTopHitsWindow(body.name, from + size, searchers)
      if (engineVersion !== 'Elasticsearch_6.8') checkDocValueCount(options, searchers)
    },
  }
}

function readStoredFields(body: AggregationBody): readonly string[] | undefined {
  const given = body.raw('stored_fields')
  if (given === undefined || typeof given === 'string') return given === undefined ? undefined : [given]
  if (Array.isArray(given)) return given.map(tokenText)
  const reason = `Expected [VALUE_STRING] or [START_ARRAY] in [stored_fields] but found [${tokenName(given)}]`
  throw body.at('stored_fields', parsingError(reason))
}

function notNegative(body: AggregationBody, field: 'from' | 'size'): number | undefined {
  const value = body.plainInteger(field)
  if (value === undefined || value >= 0) return value
  throw illegalArgument(`[${field}] must be greater than or equal to 0. Found [${value}] in [${body.name}]`)
}
