import { ServiceError } from '../../errors.ts'
import { parseQuery } from '../query-dsl/parse-query.ts'
import { bool } from '../search/search-view.ts'
import { contextName } from './context-name.ts'
import type { ProcessorFactory, RequestProcessor } from './processor.ts'
import { script } from './script-request-processor.ts'

/** `filter_query`: only what a query matches is found, scored as before. */
const filterQuery: ProcessorFactory<RequestProcessor> = (config, queries) => {
  const query = config.optionalMap('query')
  if (query === undefined) {
    const reason = `Did not specify the query property in processor of type ${config.type}`
    throw new ServiceError('illegal_argument_exception', reason)
  }
  // What is wrong with it is told when it is put; what it looks up is looked up by who searches.
  parseQuery(query, queries)
  return (request, _state, asked) => {
    const { query: given, hasQuery, size, members } = request
    const limited = bool({ must: hasQuery ? [given] : [], filter: [parseQuery(query, asked)] })
    return { query: limited, hasQuery: true, size, members }
  }
}

/** `oversample`: so many times as many hits are looked for; what was asked for is remembered. */
const oversample: ProcessorFactory<RequestProcessor> = (config) => {
  const factor = config.double('sample_factor')
  if (factor < 1) throw config.fault('sample_factor', 'Value must be >= 1.0')
  const name = contextName(config)
  return ({ query, hasQuery, size, members }, state) => {
    state.set(name, size)
    const more = Math.ceil(size * factor)
    if (more < 0)
      throw new ServiceError('illegal_argument_exception', `[size] parameter cannot be negative, found [${more}]`)
    return { query, hasQuery, size: more, members }
  }
}

/** Processors of searches by type. */
export const REQUEST_PROCESSORS: Readonly<Record<string, ProcessorFactory<RequestProcessor>>> = {
  filter_query: filterQuery,
  oversample,
  script,
}
