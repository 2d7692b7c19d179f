import type { TokenFilter } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { RewritingFilter } from './rewriting-filter.ts'
import { SynonymMap, type SynonymNode } from './synonym-map.ts'

/** A word of a synonym that waits for its place. */
interface PendingOutput {
  readonly term: string
  /** -1: the end of the token at that place. */
  readonly end: number
  readonly positionLength: number
}

/**
 * Adds or replaces words by their synonyms; the words of a longer synonym stand at the positions of the tokens that
 * follow («sausage»).
 *
 * @source Lucene, SynonymFilter
 */
export function synonymFilter(synonyms: SynonymMap): TokenFilter {
  return new RewritingFilter((tokens, out) => {
    const pending: (PendingOutput[] | undefined)[] = []
    let at = 0
    const emit = (index: number, kept: boolean) => {
      const outputs = pending[index] ?? []
      const start = tokens.startOffsets[index] as number
      for (const [i, { term, end, positionLength }] of outputs.entries()) {
        out.push(term, start, end < 0 ? (tokens.endOffsets[index] as number) : end, 'SYNONYM', kept || i > 0 ? 0 : 1)
        out.positionLengths[out.length - 1] = positionLength
      }
    }
    while (at < tokens.length) {
      const match = longestMatch(tokens, at, synonyms)
      if (match === undefined) {
        out.append(tokens, at)
        emit(at, true)
        at++
        continue
      }
      const { node, length } = match
      const matchEnd = tokens.endOffsets[at + length - 1] as number
      for (const words of node.outputs) {
        for (const [i, term] of words.entries()) {
          const slot = pending[at + i] ?? []
          pending[at + i] = slot
          const single = words.length === 1
          slot.push({ term, end: single ? matchEnd : -1, positionLength: single && node.keepOriginal ? length : 1 })
        }
      }
      for (const stop = at + length; at < stop; at++) {
        if (node.keepOriginal) out.append(tokens, at)
        emit(at, node.keepOriginal)
      }
    }
    // Words of a synonym that is longer than what is left of the text.
    const last = tokens.length - 1
    for (; pending[at] !== undefined; at++) {
      for (const [i, { term }] of (pending[at] as readonly PendingOutput[]).entries())
        out.push(term, tokens.startOffsets[last] as number, tokens.endOffsets[last] as number, 'SYNONYM', i > 0 ? 0 : 1)
    }
  })
}

/** The longest sequence of words from here that a rule applies to. */
export function longestMatch(
  tokens: TokenBuffer,
  start: number,
  synonyms: SynonymMap,
  ignoreCase = false,
): { readonly node: SynonymNode; readonly length: number } | undefined {
  let node: SynonymNode | undefined = synonyms.root
  let best: { node: SynonymNode; length: number } | undefined
  for (let i = start; i < tokens.length; i++) {
    node = SynonymMap.step(node, tokens.terms[i] as string, ignoreCase)
    if (node === undefined) break
    if (node.outputs.length > 0) best = { node, length: i - start + 1 }
  }
  return best
}
