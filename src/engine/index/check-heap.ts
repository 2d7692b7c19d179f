import type { EngineVersion } from '../engine-version.ts'
import { HEAP_FOR_ONE, tooMuchHeap } from '../heap-share.ts'

/** Sources up to here are not looked at. */
const SMALL_BYTES = 2 ** 20
/** What a value takes while its document is indexed, measured with numbers. */
const VALUE_BYTES = 32
const COMMA = 0x2c

/**
 * Sees that the values of a large document fit the heap: where they do not, V8 ends the process.
 *
 * @throws {ServiceError} circuit_breaking_exception in the words of the real server's parent breaker
 */
export function checkHeap(source: Buffer, version: EngineVersion, limitBytes = HEAP_FOR_ONE): void {
  if (source.length <= SMALL_BYTES) return
  let values = 0
  for (let at = source.indexOf(COMMA); at >= 0; at = source.indexOf(COMMA, at + 1)) values++
  const bytes = values * VALUE_BYTES
  if (bytes > limitBytes) throw tooMuchHeap('document', bytes, version, limitBytes)
}
