import { createHash } from 'node:crypto'
import type { Lz4Dictionary } from '../../engine/store/lz4-dictionary.ts'

const ids = new WeakMap<Lz4Dictionary, string>()

/** What tells the dictionary of an index from any other; `none` where there is none yet. */
export function dictionaryId(dictionary: Lz4Dictionary | undefined): string {
  if (dictionary === undefined) return 'none'
  let id = ids.get(dictionary)
  if (id === undefined) {
    const { bytes, code } = dictionary
    id = createHash('sha256')
      .update(bytes)
      .update(code?.lengths ?? '')
      .digest('hex')
    ids.set(dictionary, id)
  }
  return id
}
