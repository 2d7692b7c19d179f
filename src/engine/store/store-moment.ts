import type { Database, Transaction } from 'lmdb'
import { decodeDocumentRecord, encodeDocumentRecord, isCompressed } from './document-record.ts'
import { decodeIdEntry, type IdEntry } from './id-entry.ts'
import { decodeMetadata } from './metadata-value.ts'
import { idOfRecord, idsUpToName } from './record-id.ts'
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
  /** What is told of an error of a read. */
  unreadable(error: Error): Error
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
  const pendingOf = new Map<number, ReadonlyMap<string, IdEntry>>()
  /** Ids that the table lacks, or has older entries of, by key as latin-1 text. */
  const pendingIds = (indexNumber: number): Map<string, IdEntry> => {
    const ids = new Map<string, IdEntry>()
    const markKey = metadataKey(idsUpToName(indexNumber))
    const mark = metadata.get(markKey, { transaction })
    if (mark === undefined) return ids
    const upTo = decodeMetadata(markKey, mark, allChecked)[1] as number
    const range = { start: documentKey(indexNumber, upTo + 1), end: indexKey(indexNumber + 1) }
    source.checkDocuments(range.start, range.end)
    const records = documents.getRange({ ...range, transaction }) as unknown as Iterable<{ key: Buffer; value: Buffer }>
    for (const record of records) {
      const { key, entry } = idOfRecord(indexNumber, record, allChecked)
      ids.set(key.toString('latin1'), entry)
    }
    return ids
  }
  const reading = <T>(read: () => T): T => {
    try {
      return read()
    } catch (error) {
      throw source.unreadable(error as Error)
    }
  }
  return {
    idEntries: (indexNumber, after, limit) => reading(() => idEntries(indexNumber, after, limit)),
    records: (indexNumber, from, to, limit) => reading(() => records(indexNumber, from, to, limit)),
    release: () => transaction.done(),
  }

  function idEntries(
    indexNumber: number,
    after: Buffer | undefined,
    limit: number,
  ): ReturnType<StoreMoment['idEntries']> {
    const pending = pendingOf.get(indexNumber) ?? pendingIds(indexNumber)
    pendingOf.set(indexNumber, pending)
    if (after === undefined && pending.size > 0) return { entries: [...pending.values()], last: indexKey(indexNumber) }
    const entries: IdEntry[] = []
    let last: Buffer | undefined
    const range = { start: after ?? indexKey(indexNumber), end: indexKey(indexNumber + 1), limit: limit + 1 }
    source.checkIds(range.start, range.end)
    for (const { key, value } of ids.getRange({ ...range, transaction })) {
      const bytes = key as unknown as Buffer
      if (after?.equals(bytes)) continue
      last = Buffer.from(bytes)
      if (!pending.has(last.toString('latin1'))) entries.push(decodeIdEntry(last, value, allChecked))
    }
    return { entries, last }
  }

  function records(indexNumber: number, from: number, to: number, limit: number): ReturnType<StoreMoment['records']> {
    const range = { start: documentKey(indexNumber, from), end: documentKey(indexNumber, to), limit }
    const found: (readonly [number, Buffer])[] = []
    let bytes = 0
    source.checkDocuments(range.start, range.end)
    for (const { key, value } of documents.getRange({ ...range, transaction })) {
      found.push([seqNoOf(key as unknown as Buffer), uncompressed(indexNumber, value)])
      bytes += value.length
      if (bytes > MOMENT_BYTES) break
    }
    return found
  }
}
