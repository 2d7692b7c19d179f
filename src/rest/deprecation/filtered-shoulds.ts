import { isQuery } from '../../engine/search/queries/is-query.ts'
import type { BoolQuery, Query } from '../../engine/search/queries/query.ts'
import type { Warnings } from './warnings.ts'

/**
 * Notes optional clauses of a filter that say nothing of how many must match: one of them must, until 7.0.
 *
 * @param isFilter  whether the query itself only filters
 */
export function noteFilteredShoulds(query: Query, isFilter: boolean, warnings: Warnings): void {
  if (isFilter && query.kind === 'bool' && areOptional(query)) warnings.note('filtered_should')
  for (const [member, value] of Object.entries(query)) {
    const filters = isFilter || member === 'filter' || member === 'mustNot'
    for (const part of Array.isArray(value) ? value : [value])
      if (isQuery(part)) noteFilteredShoulds(part, filters, warnings)
  }
  if (query.kind === 'function_score')
    for (const { filter } of query.functions) if (filter !== undefined) noteFilteredShoulds(filter, isFilter, warnings)
}

/** Whether later versions could do without the optional clauses; nothing else to match: one of them must anyway. */
const areOptional = ({ must, filter, mustNot, should, minimumShouldMatch }: BoolQuery): boolean =>
  should.length > 0 && minimumShouldMatch === undefined && must.length + filter.length + mustNot.length > 0
