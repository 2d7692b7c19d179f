import { runSuggestions } from '../../engine/suggest/run-suggestions.ts'
import type { SuggestOption, SuggestResult } from '../../engine/suggest/suggest-result.ts'
import { JavaFloat, type Json } from '../json/json-writer.ts'
import { bodyObject, type EndpointRequest } from '../rest-request.ts'
import { parseSuggest } from '../suggest-dsl/parse-suggest.ts'
import { type HitContext, HitRenderer } from './hit-renderer.ts'
import type { SearchBody } from './search-body.ts'

/** The `suggest` of an answer; undefined when none was asked for. @throws {ServiceError} when it cannot be read */
export function answerSuggest(body: SearchBody, context: HitContext): Json | undefined {
  if (body.suggest === undefined) return undefined
  const { searchers, dialect, watch } = context
  const results = runSuggestions(parseSuggest(body.suggest, context), searchers, dialect.engineVersion, watch)
  if (results.length === 0) return undefined
  const renderer = new HitRenderer(context, body.fetch)
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
