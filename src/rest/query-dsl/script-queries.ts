import type { Query } from '../../engine/search/queries/query.ts'
import type { SearchScript } from '../../engine/search/script/search-script.ts'
import type { ServiceError } from '../../errors.ts'
import { parsingException } from '../parsing-exception.ts'
import { parseMembers } from './object-parser.ts'
import { optional } from './query-options.ts'
import { type QueryContext, QueryReader } from './query-reader.ts'
import { readScript } from './read-script.ts'

/** `script`: documents of which a script says so. */
export function script(body: unknown, context: QueryContext): Query {
  const reader = new QueryReader('script', body)
  const json = reader.raw('script')
  if (Array.isArray(json)) {
    throw reader.at(
      'script',
      parsingException(
        '[script] query does not support an array of scripts. Use a bool query with a clause per script instead.',
      ),
    )
  }
  const read = json === undefined ? undefined : readScript(json, context)
  const base = reader.base()
  reader.done()
  if (read === undefined) throw parsingException('script must be provided with a [script] filter')
  return { kind: 'script', script: read, ...base }
}

/** `script_score` as a query of its own, since 7.0. */
export function scriptScore(body: unknown, context: QueryContext, parseInner: (json: unknown) => Query): Query {
  const read = parseMembers(
    'script_score',
    body,
    {
      query: { kind: 'object', read: parseInner },
      script: { kind: 'object', read: (json) => readScript(json, context) },
      min_score: 'float',
      boost: 'float',
      _name: 'text',
    },
    ['query', 'script'],
  )
  return {
    kind: 'script_score',
    query: read['query'] as Query,
    script: read['script'] as SearchScript,
    ...optional('minScore', read['min_score'] as number | undefined),
    ...optional('boost', read['boost'] as number | undefined),
    ...optional('name', read['_name'] as string | undefined),
  }
}

/** The script of the function `script_score`. */
export function scoreScript(body: unknown, context: QueryContext): SearchScript {
  const reader = new FunctionReader('script_score', body)
  const json = reader.raw('script')
  reader.done()
  if (json === undefined) throw parsingException("script_score requires 'script' field")
  return readScript(json, context)
}

/** Functions word their complaints without brackets. */
export class FunctionReader extends QueryReader {
  override unsupported(key: string): ServiceError {
    return this.at(key, parsingException(`${this.name} query does not support [${key}]`))
  }
}
