import { crc32 } from '../algorithms/crc32.ts'
import { damagedRecord } from './damaged-record.ts'
import { Lz4Code, Lz4CodeSample } from './lz4-code.ts'
import { Lz4Dictionary } from './lz4-dictionary.ts'

/** A dictionary is this long, of pieces of the sources of an index that came first. (Nearly all that LZ4's distances reach.) */
const DICTIONARY_BYTES = 60 * 1024
const MOST_OF_A_SOURCE = 1024
/** So many indices' dictionaries are kept at hand. */
const MOST_AT_HAND = 200

/** What is learned of an index' sources. */
export interface LearnedDictionary {
  readonly bytes: Buffer
  /** Of an {@link Lz4Code}; undefined: learned before store format 6, sources are not coded. */
  readonly codeLengths: Uint8Array | undefined
}

/** Where dictionaries are kept. */
export interface DictionaryTable {
  get(indexNumber: number): LearnedDictionary | undefined
  put(indexNumber: number, learned: LearnedDictionary): void
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
    const learned = this.#table.get(indexNumber)
    return learned === undefined ? undefined : this.#keep(indexNumber, learned)
  }

  /** True when {@link SourceDictionaries.get} need not look into the table. */
  isAtHand(indexNumber: number): boolean {
    return this.#known.has(indexNumber)
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
    const learned = { bytes: Buffer.concat(learning.pieces), codeLengths: learnCode(learning.pieces).lengths }
    this.#learning.delete(indexNumber)
    this.#table.put(indexNumber, learned)
    return this.#keep(indexNumber, learned)
  }

  /** Takes over what another index has learned. @returns false where there is another dictionary already */
  adopt(indexNumber: number, learned: LearnedDictionary): boolean {
    const known = this.get(indexNumber)
    if (known !== undefined) return isSame(known, learned)
    this.#keep(indexNumber, learned)
    this.#learning.delete(indexNumber)
    this.#table.put(indexNumber, learned)
    return true
  }

  /** Forgets what may not have got to the disk, or not be needed any more: of one index, or of all. */
  forget(indexNumber?: number): void {
    for (const kept of [this.#known, this.#learning]) {
      if (indexNumber === undefined) kept.clear()
      else kept.delete(indexNumber)
    }
  }

  #keep(indexNumber: number, { bytes, codeLengths }: LearnedDictionary): Lz4Dictionary {
    const dictionary = new Lz4Dictionary(bytes, codeLengths && new Lz4Code(codeLengths))
    for (const [oldest] of this.#known) {
      if (this.#known.size < MOST_AT_HAND) break
      // One that is still on its way to the table would be learned anew, and what it has compressed be lost.
      if (this.#table.get(oldest) !== undefined) this.#known.delete(oldest)
    }
    this.#known.set(indexNumber, dictionary)
    return dictionary
  }
}

function isSame({ bytes, code }: Lz4Dictionary, learned: LearnedDictionary): boolean {
  const [ours, theirs] = [code?.lengths, learned.codeLengths]
  if (Buffer.compare(bytes, learned.bytes) !== 0) return false
  return ours === undefined || theirs === undefined ? ours === theirs : Buffer.compare(ours, theirs) === 0
}

/** Where the metadata keep the dictionary of an index. */
export const dictionaryName = (indexNumber: number): string => `dictionary/${indexNumber}`

/** A code for what is left of sources once they are compressed: of half of the pieces, with the other half as their dictionary. */
function learnCode(pieces: readonly Buffer[]): Lz4Code {
  const half = pieces.length >>> 1
  const dictionary = new Lz4Dictionary(Buffer.concat(pieces.slice(0, half)))
  const sample = new Lz4CodeSample()
  for (const piece of pieces.slice(half)) sample.add(dictionary.compress(piece, Number.POSITIVE_INFINITY) as Buffer)
  return sample.code()
}

/** A dictionary as the metadata keep it since store format 3; before, it was the text alone. */
interface KeptDictionary {
  readonly base64: string
  /** Lengths of its code, since store format 6. */
  readonly code?: string
  /** Of both. */
  readonly crc32: number
}

/** A dictionary for the metadata to keep. */
export function encodeDictionary({ bytes, codeLengths }: LearnedDictionary): KeptDictionary {
  if (codeLengths === undefined) return { base64: bytes.toString('base64'), crc32: crc32(bytes) }
  const code = Buffer.from(codeLengths).toString('base64')
  return { base64: bytes.toString('base64'), code, crc32: crc32(codeLengths, crc32(bytes)) }
}

/** What is kept of a dictionary. @throws {ServiceError} corrupt_index_exception when it is not as it was written */
export function decodeDictionary(kept: unknown): LearnedDictionary | undefined {
  if (kept === undefined) return undefined
  if (typeof kept === 'string') return { bytes: Buffer.from(kept, 'base64'), codeLengths: undefined }
  const { base64, code, crc32: checksum } = kept as KeptDictionary
  const bytes = Buffer.from(base64, 'base64')
  const codeLengths = code === undefined ? undefined : Buffer.from(code, 'base64')
  const found = codeLengths === undefined ? crc32(bytes) : crc32(codeLengths, crc32(bytes))
  if (found !== checksum) throw damagedRecord('the dictionary of an index')
  return { bytes, codeLengths }
}
