import type { ServiceError } from '../../errors.ts'
import type { Long } from '../algorithms/long.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { StoredSource } from '../store/document-record.ts'

/** How a write's version is checked. `internal` counts by one; the external ones take the caller's number. */
export type VersionType = 'internal' | 'external' | 'external_gte'

interface OperationBase {
  readonly type: string
  /** Absent: the engine makes one (index and create only). */
  readonly id?: string
  readonly routing?: string
  /** Expected current version (internal) or the new one (external). */
  readonly version?: Long
  readonly versionType: VersionType
  readonly ifSeqNo?: Long
  readonly ifPrimaryTerm?: Long
}

/** Stores a document, replacing one of the same type and id (`create`: only if there is none). */
export interface IndexOperation extends OperationBase {
  readonly kind: 'index' | 'create'
  /** The JSON object as received; kept byte for byte. */
  readonly source: Buffer
  /** The form that the source is to be stored in, as another domain had it; absent: it may come to be compressed. */
  readonly stored?: StoredSource
  /** Where it stands in a segment that came before it; absent: in none. */
  readonly place?: SegmentPlace
}

/** A document's place among those of a segment that another domain made, by what that is called here. */
export interface SegmentPlace {
  readonly segment: string
  readonly position: number
}

/** Removes the document of an id. */
export interface DeleteOperation extends OperationBase {
  readonly kind: 'delete'
}

/** What a script makes of a document. */
export type ScriptedOutcome =
  | { readonly op: 'index'; readonly source: Buffer }
  | { readonly op: 'delete' }
  | { readonly op: 'none' }

/** A document as a script that changes it sees it. */
export interface ScriptedDocument {
  readonly index: string
  readonly type: string
  readonly id: string
  readonly version: Long
  readonly routing: string | undefined
  readonly source: Buffer
}

/** A script that changes a document in the place of a merge. */
export interface UpdateScript {
  /** Runs on the document there is. @throws {ServiceError} */
  readonly change: (document: ScriptedDocument) => ScriptedOutcome
  /** Runs on what is to be put where there is none; absent: it is put as it is. @throws {ServiceError} */
  readonly create?: (upsert: Readonly<Record<string, unknown>>) => ScriptedOutcome
}

/** What an update merges or puts; what is no object is a fault once it is used, not before (6.x). */
export type UpdatePart =
  | Readonly<Record<string, unknown>>
  | readonly unknown[]
  | string
  | number
  | bigint
  | boolean
  | null

/** Reads, changes and stores in one step; nothing else can write the document in between. */
export interface UpdateOperation extends OperationBase {
  readonly kind: 'update'
  readonly id: string
  /**
   * Partial document merged into the current one (objects deeply, all else replaced). Numbers whose digits say more than
   * their value (`1.0`) may come as the JsonNumber of mapping/lossless-json.ts.
   */
  readonly doc?: UpdatePart
  /** Stored when there is no such document. */
  readonly upsert?: UpdatePart
  readonly docAsUpsert: boolean
  /** A merge that changes nothing writes nothing and answers `noop`. */
  readonly detectNoop: boolean
  /** Changes the document in the place of `doc`. */
  readonly script?: UpdateScript
  /** Set for an item of a bulk, which is refused in some places where an update by itself is not. */
  readonly isOfBulk?: boolean
  /** The routing that a changed document is stored with; absent: its own. @throws {ServiceError} */
  readonly storedRouting?: (own: string | undefined) => string | undefined
}

/** One write. */
export type DocumentOperation = IndexOperation | DeleteOperation | UpdateOperation

/** What became of a write. */
export type WriteResult =
  | {
      readonly ok: true
      readonly result: 'created' | 'updated' | 'deleted' | 'not_found' | 'noop'
      readonly type: string
      readonly id: string
      readonly version: Long
      /** -2 for a noop or a delete that found nothing to number (the real server numbers those too: see the engine). */
      readonly seqNo: number
      readonly primaryTerm: number
      /** The document as stored, for updates that ask for `_source`. */
      readonly source?: Buffer
    }
  | { readonly ok: false; readonly type: string; readonly id: string; readonly error: ServiceError }

/** A document as messages name it that miss it: with its type, as long as there are any. */
export function documentName(type: string, id: string, engineVersion: EngineVersion): string {
  return engineVersion === 'OpenSearch_2.19' ? `[${id}]` : `[${type}][${id}]`
}
