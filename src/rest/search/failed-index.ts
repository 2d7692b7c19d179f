import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'
import type { SearchView } from './search-view.ts'

/** What was found wrong with a query before it met an index, as an error of one. */
export function ofIndex(error: ServiceError, { name, uuid }: IndexMetadata): ServiceError {
  if (error.type !== 'query_shard_exception' || error.detail.index !== undefined) return error
  return error.with({ index: name, indexUuid: uuid })
}

/** A failure of the query phase of a search of one index, as that index's; any other error as it is. */
export function ofOnlyIndex({ indices }: SearchView, error: unknown): unknown {
  const [only, ...others] = indices
  const isWhole = only === undefined || others.length > 0
  if (isWhole || !isOfQueryPhase(error) || error.detail.failures !== undefined) return error
  return error.with({ failures: [{ index: only.name, error: ofIndex(error, only) }] })
}

/** Whether all indices could be searched, and only what they answered not be put together. */
export function isOfReducePhase(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.detail.inReducePhase === true
}

export function isOfQueryPhase(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.detail.inQueryPhase === true
}
