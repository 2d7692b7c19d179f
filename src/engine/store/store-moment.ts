import type { Database, Transaction } from 'lmdb'
import { decodeDocumentRecord, encodeDocumentRecord, isCompressed } from './document-record.ts'
import { decodeIdEntry } from './id-entry.ts'
import { decodeMetadata } from './metadata-value.ts'
import { documentKey, indexKey, metadataKey, seqNoOf } from './record-keys.ts'
import { decodeDictionary, dictionaryName, SourceDictionaries } from './source-dictionaries.ts'

/** Bytes of records that a moment hands out at once. */
const MOMENT_BYTES = 2 ** 20

/**
 * One moment of the store: reads see what was committed when it was taken, whatever is written meanwhile. Pages it still
 * needs are not used again until it is released.
 */
export interface StoreMoment {
  /**
   * The sequence numbers that ids of an index stand for, some at a time.
   *
   * @param after  `last` of the call before; undefined for the first
   */
  idEntries(
    indexNumber: number,
    after: Buffer | undefined,
    limit: number,
  ): {
    readonly entries: readonly { readonly seqNo: number; readonly deleted: boolean }[]
    readonly last: Buffer | undefined
  }
  /** Records (document-record.ts, not compressed) with `from <= seqNo < to`, in order, at most so many. */
  records(
    indexNumber: number,
    from: number,
    to: number,
    limit: number,
  ): readonly (readonly [seqNo: number, bytes: Buffer])[]
  release(): void
}

/** What a moment is read from. */
interface MomentSource {
  readonly transaction: Transaction
  readonly documents: Database<Buffer, Buffer>
  readonly ids: Database<Buffer, Buffer>
  readonly metadata: Database<Buffer, Buffer>
  /** True when all entries have checksums. */
  readonly allChecked: boolean
  /** Throw where a range must not be read. */
  checkDocuments(start: Buffer, end: Buffer): void
  checkIds(start: Buffer, end: Buffer): void
}

/** A moment of the transaction, which it ends. */
export function takeMoment(source: MomentSource): StoreMoment {
  const { transaction, documents, ids, metadata, allChecked } = source
  // Its own: an index that was removed since has none any more.
  const dictionaries = new SourceDictionaries({
    get: (indexNumber) => {
      const key = metadataKey(dictionaryName(indexNumber))
      const bytes = metadata.get(key, { transaction })
      return bytes === undefined ? undefined : decodeDictionary(decodeMetadata(key, bytes, allChecked)[1])
    },
    put: () => {},
  })
  const uncompressed = (indexNumber: number, bytes: Buffer): Buffer => {
    // Looked at, too: what is damaged must not get into a snapshot unnoticed.
    const record = decodeDocumentRecord(bytes, () => dictionaries.get(indexNumber), allChecked)
    return isCompressed(bytes) ? encodeDocumentRecord(record) : Buffer.from(bytes)
  }
  return {
    idEntries(indexNumber, after, limit) {
      const entries: { readonly seqNo: number; readonly deleted: boolean }[] = []
      let last: Buffer | undefined
      const range = { start: after ?? indexKey(indexNumber), end: indexKey(indexNumber + 1), limit: limit + 1 }
      source.checkIds(range.start, range.end)
      for (const { key, value } of ids.getRange({ ...range, transaction })) {
        const bytes = key as unknown as Buffer
        if (after?.equals(bytes)) continue
        last = Buffer.from(bytes)
        entries.push(decodeIdEntry(last, value, allChecked))
      }
      return { entries, last }
    },
    records(indexNumber, from, to, limit) {
      const range = { start: documentKey(indexNumber, from), end: documentKey(indexNumber, to), limit }
      const records: (readonly [number, Buffer])[] = []
      let bytes = 0
      source.checkDocuments(range.start, range.end)
      for (const { key, value } of documents.getRange({ ...range, transaction })) {
        records.push([seqNoOf(key as unknown as Buffer), uncompressed(indexNumber, value)])
        bytes += value.length
        if (bytes > MOMENT_BYTES) break
      }
      return records
    },
    release: () => transaction.done(),
  }
}
