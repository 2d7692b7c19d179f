import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { lowerCase } from '../unicode/lower-case.ts'

/** Analyzes one side of a rule into its words. @throws {ServiceError} illegal_argument_exception when it cannot be one */
export type RuleAnalyzer = (text: string) => readonly string[]

/** How rules are read. */
export interface SynonymOptions {
  readonly format: string
  /** Each of a line's words stands for all of them; otherwise all stand for the first. */
  readonly expand: boolean
  /** Rules that cannot be read are passed over. */
  readonly lenient: boolean
  readonly engineVersion: EngineVersion
  readonly analyze: RuleAnalyzer
}

/** What is known of a sequence of words. */
export interface SynonymNode {
  readonly next: Map<string, SynonymNode>
  /** Sequences that stand for the words up to here, in the order of the rules. */
  readonly outputs: (readonly string[])[]
  /** The words themselves stay too. */
  keepOriginal: boolean
}

const makeNode = (): SynonymNode => ({ next: new Map(), outputs: [], keepOriginal: false })

/** Rules by the words they apply to. */
export class SynonymMap {
  readonly root: SynonymNode = makeNode()
  readonly #options: SynonymOptions

  /** @throws {ServiceError} illegal_argument_exception «failed to build synonyms», its cause says why but in OpenSearch */
  constructor(rules: readonly string[], options: SynonymOptions) {
    this.#options = options
    try {
      if (options.format.toLowerCase() === 'wordnet') this.#readWordnet(rules)
      else for (const [i, rule] of rules.entries()) this.#readLine(rule, i + 1)
    } catch (cause) {
      if (!(cause instanceof ServiceError)) throw cause
      // OpenSearch does not say why.
      if (options.engineVersion === 'OpenSearch_2.19') throw illegalArgument('Failed to build synonyms')
      throw new ServiceError('illegal_argument_exception', 'failed to build synonyms', { cause })
    }
  }

  get isEmpty(): boolean {
    return this.root.next.size === 0
  }

  /** Follows a word. */
  static step(node: SynonymNode, term: string, ignoreCase: boolean): SynonymNode | undefined {
    return node.next.get(ignoreCase ? lowerCase(term) : term)
  }

  /** Solr's format: `a, b => c, d` or `a, b, c`. */
  #readLine(line: string, number: number): void {
    if (line === '' || line.startsWith('#')) return
    try {
      const sides = split(line, '=>')
      if (sides.length > 2) throw illegalArgument('more than one explicit mapping specified on the same line')
      const read = (side: string) => split(side, ',').map((text) => this.#analyze(unescapeText(text).trim()))
      if (sides.length === 2) {
        const inputs = read(sides[0] as string)
        const outputs = read(sides[1] as string)
        for (const input of inputs) for (const output of outputs) this.#add(input, output, false)
        return
      }
      const words = read(line)
      for (const [i, input] of words.entries()) {
        if (!this.#options.expand) this.#add(input, words[0] as readonly string[], false)
        else for (const [j, output] of words.entries()) if (i !== j) this.#add(input, output, true)
      }
    } catch (cause) {
      if (!(cause instanceof ServiceError)) throw cause
      throw new ServiceError('parse_exception', `Invalid synonym rule at line ${number}`, { cause })
    }
  }

  /** Prolog facts of WordNet: `s(100000001,1,'word',n,1,0).`; those of one number stand for each other. */
  #readWordnet(lines: readonly string[]): void {
    const isOlder = this.#options.engineVersion === 'Elasticsearch_6.8'
    let last = ''
    let words: (readonly string[])[] = []
    const flush = () => {
      if (words.length < 2) return
      for (const [i, input] of words.entries()) {
        if (!this.#options.expand) this.#add(input, words[0] as readonly string[], false)
        // Lucene 7 has each word stand for itself too, in the place of the original.
        else if (isOlder) for (const output of words) this.#add(input, output, false)
        else for (const [j, output] of words.entries()) if (i !== j) this.#add(input, output, true)
      }
    }
    for (const [i, line] of lines.entries()) {
      const id = line.slice(2, 11)
      if (id.length < 9) {
        throw new ServiceError('parse_exception', `Invalid synonym rule at line ${i + 1}`)
      }
      if (id !== last) {
        flush()
        words = []
      }
      try {
        const [start, end] = [line.indexOf("'") + 1, line.lastIndexOf("'")]
        if (end < start)
          throw new ServiceError(
            'string_index_out_of_bounds_exception',
            `begin ${start}, end ${end}, length ${line.length}`,
          )
        const text = line.slice(start, end).replaceAll("''", "'")
        words.push(this.#analyze(text))
      } catch (cause) {
        if (!(cause instanceof ServiceError)) throw cause
        throw new ServiceError('parse_exception', `Invalid synonym rule at line ${i + 1}`, { cause })
      }
      last = id
    }
    flush()
  }

  #analyze(text: string): readonly string[] {
    try {
      return this.#options.analyze(text)
    } catch (error) {
      if (this.#options.lenient && error instanceof ServiceError) return []
      throw error
    }
  }

  #add(input: readonly string[], output: readonly string[], keepOriginal: boolean): void {
    if (input.length === 0 || output.length === 0) return
    let node = this.root
    for (const word of input) {
      let next = node.next.get(word)
      if (next === undefined) {
        next = makeNode()
        node.next.set(word, next)
      }
      node = next
    }
    node.keepOriginal ||= keepOriginal
    const text = output.join('\0')
    if (!node.outputs.some((known) => known.join('\0') === text)) node.outputs.push(output)
  }
}

/** Cuts at a separator that no backslash stands before; empty parts are left out. */
function split(text: string, separator: string): readonly string[] {
  const parts: string[] = []
  let part = ''
  for (let i = 0; i < text.length; ) {
    if (text.startsWith(separator, i)) {
      if (part !== '') parts.push(part)
      part = ''
      i += separator.length
      continue
    }
    const width = text[i] === '\\' ? 2 : 1
    part += text.slice(i, i + width)
    i += width
  }
  if (part !== '') parts.push(part)
  return parts
}

function unescapeText(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1')
}
