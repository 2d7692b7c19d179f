import { type DocumentRecord, decodeDocumentRecord } from '../store/document-record.ts'
import { aliveRecords, type LiveRecordsSource, liveRecords } from './index-capture.ts'
import type { IndexRestoration } from './snapshot-host.ts'

/** Records that are taken over at a time. */
const BATCH_SIZE = 1_000

/**
 * Puts what a moment has of an index into another one, as if it were restored there.
 *
 * @param maxSeqNo  numbers up to here have been given
 * @throws {Error} when a record is missing
 */
export async function copyRecords(
  source: LiveRecordsSource,
  maxSeqNo: number,
  target: IndexRestoration,
): Promise<void> {
  const { numbers } = await aliveRecords(source)
  let writes: (readonly [seqNo: number, DocumentRecord])[] = []
  for await (const [seqNo, record] of liveRecords(source, numbers, 0, numbers.max)) {
    writes.push([seqNo, decodeDocumentRecord(record)])
    if (writes.length < BATCH_SIZE) continue
    await target.add(writes)
    writes = []
  }
  if (writes.length > 0) await target.add(writes)
  await target.finish(Math.max(maxSeqNo, numbers.max))
}
