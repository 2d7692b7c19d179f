import type { SharedDictionary } from '../analysis/korean/dictionaries.ts'
import type { FlatSettings, IndexMetadata } from '../metadata/index-metadata.ts'

/** A segment as a replica is shown it: its bytes are shared, not copied. */
export interface SharedSegment {
  readonly name: string
  readonly bytes: SharedArrayBuffer
  readonly liveDocs: Uint32Array | undefined
  /** Live root documents. */
  readonly numDocs: number
}

/** What a replica posts beside numbers of views, which begin with 1: it has the store open no more. */
export const DETACHED = 0

/** What a replica is told of the engine it follows, in the order in which it happened. */
export type ReplicaNews =
  /** All that was told before is void: what comes next is told from the beginning. */
  | { readonly kind: 'reset' }
  /** The store is to be closed until the next reset. {@link DETACHED} is posted then. */
  | { readonly kind: 'detach' }
  | { readonly kind: 'settings'; readonly persistent: FlatSettings; readonly transient: FlatSettings }
  /** An index was made, or its metadata changed. */
  | {
      readonly kind: 'index'
      /** Prefix of its keys in the store. */
      readonly number: number
      readonly metadata: IndexMetadata
      /** Those that its analyzers may need and that are loaded already. */
      readonly dictionaries: readonly SharedDictionary[]
    }
  | { readonly kind: 'removed'; readonly name: string }
  /** Files that analyzers of an index name were read again. */
  | { readonly kind: 'analyzers'; readonly name: string }
  /** Searches of an index are to see these segments; `view` is to be given back when none does any more. */
  | {
      readonly kind: 'view'
      readonly name: string
      readonly view: number
      readonly segments: readonly SharedSegment[]
    }
