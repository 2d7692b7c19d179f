import type { AggregationDefinition } from '../aggregation-tree.ts'
import type { ValuesSourceConfig } from './values-source.ts'

/** Everything that a definition takes values from. */
export function sourcesOf(definition: AggregationDefinition): readonly ValuesSourceConfig[] {
  switch (definition.kind) {
    case 'composite':
    case 'multi_terms':
      return definition.sources.map(({ source }) => source)
    case 'matrix_stats':
      return definition.sources
    case 'weighted_avg':
      return [definition.value, definition.weight]
    case 'sampler':
      return definition.diversity === undefined ? [] : [definition.diversity.source]
    default:
      return 'source' in definition ? [definition.source] : []
  }
}

/** What a source's values are taken for: parts of a `composite` are rounded as buckets of other aggregations are. */
export function takenFor(definition: AggregationDefinition, source: ValuesSourceConfig): AggregationDefinition['kind'] {
  if (definition.kind !== 'composite') return definition.kind
  const rounding = definition.sources.find((one) => one.source === source)?.rounding.kind
  return rounding === 'histogram' || rounding === 'date_histogram' ? rounding : 'composite'
}

/** A definition with other sources in the places of its own. */
export function withSources(
  definition: AggregationDefinition,
  replace: (source: ValuesSourceConfig) => ValuesSourceConfig,
): AggregationDefinition {
  switch (definition.kind) {
    case 'composite':
    case 'multi_terms':
      return { ...definition, sources: definition.sources.map((one) => ({ ...one, source: replace(one.source) })) }
    case 'matrix_stats':
      return {
        ...definition,
        sources: definition.sources.map((source) => ({ ...replace(source), field: source.field })),
      }
    case 'weighted_avg':
      return { ...definition, value: replace(definition.value), weight: replace(definition.weight) }
    case 'sampler':
      return definition.diversity === undefined
        ? definition
        : { ...definition, diversity: { ...definition.diversity, source: replace(definition.diversity.source) } }
    default:
      return 'source' in definition ? { ...definition, source: replace(definition.source) } : definition
  }
}
