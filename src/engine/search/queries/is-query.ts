import type { Query } from './query.ts'

/** Whether a member of a query is a query itself. */
export function isQuery(value: unknown): value is Query {
  return typeof value === 'object' && value !== null && 'kind' in value
}
