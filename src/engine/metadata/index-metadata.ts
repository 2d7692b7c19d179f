/** What the domain knows of an index beside its documents; stored in LMDB as JSON. */
export interface IndexMetadata {
  readonly name: string
  /** 22 characters, URL-safe base64. */
  readonly uuid: string
  /** Milliseconds since 1970. */
  readonly creationDate: number
  /** All settings, flat, `index.`-prefixed, values as the user gave them (strings or arrays of strings). */
  readonly settings: FlatSettings
  /** Mapping by type. */
  readonly mappings: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly aliases: Readonly<Record<string, AliasMetadata>>
  readonly state: 'open' | 'close'
  /**
   * Documents from this sequence number on were inverted by the settings and mappings as they are; absent: it is not known which
   * (indices of earlier builds).
   */
  readonly invertedSince?: number
  /** Set on an index behind a data stream. */
  readonly dataStream?: DataStreamPlace
  /** Set on an open index whose documents cannot be had; never stored. */
  readonly unavailable?: Unavailability
}

/** Why an index cannot be used though it is there. */
export interface Unavailability {
  readonly reason: string
  /** Whether its metadata are damaged: then nothing of them is to be believed, and nothing but its removal or its restoration changes it. */
  readonly isMetadataLost: boolean
}

/** Whether an index' documents can be read and written. */
export const isServed = ({ state, unavailable }: Pick<IndexMetadata, 'state' | 'unavailable'>): boolean =>
  state === 'open' && unavailable === undefined

/** Where an index stands in its data stream, which is nothing beside the indices that say so: changed with them, at once. */
export interface DataStreamPlace {
  /** The stream's name. */
  readonly name: string
  /** Of the field with each document's time. */
  readonly timestampField: string
  /** One more than that of the index before it; the last one is written to. */
  readonly generation: number
}

/** Flat settings: `index.number_of_shards` → `"5"`; lists stay arrays of strings; null is "not set". */
export type FlatSettings = Readonly<Record<string, string | readonly string[] | null>>

/** Set where an index is closed, so that the next start need not look whether all of it is there. */
export const VERIFIED_BEFORE_CLOSE = 'index.verified_before_close'

/** An alias as one index carries it. */
export interface AliasMetadata {
  /** Query DSL as JSON, parsed by `rest/` when searched. */
  readonly filter?: Readonly<Record<string, unknown>>
  readonly indexRouting?: string
  readonly searchRouting?: string
  readonly isWriteIndex?: boolean
  /** Whether wildcards pass it over, since 7.7. */
  readonly isHidden?: boolean
}
