import { ServiceError } from '../../../errors.ts'
import type { AnalyzerChain, TokenFilter } from '../analyzer.ts'
import type { TokenFilterFactory } from '../factories.ts'
import { TokenBuffer } from '../token-buffer.ts'
import { RewritingFilter } from './rewriting-filter.ts'
import { uniqueFilter } from './unique-filter.ts'

/**
 * Emits each token once for each chain of filters, at one position; repeated terms are dropped.
 *
 * @param chains  an empty chain keeps the token as it is
 * @source Elasticsearch, MultiplexerTokenFilterFactory: each filter sees one token at a time
 */
function multiplexerFilter(chains: readonly (readonly TokenFilter[])[]): TokenFilter {
  const one = new TokenBuffer()
  const copies = new RewritingFilter((tokens, out) => {
    for (let i = 0; i < tokens.length; i++) {
      for (const [c, chain] of chains.entries()) {
        one.clear()
        one.append(tokens, i)
        // What filters see begins with a step, even where it stacks on what stands before.
        const isStacked = c > 0 || one.positionIncrements[0] === 0
        if (isStacked && chain.length > 0) one.positionIncrements[0] = 1
        else if (isStacked) one.positionIncrements[0] = 0
        for (const filter of chain) filter.filter(one)
        if (isStacked && chain.length > 0 && one.length > 0)
          one.positionIncrements[0] = (one.positionIncrements[0] as number) - 1
        for (let k = 0; k < one.length; k++) out.append(one, k)
      }
    }
  })
  const unique = uniqueFilter(true)
  return {
    filter(tokens) {
      copies.filter(tokens)
      unique.filter(tokens)
    },
  }
}

/** Makes a `multiplexer` of filters named in the settings, each a name or several with commas between. */
export const makeMultiplexer: TokenFilterFactory = ({ settings, name, otherFilter }) => {
  const names = settings.list('filters', { whole: true }) ?? []
  const preserveOriginal = settings.boolean('preserve_original', true)
  const complain = (reason: string) => new ServiceError('illegal_argument_exception', reason)
  const find = (part: string): TokenFilter => {
    const filter = otherFilter(part)
    if (filter === undefined) throw complain(`Multiplexing filter [${name}] refers to undefined tokenfilter [${part}]`)
    return filter
  }
  return {
    filter() {
      throw new TypeError('a multiplexer works in a chain only')
    },
    behind(chain: AnalyzerChain): TokenFilter {
      const chains = names.map((entry) => {
        const parts = entry.split(',').map((part) => part.trim())
        const made: TokenFilter[] = []
        for (const part of parts) {
          if (part === '') continue
          const filter = find(part)
          made.push(filter.behind?.({ ...chain, tokenFilters: [...chain.tokenFilters, ...made] }) ?? filter)
        }
        return made
      })
      const filter = multiplexerFilter(preserveOriginal || chains.length === 0 ? [[], ...chains] : chains)
      const attribute = chains.flat().find((part) => part.attribute !== undefined)?.attribute
      return {
        filter: (tokens) => filter.filter(tokens),
        ...(attribute === undefined ? {} : { attribute }),
        get forSynonyms(): TokenFilter {
          if (preserveOriginal) return { filter: () => {} }
          throw complain(`Token filter [${name}] cannot be used to parse synonyms unless [preserve_original] is [true]`)
        },
      }
    },
  }
}
