import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { Analyzer, AnalyzerChain, CharFilter, TokenFilter, Tokenizer } from './analyzer.ts'
import { ANALYZER_TYPES } from './analyzer-types.ts'
import { ChainAnalyzer } from './chain-analyzer.ts'
import { CHAR_FILTER_TYPES, CHAR_FILTERS_WITH_SETTINGS, READY_CHAR_FILTERS } from './char-filter-types.ts'
import { ComponentSettings, type FlatAnalysisSettings } from './component-settings.ts'
import type { AnalyzerFactory, FactoryContext } from './factories.ts'
import type { IndexAnalyzers } from './index-analyzers.ts'
import { mayNormalize, NORMALIZER_CHAR_FILTERS } from './normalizer-parts.ts'
import { searchOnlyRefused } from './search-only.ts'
import {
  READY_TOKEN_FILTERS,
  TOKEN_FILTER_PRESETS,
  TOKEN_FILTER_TYPES,
  TOKEN_FILTERS_WITH_SETTINGS,
} from './token-filter-types.ts'
import type { CompileTokenScript } from './token-scripts.ts'
import { TOKENIZER_PRESETS, TOKENIZER_TYPES } from './tokenizer-types.ts'
import { lacksType, newFilterName } from './types-by-version.ts'

/** What every factory is told beside its own settings. */
export interface AnalysisOptions {
  readonly engineVersion: EngineVersion
  /** Folder that `…_path` settings are relative to. */
  readonly configDir?: string
  /** Compiles scripts about tokens, which filters of the settings may have. */
  readonly compileTokenScript?: CompileTokenScript
  /** True for an index that is there already: it keeps what an earlier build took and this one refuses. */
  readonly isStored?: boolean
}

/** A kind of component that chains are made of. */
export type PartKind = 'tokenizer' | 'filter' | 'char_filter'

type Kind = PartKind | 'analyzer' | 'normalizer'
type Part<K extends PartKind> = K extends 'tokenizer' ? Tokenizer : K extends 'filter' ? TokenFilter : CharFilter

/** What there is of a kind. */
interface Registry {
  readonly types: Readonly<Record<string, (context: FactoryContext) => unknown>>
  /** Settings of built-ins that differ from their type's. */
  readonly presets: Readonly<Record<string, FlatAnalysisSettings>>
  /** Types that cannot do without settings. */
  readonly withSettings: ReadonlySet<string>
  /** Built-ins that are no types. */
  readonly readyOnly: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()
const PARTS: Readonly<Record<PartKind, Registry>> = {
  tokenizer: { types: TOKENIZER_TYPES, presets: TOKENIZER_PRESETS, withSettings: NONE, readyOnly: NONE },
  filter: {
    types: TOKEN_FILTER_TYPES,
    presets: TOKEN_FILTER_PRESETS,
    withSettings: TOKEN_FILTERS_WITH_SETTINGS,
    readyOnly: READY_TOKEN_FILTERS,
  },
  char_filter: {
    types: CHAR_FILTER_TYPES,
    presets: {},
    withSettings: CHAR_FILTERS_WITH_SETTINGS,
    readyOnly: READY_CHAR_FILTERS,
  },
}

/** The components of an index's settings, and the built-in ones; each made when first asked for. */
export class AnalysisComponents implements IndexAnalyzers {
  readonly #settings: FlatAnalysisSettings
  readonly #options: AnalysisOptions
  readonly #own: Record<Kind, Set<string>> = {
    analyzer: new Set(),
    normalizer: new Set(),
    tokenizer: new Set(),
    filter: new Set(),
    char_filter: new Set(),
  }
  readonly #made = new Map<string, unknown>()

  /** @param settings  flat, `index.analysis.*`; the rest is passed over */
  constructor(settings: FlatAnalysisSettings, options: AnalysisOptions) {
    this.#settings = settings
    this.#options = options
    for (const [key, value] of Object.entries(settings)) {
      if (value === null && options.isStored === true) continue
      const group = /^(index\.analysis\.(?:analyzer|normalizer|tokenizer|filter|char_filter)\.)[^.]+$/.exec(key)
      if (group !== null) {
        throw new ServiceError(
          'settings_exception',
          `Failed to get setting group for [${group[1]}] setting prefix and setting [${key}] because of a missing '.'`,
        )
      }
      const match = /^index\.analysis\.(analyzer|normalizer|tokenizer|filter|char_filter)\.([^.]+)\./.exec(key)
      // One that is nothing but nulls is there too, and lacks what it needs.
      if (match !== null) this.#own[match[1] as Kind].add(match[2] as string)
    }
  }

  get engineVersion(): EngineVersion {
    return this.#options.engineVersion
  }

  /** Makes all components the settings name, and so finds what is wrong with them. */
  makeOwn(): void {
    for (const name of this.#own.char_filter) this.charFilter(name)
    for (const name of this.#own.tokenizer) this.tokenizer(name)
    for (const name of this.#own.filter) this.tokenFilter(name)
    for (const name of this.#own.analyzer) {
      if (name.startsWith('_')) throw illegalArgument(`analyzer name must not start with '_'. got "${name}"`)
      if (this.engineVersion === 'Elasticsearch_6.8' && this.#context('analyzer', name).settings.has('alias'))
        throw illegalArgument(`setting [index.analysis.analyzer.${name}.alias] is not supported`)
      const analyzer = this.analyzer(name)
      // Later versions try each once, and so refuse here what 6.8 refuses when it is used.
      if (this.engineVersion !== 'Elasticsearch_6.8' && this.#options.isStored !== true) analyzer?.analyze('')
    }
    for (const name of this.#own.normalizer) this.normalizer(name)
    const searchOnly = this.analyzer('default')?.searchOnly
    if (searchOnly !== undefined && this.#options.isStored !== true)
      throw searchOnlyRefused('default', searchOnly, 'all')
    if (this.#own.analyzer.has('default_index')) {
      const setting = 'index.analysis.analyzer.default'
      const index = this.#settings['index.provided_name']
      // A template is of no index.
      const where = index === undefined ? '' : ` for index [${index}]`
      throw illegalArgument(`setting [${setting}_index] is not supported anymore, use [${setting}] instead${where}`)
    }
  }

  /** Whether the index' settings have an analyzer of that name. */
  hasOwnAnalyzer(name: string): boolean {
    return this.#own.analyzer.has(name)
  }

  analyzer(name: string): Analyzer | undefined {
    return this.#remember('analyzer', name, () => {
      if (!this.#own.analyzer.has(name)) {
        if (name === 'default') return ANALYZER_TYPES['standard']?.(this.#context('analyzer', name))
        if (name === 'default_search') return this.analyzer('default')
        return this.#analyzerType(name)?.(this.#context('analyzer', name))
      }
      const context = this.#context('analyzer', name)
      const type = context.settings.text('type') ?? (context.settings.has('tokenizer') ? 'custom' : undefined)
      if (type === undefined)
        throw illegalArgument(`analyzer [${name}] must specify either an analyzer type, or a tokenizer`)
      if (type === 'custom') return this.#custom(name, context.settings)
      const factory = type === 'classic' ? undefined : this.#analyzerType(type)
      if (factory === undefined) throw illegalArgument(`Unknown analyzer type [${type}] for [${name}]`)
      return factory(context)
    })
  }

  normalizer(name: string, tokenizer: 'keyword' | 'whitespace' = 'keyword'): Analyzer | undefined {
    return this.#remember('normalizer', `${tokenizer} ${name}`, () => {
      const chain = (charFilters: readonly string[], filters: readonly string[]): Analyzer =>
        this.#normalizing(name, charFilters, filters, tokenizer)
      if (!this.#own.normalizer.has(name))
        return name === 'lowercase' && this.engineVersion !== 'Elasticsearch_6.8' ? chain([], [name]) : undefined
      const { settings } = this.#context('normalizer', name)
      const type = settings.text('type')
      if (type === 'lowercase' && this.engineVersion !== 'Elasticsearch_6.8') return chain([], [type])
      if (type !== undefined && type !== 'custom')
        throw illegalArgument(`Unknown normalizer type [${type}] for [${name}]`)
      if (settings.has('tokenizer')) throw illegalArgument(`Custom normalizer [${name}] cannot configure a tokenizer`)
      return chain(settings.list('char_filter') ?? [], settings.list('filter') ?? [])
    })
  }

  tokenizer(name: string): Tokenizer | undefined {
    return this.#remember('tokenizer', name, () => this.#part('tokenizer', name))
  }

  tokenFilter(name: string): TokenFilter | undefined {
    return this.#remember('filter', name, () => this.#part('filter', name))
  }

  charFilter(name: string): CharFilter | undefined {
    return this.#remember('char_filter', name, () => this.#part('char_filter', name))
  }

  /** Type of a component: what the settings say, or the built-in's own name. */
  typeOf(kind: PartKind, name: string): string {
    return this.#own[kind].has(name) ? this.#context(kind, name).settings.text('type', '') : name
  }

  /**
   * A component as `_analyze` finds it by name: the index's own, or the type of that name with default settings
   * (which for a few types differs from the built-in of the same name). Later versions look for the built-in first
   * where no index is named (`global`).
   *
   * @throws {ServiceError} illegal_argument_exception for a type that cannot do without settings
   */
  partByName<K extends PartKind>(kind: K, name: string, global: boolean): Part<K> | undefined {
    if (this.#own[kind].has(name)) return this.#find(kind, name)
    const isSix = this.engineVersion === 'Elasticsearch_6.8'
    const isNamed = this.#preset(kind, name) !== undefined || newFilterName(name, this.engineVersion) !== undefined
    if (global && isNamed && !isSix) return this.#find(kind, name)
    if (PARTS[kind].withSettings.has(name) && !this.#isMissing(kind, name))
      throw illegalArgument("Analysis settings required - can't instantiate analysis factory")
    return this.partOfType(kind, name, name, {}, global)
  }

  /** A component of a type with settings of its own; undefined for an unknown type. */
  partOfType<K extends PartKind>(
    kind: K,
    type: string,
    name: string,
    settings: FlatAnalysisSettings,
    global: boolean,
  ): Part<K> | undefined {
    return this.#isMissing(kind, type) ? undefined : this.#make(kind, type, name, settings, global)
  }

  /** Whether a type only stands ready under its own name. */
  isReadyOnly(kind: PartKind, type: string): boolean {
    return PARTS[kind].readyOnly.has(type)
  }

  /** In 6.8 `_analyze` has no synonym filters but those of an index. */
  #isMissing(kind: PartKind, type: string): boolean {
    return kind === 'filter' && /^synonym(?:_graph)?$/.test(type) && this.engineVersion === 'Elasticsearch_6.8'
  }

  /** @param global  of a part that `_analyze` names, whether no index is named; it finds others as it was found */
  #make<K extends PartKind>(
    kind: K,
    type: string,
    name: string,
    settings: FlatAnalysisSettings,
    global?: boolean,
  ): Part<K> | undefined {
    const types = PARTS[kind].types as Readonly<Record<string, (context: FactoryContext) => Part<K>>>
    if (!Object.hasOwn(types, type) || this.#lacks(kind, type)) return undefined
    const context = { ...this.#context(kind, name), settings: new ComponentSettings(settings, '', this.engineVersion) }
    if (global === undefined || this.engineVersion === 'Elasticsearch_6.8') return types[type]?.(context)
    const otherFilter = (part: string): TokenFilter => {
      const filter = this.partByName('filter', part, global)
      if (filter === undefined) throw illegalArgument(`failed to find ${global ? 'global ' : ''}filter under [${part}]`)
      return filter
    }
    return types[type]?.({ ...context, otherFilter })
  }

  #find<K extends PartKind>(kind: K, name: string): Part<K> | undefined {
    if (kind === 'tokenizer') return this.tokenizer(name) as Part<K> | undefined
    return (kind === 'filter' ? this.tokenFilter(name) : this.charFilter(name)) as Part<K> | undefined
  }

  #part<K extends PartKind>(kind: K, name: string): Part<K> | undefined {
    const { withSettings, readyOnly } = PARTS[kind]
    if (!this.#own[kind].has(name)) {
      const newName = kind === 'filter' ? newFilterName(name, this.engineVersion) : undefined
      if (newName !== undefined && this.#options.isStored !== true) throw refusedName(name, newName)
      const preset = this.#preset(kind, name)
      if (preset === undefined && withSettings.has(name)) return undefined
      return this.#make(kind, name, name, preset ?? {})
    }
    const type = this.typeOf(kind, name)
    const types = PARTS[kind].types as Readonly<Record<string, (context: FactoryContext) => Part<K>>>
    if (type === '') throw illegalArgument(`${kind} [${name}] must specify either an analyzer type, or a tokenizer`)
    const isKnown = Object.hasOwn(types, type) && !readyOnly.has(type) && !this.#lacks(kind, type)
    const factory = isKnown ? types[type] : undefined
    if (factory === undefined) throw illegalArgument(`Unknown ${kind} type [${type}] for [${name}]`)
    return factory(this.#context(kind, name))
  }

  #analyzerType(type: string): AnalyzerFactory | undefined {
    return Object.hasOwn(ANALYZER_TYPES, type) && !this.#lacks('analyzer', type) ? ANALYZER_TYPES[type] : undefined
  }

  #lacks(kind: Kind, type: string): boolean {
    return lacksType(kind, type, this.engineVersion, this.#options.isStored === true)
  }

  /** Settings of a built-in that are not its type's defaults; those of tokenizers are since 7.3. */
  #preset(kind: PartKind, name: string): FlatAnalysisSettings | undefined {
    const { presets } = PARTS[kind]
    if (kind === 'tokenizer' && this.engineVersion !== 'Elasticsearch_6.8') return undefined
    return Object.hasOwn(presets, name) ? presets[name] : undefined
  }

  #custom(name: string, settings: ComponentSettings): Analyzer {
    const tokenizerName = settings.text('tokenizer')
    if (tokenizerName === undefined)
      throw illegalArgument(`Custom Analyzer [${name}] must be configured with a tokenizer`)
    const missing = (kind: string, part: string) =>
      illegalArgument(`Custom Analyzer [${name}] failed to find ${kind} under name [${part}]`)
    const tokenizer = this.tokenizer(tokenizerName)
    if (tokenizer === undefined) throw missing('tokenizer', tokenizerName)
    const charFilterNames = settings.list('char_filter') ?? []
    const filterNames = settings.list('filter') ?? []
    const charFilters = charFilterNames.map((part) => {
      const filter = this.charFilter(part)
      if (filter === undefined) throw missing('char_filter', part)
      return filter
    })
    const tokenFilters = filterNames.map((part) => {
      const filter = this.tokenFilter(part)
      if (filter === undefined) throw missing('filter', part)
      return filter
    })
    const names = { charFilters: charFilterNames, tokenizer: tokenizerName, tokenFilters: filterNames }
    const normalizer = this.#normalizing(
      name,
      charFilterNames.filter((part) => NORMALIZER_CHAR_FILTERS.has(this.typeOf('char_filter', part))),
      filterNames.filter((part) => mayNormalize(this.typeOf('filter', part))),
    )
    const gap = settings.integer('position_increment_gap', 100)
    const chain = linkChain({ charFilters, tokenizer, tokenFilters, names, normalizer })
    return new ChainAnalyzer(name, chain, gap, this.#updateable(filterNames))
  }

  /** Those of an analyzer's filters that may be read anew; 6.8 has none. */
  #updateable(filterNames: readonly string[]): readonly string[] {
    if (this.engineVersion === 'Elasticsearch_6.8') return []
    return filterNames.filter((part) => {
      const { settings } = this.#context('filter', part)
      return /^synonym(?:_graph)?$/.test(settings.text('type', '')) && settings.boolean('updateable', false)
    })
  }

  #normalizing(
    name: string,
    charFilterNames: readonly string[],
    filterNames: readonly string[],
    tokenizer = 'keyword',
  ): Analyzer {
    const charFilters = charFilterNames.map((part) => {
      const filter = this.charFilter(part)
      if (filter === undefined)
        throw illegalArgument(`Custom normalizer [${name}] failed to find char_filter under name [${part}]`)
      if (!NORMALIZER_CHAR_FILTERS.has(this.typeOf('char_filter', part)))
        throw illegalArgument(`Custom normalizer [${name}] may not use char filter [${part}]`)
      return filter
    })
    const tokenFilters = filterNames.map((part) => {
      const filter = this.tokenFilter(part)
      if (filter === undefined)
        throw illegalArgument(`Custom Analyzer [${name}] failed to find filter under name [${part}]`)
      const type = this.typeOf('filter', part)
      // An earlier build took patterns here.
      if (!mayNormalize(type) && !(type === 'pattern_replace' && this.#options.isStored === true))
        throw illegalArgument(`Custom normalizer [${name}] may not use filter [${part}]`)
      return filter.forNormalizers ?? filter
    })
    const names = { charFilters: charFilterNames, tokenizer, tokenFilters: filterNames }
    const parts = { charFilters, tokenizer: this.tokenizer(tokenizer) as Tokenizer, tokenFilters }
    // The built-in one does not tell what it is made of.
    const isOwn = this.#own.normalizer.has(name)
    return new ChainAnalyzer(name, linkChain(isOwn ? { ...parts, names } : parts), 0)
  }

  #context(kind: Kind, name: string): FactoryContext {
    return {
      name,
      settings: new ComponentSettings(this.#settings, `index.analysis.${kind}.${name}.`, this.#options.engineVersion),
      engineVersion: this.#options.engineVersion,
      configDir: this.#options.configDir,
      isStored: this.#options.isStored === true,
      compileTokenScript: this.#options.compileTokenScript,
      otherFilter: (name) => this.tokenFilter(name),
      indexSetting: (name, fallback) => Number(this.#settings[`index.${name}`] ?? fallback),
      analyzers: this,
    }
  }

  #remember<T>(kind: Kind, name: string, make: () => T | undefined): T | undefined {
    const key = `${kind} ${name}`
    if (this.#made.has(key)) return this.#made.get(key) as T | undefined
    const made = make()
    this.#made.set(key, made)
    return made
  }
}

function refusedName(name: string, newName: string): ServiceError {
  return illegalArgument(
    `The [${name}] token filter name was deprecated in 6.4 and cannot be used in new indices. Please change the filter name to [${newName}] instead.`,
  )
}

/** Lets filters that depend on their place see what stands before them. */
export function linkChain(chain: AnalyzerChain): AnalyzerChain {
  const tokenFilters: TokenFilter[] = []
  for (const filter of chain.tokenFilters)
    tokenFilters.push(filter.behind?.({ ...chain, tokenFilters: tokenFilters.slice() }) ?? filter)
  return { ...chain, tokenFilters }
}
