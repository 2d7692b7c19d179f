/* Keys of the documents and ids tables (lmdb-store.ts says what they are made of). */

/** Sorts before everything of an index in the documents and ids tables. */
export function indexKey(indexNumber: number): Buffer {
  const key = Buffer.allocUnsafe(4)
  key.writeUInt32BE(indexNumber)
  return key
}

/** Of a record. */
export function documentKey(indexNumber: number, seqNo: number): Buffer {
  const key = Buffer.allocUnsafe(12)
  key.writeUInt32BE(indexNumber, 0)
  key.writeUInt32BE(Math.floor(seqNo / 2 ** 32), 4)
  key.writeUInt32BE(seqNo >>> 0, 8)
  return key
}

/** The sequence number in a record's key. */
export const seqNoOf = (key: Buffer): number => key.readUInt32BE(4) * 2 ** 32 + key.readUInt32BE(8)

/** Of an id. */
export function idKey(indexNumber: number, type: string, id: string): Buffer {
  const typeBytes = Buffer.byteLength(type)
  const key = Buffer.allocUnsafe(5 + typeBytes + Buffer.byteLength(id))
  key.writeUInt32BE(indexNumber, 0)
  key.write(type, 4)
  key[4 + typeBytes] = 0
  key.write(id, 5 + typeBytes)
  return key
}
