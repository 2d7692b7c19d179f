import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { Analyzer, CharFilter, TokenFilter, Tokenizer } from './analyzer.ts'
import { ANALYZER_TYPES } from './analyzer-types.ts'
import { ChainAnalyzer } from './chain-analyzer.ts'
import { CHAR_FILTER_TYPES } from './char-filter-types.ts'
import { ComponentSettings, type FlatAnalysisSettings } from './component-settings.ts'
import type { FactoryContext } from './factories.ts'
import type { IndexAnalyzers } from './index-analyzers.ts'
import { TOKEN_FILTER_TYPES, TOKEN_FILTERS_WITH_SETTINGS } from './token-filter-types.ts'
import { TOKENIZER_TYPES } from './tokenizer-types.ts'

/** What every factory is told beside its own settings. */
export interface AnalysisOptions {
  readonly engineVersion: EngineVersion
  /** Folder that `…_path` settings are relative to. */
  readonly configDir?: string
}

type Kind = 'analyzer' | 'normalizer' | 'tokenizer' | 'filter' | 'char_filter'

/** Filters and char filters a normalizer may use: those that work character by character. */
const NORMALIZER_FILTERS = new Set([
  'lowercase',
  'uppercase',
  'asciifolding',
  'decimal_digit',
  'elision',
  'cjk_width',
  'german_normalization',
  'scandinavian_folding',
  'scandinavian_normalization',
  'trim',
  'icu_folding',
  'icu_normalizer',
  'nfc',
  'nfkc',
  'nfkc_cf',
])
const NORMALIZER_CHAR_FILTERS = new Set(['mapping', 'pattern_replace', 'icu_normalizer', 'nfc', 'nfkc', 'nfkc_cf'])

/**
 * The analyzers of an index: its own (`index.analysis.*`, all made and so checked at once) and the built-in ones, made
 * when first asked for.
 *
 * @throws {ServiceError} illegal_argument_exception that names the component and what is wrong with it
 */
export function createIndexAnalyzers(settings: FlatAnalysisSettings, options: AnalysisOptions): IndexAnalyzers {
  const analyzers = new SettingsAnalyzers(settings, options)
  analyzers.makeOwn()
  return analyzers
}

class SettingsAnalyzers implements IndexAnalyzers {
  readonly #settings: FlatAnalysisSettings
  readonly #options: AnalysisOptions
  readonly #own: Record<Kind, Set<string>> = {
    analyzer: new Set(),
    normalizer: new Set(),
    tokenizer: new Set(),
    filter: new Set(),
    char_filter: new Set(),
  }
  readonly #analyzers = new Map<string, Analyzer | undefined>()
  readonly #normalizers = new Map<string, Analyzer | undefined>()
  readonly #tokenizers = new Map<string, Tokenizer | undefined>()
  readonly #filters = new Map<string, TokenFilter | undefined>()
  readonly #charFilters = new Map<string, CharFilter | undefined>()

  constructor(settings: FlatAnalysisSettings, options: AnalysisOptions) {
    this.#settings = settings
    this.#options = options
    for (const [key, value] of Object.entries(settings)) {
      const match = /^index\.analysis\.(analyzer|normalizer|tokenizer|filter|char_filter)\.([^.]+)\./.exec(key)
      if (match !== null && value !== null) this.#own[match[1] as Kind].add(match[2] as string)
    }
  }

  makeOwn(): void {
    for (const name of this.#own.char_filter) this.charFilter(name)
    for (const name of this.#own.tokenizer) this.tokenizer(name)
    for (const name of this.#own.filter) this.tokenFilter(name)
    for (const name of this.#own.analyzer) {
      if (name.startsWith('_'))
        throw new ServiceError('illegal_argument_exception', `analyzer name must not start with '_'. got "${name}"`)
      this.analyzer(name)
    }
    for (const name of this.#own.normalizer) this.normalizer(name)
  }

  analyzer(name: string): Analyzer | undefined {
    return remembered(this.#analyzers, name, () => {
      if (!this.#own.analyzer.has(name)) {
        if (name === 'default') return this.analyzer('standard')
        if (name === 'default_search' || name === 'default_search_quoted') return undefined
        return Object.hasOwn(ANALYZER_TYPES, name) ? ANALYZER_TYPES[name]?.(this.#context('analyzer', name)) : undefined
      }
      const context = this.#context('analyzer', name)
      const type = context.settings.text('type') ?? (context.settings.has('tokenizer') ? 'custom' : undefined)
      if (type === undefined)
        throw new ServiceError(
          'illegal_argument_exception',
          `analyzer [${name}] must specify either an analyzer type, or a tokenizer`,
        )
      if (type === 'custom') return this.#custom(name, context.settings)
      const factory = Object.hasOwn(ANALYZER_TYPES, type) ? ANALYZER_TYPES[type] : undefined
      if (factory === undefined)
        throw new ServiceError('illegal_argument_exception', `Unknown analyzer type [${type}] for [${name}]`)
      return factory(context)
    })
  }

  normalizer(name: string): Analyzer | undefined {
    return remembered(this.#normalizers, name, () => {
      if (!this.#own.normalizer.has(name)) {
        const lowercase = TOKEN_FILTER_TYPES['lowercase']
        if (name !== 'lowercase' || lowercase === undefined) return undefined
        return keywordChain(name, [], [lowercase(this.#context('filter', 'lowercase'))])
      }
      const { settings } = this.#context('normalizer', name)
      const type = settings.text('type')
      if (type !== undefined && type !== 'custom')
        throw new ServiceError('illegal_argument_exception', `Unknown normalizer type [${type}] for [${name}]`)
      if (settings.has('tokenizer'))
        throw new ServiceError('illegal_argument_exception', `Custom normalizer [${name}] cannot configure a tokenizer`)
      const charFilters = (settings.list('char_filter') ?? []).map((f) => {
        const filter = this.charFilter(f)
        if (filter === undefined)
          throw new ServiceError(
            'illegal_argument_exception',
            `Custom normalizer [${name}] failed to find char_filter under name [${f}]`,
          )
        if (!NORMALIZER_CHAR_FILTERS.has(this.#typeOf('char_filter', f)))
          throw new ServiceError(
            'illegal_argument_exception',
            `Custom normalizer [${name}] may not use char filter [${f}]`,
          )
        return filter
      })
      const filters = (settings.list('filter') ?? []).map((f) => {
        const filter = this.tokenFilter(f)
        if (filter === undefined)
          throw new ServiceError(
            'illegal_argument_exception',
            `Custom normalizer [${name}] failed to find filter under name [${f}]`,
          )
        if (!NORMALIZER_FILTERS.has(this.#typeOf('filter', f)))
          throw new ServiceError('illegal_argument_exception', `Custom normalizer [${name}] may not use filter [${f}]`)
        return filter
      })
      return keywordChain(name, charFilters, filters)
    })
  }

  tokenizer(name: string): Tokenizer | undefined {
    return remembered(this.#tokenizers, name, () => this.#make('tokenizer', name, TOKENIZER_TYPES))
  }

  tokenFilter(name: string): TokenFilter | undefined {
    return remembered(this.#filters, name, () => this.#make('filter', name, TOKEN_FILTER_TYPES))
  }

  charFilter(name: string): CharFilter | undefined {
    return remembered(this.#charFilters, name, () => this.#make('char_filter', name, CHAR_FILTER_TYPES))
  }

  #make<T>(
    kind: 'tokenizer' | 'filter' | 'char_filter',
    name: string,
    types: Readonly<Record<string, (context: FactoryContext) => T>>,
  ): T | undefined {
    const own = this.#own[kind].has(name)
    if (!own && kind === 'filter' && TOKEN_FILTERS_WITH_SETTINGS.has(name)) return undefined
    const type = this.#typeOf(kind, name)
    const factory = Object.hasOwn(types, type) ? types[type] : undefined
    if (factory !== undefined) return factory(this.#context(kind, name))
    if (!own) return undefined
    const label = kind === 'char_filter' ? 'char_filter' : kind
    if (type === '')
      throw new ServiceError(
        'illegal_argument_exception',
        `${label} [${name}] must specify either an analyzer type, or a tokenizer`,
      )
    throw new ServiceError('illegal_argument_exception', `Unknown ${label} type [${type}] for [${name}]`)
  }

  #typeOf(kind: Kind, name: string): string {
    if (!this.#own[kind].has(name)) return name
    return this.#context(kind, name).settings.text('type', '')
  }

  #custom(name: string, settings: ComponentSettings): Analyzer {
    const tokenizerName = settings.text('tokenizer')
    if (tokenizerName === undefined)
      throw new ServiceError(
        'illegal_argument_exception',
        `Custom Analyzer [${name}] must be configured with a tokenizer`,
      )
    const tokenizer = this.tokenizer(tokenizerName)
    if (tokenizer === undefined)
      throw new ServiceError(
        'illegal_argument_exception',
        `Custom Analyzer [${name}] failed to find tokenizer under name [${tokenizerName}]`,
      )
    const charFilters = (settings.list('char_filter') ?? []).map((f) => {
      const filter = this.charFilter(f)
      if (filter === undefined)
        throw new ServiceError(
          'illegal_argument_exception',
          `Custom Analyzer [${name}] failed to find char_filter under name [${f}]`,
        )
      return filter
    })
    const tokenFilters = (settings.list('filter') ?? []).map((f) => {
      const filter = this.tokenFilter(f)
      if (filter === undefined)
        throw new ServiceError(
          'illegal_argument_exception',
          `Custom Analyzer [${name}] failed to find filter under name [${f}]`,
        )
      return filter
    })
    return new ChainAnalyzer(
      name,
      { charFilters, tokenizer, tokenFilters },
      settings.integer('position_increment_gap', 100),
    )
  }

  #context(kind: Kind, name: string): FactoryContext {
    return {
      name,
      settings: new ComponentSettings(this.#settings, `index.analysis.${kind}.${name}.`),
      engineVersion: this.#options.engineVersion,
      configDir: this.#options.configDir,
      analyzers: this,
    }
  }
}

function keywordChain(
  name: string,
  charFilters: readonly CharFilter[],
  tokenFilters: readonly TokenFilter[],
): Analyzer {
  const keyword = TOKENIZER_TYPES['keyword'] as () => Tokenizer
  return new ChainAnalyzer(name, { charFilters, tokenizer: keyword(), tokenFilters })
}

function remembered<T>(cache: Map<string, T | undefined>, name: string, make: () => T | undefined): T | undefined {
  if (cache.has(name)) return cache.get(name)
  const made = make()
  cache.set(name, made)
  return made
}
