import { getHeapStatistics } from 'node:v8'
import { ServiceError } from '../errors.ts'
import type { EngineVersion } from './engine-version.ts'

/** One document, one mapping, or one search's aggregations, may have so many bytes of the heap. */
export const HEAP_FOR_ONE = Math.floor(getHeapStatistics().heap_size_limit * 0.5)

/**
 * What is told of something that wants more of the heap than it may have, in the words of the real server's parent breaker.
 *
 * @param what   what wants it: `document`
 * @param bytes  how many it wants; undefined: more than there may be
 */
export function tooMuchHeap(
  what: string,
  bytes: number | undefined,
  version: EngineVersion,
  limitBytes = HEAP_FOR_ONE,
): ServiceError {
  const limit = `${limitBytes}/${megabytes(limitBytes)}`
  const wanted =
    bytes === undefined
      ? `larger than the limit of [${limit}]`
      : `[${bytes}/${megabytes(bytes)}], which is larger than the limit of [${limit}]`
  return new ServiceError(
    'circuit_breaking_exception',
    `[parent] Data too large, data for [<${what}>] would be ${wanted}`,
    version === 'Elasticsearch_6.8' ? { status: 503 } : {},
  )
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)}mb`
