import { readFileSync } from 'node:fs'

/**
 * A limit of this process that its user set, in its own unit; `Infinity` where there is none. Systems without `/proc` are not asked.
 *
 * @param name    as `/proc/self/limits` calls it (`Max open files`)
 * @param limits  instead of that file (tests)
 */
export function processLimit(name: string, limits = readLimits()): number {
  return Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return ''
  }
}
