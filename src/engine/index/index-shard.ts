import type { EngineLog, ForcedMerge, IndexStats } from '../engine.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { FlatSettings } from '../metadata/index-metadata.ts'
import { indexSettingMs } from '../metadata/index-settings.ts'
import { CommitFailedError } from '../store/commit-queue.ts'
import type { DocumentRecord } from '../store/document-record.ts'
import type { LmdbStore } from '../store/lmdb-store.ts'
import { ArrivingSegment, type WriteBuffer } from './arriving-segment.ts'
import type { DeferredAnalysis } from './deferred-analysis.ts'
import type { DocumentOperation, WriteResult } from './document-operation.ts'
import { type DocumentOrder, documentOrder } from './document-order.ts'
import type { ThreadOutcome } from './document-thread.ts'
import type { IndexSearcher, StoredDocument } from './index-searcher.ts'
import { IndexWriter, type LargeDocument } from './index-writer.ts'
import { KnownDeletes } from './known-deletes.ts'
import { decodeLiveDocs, encodeLiveDocs, liveCount } from './live-docs.ts'
import { RecordGarbage } from './record-garbage.ts'
import { RecordIndexer } from './record-indexer.ts'
import { RecordSizes } from './record-sizes.ts'
import { SegmentBuffer } from './segment-buffer.ts'
import { OutdatedSegmentError, segmentChecksum } from './segment-file.ts'
import type { SegmentFiles } from './segment-files.ts'
import type { SegmentThread } from './segment-thread.ts'
import { ShardCounters } from './shard-counters.ts'
import { putManifest, readManifest, type ShardManifest } from './shard-manifest.ts'
import { ShardMerges } from './shard-merges.ts'
import { ShardRecords } from './shard-records.ts'
import { ShardSegments } from './shard-segments.ts'
import { type HeldView, ShardView } from './shard-view.ts'
import { SlowWrites } from './slow-writes.ts'
import { LiveSegment } from './stored-segment.ts'
import { UnflushedWrites } from './unflushed-writes.ts'

/** Documents written since the last manifest from which on one is made: what a start after a crash replays. */
const FLUSH_DOCS = 50_000
/** Quiet time after which what is in memory is made a file. */
const FLUSH_AFTER_MS = 5_000
/** Quiet time after that, after which small segments are joined. */
const JOIN_AFTER_MS = 5_000

/** What a shard is opened with. */
export interface ShardOptions {
  readonly store: LmdbStore
  /** Prefix of the index' keys in the store; never used again for another index. */
  readonly indexNumber: number
  readonly indexUuid: string
  readonly files: SegmentFiles
  /** Joins segments. */
  readonly merges: SegmentThread
  /** Inverts documents and lays segments out; another thread, so that no merge holds up a refresh. */
  readonly builds: SegmentThread
  /** How that thread can analyze; undefined: documents are analyzed before their writes are answered. */
  readonly analysis: DeferredAnalysis | undefined
  readonly engineVersion: EngineVersion
  readonly log: EngineLog
  readonly mapping: IndexMapping
  readonly indexName: string
  /** The index' settings as they are now, flat. */
  readonly settings: () => FlatSettings
  /** As of {@link IndexWriterOptions}; not given without `analysis`. */
  readonly readElsewhere?: (document: LargeDocument, mapping: IndexMapping) => Promise<ThreadOutcome>
  /** As of {@link IndexWriterOptions}. */
  readonly checkStoredQuery?: (json: string, mapping: IndexMapping) => void
  /** Called with the new mapping when a document brought fields: to be queued in the store before the document is. */
  readonly onMappingUpdate: (mapping: IndexMapping) => void
  /** Called when searches see other segments than before. */
  readonly onView: () => void
}

/** What became of writes so far. */
export interface AppliedWrites {
  readonly results: readonly WriteResult[]
  /** Settles when the next of them, which another thread reads, can be applied; undefined: at once. */
  readonly reading: Promise<void> | undefined
}

/**
 * An index' documents: writes go to the store and to a buffer, a refresh makes a segment of the buffer, a flush makes
 * the segments files, a merge joins them. (An index is one shard here, whatever `number_of_shards` says.)
 */
export class IndexShard {
  readonly #o: ShardOptions
  /** What was written, as the store has it. */
  readonly records: ShardRecords
  readonly #recordSizes: RecordSizes
  readonly #deletes: KnownDeletes
  readonly #writer: IndexWriter
  readonly #indexer: RecordIndexer
  /** What documents are ordered by within a segment; undefined: their writes. */
  readonly #order: DocumentOrder | undefined
  readonly #segments: ShardSegments
  readonly #merges: ShardMerges
  /** Everything up to here is in segments. */
  #refreshedSeqNo = -1
  #flushedSeqNo = -1
  readonly #unflushed: UnflushedWrites
  readonly #garbage: RecordGarbage
  readonly #refreshWaiters: (() => void)[] = []
  #flushTimer: NodeJS.Timeout | undefined
  #quietTimer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined
  /** The flush behind the one under way. */
  #nextFlush: Promise<void> | undefined
  /** A refresh that is laying its segment out in another thread. */
  #refreshing: Promise<void> | undefined
  /** What a refresh that failed had taken of replaced and deleted documents: what was written is to be read from the store. */
  #unshown: readonly number[] | undefined
  #closed = false
  readonly #slowWrites: SlowWrites
  /** What it has done. */
  readonly counters = new ShardCounters()

  constructor(options: ShardOptions) {
    this.#o = options
    const { store, indexNumber } = options
    this.#slowWrites = new SlowWrites(options)
    this.#order = documentOrder(options.settings(), options.mapping)
    this.#segments = new ShardSegments(() => keepsEmptySegments(options))
    this.#merges = new ShardMerges({
      ...options,
      segments: this.#segments,
      thread: options.merges,
      order: this.#order,
      counters: this.counters,
      onMerged: () => {
        options.onView()
        this.#scheduleFlush()
      },
    })
    this.records = new ShardRecords(store, indexNumber)
    this.#unflushed = new UnflushedWrites(this.records)
    this.#recordSizes = new RecordSizes((seqNo) => this.records.sizeBytes(seqNo))
    this.#garbage = new RecordGarbage(store, indexNumber)
    const keptMs = () => indexSettingMs(options.settings(), 'index.gc_deletes', options.engineVersion)
    this.#deletes = new KnownDeletes(store, indexNumber, this.records, keptMs, (seqNos) => {
      this.#garbage.add(this.#segments.generation, seqNos)
      this.#garbage.collect(this.#segments.generation)
    })
    this.#writer = new IndexWriter({
      ...options,
      isAppendOnly: options.settings()['index.append_only.enabled'] === 'true',
      records: this.records,
      deletes: this.#deletes,
      counters: this.counters,
      newBuffer: () => this.#newBuffer(),
    })
    this.#indexer = new RecordIndexer({ ...options, order: this.#order }, this.#writer)
  }

  get mapping(): IndexMapping {
    return this.#writer.mapping
  }
  set mapping(mapping: IndexMapping) {
    this.#writer.mapping = mapping
  }

  /** Loads the segments the manifest names, builds again those that are damaged, and replays what came after. */
  open(): void {
    const { store, indexNumber, files, log, indexName } = this.#o
    const manifest = readManifest(store, indexNumber)
    const lastRecord = store.maxSeqNo(indexNumber)
    if (lastRecord < 0) this.records.beginEmpty()
    this.#writer.maxSeqNo = Math.max(manifest?.maxSeqNo ?? -1, lastRecord)
    this.#segments.nextNumber = manifest?.nextSegment ?? 0
    const checkpoint = manifest?.checkpoint ?? -1
    const found: LiveSegment[] = []
    const kept = new Set<string>()
    for (const part of manifest?.segments ?? []) {
      try {
        const liveDocs = part.liveDocs === undefined ? undefined : decodeLiveDocs(part.liveDocs)
        const stored = files.read(part.name, part.checksum)
        if (stored.directory.order !== (this.#order && JSON.stringify(this.#order)))
          throw new OutdatedSegmentError('its documents are not in the order of index.sort')
        found.push(new LiveSegment(part.name, stored, liveDocs))
        kept.add(part.name)
      } catch (error) {
        const isOutdated = error instanceof OutdatedSegmentError
        log(
          isOutdated ? 'info' : 'warn',
          { index: indexName, file: files.path(part.name), error: (error as Error).message },
          `segment is ${isOutdated ? 'of an earlier version' : 'damaged or missing'}, building it again from the store`,
        )
        found.push(...this.#buildAgain(part.minSeqNo, part.maxSeqNo + 1))
      }
    }
    this.#segments.begin(found)
    const stray = files.keepOnly(kept)
    for (const file of stray) log('info', { index: indexName, file }, 'removed a segment file that no manifest names')
    this.#garbage.flushed(checkpoint)
    this.#garbage.addUnseen(manifest?.garbage ?? [])
    this.#deletes.resume(manifest?.deletes ?? [])
    const lost = manifest === undefined && stray.length > 0
    if (lost || !this.#replay(checkpoint + 1)) {
      log(
        'warn',
        { index: indexName },
        lost
          ? 'the list of segments is missing, building all of them again from the store'
          : 'the segments do not fit the store, building all of them again from it',
      )
      this.#deletes.clear()
      const built = this.#buildAgain(0, this.#writer.maxSeqNo + 1, (seqNo, { tombstone }) => {
        if (tombstone) this.#deletes.add(seqNo)
        else this.#garbage.addUnseen([seqNo])
      })
      this.#segments.begin(built)
      this.#show([], [], this.#writer.maxSeqNo)
    }
    this.#flushedSeqNo = checkpoint
    if (this.#writer.maxSeqNo > checkpoint || this.#segments.list.some(({ name }) => !files.onDisk.has(name)))
      this.#scheduleFlush()
  }

  /** Makes segments of the live records in a range of sequence numbers; `onDead` is told of the others. */
  #buildAgain(from: number, to: number, onDead?: (seqNo: number, record: DocumentRecord) => void): LiveSegment[] {
    return [...this.#indexer.segments(from, to, onDead)].map((bytes) => this.#segments.make(bytes))
  }

  /** Applies what is in the store and not yet in a segment. @returns false where that cannot be told any more */
  #replay(from: number): boolean {
    return this.#indexer.replay(
      from,
      (bytes, deleted) => {
        this.#show(bytes === undefined ? [] : [this.#segments.make(bytes)], deleted, this.#writer.maxSeqNo)
      },
      (seqNo) => this.#deletes.add(seqNo),
    )
  }

  /**
   * Applies operations from `from` on in order, until `deadline` (`performance.now()`); at least one, unless that is
   * still to be read. Their results are true once {@link LmdbStore.logged} settles, and not before.
   */
  apply(operations: readonly DocumentOperation[], from: number, deadline: number): AppliedWrites {
    const started = performance.now()
    const results: WriteResult[] = []
    let reading: Promise<void> | undefined
    let now = started
    let deletingMs = 0
    const slow = this.#slowWrites.watched()
    for (let i = from; i < operations.length && (i === from || now < deadline); i++) {
      const operation = operations[i] as DocumentOperation
      const applied = this.#writer.apply(operation)
      if (applied instanceof Promise) reading = applied
      else results.push(applied)
      const before = now
      now = performance.now()
      if (operation.kind === 'delete') deletingMs += now - before
      slow?.applied(operation, applied, before, now)
      if (reading !== undefined) break
    }
    this.counters.deleteTimeMs += deletingMs
    this.counters.indexTimeMs += now - started - deletingMs
    this.#ship()
    const isDue = this.#writer.maxSeqNo - this.#flushedSeqNo > FLUSH_DOCS && !this.isAwaiting
    this.#scheduleFlush(isDue ? 0 : FLUSH_AFTER_MS)
    return { results, reading }
  }

  /**
   * Takes over writes that were made elsewhere, from `from` on, until `deadline`; at least one. In order of their numbers,
   * which are greater than any here. Durable as {@link apply}'s.
   *
   * @returns how many
   */
  applyRestored(writes: readonly (readonly [seqNo: number, DocumentRecord])[], from: number, deadline: number): number {
    let done = 0
    for (let i = from; i < writes.length && (i === from || performance.now() < deadline); i++, done++) {
      const [seqNo, record] = writes[i] as (typeof writes)[number]
      const error = this.#writer.restore(seqNo, record)
      if (error === undefined) continue
      const { type, id } = record
      const fields = { index: this.#o.indexName, type, id, error: error.message }
      this.#o.log('error', fields, 'a restored document can not be indexed, it is found by id only')
    }
    this.#ship()
    return done
  }

  /** Sends what was buffered to the thread that inverts; makes a segment of it where it is much. */
  #ship(): void {
    const { buffer } = this.#writer
    buffer.ship()
    if (!buffer.isFull) return
    this.refresh().catch((error: Error) => {
      if (!this.#closed) this.#o.log('error', { index: this.#o.indexName, error: error.message }, 'refresh failed')
    })
  }

  /** What {@link applyRestored} took over is on disk. */
  committedRestored(writes: readonly (readonly [seqNo: number, DocumentRecord])[]): void {
    for (const [seqNo, { type, id }] of writes) this.records.committed(type, id, seqNo)
  }

  /** After the last of what is restored: shows it, numbers on from where the index was, and makes it files. */
  async finishRestore(maxSeqNo: number): Promise<void> {
    await this.refresh()
    this.#writer.maxSeqNo = Math.max(this.#writer.maxSeqNo, maxSeqNo)
    this.#refreshedSeqNo = this.#writer.maxSeqNo
    await this.flush()
  }

  /**
   * Settles when there is room for more: at once, but when the thread that inverts is far behind, or a whole buffer waits
   * while another is being laid out.
   */
  async room(): Promise<void> {
    for (let room = this.#writer.buffer.room(); room !== undefined; room = this.#writer.buffer.room()) await room
    while (this.#refreshing !== undefined && this.#writer.buffer.isFull) await this.#refreshing.catch(ignore)
  }

  /** True once it has let go of its files. */
  get closed(): boolean {
    return this.#closed
  }

  /** What was applied up to a sequence number is on disk. */
  committed(results: readonly WriteResult[]): void {
    for (const result of results) if (result.ok) this.records.committed(result.type, result.id, result.seqNo)
  }

  get maxSeqNo(): number {
    return this.#writer.maxSeqNo
  }

  /** {@link Engine.get}. */
  get(
    type: string | undefined,
    id: string,
    options: { readonly realtime: boolean; readonly isAside?: boolean },
  ): StoredDocument | undefined {
    const started = performance.now()
    const document = options.realtime
      ? this.records.document(type === undefined ? this.mapping.types : [type], id)
      : this.#getRefreshed(type, id)
    if (options.isAside !== true) this.counters.got(document !== undefined, performance.now() - started)
    if (document === undefined || !this.mapping.ignoresMalformed || !this.#segments.isWhole(document.seqNo))
      return document
    return Object.assign(document, { isWhole: true })
  }

  /** Whether documents are inverted by what settings and mappings say alone ({@link DeferredAnalysis}). */
  get defersAnalysis(): boolean {
    return this.#o.analysis !== undefined
  }

  /** Segments that searches see now. */
  get segments(): readonly LiveSegment[] {
    return this.#segments.list
  }

  /** A segment without what is deleted of it; undefined: there is none of the name any more, or nothing is left of it. */
  async segmentBytes(name: string): Promise<SharedArrayBuffer | undefined> {
    const segment = this.segments.find((s) => s.name === name)
    if (segment === undefined || liveCount(segment) === segment.maxDoc) return segment?.stored.bytes
    return this.#o.merges.merge([segment], this.#order)
  }

  /** Takes the documents that are written next for those of a segment; where it is not to be used, they are inverted as any. */
  async expect(segment: ArrivingSegment): Promise<void> {
    const { analysis, log, indexName } = this.#o
    try {
      await this.refresh()
      const { mapping } = this
      const { maxSeqNo } = this.#writer
      await segment.begin(maxSeqNo + 1, mapping, this.#order && JSON.stringify(this.#order))
      const isSame = mapping === this.mapping && maxSeqNo === this.#writer.maxSeqNo && !this.dirty
      if (analysis !== undefined && isSame && !this.#closed) {
        this.#writer.expect(segment)
        this.#scheduleFlush()
        return
      }
    } catch (error) {
      log('info', { index: indexName, error: (error as Error).message }, 'a segment that came cannot be used')
    }
    segment.discard()
  }

  /** True while documents are on their way that are in a segment already: to show those that came would be to make one of them. */
  get isAwaiting(): boolean {
    const { buffer } = this.#writer
    return buffer instanceof ArrivingSegment && buffer.isAwaited
  }

  #getRefreshed(type: string | undefined, id: string): StoredDocument | undefined {
    const view = this.searcher()
    try {
      const [place] = view.locate(type, id)
      return place === undefined ? undefined : view.document(view.segments[place.segment] as LiveSegment, place.doc)
    } finally {
      view.release()
    }
  }

  /** The segments searches see now, whose records are kept until they are released. */
  holdView(): HeldView {
    const { list, generation } = this.#segments
    return { segments: list, release: this.#garbage.hold(generation, () => this.#segments.generation) }
  }

  /** A view of what was refreshed last. */
  searcher(): IndexSearcher {
    const { segments, release } = this.holdView()
    const shard = {
      indexName: this.#o.indexName,
      indexUuid: this.#o.indexUuid,
      settings: this.#o.settings,
      mapping: this.mapping,
      isClosed: () => this.#closed,
      record: (seqNo: number) => this.records.record(seqNo),
      name: (seqNo: number) => this.records.name(seqNo),
      entry: (type: string, id: string) => this.records.entry(type, id),
    }
    return new ShardView(shard, segments, release)
  }

  /** True when a refresh would change what a search sees. */
  get dirty(): boolean {
    return this.#writer.isDirty || this.#unshown !== undefined
  }

  /** Makes what was written until now visible to searches; nothing once it has let go of its files. */
  async refresh(): Promise<void> {
    // Several that ask while one is under way share the next one. (Whether it fails is its own affair.)
    while (this.#refreshing !== undefined) await this.#refreshing.catch(ignore)
    if (this.#closed) return
    if (this.#unshown !== undefined || !this.#writer.buffer.isSmall) {
      this.#refreshing = this.#refreshElsewhere().finally(() => {
        this.#refreshing = undefined
      })
      return this.#refreshing
    }
    if (this.dirty) this.#refreshSync()
    else this.counters.refreshTotal++
    this.#tellWaiters(this.#refreshWaiters.splice(0))
  }

  /** Settles with the next refresh. */
  async nextRefresh(): Promise<void> {
    if (this.dirty) await new Promise<void>((resolve) => this.#refreshWaiters.push(resolve))
    else await this.#refreshing
  }

  #tellWaiters(waiters: readonly (() => void)[]): void {
    for (const resolve of waiters) resolve()
  }

  #refreshSync(): void {
    const started = performance.now()
    const { buffer, deleted, upTo } = this.#writer.take()
    this.#show(buffer.isEmpty ? [] : [this.#segments.make(buffer.finishHere())], deleted, upTo)
    this.counters.refreshTimeMs += performance.now() - started
  }

  /** A refresh whose segment is made in another thread; writes go on into a new buffer. */
  async #refreshElsewhere(): Promise<void> {
    const started = performance.now()
    const waiters = this.#refreshWaiters.splice(0)
    const { buffer, upTo, ...taken } = this.#writer.take()
    const deleted = [...(this.#unshown ?? []), ...taken.deleted]
    try {
      const added = await this.#finishElsewhere(buffer, upTo)
      if (this.#closed) return
      this.#unshown = undefined
      this.#show(added, deleted, upTo)
      this.counters.refreshTimeMs += performance.now() - started
    } catch (error) {
      this.#unshown = deleted
      throw error
    } finally {
      this.#tellWaiters(waiters)
    }
  }

  async #finishElsewhere(buffer: WriteBuffer, upTo: number): Promise<LiveSegment[]> {
    if (this.#unshown === undefined) {
      try {
        if (buffer instanceof ArrivingSegment && !buffer.isWhole(upTo, this.mapping))
          return await this.#buildElsewhere(this.#refreshedSeqNo + 1, upTo + 1)
        return [this.#segments.make(await buffer.finish())]
      } catch (error) {
        if (this.#closed) return []
        this.#o.log(
          'error',
          { index: this.#o.indexName, error: (error as Error).message },
          'a segment could not be made of what is in memory, making it of the store',
        )
      }
    } else buffer.discard()
    await this.#o.store.committed()
    return this.#closed ? [] : this.#buildAgain(this.#refreshedSeqNo + 1, upTo + 1)
  }

  /** {@link #buildAgain} in another thread. */
  async #buildElsewhere(from: number, to: number): Promise<LiveSegment[]> {
    await this.#o.store.committed()
    const built: LiveSegment[] = []
    for await (const bytes of this.#indexer.segmentsElsewhere(from, to, () => this.#newBuffer())) {
      if (this.#closed) return []
      built.push(this.#segments.make(bytes))
    }
    return built
  }

  #newBuffer(): SegmentBuffer {
    const { builds, analysis } = this.#o
    return new SegmentBuffer(builds, analysis, this.#order)
  }

  #show(added: readonly LiveSegment[], deleted: readonly number[], upTo: number): void {
    this.#segments.show(added, deleted)
    this.#refreshedSeqNo = upTo
    this.#garbage.add(this.#segments.generation, deleted)
    this.#garbage.collect(this.#segments.generation)
    this.counters.refreshTotal++
    this.#o.onView()
    this.#merges.inBackground()
  }

  #scheduleFlush(afterMs = FLUSH_AFTER_MS): void {
    if (this.#closed || (this.#flushTimer !== undefined && afterMs > 0)) return
    clearTimeout(this.#flushTimer)
    this.#flushTimer = setTimeout(() => {
      this.#flushTimer = undefined
      if (this.#o.store.failure !== undefined || this.isAwaiting) return this.#scheduleFlush()
      this.flush().catch((error: Error) => {
        if (this.#closed) return
        this.#o.log('error', { index: this.#o.indexName, error: error.message }, 'flush failed, it will be tried again')
        this.#scheduleFlush()
      })
    }, afterMs)
    this.#flushTimer.unref()
  }

  /** Makes what was written until now files, and the manifest name them; nothing once it has let go of its files. */
  flush(): Promise<void> {
    if (this.#flushing === undefined) {
      this.#flushing = this.#whileOpen(this.#flush()).finally(() => {
        this.#flushing = undefined
      })
      return this.#flushing
    }
    // One under way may have begun before the last writes: several that ask meanwhile share the next. (Whether it fails is its own affair.)
    this.#nextFlush ??= this.#flushing.catch(ignore).then(() => {
      this.#nextFlush = undefined
      return this.flush()
    })
    return this.#nextFlush
  }

  /** What fails because its files were let go of meanwhile has nothing to do any more. */
  async #whileOpen(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      if (!this.#closed || error instanceof CommitFailedError) throw error
    }
  }

  async #flush(): Promise<void> {
    const { store, indexNumber, indexName, files, log } = this.#o
    const started = performance.now()
    clearTimeout(this.#flushTimer)
    this.#flushTimer = undefined
    if (this.dirty || this.#refreshing !== undefined) await this.refresh()
    if (this.#closed) return
    const segments = this.#segments.list
    const checkpoint = this.#refreshedSeqNo
    const nextSegment = this.#segments.nextNumber
    const garbage = this.#garbage.all()
    const deletes = this.#deletes.upTo(checkpoint)
    if (!files.isThere) {
      if (files.onDisk.size > 0)
        log(
          'warn',
          { index: indexName, folder: files.folder },
          'the files of an index were taken away, they are made again',
        )
      files.make()
    }
    for (const segment of segments) {
      if (files.onDisk.has(segment.name)) continue
      await files.write(segment.name, segment.stored)
      if (this.#closed) return
    }
    const manifest: ShardManifest = {
      segments: segments.map(({ name, stored, liveDocs }) => ({
        name,
        minSeqNo: stored.directory.minSeqNo,
        maxSeqNo: stored.directory.maxSeqNo,
        checksum: segmentChecksum(stored.bytes),
        ...(liveDocs === undefined ? {} : { liveDocs: encodeLiveDocs(liveDocs) }),
      })),
      checkpoint,
      maxSeqNo: checkpoint,
      nextSegment,
      garbage,
      deletes,
    }
    putManifest(store, indexNumber, manifest)
    await store.committed()
    if (this.#closed) return
    this.#flushedSeqNo = checkpoint
    this.counters.flushTotal++
    this.counters.flushTimeMs += performance.now() - started
    // Only now may the files, records and tombstones of before go: a crash until here starts from the old manifest.
    files.keepOnly(new Set([...segments, ...this.#segments.list].map((s) => s.name)))
    this.#garbage.flushed(checkpoint)
    this.#garbage.collect(this.#segments.generation)
    this.#deletes.flushed(checkpoint)
    this.#joinWhenQuiet()
  }

  /** Joins small segments once nothing more is written. */
  #joinWhenQuiet(): void {
    clearTimeout(this.#quietTimer)
    const { maxSeqNo } = this.#writer
    this.#quietTimer = setTimeout(() => {
      if (this.#writer.maxSeqNo === maxSeqNo) this.#merges.whenQuiet()
    }, JOIN_AFTER_MS)
    this.#quietTimer.unref()
  }

  /** {@link Engine.forceMerge} */
  async forceMerge(wanted: ForcedMerge): Promise<void> {
    await this.refresh()
    await this.#merges.force(wanted)
    if (!this.#closed) await this.flush()
  }

  stats(): IndexStats {
    const { maxSeqNo } = this.#writer
    const recordBytes = ({ stored }: LiveSegment) => this.#recordSizes.of(stored)
    const unflushed = this.#unflushed.of(this.#flushedSeqNo, maxSeqNo)
    return this.counters.stats(this.segments, recordBytes, this.#o.files.onDisk, maxSeqNo, unflushed)
  }

  /** Flushes and lets go. */
  async close(): Promise<void> {
    if (this.#closed) return
    try {
      await this.flush()
    } finally {
      this.abandon()
    }
  }

  /** Lets go without writing anything (the index is being deleted). */
  abandon(): void {
    this.#closed = true
    this.#merges.close()
    this.#segments.drop()
    this.#writer.buffer.discard()
    this.#o.files.close()
    this.#garbage.close()
    clearTimeout(this.#flushTimer)
    clearTimeout(this.#quietTimer)
    this.#deletes.close()
    this.#tellWaiters(this.#refreshWaiters.splice(0))
  }
}

/** Lucene keeps no segment of which every document is deleted, but where deletes are soft. */
function keepsEmptySegments({ engineVersion, settings }: ShardOptions): boolean {
  const isSoft = settings()['index.soft_deletes.enabled'] ?? engineVersion !== 'Elasticsearch_6.8'
  return String(isSoft) === 'true'
}

function ignore(): void {}
