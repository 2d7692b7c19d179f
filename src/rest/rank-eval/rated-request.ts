import { illegalArgument } from '../../illegal-argument.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { ValueMap } from '../ingest/ingest-document.ts'
import { hashOrdered } from '../json/hash-ordered.ts'
import { type ConstructingShape, constructFrom } from '../query-dsl/constructing-parser.ts'
import { losslessParams } from '../query-dsl/read-script.ts'

/** A document that was looked at for a search, and the mark it was given. */
export interface RatedDocument {
  readonly index: string
  readonly id: string
  readonly rating: number
}

/** A search, as an object of a request's body. */
export type SearchJson = { readonly [name: string]: JsonValue }

/** A search whose hits are to be evaluated: given itself, or by a template and what it is filled in with. */
export interface RatedRequest {
  readonly id: string
  readonly ratings: readonly RatedDocument[]
  readonly request: SearchJson | undefined
  readonly templateId: string | undefined
  readonly params: ValueMap
  /** Parts of the source that hits show. */
  readonly summaryFields: readonly string[]
}

/**
 * Reads a rated request.
 *
 * @param checkSearch  reads the search to see whether it can be
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception
 */
export function readRatedRequest(
  json: JsonValue | undefined,
  dialect: Dialect,
  checkSearch: (search: SearchJson) => void,
): RatedRequest {
  const shape: ConstructingShape<RatedRequest> = {
    name: 'request',
    fields: {
      id: { kind: 'text', argument: 'required' },
      ratings: {
        kind: 'objects',
        argument: 'required',
        read: (rated) => constructFrom(RATED_DOCUMENT, rated, dialect),
      },
      request: {
        kind: 'object',
        argument: 'optional',
        read: (search) => {
          checkSearch(search as SearchJson)
          return search
        },
      },
      params: {
        kind: 'object',
        argument: 'optional',
        read: (params) => hashOrdered(losslessParams(params as SearchJson) as ValueMap),
      },
      template_id: { kind: 'text', argument: 'optional' },
      summary_fields: { kind: 'texts' },
    },
    build: (members) => {
      const read: RatedRequest = {
        id: members['id'] as string,
        ratings: members['ratings'] as readonly RatedDocument[],
        request: members['request'] as SearchJson | undefined,
        templateId: members['template_id'] as string | undefined,
        params: (members['params'] as ValueMap | undefined) ?? {},
        summaryFields: (members['summary_fields'] as readonly string[] | undefined) ?? [],
      }
      checkRatedRequest(read, dialect)
      return read
    },
  }
  return constructFrom(shape, json, dialect)
}

const RATED_DOCUMENT: ConstructingShape<RatedDocument> = {
  name: 'rated_document',
  fields: {
    _index: { kind: 'text', argument: 'required' },
    _id: { kind: 'text', argument: 'required' },
    rating: { kind: 'integer', argument: 'required' },
  },
  build: (members) => {
    const [index, id] = [members['_index'] as string, members['_id'] as string]
    if (index === '') throw illegalArgument('Index must be set for each rated document')
    if (id === '') throw illegalArgument('DocId must be set for each rated document')
    return { index, id, rating: members['rating'] as number }
  },
}

function checkRatedRequest({ id, ratings, request, templateId, params }: RatedRequest, dialect: Dialect): void {
  const hasParams = Object.keys(params).length > 0
  if (request !== undefined && (hasParams || templateId !== undefined))
    throw illegalArgument(
      'Ambiguous rated request: Set both, verbatim test request and test request template parameters.',
    )
  if (request === undefined && !hasParams)
    throw illegalArgument('Need to set at least test request or test request template parameters.')
  if (hasParams && templateId === undefined)
    throw illegalArgument('If template parameters are supplied need to set id of template to apply them to too.')
  if (request !== undefined) checkRatedSearch(request, dialect)
  const seen = new Set<string>()
  for (const rated of ratings) {
    const key = JSON.stringify({ _index: rated.index, _id: rated.id })
    if (seen.has(key))
      throw illegalArgument(`Found duplicate rated document key [${key}] in evaluation request [${id}]`)
    seen.add(key)
  }
}

/** Refuses searches that ask for more than hits. @throws {ServiceError} illegal_argument_exception */
export function checkRatedSearch(search: SearchJson, dialect: Dialect): void {
  const aggregations = search['aggs'] ?? search['aggregations']
  const isEmpty = typeof aggregations === 'object' && Object.keys(aggregations as object).length === 0
  if (search['suggest'] !== undefined)
    throw illegalArgument('Query in rated requests should not contain a suggest section.')
  if (aggregations !== undefined && !(isEmpty && dialect.engineVersion === 'OpenSearch_2.19'))
    throw illegalArgument('Query in rated requests should not contain aggregations.')
  if (search['highlight'] !== undefined)
    throw illegalArgument('Query in rated requests should not contain a highlighter section.')
  if (isTrue(search['explain'])) throw illegalArgument('Query in rated requests should not use explain.')
  if (isTrue(search['profile'])) throw illegalArgument('Query in rated requests should not use profile.')
}

function isTrue(value: JsonValue | undefined): boolean {
  return value === true || value === 'true'
}
