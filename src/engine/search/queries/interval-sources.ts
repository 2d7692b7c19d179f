import type { IntervalRelation } from '../lucene/positions/interval-lists.ts'
import { type IntervalNode, minExtent } from '../lucene/positions/interval-query.ts'
import { illegalQuery, type QueryContext } from './query-context.ts'

/*
 * Makes sources of intervals as Lucene's `Intervals` does. An alternative keeps only the narrowest of its intervals;
 * where a wider one may be what a rule around it asks for, the rule is made for each alternative alone and the
 * alternatives are put around them («pulled up», Lucene's Disjunctions).
 */

/** How parts follow one another. */
export type IntervalOrder = 'ordered' | 'unordered' | 'unordered_no_overlap'

type Wrap = (parts: readonly IntervalNode[]) => IntervalNode

/** Any of some sources; alternatives in them are as good as their own. */
export function anyOf(sources: readonly IntervalNode[]): IntervalNode {
  const [only] = sources
  if (only !== undefined && sources.length === 1) return only
  return {
    kind: 'or',
    parts: sources.flatMap((source) =>
      source.kind === 'or' && source.pattern === undefined ? source.parts : [source],
    ),
  }
}

/**
 * All of some sources.
 *
 * @param maxGaps  positions between them that nothing asked for takes, at most; -1: any number, fewer: none is allowed
 * @throws {ServiceError} illegal_argument_exception when alternatives make too many combinations
 */
export function allOf(
  sources: readonly IntervalNode[],
  maxGaps: number,
  order: IntervalOrder,
  context: QueryContext,
): IntervalNode {
  const [only] = sources
  if (only === undefined) return { kind: 'none' }
  if (sources.length === 1) return only
  if (maxGaps === 0 && order === 'ordered') return anyOf(pulledUp(sources, (parts) => blockOf(parts), context))
  switch (order) {
    case 'ordered':
      return withinGaps(orderedOf(sources), maxGaps, context)
    case 'unordered':
      return withinGaps(unorderedOf(sources), maxGaps, context)
    case 'unordered_no_overlap':
      // Two by two, in either order.
      return sources.reduce((all, source) =>
        withinGaps(anyOf([orderedOf([source, all]), orderedOf([all, source])]), maxGaps, context),
      )
  }
}

function withinGaps(source: IntervalNode, maxGaps: number, context: QueryContext): IntervalNode {
  if (maxGaps === -1) return source
  return anyOf(alternatives(source, context).map((part) => ({ kind: 'max_gaps', part, gaps: maxGaps })))
}

/** Those of a source that stand in a relation to those of another. */
export function relatedTo(
  source: IntervalNode,
  relation: IntervalRelation,
  other: IntervalNode,
  context: QueryContext,
): IntervalNode {
  const make = (part: IntervalNode, to: IntervalNode): IntervalNode => ({ kind: 'related', part, relation, other: to })
  switch (relation) {
    case 'overlapping':
    case 'not_overlapping':
      return make(source, other)
    case 'before':
    case 'after':
      return anyOf(pulledUp([source], ([part]) => make(part as IntervalNode, other), context))
    case 'containing':
    case 'contained_by':
    case 'not_containing':
    case 'not_contained_by': {
      const wrap: Wrap = ([part, to]) => make(part as IntervalNode, to as IntervalNode)
      return anyOf(pulledUp([source, other], wrap, context))
    }
  }
}

/** A source with the positions before it. */
export function extendedBy(source: IntervalNode, before: number): IntervalNode {
  return before > 0 ? { kind: 'extended', part: source, before } : source
}

function blockOf(parts: readonly IntervalNode[]): IntervalNode {
  return { kind: 'block', parts: parts.flatMap((part) => (part.kind === 'block' ? part.parts : [part])) }
}

/** The same thing asked for several times in a row is one thing repeated. */
function orderedOf(sources: readonly IntervalNode[]): IntervalNode {
  const runs: { readonly part: IntervalNode; readonly key: string; count: number }[] = []
  for (const part of sources.flatMap((source) => (source.kind === 'ordered' ? source.parts : [source]))) {
    const key = JSON.stringify(part)
    const last = runs.at(-1)
    if (last?.key === key) last.count++
    else runs.push({ part, key, count: 1 })
  }
  return oneOrAll('ordered', runs)
}

/** The same thing asked for several times has to be there as often. */
function unorderedOf(sources: readonly IntervalNode[]): IntervalNode {
  const counts = new Map<string, { readonly part: IntervalNode; count: number }>()
  for (const part of sources.flatMap((source) => (source.kind === 'unordered' ? source.parts : [source]))) {
    const key = JSON.stringify(part)
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { part, count: 1 })
    else known.count++
  }
  return oneOrAll('unordered', [...counts.values()])
}

function oneOrAll(
  kind: 'ordered' | 'unordered',
  counted: readonly { readonly part: IntervalNode; readonly count: number }[],
): IntervalNode {
  const parts = counted.map(({ part, count }): IntervalNode => (count === 1 ? part : { kind: 'repeated', part, count }))
  return parts.length === 1 ? (parts[0] as IntervalNode) : { kind, parts }
}

/** Sources that together are as good as one, with alternatives in it pulled up. */
function alternatives(source: IntervalNode, context: QueryContext): readonly IntervalNode[] {
  switch (source.kind) {
    case 'or':
      return source.parts
    case 'ordered':
    case 'unordered': {
      const { kind } = source
      return pulledUp(source.parts, (parts) => ({ kind, parts }), context)
    }
    case 'extended':
      return alternatives(source.part, context).map((part) => ({ ...source, part }))
    case 'related': {
      if (source.relation === 'not_overlapping') return [source]
      const wrap: Wrap = ([part, other]) => ({ ...source, part: part as IntervalNode, other: other as IntervalNode })
      if (source.relation === 'containing' || source.relation === 'contained_by' || source.relation === 'overlapping')
        return pulledUp([source.part, source.other], wrap, context)
      return [source]
    }
    case 'term':
    case 'none':
    case 'block':
    case 'repeated':
    case 'max_gaps':
    case 'scripted':
      return [source]
  }
}

/** A rule made for every combination of its sources' alternatives; those one position wide need not be told apart. */
function pulledUp(sources: readonly IntervalNode[], wrap: Wrap, context: QueryContext): IntervalNode[] {
  let combinations: IntervalNode[][] = [[]]
  for (const source of sources) {
    const ways = splitUp(source, context)
    if (ways.length * combinations.length > context.search.maxClauses) {
      const reason = 'Too many disjunctions to expand'
      throw illegalQuery(context, reason)
    }
    combinations = ways.flatMap((way) => combinations.map((parts) => [...parts, way]))
  }
  return combinations.map(wrap)
}

function splitUp(source: IntervalNode, context: QueryContext): IntervalNode[] {
  const single: IntervalNode[] = []
  const wide: IntervalNode[] = []
  // What expands to no word stays what is never there: a rule that asks for its absence holds everywhere.
  const parts = alternatives(source, context)
  for (const part of parts.length === 0 ? [source] : parts) (minExtent(part) === 1 ? single : wide).push(part)
  return single.length === 0 ? wide : [anyOf(single), ...wide]
}
