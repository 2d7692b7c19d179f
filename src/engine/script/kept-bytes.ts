import { ScriptObject } from './values/script-object.ts'
import { Box } from './values/script-value.ts'

/** Bytes of the heap, about: a place for a value, a number that is an object of its own, a text without its letters, a collection. */
const PLACE = 8
const NUMBER = 56
const TEXT = 24
const OBJECT = 96

/** More collections than V8's sets tell apart are too many anyway. */
const MOST_COLLECTIONS = 2 ** 23

/**
 * What values of scripts take on the heap, with everything they keep.
 *
 * @param most  bytes; what is more than this is not looked at any further
 */
export function keptBytes(values: Iterable<unknown>, most: number): number {
  let bytes = 0
  const met = new Set<ScriptObject>()
  const waiting: Iterable<unknown>[] = [values]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const value of next) {
      if (bytes > most) return bytes
      bytes += PLACE
      if (typeof value === 'string') bytes += TEXT + value.length * 2
      else if (typeof value === 'bigint' || value instanceof Box) bytes += NUMBER
      else if (value instanceof ScriptObject && !met.has(value)) {
        if (met.size === MOST_COLLECTIONS) return Number.POSITIVE_INFINITY
        met.add(value)
        bytes += OBJECT
        waiting.push(value.kept())
      }
    }
  }
  return bytes
}
