import type { TokenBuffer } from '../../analysis/token-buffer.ts'
import type { PhrasePlace } from '../lucene/positions/phrase-query.ts'

/** A token as a step from one place of the text to another. */
interface TokenEdge {
  readonly term: string
  readonly to: number
  /** Places it lies behind the token before it. */
  readonly increment: number
}

/**
 * A text some of whose tokens span several places (a compound beside its parts, a synonym of several words): its tokens
 * by the place they begin at. Each is on a way from the first place to the last.
 */
export interface TokenGraph {
  readonly edges: readonly (readonly TokenEdge[])[]
  readonly end: number
}

/** A stretch of a token graph that every way through passes: its words are alternatives, or whole ways are. */
export type GraphStretch =
  | { readonly kind: 'words'; readonly terms: readonly string[] }
  | { readonly kind: 'ways'; readonly ways: readonly GraphWay[] }

/** Words one behind the other, one a place; the first one's position is the gap before it. */
export type GraphWay = readonly PhrasePlace[]

/** Ways that are looked for at most: one more than `max_clause_count` lets through. */
const MAX_WAYS = 1_025

/** Token types of filters whose long tokens overlap by nature and make no graph (shingles, CJK bigrams). */
const NO_GRAPH_TYPES = new Set(['shingle', '<DOUBLE>'])

/** The graph of a text; undefined when none of its tokens spans several places. As Lucene's GraphTokenStreamFiniteStrings. */
export function tokenGraph(
  tokens: TokenBuffer,
  noGraphTypes: ReadonlySet<string> = NO_GRAPH_TYPES,
): TokenGraph | undefined {
  if (tokens.length < 2) return undefined
  let isGraph = false
  for (let i = 0; i < tokens.length; i++) {
    if ((tokens.positionLengths[i] as number) > 1 && !noGraphTypes.has(tokens.types[i] as string)) isGraph = true
  }
  if (!isGraph) return undefined
  const edges = edgesOf(tokens)
  const end = Math.max(...edges.flat().map(({ to }) => to))
  return { edges: onlyLive(edges, end), end }
}

/** Its stretches, one behind the other: all ways through each, and whether they part at its beginning. */
export function graphWaysByStretch({ edges, end }: TokenGraph): { ways: GraphWay[]; isSplit: boolean }[] {
  const stretches: { ways: GraphWay[]; isSplit: boolean }[] = []
  for (let start = 0; start < end; ) {
    const stop = nextJoint(edges, start, end)
    const first = edges[start] ?? []
    const isSplit = first.some(({ to }) => to !== first[0]?.to)
    stretches.push({ ways: waysThrough(edges, start, stop), isSplit })
    start = stop
  }
  return stretches
}

/** The graph taken apart at the places that no token reaches over. */
export function graphStretches({ edges, end }: TokenGraph): GraphStretch[] {
  const stretches: GraphStretch[] = []
  for (let start = 0; start < end; ) {
    const stop = nextJoint(edges, start, end)
    const first = edges[start] ?? []
    stretches.push(
      first.every(({ to }) => to === first[0]?.to)
        ? { kind: 'words', terms: first.map(({ term }) => term) }
        : { kind: 'ways', ways: waysThrough(edges, start, stop) },
    )
    start = stop
  }
  return stretches
}

/** All ways through the whole graph; one too many when there are more than a query may have clauses. */
export function graphWays({ edges, end }: TokenGraph): GraphWay[] {
  return waysThrough(edges, 0, end)
}

function edgesOf(tokens: TokenBuffer): TokenEdge[][] {
  const edges: TokenEdge[][] = []
  let place = -1
  let gap = 0
  let lastIncrement = 1
  for (let i = 0; i < tokens.length; i++) {
    const increment = tokens.positionIncrements[i] as number
    if (increment === 0) place -= gap
    else {
      place++
      gap = increment - 1
      lastIncrement = increment
    }
    const to = place + (tokens.positionLengths[i] as number) + gap
    const from = edges[place] ?? []
    from.push({ term: tokens.terms[i] as string, to, increment: lastIncrement })
    edges[place] = from
    place += gap
  }
  return Array.from(edges, (list) => list ?? [])
}

/** Those tokens that a way from the first place to the last takes: filters may have left out what follows on others. */
function onlyLive(edges: readonly TokenEdge[][], end: number): TokenEdge[][] {
  const leads = new Set([end])
  for (let place = edges.length - 1; place >= 0; place--) {
    if (edges[place]?.some(({ to }) => leads.has(to))) leads.add(place)
  }
  const reached = new Set([0])
  return edges.map((from, place) => {
    if (!reached.has(place)) return []
    const live = from.filter(({ to }) => leads.has(to))
    for (const { to } of live) reached.add(to)
    return live
  })
}

/** The next place that no token reaches over. */
function nextJoint(edges: TokenGraph['edges'], start: number, end: number): number {
  let reach = Math.min(end, start + 1)
  for (let place = start; place < reach; place++) {
    for (const { to } of edges[place] ?? []) if (to > reach) reach = to
  }
  return reach
}

function waysThrough(edges: TokenGraph['edges'], start: number, stop: number): GraphWay[] {
  const ways: GraphWay[] = []
  const walk = (place: number, position: number, way: GraphWay): void => {
    if (ways.length >= MAX_WAYS) return
    if (place === stop) {
      ways.push(way)
      return
    }
    for (const { term, to, increment } of edges[place] ?? []) {
      const next = position + increment
      walk(to, next, [...way, { terms: [term], position: next }])
    }
  }
  walk(start, -1, [])
  return ways
}
