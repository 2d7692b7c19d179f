import type { AggregationContext } from './aggregation-context.ts'
import type { ValuesSourceConfig } from './values/values-source.ts'

/** Whether an aggregation's field is in no index' mapping, and nothing stands in for its values. */
export function isUnmapped(
  { field, missing, script }: ValuesSourceConfig,
  searchers: AggregationContext['searchers'],
): boolean {
  // Metadata fields are known without a mapping.
  if (field === undefined || field.startsWith('_') || missing !== undefined || script !== undefined) return false
  return searchers.every(({ mapping }) => mapping.field(field) === undefined)
}
