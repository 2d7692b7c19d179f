import { crc32 } from '../crc32.ts'
import { damagedRecord } from './damaged-record.ts'
import { Lz4Dictionary } from './lz4-dictionary.ts'

/** A dictionary is this long, of pieces of the sources of an index that came first. (Nearly all that LZ4's distances reach.) */
const DICTIONARY_BYTES = 60 * 1024
const MOST_OF_A_SOURCE = 1024
/** So many indices' dictionaries are kept at hand. */
const MOST_AT_HAND = 200

/** Where dictionaries are kept. */
export interface DictionaryTable {
  get(indexNumber: number): Buffer | undefined
  put(indexNumber: number, bytes: Buffer): void
}

/** What each index' sources have in common, learned of the first of them, to compress the others with. */
export class SourceDictionaries {
  readonly #table: DictionaryTable
  readonly #known = new Map<number, Lz4Dictionary>()
  readonly #learning = new Map<number, { readonly pieces: Buffer[]; bytes: number }>()

  constructor(table: DictionaryTable) {
    this.#table = table
  }

  /** The dictionary of an index, if it has one. */
  get(indexNumber: number): Lz4Dictionary | undefined {
    const known = this.#known.get(indexNumber)
    if (known !== undefined) return known
    const bytes = this.#table.get(indexNumber)
    return bytes === undefined ? undefined : this.#keep(indexNumber, bytes)
  }

  /** The dictionary to compress the next source with; until there is one, the source is learned from. */
  learn(indexNumber: number, source: Buffer): Lz4Dictionary | undefined {
    let learning = this.#learning.get(indexNumber)
    if (learning === undefined) {
      const known = this.get(indexNumber)
      if (known !== undefined) return known
      learning = { pieces: [], bytes: 0 }
      this.#learning.set(indexNumber, learning)
    }
    const piece = Buffer.from(source.subarray(0, Math.min(MOST_OF_A_SOURCE, DICTIONARY_BYTES - learning.bytes)))
    learning.pieces.push(piece)
    learning.bytes += piece.length
    if (learning.bytes < DICTIONARY_BYTES) return undefined
    const bytes = Buffer.concat(learning.pieces)
    this.#learning.delete(indexNumber)
    this.#table.put(indexNumber, bytes)
    return this.#keep(indexNumber, bytes)
  }

  /** Forgets what may not have got to the disk, or not be needed any more: of one index, or of all. */
  forget(indexNumber?: number): void {
    for (const kept of [this.#known, this.#learning]) {
      if (indexNumber === undefined) kept.clear()
      else kept.delete(indexNumber)
    }
  }

  #keep(indexNumber: number, bytes: Buffer): Lz4Dictionary {
    const dictionary = new Lz4Dictionary(bytes)
    for (const [oldest] of this.#known) {
      if (this.#known.size < MOST_AT_HAND) break
      // One that is still on its way to the table would be learned anew, and what it has compressed be lost.
      if (this.#table.get(oldest) !== undefined) this.#known.delete(oldest)
    }
    this.#known.set(indexNumber, dictionary)
    return dictionary
  }
}

/** Where the metadata keep the dictionary of an index. */
export const dictionaryName = (indexNumber: number): string => `dictionary/${indexNumber}`

/** A dictionary as the metadata keep it since store format 3; before, it was the text alone. */
interface KeptDictionary {
  readonly base64: string
  readonly crc32: number
}

/** A dictionary for the metadata to keep. */
export function encodeDictionary(bytes: Buffer): KeptDictionary {
  return { base64: bytes.toString('base64'), crc32: crc32(bytes) }
}

/** The bytes of a kept dictionary. @throws {ServiceError} corrupt_index_exception when it is not as it was written */
export function decodeDictionary(kept: unknown): Buffer | undefined {
  if (kept === undefined) return undefined
  if (typeof kept === 'string') return Buffer.from(kept, 'base64')
  const bytes = Buffer.from((kept as KeptDictionary).base64, 'base64')
  if (crc32(bytes) !== (kept as KeptDictionary).crc32) throw damagedRecord('the dictionary of an index')
  return bytes
}
