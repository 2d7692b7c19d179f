import { getHeapStatistics } from 'node:v8'
import { ServiceError } from '../../errors.ts'

/** Sources up to here are not looked at. */
const SMALL_BYTES = 2 ** 20
/** What a value takes while its document is indexed, measured with numbers. */
const VALUE_BYTES = 32
const COMMA = 0x2c

/** One document, or one search's aggregations, may have so many bytes of the heap. */
export const HEAP_FOR_ONE = Math.floor(getHeapStatistics().heap_size_limit * 0.5)

/**
 * Sees that the values of a large document fit the heap: where they do not, V8 ends the process.
 *
 * @throws {ServiceError} circuit_breaking_exception in the words of the real server's parent breaker
 */
export function checkHeap(source: Buffer, isLegacy: boolean, limitBytes = HEAP_FOR_ONE): void {
  if (source.length <= SMALL_BYTES) return
  let values = 0
  for (let at = source.indexOf(COMMA); at >= 0; at = source.indexOf(COMMA, at + 1)) values++
  const bytes = values * VALUE_BYTES
  if (bytes <= limitBytes) return
  throw new ServiceError(
    'circuit_breaking_exception',
    `[parent] Data too large, data for [<document>] would be [${bytes}/${megabytes(bytes)}], which is larger than the limit of [${limitBytes}/${megabytes(limitBytes)}]`,
    isLegacy ? { status: 503 } : {},
  )
}

/** What the same is told of a document that wanted more than its thread could have. */
export function documentTooLarge(isLegacy: boolean): ServiceError {
  const limit = `${HEAP_FOR_ONE}/${megabytes(HEAP_FOR_ONE)}`
  return new ServiceError(
    'circuit_breaking_exception',
    `[parent] Data too large, data for [<document>] would be larger than the limit of [${limit}]`,
    isLegacy ? { status: 503 } : {},
  )
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)}mb`
