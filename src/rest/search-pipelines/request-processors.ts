import { illegalArgument } from '../../illegal-argument.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { Json } from '../json/json-writer.ts'
import { parseQuery } from '../query-dsl/parse-query.ts'
import { bool } from '../search/search-view.ts'
import { contextName } from './context-name.ts'
import { fullQuery } from './full-query.ts'
import type { ProcessorFactory, RequestProcessor } from './processor.ts'
import { script } from './script-request-processor.ts'

/** `filter_query`: only what a query matches is found, scored as before. */
const filterQuery: ProcessorFactory<RequestProcessor> = (config, queries) => {
  const query = config.optionalMap('query')
  if (query === undefined) {
    const reason = `Did not specify the query property in processor of type ${config.type}`
    throw illegalArgument(reason)
  }
  // What is wrong with it is told when it is put; what it looks up is looked up by who searches.
  parseQuery(query, queries)
  return (request, _state, asked) => {
    const { query: given, hasQuery, size, members, told } = request
    const limited = bool({ must: hasQuery ? [given] : [], filter: [parseQuery(query, asked)] })
    return { query: limited, hasQuery: true, size, members, told: told && { json: filtered(told.json, query) } }
  }
}

/** The query that finds what two do, scored by the first of them, as it is told. */
const filtered = (given: Json | undefined, filter: JsonValue): Json => ({
  bool: {
    ...(given === undefined ? {} : { must: [given] }),
    filter: [fullQuery(filter)],
    adjust_pure_negative: true,
    boost: 1,
  },
})

/** How many hits are shown where a search does not say it, and what processors see of that. */
const DEFAULT_SIZE = 10
const UNSAID_SIZE = -1

/** `oversample`: so many times as many hits are looked for; what was asked for is remembered. */
const oversample: ProcessorFactory<RequestProcessor> = (config) => {
  const factor = config.double('sample_factor')
  if (factor < 1) throw config.fault('sample_factor', 'Value must be >= 1.0')
  const name = contextName(config)
  return ({ query, hasQuery, size: asked, members, told }, state) => {
    const size = asked === UNSAID_SIZE ? DEFAULT_SIZE : asked
    state.set(name, size)
    // As Java casts it.
    return { query, hasQuery, size: Math.min(Math.ceil(size * factor), 2_147_483_647), members, told }
  }
}

/** Processors of searches by type. */
export const REQUEST_PROCESSORS: Readonly<Record<string, ProcessorFactory<RequestProcessor>>> = {
  filter_query: filterQuery,
  oversample,
  script,
}
