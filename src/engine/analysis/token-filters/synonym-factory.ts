import { illegalArgument } from '../../../illegal-argument.ts'
import type { AnalyzerChain, TokenFilter } from '../analyzer.ts'
import { tokenizeFiltered } from '../chain-analyzer.ts'
import type { TokenFilterFactory } from '../factories.ts'
import { TokenBuffer } from '../token-buffer.ts'
import { synonymFilter } from './synonym-filter.ts'
import { synonymGraphFilter } from './synonym-graph-filter.ts'
import { type RuleAnalyzer, SynonymMap } from './synonym-map.ts'

/** Makes a `synonym` or `synonym_graph` filter; its rules are analyzed with what stands before it in the chain. */
export const makeSynonyms =
  (type: 'synonym' | 'synonym_graph'): TokenFilterFactory =>
  ({ settings, configDir, engineVersion }) => {
    const isSix = engineVersion === 'Elasticsearch_6.8'
    // Later versions only warn of it.
    const ignoreCase = isSix && settings.boolean('ignore_case', false)
    const expand = settings.boolean('expand', true)
    const lenient = settings.boolean('lenient', false)
    const format = settings.text('format', '')
    if (!isSix) settings.boolean('updateable', false)
    const rules = once(() => {
      const lines = settings.fileLines('synonyms', configDir) ?? settings.list('synonyms')
      if (lines === undefined)
        throw illegalArgument('synonym requires either `synonyms` or `synonyms_path` to be configured')
      return lines
    })
    const identity: TokenFilter = { filter: () => {} }
    return {
      filter() {
        throw new TypeError('a synonym filter works in a chain only')
      },
      behind(chain) {
        const analyze = ruleAnalyzer(chain)
        const synonyms = new SynonymMap(rules(), {
          format,
          expand,
          lenient,
          engineVersion,
          analyze,
        })
        if (synonyms.isEmpty) return identity
        if (type === 'synonym_graph') return synonymGraphFilter(synonyms, ignoreCase)
        const filter = synonymFilter(synonyms)
        return { filter: (tokens) => filter.filter(tokens), forSynonyms: identity }
      },
    }
  }

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function ruleAnalyzer(chain: AnalyzerChain): RuleAnalyzer {
  const buffer = new TokenBuffer()
  const filters = chain.tokenFilters.map((filter) => filter.forSynonyms ?? filter)
  return (text) => {
    tokenizeFiltered(text, chain.charFilters, chain.tokenizer, buffer)
    for (const filter of filters) filter.filter(buffer)
    for (let i = 0; i < buffer.length; i++) {
      const term = buffer.terms[i] as string
      if (term === '') throw illegalArgument(`term: ${text} analyzed to a zero-length token`)
      const increment = buffer.positionIncrements[i]
      if (increment !== 1) {
        throw illegalArgument(
          `term: ${text} analyzed to a token (${term}) with position increment != 1 (got: ${increment})`,
        )
      }
    }
    if (buffer.length === 0) throw illegalArgument(`term: ${text} was completely eliminated by analyzer`)
    return buffer.terms.slice(0, buffer.length)
  }
}
