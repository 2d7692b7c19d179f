import type { WorkSlices } from '../index/work-slices.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { STORE_FORMAT } from '../store/lmdb-store.ts'
import type { StoreMoment } from '../store/store-moment.ts'
import type { ChunkEntry, IndexManifest } from './index-manifest.ts'
import type { RateLimit } from './rate-limit.ts'
import { ChunkWriter, chunkRecords, contentName } from './record-chunk.ts'
import type { Repository } from './repository.ts'
import { encodeSequenceList } from './sequence-list.ts'
import { SequenceSet } from './sequence-set.ts'

/** Ids read in one go. */
const IDS_AT_ONCE = 1_000
/** Records read in one go. */
const RECORDS_AT_ONCE = 200
/** Files that may be on their way to the disk at one time. */
const WRITES_AT_ONCE = 3

/** What records of an index are read from. */
export interface LiveRecordsSource {
  readonly moment: StoreMoment
  readonly indexNumber: number
  readonly metadata: IndexMetadata
  readonly slices: WorkSlices
  /** Throws when the work is to stop. */
  readonly checkStop: () => void
}

/** What an index is captured from and to. */
export interface CaptureOptions extends LiveRecordsSource {
  /** Numbers known to have been given, whatever records are left. */
  readonly maxSeqNo: number
  readonly repository: Repository
  /** An earlier snapshot of this very index, whose chunks are used again. */
  readonly base: IndexManifest | undefined
  readonly rate: RateLimit
  readonly onProgress: (files: number, bytes: number) => void
}

/** What capturing an index came to. */
export interface CapturedIndex {
  readonly manifest: IndexManifest
  readonly newFiles: number
  readonly newBytes: number
}

/** The store has lost a record: the index cannot be captured, others can. */
export class MissingRecordError extends Error {
  constructor(index: string, seqNo: number) {
    super(`the record of write [${seqNo}] of index [${index}] is missing in the store`)
    this.name = 'MissingRecordError'
  }
}

/**
 * Puts what a moment has of an index into a repository: the records that ids stand for. Chunks of the base are used again,
 * with a list of what of them is still alive; those of which little is, and small ones at the end, are made anew.
 *
 * @throws {Error} when a record is missing, or the repository cannot be written
 */
export async function captureIndex(options: CaptureOptions): Promise<CapturedIndex> {
  const alive = await aliveRecords(options)
  const maxSeqNo = Math.max(options.maxSeqNo, alive.numbers.max)
  const kept = await keptChunks(options, alive.numbers)
  const made = await newChunks(options, alive.numbers, kept, maxSeqNo)
  const chunks = [...kept, ...made.chunks].sort((a, b) => a.from - b.from)
  const { metadata } = options
  const { documents, records } = alive
  const manifest: IndexManifest = { metadata, maxSeqNo, documents, records, chunks, endsAtRecords: true }
  return { manifest, newFiles: made.newFiles, newBytes: made.newBytes }
}

interface AliveRecords {
  readonly numbers: SequenceSet
  readonly documents: number
  readonly records: number
}

/** The numbers of the records that ids stand for; of a delete only while its record is kept. */
export async function aliveRecords({
  moment,
  indexNumber,
  slices,
  checkStop,
}: LiveRecordsSource): Promise<AliveRecords> {
  const numbers = new SequenceSet()
  let documents = 0
  let records = 0
  let last: Buffer | undefined
  for (let deadline = slices.deadline(); ; ) {
    const part = moment.idEntries(indexNumber, last, IDS_AT_ONCE)
    for (const { seqNo, deleted } of part.entries) {
      if (deleted && moment.records(indexNumber, seqNo, seqNo + 1, 1).length === 0) continue
      numbers.add(seqNo)
      records++
      if (!deleted) documents++
    }
    if (part.last === undefined) break
    last = part.last
    if (performance.now() < deadline) continue
    await slices.next()
    checkStop()
    deadline = slices.deadline()
  }
  return { numbers, documents, records }
}

async function keptChunks(options: CaptureOptions, numbers: SequenceSet): Promise<ChunkEntry[]> {
  const { base, repository, slices, checkStop } = options
  const kept: ChunkEntry[] = []
  const chunks = base?.chunks ?? []
  for (const told of chunks) {
    const readable = base?.endsAtRecords === true ? told : await endingAtRecord(told, repository)
    const chunk = readable ?? told
    const alive = numbers.between(chunk.from, chunk.to)
    // A chunk that is mostly dead costs more than it saves.
    const isWorthIt = alive.length > 0 && alive.length * 2 >= chunk.records
    const isWhole = readable !== undefined && isWorthIt && (await repository.hasData(chunk.file, chunk.bytes))
    if (isWhole || (alive.length === chunk.records && (await isMended(options, chunk, numbers)))) {
      const { file, bytes, from, to, records } = chunk
      const live = alive.length === records ? {} : { live: encodeSequenceList(alive) }
      kept.push({ file, bytes, from, to, records, ...live })
    }
    await slices.next()
    checkStop()
  }
  // Small chunks at the end are joined with what is new, as soon as that is as much: their number grows as a logarithm does.
  const end = kept.at(-1)?.to ?? -1
  let newBytes = await bytesAfter(options, numbers, end)
  for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
    if (newBytes === 0 || last.bytes > newBytes || last.bytes + newBytes > repository.settings.chunkBytes) break
    newBytes += last.bytes
    kept.pop()
  }
  return kept
}

/** A chunk of an early build as it is; undefined when it cannot be read. */
async function endingAtRecord(chunk: ChunkEntry, repository: Repository): Promise<ChunkEntry | undefined> {
  try {
    const bytes = await repository.readData(chunk.file)
    let to = -1
    for (const [seqNo] of chunkRecords(bytes, STORE_FORMAT)) to = seqNo
    return { ...chunk, to }
  } catch {
    return undefined
  }
}

/**
 * Stores a chunk anew that is damaged or missing, all of whose records are alive: older snapshots that stand on it are whole again.
 *
 * @returns false: it came out another one
 */
async function isMended(options: CaptureOptions, chunk: ChunkEntry, numbers: SequenceSet): Promise<boolean> {
  const writer = new ChunkWriter(STORE_FORMAT)
  for await (const entry of liveRecords(options, numbers, chunk.from, chunk.to)) writer.add(...entry)
  const bytes = writer.finish()
  if (contentName(bytes) !== chunk.file) return false
  await options.repository.putData(bytes)
  return true
}

/** Bytes of the records after a number, as far as they fit one chunk. */
async function bytesAfter(options: CaptureOptions, numbers: SequenceSet, end: number): Promise<number> {
  let bytes = 0
  for await (const [, record] of liveRecords(options, numbers, end + 1, numbers.max)) {
    bytes += record.length
    if (bytes > options.repository.settings.chunkBytes) break
  }
  return bytes
}

interface MadeChunks {
  readonly chunks: readonly ChunkEntry[]
  readonly newFiles: number
  readonly newBytes: number
}

/** Chunks of what the kept ones leave out. */
async function newChunks(
  options: CaptureOptions,
  numbers: SequenceSet,
  kept: readonly ChunkEntry[],
  maxSeqNo: number,
): Promise<MadeChunks> {
  const { repository, rate, checkStop } = options
  const chunks: ChunkEntry[] = []
  const writing = new Set<Promise<void>>()
  let failure: Error | undefined
  let newFiles = 0
  let newBytes = 0
  const write = async (writer: ChunkWriter, from: number): Promise<void> => {
    const bytes = writer.finish()
    const stored = await repository.putData(bytes)
    chunks.push({ file: stored.name, bytes: bytes.length, from, to: writer.last, records: writer.records })
    if (stored.isNew) {
      newFiles++
      newBytes += bytes.length
    }
    options.onProgress(1, bytes.length)
  }
  const start = async (writer: ChunkWriter, from: number): Promise<void> => {
    const work = write(writer, from).catch((error: Error) => {
      failure ??= error
    })
    const done = work.then(() => void writing.delete(done))
    writing.add(done)
    await rate.passed(writer.bytes, checkStop)
    if (writing.size >= WRITES_AT_ONCE) await Promise.race(writing)
    checkStop()
  }
  try {
    for (const gap of gapsBetween(kept, maxSeqNo)) {
      let { from } = gap
      let writer = new ChunkWriter(STORE_FORMAT)
      for await (const [seqNo, record] of liveRecords(options, numbers, gap.from, gap.to)) {
        writer.add(seqNo, record)
        if (writer.bytes < repository.settings.chunkBytes) continue
        await start(writer, from)
        if (failure !== undefined) throw failure
        writer = new ChunkWriter(STORE_FORMAT)
        from = seqNo + 1
      }
      if (writer.records > 0) await start(writer, from)
    }
  } finally {
    await Promise.all(writing)
  }
  if (failure !== undefined) throw failure
  return { chunks, newFiles, newBytes }
}

function* gapsBetween(kept: readonly ChunkEntry[], maxSeqNo: number): Generator<{ from: number; to: number }> {
  let from = 0
  for (const chunk of kept) {
    if (chunk.from > from) yield { from, to: chunk.from - 1 }
    from = chunk.to + 1
  }
  if (from <= maxSeqNo) yield { from, to: maxSeqNo }
}

/** The records of a range that ids stand for, in order. @throws {Error} when one of them is not there */
export async function* liveRecords(
  { moment, indexNumber, metadata, slices, checkStop }: LiveRecordsSource,
  numbers: SequenceSet,
  from: number,
  to: number,
): AsyncGenerator<readonly [seqNo: number, record: Buffer]> {
  let deadline = slices.deadline()
  let next = from
  while (next <= to) {
    const records = moment.records(indexNumber, next, to + 1, RECORDS_AT_ONCE)
    const last = records.at(-1)?.[0] ?? to
    const wanted = numbers.between(next, last)
    let at = 0
    for (const entry of records) {
      if (entry[0] !== wanted[at]) continue
      at++
      yield entry
    }
    if (at < wanted.length) throw new MissingRecordError(metadata.name, wanted[at] as number)
    next = last + 1
    if (performance.now() < deadline) continue
    await slices.next()
    checkStop()
    deadline = slices.deadline()
  }
}
