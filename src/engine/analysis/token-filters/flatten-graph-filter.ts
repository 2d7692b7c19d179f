import type { TokenFilter } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { RewritingFilter } from './rewriting-filter.ts'

interface InputNode {
  readonly tokens: number[]
  output: number
}

interface OutputNode {
  /** Nodes of the input that fell together here. */
  readonly inputs: number[]
  start: number
  end: number
}

/**
 * Makes a sequence of stacked tokens of a token graph, as an index needs it.
 *
 * @source Lucene, FlattenGraphFilter
 */
export const flattenGraphFilter = (): TokenFilter =>
  new RewritingFilter((tokens, out) => {
    const inputs: InputNode[] = []
    const outputs: OutputNode[] = []
    read(tokens, inputs, outputs)
    let lastOutput = -1
    let lastStart = 0
    for (const [position, output] of outputs.entries()) {
      for (const input of output.inputs) {
        for (const token of (inputs[input] as InputNode).tokens) {
          const target = (inputs[input + (tokens.positionLengths[token] as number)] as InputNode).output
          const start = Math.max(lastStart, output.start)
          out.append(tokens, token)
          const at = out.length - 1
          out.startOffsets[at] = start
          out.endOffsets[at] = Math.max(start, (outputs[target] as OutputNode).end)
          out.positionIncrements[at] = position - lastOutput
          out.positionLengths[at] = target - position
          lastOutput = position
          lastStart = start
        }
      }
    }
  })

/** Finds for each node of the graph its place in the sequence: one behind the farthest that leads to it. */
function read(tokens: TokenBuffer, inputs: InputNode[], outputs: OutputNode[]): void {
  const input = (node: number): InputNode => {
    let found = inputs[node]
    if (found === undefined) {
      found = { tokens: [], output: -1 }
      inputs[node] = found
    }
    return found
  }
  const output = (node: number): OutputNode => {
    while (outputs.length <= node) outputs.push({ inputs: [], start: -1, end: -1 })
    return outputs[node] as OutputNode
  }
  input(0).output = 0
  output(0).inputs.push(0)
  output(0).start = 0
  let from = -1
  for (let i = 0; i < tokens.length; i++) {
    from += tokens.positionIncrements[i] as number
    const to = from + (tokens.positionLengths[i] as number)
    const source = input(from)
    if (source.output === -1) {
      // Behind a gap: a new place at the end.
      source.output = outputs.length
      output(source.output).inputs.push(from)
    }
    const begin = output(source.output)
    begin.start = Math.max(begin.start, tokens.startOffsets[i] as number)
    source.tokens.push(i)
    const target = input(to)
    if (source.output + 1 > target.output) {
      if (target.output !== -1) {
        const { inputs: left } = output(target.output)
        left.splice(left.indexOf(to), 1)
      }
      target.output = source.output + 1
      output(target.output).inputs.push(to)
    }
    const finish = output(target.output)
    const end = tokens.endOffsets[i] as number
    if (finish.end === -1 || end < finish.end) finish.end = end
  }
}
