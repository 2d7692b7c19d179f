import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { importDictionaries } from '../analysis/korean/dictionaries.ts'
import { ElsewhereError } from '../elsewhere-error.ts'
import type { Engine, ExtraStore, IndexTemplate } from '../engine.ts'
import type { EngineVersion } from '../engine-version.ts'
import { segmentsDropped } from '../index/dropped-segments.ts'
import type { IndexSearcher, StoredDocument } from '../index/index-searcher.ts'
import { ShardView } from '../index/shard-view.ts'
import { LiveSegment, StoredSegment } from '../index/stored-segment.ts'
import { limitedSearcher } from '../indices/limited-searcher.ts'
import { openMapping } from '../indices/open-mapping.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { FlatSettings, IndexMetadata } from '../metadata/index-metadata.ts'
import { indexClosed, indexNotFound } from '../metadata/missing-index.ts'
import { LmdbStore } from '../store/lmdb-store.ts'
import { ReplicaClock } from './replica-clock.ts'
import { DETACHED, type ReplicaNews, type SharedSegment } from './replica-news.ts'

/** What a replica is made of; all of it can be sent to a thread. */
export interface ReplicaOptions {
  readonly dataDir: string
  readonly engineVersion: EngineVersion
  readonly clusterUuid: string
  readonly nodeId: string
  /** Brings {@link ReplicaNews}. */
  readonly news: MessagePort
  /** `ReplicaClock.shared` of the feed. */
  readonly clock: SharedArrayBuffer
}

/** Segments that searches see, and how many of them do. */
interface SeenView {
  readonly id: number
  readonly segments: readonly LiveSegment[]
  /** Searches that hold it; one more while it is the index' last. */
  holders: number
}

interface ReplicaIndex {
  number: number
  metadata: IndexMetadata
  mapping: IndexMapping | undefined
  view: SeenView | undefined
}

/**
 * Follows an {@link EmbeddedEngine} of the same process from another thread, to read only: over the same segments (in
 * shared memory) and the same store. Every reader first calls {@link sync}; then it sees all that was answered before.
 * What it cannot do it refuses with an {@link ElsewhereError}.
 */
export class ReplicaEngine implements Engine {
  readonly version: EngineVersion
  readonly dataDir: string
  readonly clusterUuid: string
  readonly nodeId: string
  /** Undefined from when it is to be closed until all is told anew. */
  #opened: LmdbStore | undefined
  readonly #clock: ReplicaClock
  readonly #news: MessagePort
  readonly #indices = new Map<string, ReplicaIndex>()
  readonly #metadata = new Map<string, IndexMetadata>()
  #persistentSettings: FlatSettings = {}
  #transientSettings: FlatSettings = {}
  #heard = 0
  #commitsSeen = 0
  #isBehind = false

  constructor({ dataDir, engineVersion, clusterUuid, nodeId, news, clock }: ReplicaOptions) {
    this.version = engineVersion
    this.clusterUuid = clusterUuid
    this.nodeId = nodeId
    this.dataDir = dataDir
    this.#clock = new ReplicaClock(clock)
    this.#news = news
    this.#opened = new LmdbStore(dataDir, { readOnly: true })
    // What is not asked for in the middle of requests is heard in between them: views are given back early.
    news.on('message', (message: ReplicaNews) => this.#hear(message))
    this.sync()
  }

  /**
   * Catches up with the engine. Cheap when nothing happened.
   *
   * @param isCaughtUp  whether who asks has waited for what was written before ({@link EmbeddedEngine.caughtUp}): what was written since
   *   need not be seen
   */
  sync(isCaughtUp = false): void {
    this.#isBehind = !isCaughtUp && this.#clock.isBehind
    while (this.#heard !== this.#clock.news) {
      const received = receiveMessageOnPort(this.#news) as { message: ReplicaNews } | undefined
      if (received === undefined) break
      this.#hear(received.message)
    }
    const { commits } = this.#clock
    if (commits === this.#commitsSeen) return
    this.#commitsSeen = commits
    this.#opened?.readLatest()
  }

  get #store(): LmdbStore {
    return this.#opened ?? elsewhere()
  }

  get indices(): ReadonlyMap<string, IndexMetadata> {
    return this.#metadata
  }
  get persistentSettings(): FlatSettings {
    return this.#persistentSettings
  }
  get transientSettings(): FlatSettings {
    return this.#transientSettings
  }
  get templates(): ReadonlyMap<string, IndexTemplate> {
    return elsewhere()
  }
  get extras(): ExtraStore {
    return NO_EXTRAS
  }
  get segments(): never {
    return elsewhere()
  }
  get snapshots(): never {
    return elsewhere()
  }
  reopenedAt(): never {
    return elsewhere()
  }

  mapping(name: string): IndexMapping {
    return this.#mappingOf(this.#get(name))
  }

  searcher(name: string): IndexSearcher {
    const index = this.#get(name)
    const view = this.#viewOf(index)
    view.holders++
    const { number } = index
    const shard = {
      indexName: name,
      indexUuid: index.metadata.uuid,
      settings: () => index.metadata.settings,
      mapping: this.#mappingOf(index),
      // A record that is not there has not been committed yet, or its index is just being deleted: there one knows.
      record: (seqNo: number) => this.#store.getDocument(number, seqNo) ?? elsewhere(),
      name: (seqNo: number) => this.#store.getDocumentName(number, seqNo) ?? elsewhere(),
      entry: (type: string, id: string) => (this.#isBehind ? elsewhere() : this.#store.getId(number, type, id)),
    }
    return limitedSearcher(new ShardView(shard, view.segments, () => this.#letGo(view)), this)
  }

  /** Reads a document, where none can be in the log alone. */
  get(
    name: string,
    type: string | undefined,
    id: string,
    options: { readonly realtime: boolean },
  ): StoredDocument | undefined {
    const index = this.#get(name)
    if (!options.realtime || index.metadata.state !== 'open' || this.#isBehind) elsewhere()
    const types = type === undefined ? this.#mappingOf(index).types : [type]
    for (const one of types) {
      const entry = this.#store.getId(index.number, one, id)
      if (entry === undefined || entry.deleted) continue
      const { seqNo, version, primaryTerm } = entry
      const { routing, source } = this.#store.getDocument(index.number, seqNo) ?? elsewhere()
      return { type: one, id, routing, version, seqNo, primaryTerm, source }
    }
    return undefined
  }

  async close(): Promise<void> {
    this.#news.close()
    await this.#opened?.close()
  }

  createIndex = elsewhere
  copyIndex = elsewhere
  whenRestored = elsewhere
  deleteIndices = elsewhere
  openIndices = elsewhere
  closeIndices = elsewhere
  putMapping = elsewhere
  reloadSearchAnalyzers = elsewhere
  updateSettings = elsewhere
  updateAliases = elsewhere
  putTemplate = elsewhere
  isDamaged = elsewhere
  removeDamaged = elsewhere
  deleteTemplate = elsewhere
  putClusterSettings = elsewhere
  write = elsewhere
  refresh = elsewhere
  flush = elsewhere
  forceMerge = elsewhere
  stats = elsewhere
  endedStats = elsewhere
  documentsAfter = elsewhere
  recordsAfter = elsewhere
  maxSeqNo = elsewhere
  dictionary = elsewhere
  adoptDictionary = elsewhere

  #hear(news: ReplicaNews): void {
    this.#heard = (this.#heard + 1) | 0
    switch (news.kind) {
      case 'reset':
        for (const name of [...this.#indices.keys()]) this.#remove(name)
        this.#opened ??= new LmdbStore(this.dataDir, { readOnly: true })
        return
      case 'detach': {
        const opened = this.#opened
        this.#opened = undefined
        void Promise.resolve(opened?.close()).then(() => this.#news.postMessage(DETACHED))
        return
      }
      case 'settings':
        this.#persistentSettings = news.persistent
        this.#transientSettings = news.transient
        return
      case 'index':
        importDictionaries(news.dictionaries)
        this.#take(news.number, news.metadata)
        return
      case 'removed':
        this.#remove(news.name)
        return
      case 'analyzers': {
        const index = this.#indices.get(news.name)
        if (index !== undefined) index.mapping = undefined
        return
      }
      case 'view': {
        const index = this.#indices.get(news.name)
        if (index === undefined) this.#news.postMessage(news.view)
        else this.#show(index, { id: news.view, segments: liveSegments(news.segments, index.view), holders: 1 })
      }
    }
  }

  #take(number: number, metadata: IndexMetadata): void {
    const { name } = metadata
    const known = this.#indices.get(name)
    this.#metadata.set(name, metadata)
    if (known === undefined || known.number !== number) {
      if (known !== undefined) this.#show(known, undefined)
      this.#indices.set(name, { number, metadata, mapping: undefined, view: undefined })
      return
    }
    known.metadata = metadata
    known.mapping = undefined
    if (metadata.state === 'close') this.#show(known, undefined)
  }

  #remove(name: string): void {
    const index = this.#indices.get(name)
    if (index !== undefined) this.#show(index, undefined)
    this.#indices.delete(name)
    this.#metadata.delete(name)
  }

  #show(index: ReplicaIndex, view: SeenView | undefined): void {
    const before = index.view
    index.view = view
    if (before === undefined) return
    this.#letGo(before)
    const kept = new Set(view?.segments.map(({ stored }) => stored))
    const dropped = before.segments.filter(({ stored }) => !kept.has(stored))
    segmentsDropped(dropped.reduce((sum, { stored }) => sum + stored.sizeBytes, 0))
  }

  #letGo(view: SeenView): void {
    view.holders--
    if (view.holders === 0) this.#news.postMessage(view.id)
  }

  #get(name: string): ReplicaIndex {
    const index = this.#indices.get(name)
    if (index === undefined) throw indexNotFound(name, this.version)
    return index
  }

  #viewOf(index: ReplicaIndex): SeenView {
    if (index.view !== undefined) return index.view
    // One that is being opened has none yet.
    if (index.metadata.state === 'open') elsewhere()
    throw indexClosed(index.metadata)
  }

  /** Made when it is first asked for: documents may bring fields far more often than anyone searches. */
  #mappingOf(index: ReplicaIndex): IndexMapping {
    index.mapping ??= openMapping(index.metadata, {
      dataDir: this.dataDir,
      engineVersion: this.version,
      isStored: true,
    })
    return index.mapping
  }
}

/** Segments that were there before stay the same objects: what was read or kept of them stays with them. */
function liveSegments(shared: readonly SharedSegment[], before: SeenView | undefined): LiveSegment[] {
  return shared.map(({ name, bytes, liveDocs, numDocs }) => {
    const known = before?.segments.find((s) => s.name === name)
    if (known?.numDocs === numDocs) return known
    return new LiveSegment(name, known?.stored ?? new StoredSegment(bytes, { trusted: true }), liveDocs, numDocs)
  })
}

function elsewhere(): never {
  throw new ElsewhereError('not in this thread')
}

const NO_EXTRAS: ExtraStore = {
  get: elsewhere,
  entries: elsewhere,
  names: elsewhere,
  put: elsewhere,
  delete: elsewhere,
}
