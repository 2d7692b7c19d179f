import type { AggregationContext, SegmentScope } from './aggregation-context.ts'
import type { AggregationNode } from './aggregation-tree.ts'
import type { Aggregator } from './aggregator.ts'
import type { DocBatch } from './doc-batch.ts'
import { isUnmapped } from './is-unmapped.ts'
import type { TermsDefinition } from './terms/terms-aggregator-definition.ts'
import { shardSizeOf } from './terms/terms-selection.ts'

/** Aggregations that hand documents to those inside them only when all have been seen. */
const DEFERRING: ReadonlySet<string> = new Set(
  'auto_date_histogram composite diversified_sampler multi_terms rare_terms sampler significant_terms significant_text variable_width_histogram'.split(
    ' ',
  ),
)

/**
 * Lets an aggregation see nothing of the indices that end for it: a `min` says of an index without its field
 * that it wants none of its documents, and with it all aggregations around it that hold nothing else.
 */
export function withoutEnded(aggregator: Aggregator, node: AggregationNode, context: AggregationContext): Aggregator {
  if (node.inside.aggregations.length === 0) return aggregator
  const ended = context.searchers.map((_, i) => isEnded(node, context, i))
  if (!ended.includes(true)) return aggregator
  const openSegment = aggregator.openSegment.bind(aggregator)
  const collect = aggregator.collect.bind(aggregator)
  const collectWholeSegment = aggregator.collectWholeSegment.bind(aggregator)
  let isOver = false
  return Object.assign(aggregator, {
    openSegment(segment: SegmentScope): void {
      isOver = ended[segment.searcherOrdinal] === true
      openSegment(segment)
    },
    collect(batch: DocBatch): void {
      if (!isOver) collect(batch)
    },
    collectWholeSegment: (segment: SegmentScope): boolean => isOver || collectWholeSegment(segment),
  })
}

/** 6.8 asks at once what is inside significant terms. */
const isDeferring = (kind: string, { engineVersion }: AggregationContext): boolean =>
  DEFERRING.has(kind) && !(engineVersion === 'Elasticsearch_6.8' && kind.startsWith('significant_'))

/** A size that stands for all terms there are. */
const ALL = 2_147_483_647

function isEnded({ definition, inside }: AggregationNode, context: AggregationContext, searcher: number): boolean {
  const { aggregations } = inside
  if (definition.kind === 'stats')
    return definition.metric === 'min' && isUnmapped(definition.source, context.searchers.slice(searcher, searcher + 1))
  if (aggregations.length === 0 || isDeferring(definition.kind, context)) return false
  const asked = definition.kind === 'terms' ? askedAtOnce(definition, aggregations, context, searcher) : aggregations
  return asked.length > 0 && asked.every((one) => isEnded(one, context, searcher))
}

/** What of the aggregations inside terms sees documents as they come: all, or where others wait those that terms are sorted by. */
function askedAtOnce(
  definition: TermsDefinition,
  aggregations: readonly AggregationNode[],
  { searchers, engineVersion }: AggregationContext,
  searcher: number,
): readonly AggregationNode[] {
  if (definition.maxDocCount !== undefined) return []
  const { source, hints, order } = definition
  const { mapping, segments } = searchers[searcher] as (typeof searchers)[number]
  const field = mapping.field(source.field ?? '')
  // Of numbers and what scripts make nobody knows how many there are; 6.8 counts only where it is told to use ordinals.
  const isCounted =
    (field?.kind === 'keyword' || field?.kind === 'ip') &&
    source.script === undefined &&
    (engineVersion !== 'Elasticsearch_6.8' || hints?.executionHint?.startsWith('global_ordinals') === true)
  const termCount = segments.reduce(
    (most, reader) => Math.max(most, reader.field(field?.path ?? '')?.terms?.size ?? 0),
    0,
  )
  const isDeferred =
    hints?.collectMode === undefined
      ? shardSizeOf(definition) < ALL && (!isCounted || termCount > shardSizeOf(definition))
      : hints.collectMode.toLowerCase() === 'breadth_first'
  if (!isDeferred) return aggregations
  const sorted = new Set(order.flatMap((one) => (one.by === 'path' ? [one.elements[0]?.name] : [])))
  return aggregations.filter(({ name }) => sorted.has(name))
}
