import type { AggregationDefinition, AggregationTree } from '../../engine/aggregation/aggregation-tree.ts'
import { sourcesOf, takenFor } from '../../engine/aggregation/values/scripted-sources.ts'
import type { ValuesSourceConfig } from '../../engine/aggregation/values/values-source.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { list } from '../query-dsl/query-options.ts'
import { noteDateFormat, ofIndices } from './date-format-deprecations.ts'
import { reachesBelow1970 } from './early-zones.ts'
import { noteFilteredShoulds } from './filtered-shoulds.ts'
import { noteSourceParts } from './search-deprecations.ts'
import type { Warnings } from './warnings.ts'

type Body = { readonly [name: string]: JsonValue }

/** Notes what an aggregation uses that is deprecated; those below it are noted by themselves. */
export function noteAggregation(type: string, body: Body, warnings: Warnings): void {
  const { order, execution_hint: hint } = body
  if (order !== undefined) {
    for (const part of list(order)) {
      for (const key of isObject(part) ? Object.keys(part) : []) {
        if (key === '_term' || key === '_time') warnings.note('order_key', key)
      }
    }
  }
  if (body['valueType'] !== undefined) warnings.note('value_type')
  switch (type) {
    case 'date_histogram':
      // An empty one is refused.
      if (body['interval'] !== undefined && body['interval'] !== '') warnings.note('date_interval')
      break
    case 'composite':
      for (const source of list(body['sources'])) {
        for (const named of isObject(source) ? Object.values(source) : []) noteSource(named, warnings)
      }
      break
    case 'terms':
      if (hint === 'global_ordinals_hash' || hint === 'global_ordinals_low_cardinality')
        warnings.note('ordinals_hint', hint)
      break
    case 'significant_terms':
      if (hint === 'global_ordinals_hash') warnings.note('significant_hint')
      break
    case 'cardinality':
      if (body['rehash'] !== undefined) warnings.note('rehash')
      break
    case 'moving_avg':
      warnings.note('moving_avg')
      break
    case 'top_hits':
      noteSourceParts(body, warnings)
      break
  }
}

/** Notes dates below 1970 that 6.x counts for itself, before it reads any of the aggregations. */
export function noteEarlyZones(
  { aggregations }: AggregationTree,
  searchers: readonly IndexSearcher[],
  warnings: Warnings,
): void {
  if (!isSix(searchers)) return
  for (const { definition, faults, inside } of aggregations) {
    const isRead = definition.kind === 'date_histogram' && faults === undefined
    if (isRead && reachesBelow1970(definition, searchers)) warnings.note('negative_epoch')
    noteEarlyZones(inside, searchers, warnings)
  }
}

/** Notes fields that aggregations read, formats that they show dates in and queries that they filter by, once all of them could be read. */
export function noteAggregations(
  { aggregations }: AggregationTree,
  searchers: readonly IndexSearcher[],
  warnings: Warnings,
): void {
  for (const { definition, inside } of aggregations) {
    noteReadAggregation(definition, searchers, warnings)
    noteAggregations(inside, searchers, warnings)
  }
}

/** The same of one aggregation. */
export function noteReadAggregation(
  definition: AggregationDefinition,
  searchers: readonly IndexSearcher[],
  warnings: Warnings,
): void {
  for (const source of sourcesOf(definition)) {
    const { field } = source
    if (field === '_id' && definition.kind !== 'significant_text') warnings.note('id_fielddata')
    if (field === '_uid') warnings.note('uid_fielddata')
    if (field === '_type') warnings.note('type_field')
    if (source.format !== undefined && showsDates(definition, source, searchers))
      noteDateFormat(source.format, ofIndices(warnings))
  }
  if (isSix(searchers)) for (const query of queriesOf(definition)) noteFilteredShoulds(query, true, warnings)
}

function queriesOf(definition: AggregationDefinition): readonly Query[] {
  switch (definition.kind) {
    case 'filter':
      return [definition.query]
    case 'filters':
    case 'adjacency_matrix':
      return definition.filters.map(({ query }) => query)
    case 'significant_terms':
    case 'significant_text':
      return definition.background === undefined ? [] : [definition.background]
    default:
      return []
  }
}

const isSix = ([first]: readonly IndexSearcher[]): boolean => first?.mapping.engineVersion === 'Elasticsearch_6.8'

/** Whether a source's values are dates: its field's are, or no index has it and they are taken for dates. */
function showsDates(
  definition: AggregationDefinition,
  source: ValuesSourceConfig,
  searchers: readonly IndexSearcher[],
): boolean {
  if (source.field === undefined && source.script === undefined) return false
  // What is known of a document itself is no date.
  if (source.field?.startsWith('_')) return false
  const isAskedFor = takenFor(definition, source).includes('date_') || source.valueType === 'date'
  return searchers.some(({ mapping }) => {
    const field = mapping.field(source.field ?? '')
    return field === undefined ? isAskedFor : field.kind === 'date'
  })
}

/** A source of a composite aggregation. */
function noteSource(source: unknown, warnings: Warnings): void {
  if (!isObject(source)) return
  for (const [type, body] of Object.entries(source)) {
    if (!isObject(body)) continue
    if (body['missing'] !== undefined) warnings.note('missing_source')
    noteAggregation(type, body as Body, warnings)
  }
}
