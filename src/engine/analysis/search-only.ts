import { ServiceError } from '../../errors.ts'

/** Refuses an analyzer where it would be used while documents are indexed. */
export function searchOnlyRefused(
  analyzer: string,
  filters: readonly string[],
  mode: 'all' | 'index time',
): ServiceError {
  return new ServiceError(
    'mapper_exception',
    `analyzer [${analyzer}] contains filters [${filters.join(', ')}] that are not allowed to run in ${mode} mode.`,
  )
}
