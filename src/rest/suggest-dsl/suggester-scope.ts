import type { CollateScope } from './collate.ts'
import type { LateFaults } from './late-faults.ts'

/** What a suggester is read with. */
export interface SuggesterScope extends CollateScope {
  /** Faults that are told when all suggestions are read. */
  readonly late: LateFaults
}

/** What a suggestion is for. */
export interface SuggestTexts {
  readonly text: string | undefined
  readonly prefix: string | undefined
  readonly regex: string | undefined
}
