import type { EngineVersion } from './engine-version.ts'
import type { DocumentOperation, WriteResult } from './index/document-operation.ts'
import type { DocumentPage, IndexSearcher, StoredDocument } from './index/index-searcher.ts'
import type { MovedSegments } from './indices/moved-segments.ts'
import type { IndexMapping } from './mapping/index-mapping.ts'
import type { MappingListener } from './mapping/types/parameter.ts'
import type { AliasMetadata, DataStreamPlace, FlatSettings, IndexMetadata } from './metadata/index-metadata.ts'
import type { Snapshots } from './snapshot/snapshots.ts'
import type { StoredRecord } from './store/document-record.ts'
import type { Lz4Dictionary } from './store/lz4-dictionary.ts'
import type { LearnedDictionary } from './store/source-dictionaries.ts'

/** How to open an engine. */
export interface EngineOptions {
  /** Folder that holds everything; made when absent; opened by one process at a time. */
  readonly dataDir: string
  readonly engineVersion: EngineVersion
  /** Folders that snapshot repositories must lie in (`path.repo`); none: there can be no repositories. */
  readonly repositoryPaths?: readonly string[]
  /** Called with structured events: a rebuilt segment, a failed merge, … */
  readonly log: EngineLog
}

/**
 * Finds fault with a query that a document of an index is to store.
 *
 * @throws {ServiceError} mapper_parsing_exception
 */
export type StoredQueryCheck = (
  json: string,
  index: { readonly indexName: string; readonly indexUuid: string; readonly mapping: IndexMapping },
) => void

/** Where the engine reports; message lowercase, values as fields. */
export type EngineLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  fields: Readonly<Record<string, unknown>>,
  message: string,
) => void

/** An index template (`_template`). */
export interface IndexTemplate {
  readonly name: string
  readonly order: number
  readonly version: number | undefined
  readonly indexPatterns: readonly string[]
  readonly settings: FlatSettings
  readonly mappings: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly aliases: Readonly<Record<string, AliasMetadata>>
}

/** What a create-index call asks for, names and bodies already validated in form. Templates are applied by the engine. */
export interface CreateIndexRequest {
  /** The name as it was asked for, where that is date math (`index.provided_name`). */
  readonly providedName?: string
  /** What the settings of an index copied from another tell of that; no template has a say then. */
  readonly origin?: FlatSettings
  readonly settings: FlatSettings
  readonly mappings: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly aliases: Readonly<Record<string, AliasMetadata>>
  /** The data stream it is to stand behind, whose template it is made with. */
  readonly dataStream?: DataStreamPlace
  /** Steps that take effect together with the index, or not at all; they may name it. */
  readonly alongside?: readonly AliasAction[]
  /** Hears of the mappings as they are read. */
  readonly heard?: MappingListener
  /** Called once all else of the index is known to be right, before it is made. @throws {ServiceError} where it is not to be made after all */
  readonly check?: () => void
}

/** One step of `_aliases`; all steps of a call take effect together or not at all. */
export type AliasAction =
  | { readonly kind: 'add'; readonly index: string; readonly alias: string; readonly metadata: AliasMetadata }
  | { readonly kind: 'remove'; readonly index: string; readonly alias: string }
  | { readonly kind: 'remove_index'; readonly index: string }

/** How far segments are to be joined. */
export interface ForcedMerge {
  /** Until at most so many are left, or as few as may be joined; undefined: one. Fewer than one: no more than are joined anyway. */
  readonly maxNumSegments: number | undefined
  /** Those with deletions only, each by itself. */
  readonly onlyExpungeDeletes: boolean
}

/** Counters of one index since it was opened (`_stats`). Times in ms. */
export interface IndexStats {
  readonly docs: { readonly count: number; readonly deleted: number }
  /** Of its segments and, about, of its records. */
  readonly storeSizeBytes: number
  readonly indexing: {
    readonly indexTotal: number
    readonly indexTimeMs: number
    readonly indexFailed: number
    readonly deleteTotal: number
    readonly deleteTimeMs: number
    readonly noopUpdateTotal: number
    readonly byType: Readonly<Record<string, { readonly indexTotal: number; readonly deleteTotal: number }>>
  }
  readonly get: {
    readonly existsTotal: number
    readonly existsTimeMs: number
    readonly missingTotal: number
    readonly missingTimeMs: number
  }
  readonly refresh: { readonly total: number; readonly timeMs: number }
  readonly flush: { readonly total: number; readonly timeMs: number }
  readonly merges: {
    readonly total: number
    readonly docs: number
    readonly sizeBytes: number
    readonly timeMs: number
  }
  readonly segments: readonly SegmentStats[]
  readonly maxSeqNo: number
  readonly localCheckpoint: number
  /** Writes since the last flush, which a start would replay, and the bytes of their documents. */
  readonly unflushed: { readonly operations: number; readonly sizeBytes: number }
}

/** One segment (`_segments`, `_cat/segments`). */
export interface SegmentStats {
  readonly name: string
  readonly generation: number
  readonly numDocs: number
  readonly deletedDocs: number
  readonly sizeBytes: number
  readonly memoryBytes: number
  /** True when its file is on disk. */
  readonly committed: boolean
}

/**
 * The embedded search engine: indices with their mappings and documents, durable, in one data directory.
 *
 * Index names given to it are concrete and exist, unless said otherwise (`rest/` expands expressions through
 * `metadata/`). Every promise that a write answers settles only when the write is on disk.
 * One class implements it: `EmbeddedEngine` (embedded-engine.ts).
 */
export interface Engine {
  readonly version: EngineVersion
  readonly dataDir: string
  /** 22 characters, made with the data directory. */
  readonly clusterUuid: string
  readonly nodeId: string
  /** All indices by name. */
  readonly indices: ReadonlyMap<string, IndexMetadata>
  readonly templates: ReadonlyMap<string, IndexTemplate>
  readonly persistentSettings: FlatSettings
  readonly transientSettings: FlatSettings

  /** Says how queries are checked that documents are to store (`percolator` fields); until then any will do. */
  checkStoredQueries?(check: StoredQueryCheck): void
  /** @throws {ServiceError} resource_already_exists_exception, invalid_index_name_exception, illegal_argument_exception, mapper_parsing_exception */
  createIndex(name: string, request: CreateIndexRequest): Promise<IndexMetadata>
  /**
   * Makes an index with all documents of another, under their numbers and versions; it is there once it is whole.
   *
   * @throws {ServiceError} as {@link createIndex}
   */
  copyIndex(source: string, target: string, request: CreateIndexRequest): Promise<IndexMetadata>
  /** Settles once an index that is being restored or copied is there, or will not be; undefined: there is none of that name. */
  whenRestored(name: string): Promise<void> | undefined
  /** Removes indices: all of them with one commit, as everything that takes several names. */
  deleteIndices(names: readonly string[]): Promise<void>
  openIndices(names: readonly string[]): Promise<void>
  closeIndices(names: readonly string[]): Promise<void>
  /** @param types  by name of the index: the type that the mapping is of there */
  putMapping(
    types: ReadonlyMap<string, string>,
    mapping: Readonly<Record<string, unknown>>,
    heard?: MappingListener,
  ): Promise<void>
  /**
   * Reads the files that analyzers name (user dictionaries) again, for new documents and searches.
   *
   * @returns  names of the analyzers made anew, sorted; none for a closed index, which reads them when it opens
   * @throws {ServiceError} illegal_argument_exception when a file cannot be read; the analyzers then stay as they were
   */
  reloadSearchAnalyzers(name: string): readonly string[]
  /** @throws {ServiceError} illegal_argument_exception for static or unknown settings */
  updateSettings(
    names: readonly string[],
    changes: FlatSettings,
    options: { readonly preserveExisting: boolean },
  ): Promise<void>
  updateAliases(actions: readonly AliasAction[]): Promise<void>
  putTemplate(template: IndexTemplate): Promise<void>
  deleteTemplate(name: string): Promise<void>
  putClusterSettings(persistent: FlatSettings, transient: FlatSettings): Promise<void>
  /** Keyed JSON documents of other features (stored scripts, pipelines, …), durable with the rest. */
  readonly extras: ExtraStore
  /** Whether such an entry of the store is damaged, as {@link removeDamaged} names them. */
  isDamaged(entry: string): boolean
  /**
   * Removes a template (`template/<name>`) or a keyed document (`extra/<namespace>/<name>`) whose entry of the store is damaged.
   *
   * @returns false when that is whole, or not there
   */
  removeDamaged(entry: string): Promise<boolean>
  /** Snapshots of its indices, and what is restored from them. */
  readonly snapshots: Snapshots
  /** When an index that had been closed was opened again, since the start; ms since 1970. */
  reopenedAt(name: string): number | undefined
  /** Segments that are moved with their documents. */
  readonly segments: MovedSegments

  /** The mapping of an open index. */
  mapping(name: string): IndexMapping
  /**
   * Writes documents to one index in order. Each operation stands alone: one that fails does not stop the others.
   * Settles when all that succeeded are on disk. Dynamic mapping updates are durable first.
   *
   * @param refresh  true: visible to search when it settles; wait_for: settles after the next refresh
   */
  write(
    name: string,
    operations: readonly DocumentOperation[],
    refresh: boolean | 'wait_for',
  ): Promise<readonly WriteResult[]>
  /**
   * Reads a document; `realtime` sees writes not yet refreshed. `type` undefined: any type. `isAside`: nobody asked for it, and
   * statistics do not count it.
   */
  get(
    name: string,
    type: string | undefined,
    id: string,
    options: { readonly realtime: boolean; readonly isAside?: boolean },
  ): StoredDocument | undefined
  /**
   * Some of an index' documents as they are on disk, whether or not they can be searched yet, in the order of their
   * sequence numbers.
   *
   * @param after  sequence number behind which to begin; -1: with the first
   * @param limit  documents at most; fewer when they are large, or many have been replaced
   * @param to     the last sequence number; absent: the index'
   */
  documentsAfter(name: string, after: number, limit: number, to?: number): Promise<DocumentPage>
  /** The same as they are stored. */
  recordsAfter(name: string, after: number, limit: number, to?: number): Promise<DocumentPage<StoredRecord>>
  /** Sequence number of an index' last write; -1: there was none. */
  maxSeqNo(name: string): number
  /** What an index' sources are compressed with, once there were enough of them to learn it. */
  dictionary(name: string): Lz4Dictionary | undefined
  /** Gives an index the dictionary of another; false where it has one that differs. Settles once it is on disk. */
  adoptDictionary(name: string, learned: LearnedDictionary): Promise<boolean>
  refresh(name: string): Promise<void>
  flush(name: string): Promise<void>
  /** Joins segments, of what was written until now; they are files then. */
  forceMerge(name: string, wanted: ForcedMerge): Promise<void>
  /** A point-in-time view of what was refreshed last; to be released. */
  searcher(name: string): IndexSearcher
  stats(name: string): IndexStats
  /** What indices did that were closed or removed since the engine was opened. */
  endedStats(): IndexStats
  close(): Promise<void>
}

/** Named JSON objects in namespaces, durable on `put`. */
export interface ExtraStore {
  /** @throws {ServiceError} corrupt_index_exception for a damaged one */
  get(namespace: string, name: string): unknown
  /** @throws {ServiceError} corrupt_index_exception where one of them is damaged */
  entries(namespace: string): Iterable<readonly [name: string, value: unknown]>
  /** Of all of them, the damaged ones too. */
  names(namespace: string): Iterable<string>
  put(namespace: string, name: string, value: unknown): Promise<void>
  delete(namespace: string, name: string): Promise<boolean>
}
