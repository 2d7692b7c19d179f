import type { DocValues } from '../../index/segment-reader.ts'
import type { ScriptValue } from '../../script/script-value.ts'
import { hasBit } from '../lucene/bit-set.ts'

/**
 * Reads the values of documents in a column, as scripts see them.
 *
 * @param value  the value at a place of the column
 */
export function columnReader(
  { present, offsets }: Pick<DocValues, 'present' | 'offsets'>,
  value: (at: number) => ScriptValue,
): (doc: number) => ScriptValue[] {
  return (doc) => {
    if (present !== undefined && !hasBit(present, doc)) return []
    if (offsets === undefined) return [value(doc)]
    const found: ScriptValue[] = []
    for (let at = offsets[doc] as number; at < (offsets[doc + 1] as number); at++) found.push(value(at))
    return found
  }
}
