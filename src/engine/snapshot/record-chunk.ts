import { createHash } from 'node:crypto'

/* A chunk file, little-endian: records of one index in order of their sequence numbers.
 *   OFFSET  SIZE  DESCRIPTION
 *        0     8  `chajarec`
 *        8     1  version of this layout
 *        9     1  version of the records (STORE_FORMAT of lmdb-store.ts)
 *       10     …  records: sequence number f64, length u32, the record as in the store (document-record.ts)
 * A chunk is named after the SHA-256 of all its bytes, so that its name tells whether it is whole.
 */

const MAGIC = 'chajarec'
const CHUNK_VERSION = 1
const HEADER_BYTES = 10
const RECORD_HEADER_BYTES = 12

/** Gathers records for one chunk. */
export class ChunkWriter {
  readonly #parts: Buffer[] = []
  readonly #recordFormat: number
  #bytes = HEADER_BYTES
  #records = 0
  #last = -1

  /** @param recordFormat  version of the records */
  constructor(recordFormat: number) {
    this.#recordFormat = recordFormat
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.#bytes
  }

  get records(): number {
    return this.#records
  }

  /** Number of the last record; -1 when there is none. */
  get last(): number {
    return this.#last
  }

  add(seqNo: number, record: Buffer): void {
    const header = Buffer.allocUnsafe(RECORD_HEADER_BYTES)
    header.writeDoubleLE(seqNo, 0)
    header.writeUInt32LE(record.length, 8)
    this.#parts.push(header, record)
    this.#bytes += RECORD_HEADER_BYTES + record.length
    this.#records++
    this.#last = seqNo
  }

  /** The chunk's bytes. */
  finish(): Buffer {
    const header = Buffer.allocUnsafe(HEADER_BYTES)
    header.write(MAGIC, 'latin1')
    header[8] = CHUNK_VERSION
    header[9] = this.#recordFormat
    return Buffer.concat([header, ...this.#parts], this.#bytes)
  }
}

/** The name of a file with these bytes. */
export function contentName(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * Goes through the records of a chunk whose bytes are known to be whole; each is a view into them.
 *
 * @param newest  the newest version of records that can be read
 * @throws {Error} when it was written by a newer chaja
 */
export function* chunkRecords(bytes: Buffer, newest: number): Generator<readonly [seqNo: number, record: Buffer]> {
  if (bytes.toString('latin1', 0, 8) !== MAGIC) throw new Error('not a chunk of records')
  const [chunk, record] = bytes.subarray(8, 10) as unknown as [number, number]
  if (chunk > CHUNK_VERSION || record > newest)
    throw new Error(
      `a chunk of records has format ${chunk}.${record}, written by a newer chaja; this one reads up to ${CHUNK_VERSION}.${newest}`,
    )
  for (let at = HEADER_BYTES; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at + 8)
    const from = at + RECORD_HEADER_BYTES
    yield [bytes.readDoubleLE(at), bytes.subarray(from, from + length)]
    at = from + length
  }
}
