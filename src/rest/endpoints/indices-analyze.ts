import { AnalysisComponents } from '../../engine/analysis/analysis-components.ts'
import {
  type AnalyzedStage,
  type AnalyzedToken,
  type AnalyzeRequest,
  analyzeText,
  type PartReference,
} from '../../engine/analysis/analyze-text.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { tokenScripts } from '../../engine/token-script.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { notePartName, noteSynonyms } from '../deprecation/analysis-deprecations.ts'
import { noteGramSizes } from '../deprecation/gram-deprecations.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { fromShard } from '../errors/remote-transport.ts'
import { type AnalyzeBody, analyzeBody } from '../indices/analyze-body.ts'
import { readIndex } from '../indices/index-names.ts'
import type { Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { leaveLargeAnalysis } from '../turns/leave-large.ts'
import { type FieldDefinition, fieldsOf } from './indices-get-field-mapping.ts'

/** `GET|POST [/<index>]/_analyze`. */
export const indicesAnalyze: EndpointHandler = (request, context) => {
  const body = analyzeBody(request)
  const texts = textsOf(body['text'])
  const name = request.path['index'] ?? request.parameters.text('index')
  const index = name === undefined ? undefined : readIndex(request, context, name, '_analyze')
  const ofShard = <T>(run: () => T): T => {
    try {
      return run()
    } catch (error) {
      throw fromShard(error, 'indices:admin/analyze[s]', request, context)
    }
  }
  noteParts(body, index, request)
  const analyzer = ofShard(() => analyzerOf(body, index, request, context))
  const gap = analyzer === undefined || body['analyzer'] !== undefined ? undefined : gapOf(body['field'], index)
  const { tokenizer, filter, char_filter: charFilter, attributes } = body
  const analyze: AnalyzeRequest = {
    texts,
    goOn: (isLarge) => leaveLargeAnalysis(request, isLarge),
    explain: body['explain'] === true || body['explain'] === 'true',
    global: index === undefined,
    maxTokenCount: Number(
      index?.settings['index.analyze.max_token_count'] ?? (request.dialect.typed ? Number.MAX_SAFE_INTEGER : 10_000),
    ),
    ...(analyzer === undefined ? {} : { analyzer }),
    ...(gap === undefined ? {} : { positionIncrementGap: gap }),
    ...(body['normalizer'] === undefined ? {} : { normalizer: String(body['normalizer']) }),
    ...(tokenizer === undefined ? {} : { tokenizer: tokenizer as PartReference }),
    ...(filter === undefined ? {} : { filters: filter as PartReference[] }),
    ...(charFilter === undefined ? {} : { charFilters: charFilter as PartReference[] }),
    ...(attributes === undefined ? {} : { attributes: textsOf(attributes) }),
  }
  return { status: 200, json: render(ofShard(() => analyzeText(componentsOf(index, context), analyze))) }
}

/** Notes older names of what is asked for; an index' own analyzer has its built-in parts made anew. */
function noteParts(body: AnalyzeBody, index: IndexMetadata | undefined, { dialect, warnings }: EndpointRequest): void {
  const isSix = dialect.typed
  if (index === undefined && body['analyzer'] === 'standard_html_strip') warnings.note('asked_strip_analyzer')
  for (const kind of ['tokenizer', 'filter', 'char_filter'] as const)
    for (const part of [body[kind]].flat()) {
      const name = isObject(part) ? part['type'] : part
      // 6.x refuses them outside of settings.
      if (isObject(part) && !isSix) noteSynonyms(name, part['ignore_case'], warnings)
      if (isObject(part) && isSix) noteInlineGrams(kind, part, index, warnings)
      if (name === 'htmlStrip') warnings.note('asked_char_filter_name')
      if (isSix && kind === 'filter' && typeof part === 'string') noteOwnFilter(part, index, warnings)
      // Without an index the built-in filter is meant, which is refused.
      const isRefused = kind === 'filter' && index === undefined && !isObject(part) && !isSix
      if (typeof name === 'string' && !isRefused) notePartName(kind, name, warnings)
    }
  const name = `index.analysis.analyzer.${body['analyzer']}.`
  for (const kind of ['tokenizer', 'char_filter'] as const)
    for (const part of [index?.settings[name + kind]].flat()) notePartName(kind, String(part), warnings)
}

function noteInlineGrams(
  kind: string,
  part: { readonly [name: string]: JsonValue },
  index: IndexMetadata | undefined,
  warnings: EndpointRequest['warnings'],
): void {
  const path = `index.analysis.${kind}.inline.`
  const settings = Object.fromEntries(Object.entries(part).map(([name, value]) => [path + name, String(value)]))
  noteGramSizes(settings, index?.settings ?? {}, warnings)
}

/** What an index' own filter is made of, which 6.x makes anew for a chain. */
function noteOwnFilter(name: string, index: IndexMetadata | undefined, warnings: EndpointRequest['warnings']): void {
  const path = `index.analysis.filter.${name}.`
  const type = index?.settings[`${path}type`]
  if (type === undefined) return
  notePartName('filter', String(type), warnings)
  noteSynonyms(type, index?.settings[`${path}ignore_case`], warnings)
}

/** The analyzers that the index works with, or the built-in ones. */
function componentsOf(index: IndexMetadata | undefined, { engine }: RestContext): AnalysisComponents {
  const analyzers = index === undefined ? undefined : engine.mapping(index.name).analyzers
  return analyzers instanceof AnalysisComponents
    ? analyzers
    : new AnalysisComponents({}, { engineVersion: engine.version, compileTokenScript: tokenScripts(engine.version) })
}

/**
 * The analyzer that is asked for; undefined: a chain of its own, or the default. What is named goes before a field's, only
 * 6.x lets the field go before a named analyzer.
 */
function analyzerOf(
  body: AnalyzeBody,
  index: IndexMetadata | undefined,
  { dialect }: EndpointRequest,
  context: RestContext,
): string | Analyzer | undefined {
  const { field, analyzer, normalizer } = body
  const named = analyzer === undefined ? undefined : String(analyzer)
  if (field === undefined || (named !== undefined && !dialect.typed)) return named
  if (index === undefined) {
    const reason = dialect.typed
      ? 'No index provided, and trying to analyzer based on a specific field which requires the index parameter'
      : 'analysis based on a specific field requires an index'
    throw illegalArgument(reason)
  }
  const own = analyzerOfField(String(field), index, context)
  const hasParts = ['tokenizer', 'filter', 'char_filter'].some((name) => body[name] !== undefined)
  return normalizer !== undefined || hasParts ? undefined : (own ?? named)
}

/** Metadata whose values are no texts. */
const UNTOKENIZED: ReadonlySet<string> = new Set(['_id', '_index', '_field_names', '_version', '_seq_no'])

function analyzerOfField(path: string, index: IndexMetadata, context: RestContext): string | Analyzer | undefined {
  const field = context.engine.mapping(index.name).field(path)
  if (field === undefined && !UNTOKENIZED.has(path)) return undefined
  if (field?.kind === 'text') return isDefault(path, index) ? 'default' : field.analyzer
  if (field?.kind === 'keyword') return field.normalizer ?? keywordAnalyzer(index, context)
  throw illegalArgument(`Can't process field [${path}], Analysis requests are only supported on tokenized fields`)
}

/** Positions between values that a field's mapping asks for. */
function gapOf(path: JsonValue | undefined, index: IndexMetadata | undefined): number | undefined {
  const [definition] = Object.values(index?.mappings ?? {})
  if (definition === undefined || typeof path !== 'string') return undefined
  const gap = fieldsOf(definition as FieldDefinition).get(path)?.['position_increment_gap']
  return gap === undefined ? undefined : Number(gap)
}

/** Whether a text field has the index' own analyzer, which goes by its place. */
function isDefault(path: string, index: IndexMetadata): boolean {
  const [definition] = Object.values(index.mappings)
  const own = definition === undefined ? undefined : fieldsOf(definition as FieldDefinition).get(path)
  return own?.['type'] === 'text' && own['analyzer'] === undefined
}

/** What keywords without a normalizer are analyzed by. */
function keywordAnalyzer(index: IndexMetadata, context: RestContext): Analyzer {
  const keyword = componentsOf(index, context).analyzer('keyword') as Analyzer
  return {
    name: '_keyword',
    positionIncrementGap: 0,
    analyze: (text) => keyword.analyze(text),
  }
}

function textsOf(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).map(String)
}

function render(result: ReturnType<typeof analyzeText>): Json {
  switch (result.kind) {
    case 'tokens':
      return { tokens: result.tokens.map(renderToken) }
    case 'analyzer':
      return { detail: { custom_analyzer: false, analyzer: renderStage(result.analyzer) } }
    case 'chain':
      return {
        detail: {
          custom_analyzer: true,
          charfilters: result.charFilters.map(({ name, filteredTexts }) => ({ name, filtered_text: filteredTexts })),
          tokenizer: renderStage(result.tokenizer),
          tokenfilters: result.tokenFilters.map(renderStage),
        },
      }
  }
}

function renderStage(stage: AnalyzedStage): Json {
  return { name: stage.name, tokens: stage.tokens.map(renderToken) }
}

function renderToken(token: AnalyzedToken): Json {
  return {
    token: token.token,
    start_offset: token.startOffset,
    end_offset: token.endOffset,
    type: token.type,
    position: token.position,
    ...(token.positionLength > 1 && token.attributes?.['positionLength'] === undefined
      ? { positionLength: token.positionLength }
      : {}),
    ...(token.attributes as { readonly [name: string]: Json } | undefined),
  }
}
