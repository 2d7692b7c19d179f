import { readFileSync } from 'node:fs'

/**
 * Checks that as many bytes can be mapped as the store maps: LMDB ends the process where they cannot. Systems without
 * `/proc` are not asked.
 *
 * @throws {Error} naming the limit
 */
export function checkAddressSpace(bytes: number, limits = readLimits()): void {
  const limit = Number(/^Max address space +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  if (limit > bytes) return
  throw new Error(
    `addresses are limited to ${limit} bytes (ulimit -v), and the store needs ${bytes} of them: not memory, but room to map its file; lift the limit`,
  )
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return ''
  }
}
