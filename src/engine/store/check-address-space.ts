import { processLimit } from '../../process-limit.ts'

/**
 * Checks that as many bytes can be mapped as the store maps: LMDB ends the process where they cannot.
 *
 * @throws {Error} naming the limit
 */
export function checkAddressSpace(bytes: number, limits?: string): void {
  const limit = processLimit('Max address space', limits)
  if (limit > bytes) return
  throw new Error(
    `addresses are limited to ${limit} bytes (ulimit -v), and the store needs ${bytes} of them: not memory, but room to map its file; lift the limit`,
  )
}
