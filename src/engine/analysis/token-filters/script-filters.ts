import { illegalArgument } from '../../../illegal-argument.ts'
import type { ShownAttribute, TokenFilter } from '../analyzer.ts'
import type { FactoryContext, TokenFilterFactory } from '../factories.ts'
import { TokenBuffer } from '../token-buffer.ts'
import type { TokenTest } from '../token-scripts.ts'
import { DroppingFilter } from './dropping-filter.ts'

function readTest({ settings, name, compileTokenScript }: FactoryContext): TokenTest {
  const source = settings.text('script.source')
  if (source === undefined) {
    if (settings.text('script.id') !== undefined)
      throw illegalArgument(`Cannot use stored scripts in tokenfilter [${name}]`)
    throw illegalArgument('must specify either [source] for an inline script or [id] for a stored script')
  }
  if (compileTokenScript === undefined) throw new TypeError(`no scripts for token filter [${name}]`)
  return compileTokenScript({ lang: settings.text('script.lang', 'painless'), source })
}

/** Makes a `predicate_token_filter`, which drops what a script does not say yes to. */
export const makePredicate: TokenFilterFactory = (context) => {
  const test = readTest(context)
  return {
    attribute: 'keyword',
    filter(tokens) {
      let position = -1
      new DroppingFilter((all, i) => {
        position += all.positionIncrements[i] as number
        return test(all, i, position)
      }).filter(tokens)
    },
  }
}

/** Makes a `condition`: filters, by their names, for the tokens that a script says yes to. */
export const makeCondition: TokenFilterFactory = (context) => {
  const { settings, name, otherFilter } = context
  const test = readTest(context)
  const names = settings.list('filter') ?? []
  if (names.length === 0) throw illegalArgument(`Empty list of filters provided to tokenfilter [${name}]`)
  return {
    filter() {
      throw new TypeError('a condition works in a chain only')
    },
    behind(chain) {
      const made: TokenFilter[] = []
      for (const part of names) {
        const filter = otherFilter(part)
        if (filter === undefined)
          throw illegalArgument(`ScriptedConditionTokenFilter [${name}] refers to undefined token filter [${part}]`)
        made.push(filter.behind?.({ ...chain, tokenFilters: [...chain.tokenFilters, ...made] }) ?? filter)
      }
      return new ConditionFilter(test, made)
    },
  }
}

/** Gives each run of tokens that pass a test to other filters, as if there were no others. @source Lucene, ConditionalTokenFilter */
class ConditionFilter implements TokenFilter {
  readonly #test: TokenTest
  readonly #filters: readonly TokenFilter[]
  readonly #run = new TokenBuffer()
  readonly #out = new TokenBuffer()

  readonly attribute: readonly ShownAttribute[]

  constructor(test: TokenTest, filters: readonly TokenFilter[]) {
    // Scripts are asked about keywords, whatever the filters know.
    this.attribute = ['keyword', ...filters.flatMap(({ attribute = [] }) => attribute)]
    this.#test = test
    this.#filters = filters
  }

  filter(tokens: TokenBuffer): void {
    const out = this.#out
    out.clear()
    let position = -1
    let skipped = 0
    for (let i = 0; i < tokens.length; ) {
      position += tokens.positionIncrements[i] as number
      if (!this.#test(tokens, i, position)) {
        out.append(tokens, i++)
        out.positionIncrements[out.length - 1] = (out.positionIncrements[out.length - 1] as number) + skipped
        skipped = 0
        continue
      }
      const from = i++
      let next = position + (tokens.positionIncrements[i] as number)
      while (i < tokens.length && this.#test(tokens, i, next)) {
        position = next
        next += tokens.positionIncrements[++i] as number
      }
      skipped = this.#filterRun(tokens, from, i, skipped)
    }
    tokens.replaceTokens(out)
    tokens.trailingPositionIncrement += skipped
  }

  /** @returns the positions that the run leaves behind its last token */
  #filterRun(tokens: TokenBuffer, from: number, to: number, skipped: number): number {
    const run = this.#run
    run.clear()
    run.finalOffset = tokens.finalOffset
    for (let i = from; i < to; i++) run.append(tokens, i)
    // A run begins with a step, even one that stacks on what stands before it.
    const isStacked = run.positionIncrements[0] === 0
    if (isStacked) run.positionIncrements[0] = 1
    for (const filter of this.#filters) filter.filter(run)
    const trailing = run.trailingPositionIncrement
    if (run.length === 0) return skipped + trailing - (isStacked ? 1 : 0)
    run.positionIncrements[0] = (run.positionIncrements[0] as number) + skipped - (isStacked ? 1 : 0)
    for (let i = 0; i < run.length; i++) this.#out.append(run, i)
    return trailing
  }
}
