import type { DocumentRecord } from '../store/document-record.ts'
import { decodeDocumentRecord } from '../store/document-record.ts'
import { STORE_FORMAT } from '../store/lmdb-store.ts'
import type { ChunkEntry, IndexManifest } from './index-manifest.ts'
import type { RateLimit } from './rate-limit.ts'
import { chunkRecords } from './record-chunk.ts'
import type { Repository } from './repository.ts'
import { decodeSequenceList } from './sequence-list.ts'
import type { IndexRestoration } from './snapshot-host.ts'

/** What an index is restored from and to. */
export interface RestoreSource {
  readonly repository: Repository
  readonly manifest: IndexManifest
  readonly rate: RateLimit
  /** Throws when the work is to stop. */
  readonly checkStop: () => void
}

/**
 * Puts the records of a snapshot's index into one that is being restored.
 *
 * @throws {DamagedFileError} when a file is missing or changed
 * @throws {Error} when the records are not those the manifest counts
 */
export async function restoreIndex(source: RestoreSource, target: IndexRestoration): Promise<void> {
  const { repository, manifest, rate, checkStop } = source
  let records = 0
  let last = -1
  let next = manifest.chunks[0] === undefined ? undefined : read(repository, manifest.chunks[0])
  for (const [i, chunk] of manifest.chunks.entries()) {
    const bytes = await (next as Promise<Buffer>)
    const following = manifest.chunks[i + 1]
    // The next file is read while this one is taken in.
    next = following === undefined ? undefined : read(repository, following)
    const writes = liveWrites(chunk, bytes)
    for (const [seqNo] of writes) {
      if (!Number.isSafeInteger(seqNo) || seqNo <= last || seqNo > manifest.maxSeqNo)
        throw new Error(`the write [${seqNo}] is out of order`)
      last = seqNo
    }
    records += writes.length
    await target.add(writes)
    await rate.passed(bytes.length, checkStop)
    checkStop()
  }
  if (records !== manifest.records)
    throw new Error(`[${records}] records were found where the snapshot counts [${manifest.records}]`)
  await target.finish(manifest.maxSeqNo)
}

function read(repository: Repository, chunk: ChunkEntry): Promise<Buffer> {
  const bytes = repository.readData(chunk.file)
  // Its failure is met when its turn comes.
  bytes.catch(() => {})
  return bytes
}

function liveWrites(chunk: ChunkEntry, bytes: Buffer): (readonly [seqNo: number, DocumentRecord])[] {
  const live = chunk.live === undefined ? undefined : decodeSequenceList(chunk.live)
  const writes: (readonly [number, DocumentRecord])[] = []
  for (const [seqNo, record] of chunkRecords(bytes, STORE_FORMAT)) {
    if (live === undefined || live.has(seqNo)) writes.push([seqNo, decodeDocumentRecord(record)])
  }
  const expected = live?.size ?? chunk.records
  if (writes.length !== expected)
    throw new Error(`the file [${chunk.file}] has [${writes.length}] records where the snapshot counts [${expected}]`)
  return writes
}
