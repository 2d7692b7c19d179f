import type { ScoredHit } from '../search/search-request.ts'

/** What suggesters found, under the name it was asked for by. */
export interface SuggestResult {
  readonly name: string
  readonly kind: 'term' | 'phrase' | 'completion'
  readonly entries: readonly SuggestEntry[]
}

/** A stretch of the text and what could stand in its place. */
export interface SuggestEntry {
  readonly text: string
  /** In UTF-16 units of the text asked about. */
  readonly offset: number
  readonly length: number
  readonly options: readonly SuggestOption[]
}

/** One suggestion. */
export interface SuggestOption {
  readonly text: string
  /** A 32-bit float. */
  readonly score: number
  /** Documents that hold it (term). */
  readonly freq?: number
  /** With what was changed marked (phrase). */
  readonly highlighted?: string
  /** Whether there are documents for it, where that is asked for (phrase). */
  readonly collateMatch?: boolean
  /** The document it comes from (completion). */
  readonly hit?: ScoredHit
  /** Contexts it was found under (completion). */
  readonly contexts?: Readonly<Record<string, readonly string[]>>
}
