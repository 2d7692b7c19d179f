import type { Query } from '../../engine/search/queries/query.ts'
import type { SearchScript } from '../../engine/search/script/search-script.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { inField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { parsingException } from '../parsing-exception.ts'
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
  const reader = new QueryReader('script_score', body)
  const inner = reader.raw('query')
  const json = reader.raw('script')
  const minScore = reader.number('min_score')
  const base = reader.base()
  reader.done()
  if (inner === undefined || json === undefined) {
    const missing = [inner === undefined ? 'query' : '', json === undefined ? 'script' : ''].filter(
      (name) => name !== '',
    )
    throw illegalArgument(missing.map((name) => `Required [${name}]`).join(', '))
  }
  if (typeof json !== 'object') {
    throw reader.at('script', parseFault(`[script_score] script doesn't support values of type: ${tokenName(json)}`))
  }
  if (minScore !== undefined && minScore < 0) {
    throw illegalArgument(`[min_score] cannot be negative, but found [${minScore}]!`)
  }
  return {
    kind: 'script_score',
    query: inField('script_score', 'query', () => parseInner(inner)),
    script: inField('script_score', 'script', () => readScript(json, context)),
    ...optional('minScore', minScore),
    ...base,
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
