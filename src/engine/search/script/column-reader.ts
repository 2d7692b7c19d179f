import type { DocValues } from '../../index/segment-reader.ts'
import type { ScriptValue } from '../../script/values/script-value.ts'
import { hasBit } from '../lucene/bit-set.ts'

/**
 * Reads the values of documents in a column, as scripts see them.
 *
 * @param value  the value at a place of the column
 * @returns  what it gives is valid until it is called again
 */
export function columnReader(
  { present, offsets }: Pick<DocValues, 'present' | 'offsets'>,
  value: (at: number) => ScriptValue,
): (doc: number) => readonly ScriptValue[] {
  // One array for all documents: most have one value, and an array for each costs more than that.
  const found: ScriptValue[] = []
  if (offsets === undefined) {
    const one: ScriptValue[] = [null]
    return (doc) => {
      if (present !== undefined && !hasBit(present, doc)) return found
      one[0] = value(doc)
      return one
    }
  }
  return (doc) => {
    const isPresent = present === undefined || hasBit(present, doc)
    const from = offsets[doc] as number
    const count = isPresent ? (offsets[doc + 1] as number) - from : 0
    if (found.length > count) found.length = count
    for (let i = 0; i < count; i++) found[i] = value(from + i)
    return found
  }
}

/** Reads the first value of a document likewise; undefined: it has none. */
export function firstReader(
  { present, offsets }: Pick<DocValues, 'present' | 'offsets'>,
  value: (at: number) => ScriptValue,
): (doc: number) => ScriptValue | undefined {
  return (doc) => {
    if (present !== undefined && !hasBit(present, doc)) return undefined
    if (offsets === undefined) return value(doc)
    const from = offsets[doc] as number
    return from === (offsets[doc + 1] as number) ? undefined : value(from)
  }
}

/** Reads the first number of a document; NaN: it has none. */
export function numberReader(
  { present, offsets }: Pick<DocValues, 'present' | 'offsets'>,
  values: ArrayLike<number>,
): (doc: number) => number {
  return (doc) => {
    if (present !== undefined && !hasBit(present, doc)) return Number.NaN
    if (offsets === undefined) return values[doc] as number
    const from = offsets[doc] as number
    return from === (offsets[doc + 1] as number) ? Number.NaN : (values[from] as number)
  }
}
