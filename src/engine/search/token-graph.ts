import type { TokenBuffer } from '../analysis/token-buffer.ts'
import type { PhrasePlace } from './lucene/phrase-query.ts'

/** A token as a step from one place of the text to another. */
interface TokenEdge {
  readonly term: string
  readonly to: number
  /** Places it lies behind the token before it. */
  readonly increment: number
}

/** A stretch of a token graph that every way through passes: its words are alternatives, or whole ways are. */
export type GraphStretch =
  | { readonly kind: 'words'; readonly terms: readonly string[] }
  | { readonly kind: 'ways'; readonly ways: readonly (readonly PhrasePlace[])[] }

/** Ways a stretch may have at most; more are cut off, as `max_clause_count` would refuse them. */
const MAX_WAYS = 1_025

/** Token types of filters whose long tokens overlap by nature and make no graph (shingles, CJK bigrams). */
const NO_GRAPH_TYPES = new Set(['shingle', '<DOUBLE>'])

/**
 * The stretches of a text some of whose tokens span several places (a compound beside its parts, a synonym of several
 * words); undefined when none does. As Lucene's GraphTokenStreamFiniteStrings takes it apart.
 */
export function tokenGraph(tokens: TokenBuffer): GraphStretch[] | undefined {
  if (tokens.length < 2) return undefined
  let isGraph = false
  for (let i = 0; i < tokens.length; i++) {
    if ((tokens.positionLengths[i] as number) > 1 && !NO_GRAPH_TYPES.has(tokens.types[i] as string)) isGraph = true
  }
  if (!isGraph) return undefined
  const edges = edgesOf(tokens)
  const end = Math.max(...edges.flat().map(({ to }) => to))
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

/** The next place that no token reaches over. */
function nextJoint(edges: readonly (readonly TokenEdge[])[], start: number, end: number): number {
  let reach = Math.min(end, start + 1)
  for (let place = start; place < reach; place++) {
    for (const { to } of edges[place] ?? []) if (to > reach) reach = to
  }
  return reach
}

function waysThrough(edges: readonly (readonly TokenEdge[])[], start: number, stop: number): PhrasePlace[][] {
  const ways: PhrasePlace[][] = []
  const walk = (place: number, position: number, way: readonly PhrasePlace[]): void => {
    if (ways.length >= MAX_WAYS) return
    if (place === stop) {
      ways.push([...way])
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
