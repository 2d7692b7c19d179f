import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { TokenFilter } from '../analyzer.ts'

/** Marks a filter that, from 7.0 on, may not stand before a synonym filter. */
export function notForSynonyms(filter: TokenFilter, name: string, engineVersion: EngineVersion): TokenFilter {
  if (engineVersion === 'Elasticsearch_6.8') return filter
  return {
    filter: (tokens) => filter.filter(tokens),
    ...(filter.attribute === undefined ? {} : { attribute: filter.attribute }),
    get forSynonyms(): TokenFilter {
      throw new ServiceError('illegal_argument_exception', `Token filter [${name}] cannot be used to parse synonyms`)
    },
  }
}
