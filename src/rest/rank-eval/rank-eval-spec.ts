import type { SearchScript } from '../../engine/search/script/search-script.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { parseFault } from '../../parse-fault.ts'
import type { BodyPlaces } from '../body/body-places.ts'
import { type JsonValue, parseJson } from '../body/parse-json.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { type ConstructingShape, constructFrom } from '../query-dsl/constructing-parser.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { readScript } from '../query-dsl/read-script.ts'
import type { EvaluationMetric } from './evaluation-metric.ts'
import { type RatedRequest, readRatedRequest, type SearchJson } from './rated-request.ts'
import { readMetric } from './read-metric.ts'

/** What `_rank_eval` is asked for. */
export interface RankEvalSpec {
  readonly requests: readonly RatedRequest[]
  readonly metric: EvaluationMetric
  /** By the names that requests give them. */
  readonly templates: ReadonlyMap<string, SearchScript>
  readonly maxConcurrentSearches: number
}

const DEFAULT_CONCURRENT_SEARCHES = 10

/** What reading it takes. */
export interface RankEvalReader {
  readonly dialect: Dialect
  readonly queries: QueryContext
  readonly places: BodyPlaces | undefined
  /** Reads a search to see whether it can be. */
  readonly checkSearch: (search: SearchJson) => void
}

/** Reads the body of `_rank_eval`. @throws {ServiceError} x_content_parse_exception, illegal_argument_exception */
export function readRankEvalSpec(body: Buffer | string, reader: RankEvalReader): RankEvalSpec {
  const { dialect } = reader
  const shape: ConstructingShape<RankEvalSpec> = {
    name: 'rank_eval',
    fields: {
      requests: {
        kind: 'objects',
        argument: 'required',
        read: (json) => readRatedRequest(json, dialect, reader.checkSearch),
      },
      metric: {
        kind: 'object',
        argument: 'required',
        read: (json) => readMetric(json as SearchJson, dialect),
      },
      templates: { kind: 'objects', argument: 'optional', read: (json) => readTemplate(json, reader) },
      max_concurrent_searches: { kind: 'integer' },
    },
    build: (members) => {
      const requests = members['requests'] as readonly RatedRequest[]
      const templates = new Map((members['templates'] as readonly NamedTemplate[] | undefined) ?? [])
      checkRequests(requests, templates)
      return {
        requests,
        metric: members['metric'] as EvaluationMetric,
        templates,
        maxConcurrentSearches:
          (members['max_concurrent_searches'] as number | undefined) ?? DEFAULT_CONCURRENT_SEARCHES,
      }
    },
  }
  const json = parsedBody(body)
  reader.places?.note(body, json)
  return constructFrom(shape, json, dialect)
}

function parsedBody(body: Buffer | string): JsonValue {
  try {
    return parseJson(body)
  } catch (error) {
    throw error instanceof ServiceError ? parseFault('[rank_eval] failed to parse object', error) : error
  }
}

function checkRequests(requests: readonly RatedRequest[], templates: RankEvalSpec['templates']): void {
  if (requests.length === 0) {
    const reason = 'Cannot evaluate ranking if no search requests with rated results are provided. Seen: []'
    throw illegalArgument(reason)
  }
  const lacking = templates.size > 0 ? undefined : requests.find(({ request }) => request === undefined)
  if (lacking === undefined) return
  const reason = `Cannot evaluate ranking if neither template nor evaluation request is provided. Seen for request id: ${lacking.id}`
  throw new ServiceError('illegal_state_exception', reason)
}

type NamedTemplate = readonly [id: string, template: SearchScript]

function readTemplate(json: JsonValue | undefined, { dialect, queries }: RankEvalReader): NamedTemplate {
  const shape: ConstructingShape<NamedTemplate> = {
    name: 'script_with_id',
    fields: {
      id: { kind: 'text', argument: 'required' },
      template: { kind: 'object', argument: 'required', read: (script) => readScript(script, queries, 'mustache') },
    },
    build: (members) => [members['id'] as string, members['template'] as SearchScript],
  }
  return constructFrom(shape, json, dialect)
}
