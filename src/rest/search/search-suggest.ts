import type { EngineVersion } from '../../engine/engine-version.ts'
import { runSuggestions } from '../../engine/suggest/run-suggestions.ts'
import type { SuggestOption, SuggestResult } from '../../engine/suggest/suggest-result.ts'
import { JavaFloat, type Json } from '../json/json-writer.ts'
import { bodyObject, type EndpointRequest } from '../rest-request.ts'
import { parseSuggest } from '../suggest-dsl/parse-suggest.ts'
import { parseDocValueFields } from './doc-value-fields.ts'
import type { FetchOptions } from './fetch-options.ts'
import { type HitContext, HitRenderer } from './hit-renderer.ts'
import type { SearchBody } from './search-body.ts'

/**
 * The `suggest` of an answer; undefined when none was asked for.
 *
 * @param isAlone  {@link isSuggestOnly}: there is no query then to explain anything by
 * @throws {ServiceError} when it cannot be read
 */
export function answerSuggest(body: SearchBody, context: HitContext, isAlone: boolean): Json | undefined {
  if (body.suggest === undefined) return undefined
  const { searchers, dialect, watch } = context
  const results = runSuggestions(parseSuggest(body.suggest, context), searchers, dialect.engineVersion, watch)
  if (results.length === 0) return undefined
  const fetch = isAlone ? { ...body.fetch, explain: false } : body.fetch
  const renderer = new HitRenderer(context, withGroupField(fetch, body, dialect.engineVersion))
  return Object.fromEntries(
    results.map((result) => [
      body.typedKeys ? `${result.kind}#${result.name}` : result.name,
      result.entries.map(({ options, ...entry }) => ({
        ...entry,
        options: options.map((option) => renderOption(option, result, renderer)),
      })),
    ]),
  )
}

/** Documents of suggestions are in no groups, but show what the hits' groups are by. */
function withGroupField(fetch: FetchOptions, { collapse }: SearchBody, engineVersion: EngineVersion): FetchOptions {
  if (collapse === undefined || fetch.docValueFields.some(({ field }) => field === collapse.field)) return fetch
  const isLegacy = engineVersion === 'Elasticsearch_6.8'
  const column = { field: collapse.field, ...(isLegacy ? { format: 'use_field_mapping' } : {}) }
  return { ...fetch, docValueFields: [...fetch.docValueFields, ...parseDocValueFields([column], engineVersion)] }
}

function renderOption(option: SuggestOption, { kind }: SuggestResult, renderer: HitRenderer): Json {
  const { text, score, freq, highlighted, collateMatch, hit, contexts } = option
  switch (kind) {
    case 'term':
      return { text, score: new JavaFloat(score), freq }
    case 'phrase':
      return {
        text,
        highlighted,
        score: new JavaFloat(score),
        ...(collateMatch === undefined ? {} : { collate_match: collateMatch }),
      }
    case 'completion':
      return {
        text,
        ...(hit === undefined ? {} : renderer.members(hit)),
        ...(contexts === undefined || Object.keys(contexts).length === 0 ? {} : { contexts }),
      }
  }
}

/** Whether a search asks for suggestions and nothing else: it then finds no documents. */
export function isSuggestOnly(body: SearchBody, request: EndpointRequest): boolean {
  if (body.suggest === undefined || body.aggregations !== undefined || request.parameters.has('q')) return false
  return bodyObject(request)?.['query'] === undefined
}
