import { type SpanNode, SpanQuery } from '../lucene/positions/span-query.ts'
import { checkClauses } from './boolean-queries.ts'
import type { QueryContext } from './query-context.ts'
import { type GraphStretch, type GraphWay, graphStretches, type TokenGraph } from './token-graph.ts'

/** The field that is searched. */
interface SpanTarget {
  readonly path: string
  /** Whether the real server keeps no positions of its words. */
  readonly isUnplaced: boolean
}

/** What a word that is only begun stands for. */
type Expand = (word: string) => readonly SpanNode[]

/**
 * A phrase without slop over a token graph: its stretches one behind the other, each of them any of its words or ways.
 *
 * @param expand  set when the last word of the phrase is only begun
 * @throws {ServiceError} too_many_clauses when a stretch has too many alternatives
 */
export function graphSpans(
  target: SpanTarget,
  graph: TokenGraph,
  context: QueryContext,
  expand: Expand | undefined,
): SpanQuery {
  const stretches = graphStretches(graph)
  checkClauses(stretches.length, context)
  const clauses = stretches.map((stretch, i) =>
    stretchNode(target, stretch, context, i === stretches.length - 1 ? expand : undefined),
  )
  return new SpanQuery(near(target.path, clauses))
}

function stretchNode(
  target: SpanTarget,
  stretch: GraphStretch,
  context: QueryContext,
  expand: Expand | undefined,
): SpanNode {
  if (stretch.kind === 'ways') {
    checkClauses(stretch.ways.length, context)
    return { kind: 'or', field: target.path, clauses: stretch.ways.map((way) => wayNode(target, way, expand)) }
  }
  // Words are refused one earlier than ways.
  checkClauses(stretch.terms.length + 1, context)
  return either(
    target.path,
    stretch.terms.map((term) => wordNode(target, term, expand)),
  )
}

function wayNode(target: SpanTarget, way: GraphWay, expand: Expand | undefined): SpanNode {
  const clauses: SpanNode[] = []
  let next = 0
  for (const [i, { terms, position }] of way.entries()) {
    if (position > next) clauses.push({ kind: 'gap', field: target.path, width: position - next })
    next = position + 1
    clauses.push(wordNode(target, terms[0] as string, i === way.length - 1 ? expand : undefined))
  }
  return near(target.path, clauses)
}

function wordNode({ path, isUnplaced }: SpanTarget, term: string, expand: Expand | undefined): SpanNode {
  return either(path, expand?.(term) ?? [{ kind: 'term', field: path, term, isUnplaced }])
}

function either(field: string, clauses: readonly SpanNode[]): SpanNode {
  const [only] = clauses
  return only !== undefined && clauses.length === 1 ? only : { kind: 'or', field, clauses }
}

function near(field: string, clauses: readonly SpanNode[]): SpanNode {
  const [only] = clauses
  return only !== undefined && clauses.length === 1 ? only : { kind: 'near', field, clauses, slop: 0, inOrder: true }
}
