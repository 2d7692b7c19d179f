import type { TokenFilter } from '../analyzer.ts'
import { RewritingFilter } from './rewriting-filter.ts'
import { longestMatch } from './synonym-filter.ts'
import type { SynonymMap } from './synonym-map.ts'

/** A token between two nodes of the graph: a word of a synonym, or a token of the text. */
interface Edge {
  readonly from: number
  readonly to: number
  readonly word?: string
  readonly token?: number
}

/**
 * Adds or replaces words by their synonyms as a correct graph: each synonym is a path of its own.
 *
 * @source Lucene, SynonymGraphFilter
 */
export function synonymGraphFilter(synonyms: SynonymMap, ignoreCase: boolean): TokenFilter {
  return new RewritingFilter((tokens, out) => {
    let lastNode = -1
    let nextNode = 0
    for (let at = 0; at < tokens.length; ) {
      const match = longestMatch(tokens, at, synonyms, ignoreCase)
      if (match === undefined) {
        out.append(tokens, at)
        lastNode += tokens.positionIncrements[at] as number
        nextNode = lastNode + (tokens.positionLengths[at] as number)
        at++
        continue
      }
      const { node, length } = match
      const start = tokens.startOffsets[at] as number
      const end = tokens.endOffsets[at + length - 1] as number
      const graph = graphOf(node.outputs, node.keepOriginal ? at : -1, length, nextNode)
      for (const edge of graph.edges) {
        if (edge.token !== undefined) out.append(tokens, edge.token)
        else out.push(edge.word as string, start, end, 'SYNONYM')
        out.positionIncrements[out.length - 1] = edge.from - lastNode
        out.positionLengths[out.length - 1] = edge.to - edge.from
        lastNode = edge.from
      }
      nextNode = graph.end
      at += length
    }
  })
}

/** @param original  the first token of the text that stays, or -1 */
function graphOf(
  outputs: readonly (readonly string[])[],
  original: number,
  length: number,
  start: number,
): { readonly edges: readonly Edge[]; readonly end: number } {
  const paths: (readonly { readonly word?: string; readonly token?: number }[])[] = outputs.map((words) =>
    words.map((word) => ({ word })),
  )
  if (original >= 0) paths.push(Array.from({ length }, (_, i) => ({ token: original + i })))
  const end = start + 1 + paths.reduce((nodes, path) => nodes + path.length - 1, 0)
  const edges: Edge[] = []
  // All first steps, then the rest path by path: nodes are numbered in that order.
  let node = start
  const seconds = paths.map((path) => {
    const to = path.length === 1 ? end : node + 1
    edges.push({ ...path[0], from: start, to })
    node += path.length - 1
    return to
  })
  for (const [p, path] of paths.entries()) {
    let from = seconds[p] as number
    for (let i = 1; i < path.length; i++, from++)
      edges.push({ ...path[i], from, to: i === path.length - 1 ? end : from + 1 })
  }
  return { edges, end }
}
