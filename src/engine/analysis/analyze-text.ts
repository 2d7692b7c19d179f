import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { type AnalysisComponents, linkChain, type PartKind } from './analysis-components.ts'
import type { Analyzer, AnalyzerChain, ShownAttribute, TokenFilter } from './analyzer.ts'
import { ChainAnalyzer, tokenizeFiltered } from './chain-analyzer.ts'
import type { FlatAnalysisSettings } from './component-settings.ts'
import { mayNormalize, NORMALIZER_CHAR_FILTERS } from './normalizer-parts.ts'
import { analyzeUpTo, TokenBuffer } from './token-buffer.ts'

/** A part of `_analyze`'s own chain: a name, or an object with `type` and settings as in an index. */
export type PartReference = string | Readonly<Record<string, unknown>>

/**
 * What `_analyze` is asked. Either an analyzer or normalizer, or a chain of its own; nothing at all is the default
 * analyzer. Which members go together is checked by whoever reads the request.
 */
export interface AnalyzeRequest {
  readonly texts: readonly string[]
  /** By name, or as a field's mapping has it. */
  readonly analyzer?: string | Analyzer
  readonly normalizer?: string
  /** Positions between texts, where a field says more than its analyzer. */
  readonly positionIncrementGap?: number
  readonly tokenizer?: PartReference
  readonly filters?: readonly PartReference[]
  readonly charFilters?: readonly PartReference[]
  /** Answer every stage. */
  readonly explain?: boolean
  /** With `explain`: only these attributes (names as shown, any case). */
  readonly attributes?: readonly string[]
  /** True without an index: errors say «global», and values of several texts stand side by side. */
  readonly global?: boolean
  /** `index.analyze.max_token_count`; 10000 where no index says otherwise. */
  readonly maxTokenCount?: number
  /** Called between texts, and before one that `isLarge` is analyzed further than a first part of it. @throws what is to end it */
  readonly goOn?: (isLarge: boolean) => void
}

/** A token as `_analyze` shows it. */
export interface AnalyzedToken {
  readonly token: string
  readonly startOffset: number
  readonly endOffset: number
  readonly type: string
  readonly position: number
  /** Shown without `explain` only when above 1. */
  readonly positionLength: number
  /** With `explain`: further attributes by name, in the order shown (`bytes`, `keyword`, `positionLength`, …). */
  readonly attributes?: Readonly<Record<string, unknown>>
}

/** Tokens after one stage of a chain. */
export interface AnalyzedStage {
  readonly name: string
  readonly tokens: readonly AnalyzedToken[]
}

/** What `_analyze` answers. */
export type AnalyzeResult =
  | { readonly kind: 'tokens'; readonly tokens: readonly AnalyzedToken[] }
  | { readonly kind: 'analyzer'; readonly analyzer: AnalyzedStage }
  | {
      readonly kind: 'chain'
      readonly charFilters: readonly { readonly name: string; readonly filteredTexts: readonly string[] }[]
      readonly tokenizer: AnalyzedStage
      readonly tokenFilters: readonly AnalyzedStage[]
    }

/** Analyzers that go by their class where no index names them. */
const CLASSES: Readonly<Record<string, string>> = { nori: 'org.apache.lucene.analysis.ko.KoreanAnalyzer' }

/** Positions between texts unless an analyzer says otherwise. */
const DEFAULT_GAP = 100

/**
 * Analyzes texts as `_analyze` does.
 *
 * @throws {ServiceError} illegal_argument_exception for a part that cannot be found or made, or too many tokens
 */
export function analyzeText(components: AnalysisComponents, request: AnalyzeRequest): AnalyzeResult {
  const analyzer = findAnalyzer(components, request)
  const chain = analyzer instanceof ChainAnalyzer ? analyzer.chain : undefined
  const gap = gapOf(components, request, analyzer)
  const hidesFrequency = chain?.tokenizer.hidesFrequency === true
  const walk = (attributesOf: TokenFilter[] | undefined, analyze: (text: string) => TokenBuffer) =>
    collect(request, gap, analyze, attributesOf === undefined ? undefined : shownBy(attributesOf, hidesFrequency))
  if (request.explain !== true) return { kind: 'tokens', tokens: walk(undefined, (text) => analyzer.analyze(text)) }
  if (chain?.names === undefined) {
    const tokens = walk([...(chain?.tokenFilters ?? [])], (text) => analyzer.analyze(text))
    // An index's own is called so, whatever it is.
    const isDefault =
      request.global !== true && (request.analyzer ?? 'default') === 'default' && request.normalizer === undefined
    const name = (request.global === true ? CLASSES[analyzer.name] : undefined) ?? analyzer.name
    return { kind: 'analyzer', analyzer: { name: isDefault ? 'default' : name, tokens } }
  }
  const { names } = chain
  const buffer = new TokenBuffer()
  const upTo = (count: number) => (text: string) => {
    tokenizeFiltered(text, chain.charFilters, chain.tokenizer, buffer)
    for (const filter of chain.tokenFilters.slice(0, count)) filter.filter(buffer)
    return buffer
  }
  return {
    kind: 'chain',
    charFilters: names.charFilters.map((name, i) => ({
      name,
      filteredTexts: request.texts.map((text) =>
        chain.charFilters.slice(0, i + 1).reduce((filtered, filter) => filter.filter(filtered).text, text),
      ),
    })),
    tokenizer: { name: names.tokenizer, tokens: walk([], upTo(0)) },
    tokenFilters: names.tokenFilters.map((name, i) => ({
      name,
      tokens: walk(chain.tokenFilters.slice(0, i + 1), upTo(i + 1)),
    })),
  }
}

/** Positions between texts. A chain that is asked for has its own since 7.x, unless it is explained; normalizers have none. */
function gapOf({ engineVersion }: AnalysisComponents, request: AnalyzeRequest, analyzer: Analyzer): number {
  const isOwn = request.analyzer === undefined && hasParts(request)
  if (isOwn) {
    const hasGap = engineVersion !== 'Elasticsearch_6.8' && request.explain !== true
    return hasGap ? DEFAULT_GAP : 0
  }
  if (request.global === true || request.normalizer !== undefined) return 0
  return request.positionIncrementGap ?? analyzer.positionIncrementGap
}

function hasParts(request: AnalyzeRequest): boolean {
  return request.tokenizer !== undefined || (request.filters?.length ?? 0) > 0 || (request.charFilters?.length ?? 0) > 0
}

function findAnalyzer(components: AnalysisComponents, request: AnalyzeRequest): Analyzer {
  const { analyzer, normalizer } = request
  const global = request.global === true ? 'global ' : ''
  if (typeof analyzer === 'object') return analyzer
  if (analyzer !== undefined) {
    const isNamed = analyzer !== 'default_search' || components.hasOwnAnalyzer(analyzer) || isSixOf(components, request)
    const found = isNamed ? components.analyzer(analyzer) : undefined
    if (found === undefined) throw illegalArgument(`failed to find ${global}analyzer [${analyzer}]`)
    return found
  }
  if (hasParts(request)) return new ChainAnalyzer('', ownChain(components, request), 0)
  if (normalizer !== undefined) {
    const found = components.normalizer(normalizer)
    if (found === undefined) throw illegalArgument(`failed to find normalizer under [${normalizer}]`)
    return found
  }
  // Without an index nothing is a default of its own.
  return components.analyzer(request.global === true ? 'standard' : 'default') as Analyzer
}

/** 6.8 takes an index' default for one of searches. */
function isSixOf({ engineVersion }: AnalysisComponents, request: AnalyzeRequest): boolean {
  return engineVersion === 'Elasticsearch_6.8' && request.global !== true
}

function ownChain(components: AnalysisComponents, request: AnalyzeRequest): AnalyzerChain {
  const scope = request.global === true ? 'global ' : ''
  const isSix = components.engineVersion === 'Elasticsearch_6.8'
  const find = <K extends PartKind>(kind: K, label: string, anonymous: string, reference: PartReference) => {
    if (typeof reference === 'string') {
      const part = components.partByName(kind, reference, request.global === true)
      if (part === undefined) throw illegalArgument(`failed to find ${scope}${label} under [${reference}]`)
      return { part, name: reference, type: components.typeOf(kind, reference) }
    }
    const settings = flatten(reference)
    const { type } = settings
    if (typeof type !== 'string')
      throw illegalArgument(
        `Missing [type] setting for anonymous ${label}: ${JSON.stringify(reference, (_, value) => (value !== null && typeof value === 'object' ? value : String(value)))}`,
      )
    // What stands ready is made for the version of an index, which there is none of.
    if (!isSix && components.isReadyOnly(kind, type))
      throw new ServiceError(
        'illegal_state_exception',
        '[index.version.created] is not present in the index settings for index with UUID [null]',
      )
    const name = isSix ? `_anonymous_${anonymous}` : `__anonymous__${type}`
    const part = components.partOfType(kind, type, name, settings, request.global === true)
    if (part === undefined) throw illegalArgument(`failed to find global ${label} under [${type}]`)
    return { part, name, type }
  }
  // Later versions call the parts as settings do.
  const [charFilterLabel, filterLabel] = isSix ? ['char filter', 'token filter'] : ['char_filter', 'filter']
  const tokenizer =
    request.tokenizer === undefined ? undefined : find('tokenizer', 'tokenizer', 'tokenizer', request.tokenizer)
  const charFilters = (request.charFilters ?? []).map((r) => find('char_filter', charFilterLabel, 'charfilter', r))
  const filters = (request.filters ?? []).map((r) => find('filter', filterLabel, 'tokenfilter', r))
  if (tokenizer === undefined) {
    for (const { name, type } of charFilters)
      if (isSix && !NORMALIZER_CHAR_FILTERS.has(type))
        throw illegalArgument(`Custom normalizer may not use char filter [${name}]`)
    for (const { name, type } of filters)
      if (!mayNormalize(type)) throw illegalArgument(`Custom normalizer may not use filter [${name}]`)
  }
  const { part, name } = tokenizer ?? find('tokenizer', 'tokenizer', 'tokenizer', 'keyword')
  return linkChain({
    charFilters: charFilters.map((f) => f.part),
    tokenizer: part,
    tokenFilters: filters.map((f) => (isSix && tokenizer === undefined ? (f.part.forNormalizers ?? f.part) : f.part)),
    names: {
      charFilters: charFilters.map((f) => f.name),
      tokenizer: isSix && tokenizer === undefined ? 'keyword_for_normalizer' : name,
      tokenFilters: filters.map((f) => f.name),
    },
  })
}

/** Settings given as JSON, as an index would keep them. */
function flatten(definition: Readonly<Record<string, unknown>>, prefix = ''): FlatAnalysisSettings {
  const flat: Record<string, string | readonly string[] | null> = {}
  for (const [key, value] of Object.entries(definition)) {
    if (Array.isArray(value)) flat[prefix + key] = value.map(String)
    else if (value !== null && typeof value === 'object')
      Object.assign(flat, flatten(value as Readonly<Record<string, unknown>>, `${prefix}${key}.`))
    else flat[prefix + key] = value === null || value === undefined ? null : String(value)
  }
  return flat
}

function collect(
  request: AnalyzeRequest,
  gap: number,
  analyze: (text: string) => TokenBuffer,
  shown: ReadonlySet<ShownAttribute> | undefined,
): AnalyzedToken[] {
  const max = request.maxTokenCount ?? 10000
  const result: AnalyzedToken[] = []
  const wanted = request.attributes?.map((a) => a.toLowerCase())
  const goOn = () => request.goOn?.(true)
  let position = -1
  let offset = 0
  for (const [n, text] of request.texts.entries()) {
    if (n > 0) request.goOn?.(false)
    const tokens = analyzeUpTo(max - result.length, () => analyze(text), goOn)
    for (let i = 0; i < tokens.length; i++) {
      position += tokens.positionIncrements[i] as number
      if (result.length >= max) {
        throw new ServiceError(
          'illegal_state_exception',
          `The number of tokens produced by calling _analyze has exceeded the allowed maximum of [${max}]. This limit can be set by changing the [index.analyze.max_token_count] index level setting.`,
        )
      }
      result.push({
        token: tokens.terms[i] as string,
        startOffset: offset + (tokens.startOffsets[i] as number),
        endOffset: offset + (tokens.endOffsets[i] as number),
        type: tokens.types[i] as string,
        position,
        positionLength: tokens.positionLengths[i] as number,
        ...(shown === undefined ? {} : { attributes: attributesAt(tokens, i, shown, wanted) }),
      })
    }
    position += tokens.trailingPositionIncrement + gap
    offset += tokens.finalOffset + 1
  }
  return result
}

/** What is shown of tokens behind these filters. */
function shownBy(filters: readonly TokenFilter[], hidesFrequency: boolean): ReadonlySet<ShownAttribute> {
  const anew = filters.findLastIndex(({ makesAnew }) => makesAnew === true)
  const shown = new Set(filters.slice(Math.max(0, anew)).flatMap(({ attribute = [] }) => attribute))
  return hidesFrequency ? shown : shown.add('termFrequency')
}

function attributesAt(
  tokens: TokenBuffer,
  i: number,
  shown: ReadonlySet<ShownAttribute>,
  wanted: readonly string[] | undefined,
): Readonly<Record<string, unknown>> {
  const bytes = [...Buffer.from(tokens.terms[i] as string, 'utf8')].map((b) => b.toString(16)).join(' ')
  const all: Record<string, unknown> = { bytes: `[${bytes}]` }
  all['positionLength'] = tokens.positionLengths[i]
  if (shown.has('termFrequency')) all['termFrequency'] = 1
  if (shown.has('keyword')) all['keyword'] = tokens.keywords[i]
  if (shown.has('payload')) all['payload'] = null
  for (const values of Object.values(tokens.attributes[i] ?? {})) Object.assign(all, values)
  return Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => wanted === undefined || wanted.length === 0 || wanted.includes(name.toLowerCase()))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
