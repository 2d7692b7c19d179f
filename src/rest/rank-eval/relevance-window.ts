import { illegalArgument } from '../../illegal-argument.ts'
import type { ConstructingField } from '../query-dsl/constructing-parser.ts'
import { DEFAULT_THRESHOLD, DEFAULT_WINDOW } from './evaluation-metric.ts'

/** What metrics that know only relevant and irrelevant documents are asked for. */
export interface RelevanceWindow {
  /** How many hits they look at. */
  readonly k: number
  /** From which mark on a document is relevant. */
  readonly threshold: number
}

/** Members of such a metric. */
export const RELEVANCE_WINDOW_FIELDS = {
  relevant_rating_threshold: { kind: 'integer', argument: 'optional' },
  k: { kind: 'integer', argument: 'optional' },
} as const satisfies Record<string, ConstructingField>

/** Checks what such a metric is asked for. @throws {ServiceError} illegal_argument_exception */
export function relevanceWindow(members: Readonly<Record<string, unknown>>): RelevanceWindow {
  const threshold = (members['relevant_rating_threshold'] as number | undefined) ?? DEFAULT_THRESHOLD
  const k = (members['k'] as number | undefined) ?? DEFAULT_WINDOW
  if (threshold < 0) {
    const reason = 'Relevant rating threshold for precision must be positive integer.'
    throw illegalArgument(reason)
  }
  if (k <= 0) throw illegalArgument('Window size k must be positive.')
  return { k, threshold }
}
