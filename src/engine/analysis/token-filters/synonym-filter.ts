import { ServiceError } from '../../../errors.ts'
import type { TokenFilter } from '../analyzer.ts'
import { TokenBuffer } from '../token-buffer.ts'
import { appendToken } from './expanding-filter.ts'

/** Turns a side of a rule into its words (the tokenizer and filters before the synonym filter). */
export type RuleAnalyzer = (text: string) => readonly string[]

interface Node {
  readonly next: Map<string, Node>
  /** Replacements, each a list of words; and whether the matched words stay. */
  outputs: (readonly string[])[]
  keepOriginal: boolean
}

/**
 * Synonyms by rule: `a, b => c` and `a, b, c` (Solr's form). Of several rules the longest match wins; replacements are
 * laid beside the matched words (Lucene's SynonymFilter).
 */
export class SynonymFilter implements TokenFilter {
  readonly #root: Node = { next: new Map(), outputs: [], keepOriginal: false }

  /** @throws {ServiceError} illegal_argument_exception naming the line of a rule that cannot be read */
  constructor(
    rules: readonly string[],
    options: { readonly expand: boolean; readonly lenient: boolean; readonly analyze: RuleAnalyzer },
  ) {
    for (const [i, rule] of rules.entries()) {
      try {
        this.#add(rule, options.expand, options.analyze)
      } catch (error) {
        if (options.lenient) continue
        throw new ServiceError('illegal_argument_exception', 'failed to build synonyms', {
          cause: new ServiceError('parse_exception', `Invalid synonym rule at line ${i + 1}`, {
            cause: error instanceof ServiceError ? error : undefined,
          }),
        })
      }
    }
  }

  filter(tokens: TokenBuffer): void {
    const out = new TokenBuffer()
    for (let i = 0; i < tokens.length; ) {
      const match = this.#longest(tokens, i)
      if (match === undefined) {
        appendToken(tokens, i++, out)
        continue
      }
      this.#emit(tokens, i, match.length, match.node, out)
      i += match.length
    }
    const { finalOffset, trailingPositionIncrement } = tokens
    tokens.clear()
    for (let i = 0; i < out.length; i++) appendToken(out, i, tokens)
    tokens.finalOffset = finalOffset
    tokens.trailingPositionIncrement = trailingPositionIncrement
  }

  #add(rule: string, expand: boolean, analyze: RuleAnalyzer): void {
    const sides = rule.split(/(?<!\\)=>/)
    if (sides.length > 2)
      throw new ServiceError('illegal_argument_exception', 'more than one explicit mapping specified on the same line')
    const words = (side: string) =>
      side
        .split(/(?<!\\),/)
        .map((s) => s.trim().replace(/\\(.)/g, '$1'))
        .filter((s) => s !== '')
        .map((text) => {
          const list = analyze(text)
          if (list.length === 0)
            throw new ServiceError('illegal_argument_exception', `term: ${text} was completely eliminated by analyzer`)
          return list
        })
    const left = words(sides[0] as string)
    if (sides.length === 2) {
      const right = words(sides[1] as string)
      for (const from of left) for (const to of right) this.#put(from, to, false)
      return
    }
    const first = left[0] as readonly string[]
    for (const from of left) {
      if (!expand) this.#put(from, first, false)
      else for (const to of left) if (to !== from) this.#put(from, to, true)
    }
  }

  #put(from: readonly string[], to: readonly string[], keepOriginal: boolean): void {
    let node = this.#root
    for (const word of from) {
      let next = node.next.get(word)
      if (next === undefined) {
        next = { next: new Map(), outputs: [], keepOriginal: false }
        node.next.set(word, next)
      }
      node = next
    }
    node.keepOriginal ||= keepOriginal
    if (!node.outputs.some((o) => o.join('\0') === to.join('\0'))) node.outputs.push(to)
  }

  #longest(tokens: TokenBuffer, start: number): { readonly length: number; readonly node: Node } | undefined {
    let node: Node | undefined = this.#root
    let best: { length: number; node: Node } | undefined
    for (let i = start; i < tokens.length; i++) {
      if (i > start && tokens.positionIncrements[i] === 0) continue
      node = node.next.get(tokens.terms[i] as string)
      if (node === undefined) break
      if (node.outputs.length > 0) best = { length: i - start + 1, node }
    }
    return best
  }

  #emit(tokens: TokenBuffer, start: number, length: number, node: Node, out: TokenBuffer): void {
    const longest = Math.max(length, ...node.outputs.map((o) => o.length))
    const startOffset = tokens.startOffsets[start] as number
    const endOffset = tokens.endOffsets[start + length - 1] as number
    const firstIncrement = tokens.positionIncrements[start] as number
    for (let p = 0; p < longest; p++) {
      let increment = p === 0 ? firstIncrement : 1
      if (node.keepOriginal && p < length) {
        appendToken(tokens, start + p, out)
        if (p > 0) out.positionIncrements[out.length - 1] = increment
        increment = 0
      }
      for (const output of node.outputs) {
        const word = output[p]
        if (word === undefined) continue
        // Inside a match each word covers its own token; beyond it, the last one.
        const single = output.length === 1
        const from = single
          ? startOffset
          : p < length
            ? (tokens.startOffsets[start + p] as number)
            : (tokens.startOffsets[start + length - 1] as number)
        const to = single
          ? endOffset
          : p < length && p < output.length - 1
            ? (tokens.endOffsets[start + p] as number)
            : endOffset
        out.push(word, from, to, 'SYNONYM', increment)
        out.positionLengths[out.length - 1] = single && node.keepOriginal ? length : 1
        increment = 0
      }
    }
  }
}
