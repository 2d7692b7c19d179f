import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { CharFilter, FilteredText } from '../analyzer.ts'
import { isCommentLine } from '../comment-line.ts'
import { unescapeRule } from '../rule-escapes.ts'
import { wrongRule } from '../wrong-rule.ts'
import { OffsetCorrections } from './offset-corrections.ts'
import { filtered } from './pattern-replace-char-filter.ts'

interface Node {
  readonly next: Map<number, Node>
  output?: string
}

/** Replaces strings by strings, the longest that fits at each place. */
export class MappingCharFilter implements CharFilter {
  readonly #root: Node = { next: new Map() }

  /**
   * @param rules  `from => to`, with Java's escapes
   * @throws {ServiceError} illegal_argument_exception for a rule without an arrow, or one given twice
   */
  constructor(rules: readonly string[], engineVersion: EngineVersion) {
    const resolved = (side: string, line: number): string =>
      unescapeRule(side.trim(), (reason) => wrongRule(engineVersion, line, reason))
    for (const [i, rule] of rules.entries()) {
      if (isCommentLine(rule, engineVersion)) continue
      const match = /^([\s\S]*)\s*=>\s*([\s\S]*)\s*$/.exec(rule)
      if (match === null)
        throw wrongRule(engineVersion, i, `Invalid Mapping Rule : [${rule}]`, `Invalid mapping rule : [${rule}]`)
      const from = resolved(match[1] as string, i)
      const to = resolved(match[2] as string, i)
      if (from === '') throw new ServiceError('illegal_argument_exception', 'cannot match the empty string')
      let node = this.#root
      for (let i = 0; i < from.length; i++) {
        const unit = from.charCodeAt(i)
        let next = node.next.get(unit)
        if (next === undefined) {
          next = { next: new Map() }
          node.next.set(unit, next)
        }
        node = next
      }
      if (node.output !== undefined)
        throw new ServiceError('illegal_argument_exception', `match "${from}" was already added`)
      node.output = to
    }
  }

  filter(text: string): FilteredText {
    const corrections = new OffsetCorrections()
    let out = ''
    let last = 0
    for (let i = 0; i < text.length; ) {
      let node = this.#root.next.get(text.charCodeAt(i))
      let output: string | undefined
      let end = i
      for (let at = i + 1; node !== undefined; at++) {
        if (node.output !== undefined) {
          output = node.output
          end = at
        }
        node = at < text.length ? node.next.get(text.charCodeAt(at)) : undefined
      }
      if (output === undefined) {
        i++
        continue
      }
      out += text.slice(last, i) + output
      corrections.replace(out.length, end - i, output.length)
      i = end
      last = end
    }
    return last === 0 ? { text } : filtered(out + text.slice(last), corrections)
  }
}
