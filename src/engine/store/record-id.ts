import { AS_STORED, decodeDocumentRecord } from './document-record.ts'
import type { IdEntry } from './id-entry.ts'
import { idKey, seqNoOf } from './record-keys.ts'

/**
 * What the id of a record stood for when that was written.
 *
 * @throws {ServiceError} corrupt_index_exception when the record is damaged
 */
export function idOfRecord(
  indexNumber: number,
  { key, value }: { readonly key: Buffer; readonly value: Buffer },
  allChecked: boolean,
): { readonly key: Buffer; readonly entry: IdEntry } {
  const record = decodeDocumentRecord(value, () => AS_STORED, allChecked)
  const { type, id, version, primaryTerm, tombstone } = record
  return {
    key: idKey(indexNumber, type, id),
    entry: { seqNo: seqNoOf(key), version, primaryTerm, deleted: tombstone },
  }
}

/** Where the metadata keep the last record of an index up to which the ids table has its ids; of one whose ids are all there nothing is kept. */
export const idsUpToName = (indexNumber: number | ''): string => `idsUpTo/${indexNumber}`

/** Where they keep that some ids of an index are not known any more. */
export const idsLostName = (indexNumber: number | ''): string => `idsLost/${indexNumber}`
