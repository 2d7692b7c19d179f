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
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import type { JsonValue } from '../parse-json.ts'
import { bodyObject, type EndpointRequest, isObject, tokenName } from '../rest-request.ts'
import { validationFailed } from './document-parameters.ts'
import { singleIndex } from './index-names.ts'
import { fromShard } from './remote-transport.ts'

const KEYS = new Set([
  'text',
  'analyzer',
  'tokenizer',
  'filter',
  'char_filter',
  'field',
  'normalizer',
  'explain',
  'attributes',
])

/** `GET|POST [/<index>]/_analyze`. */
export const indicesAnalyze: EndpointHandler = (request, context) => {
  const body = { ...fromParameters(request), ...bodyObject(request) }
  for (const [key, value] of Object.entries(body)) {
    if (!KEYS.has(key)) throw wrongParameter(key, value)
  }
  const texts = textsOf(body['text'])
  if (texts.length === 0) throw validationFailed(['text is missing'])
  const name = request.path['index'] ?? request.parameters.text('index')
  const index = name === undefined ? undefined : singleIndex(request, context, name, '_analyze')
  const ofShard = <T>(run: () => T): T => {
    try {
      return run()
    } catch (error) {
      throw fromShard(error, 'indices:admin/analyze[s]', request, context)
    }
  }
  const analyzer = ofShard(() => analyzerOf(body, index, context))
  const tokenizer = partOf('tokenizer', body['tokenizer'])
  const attributes = body['attributes'] === undefined ? undefined : textsOf(body['attributes'])
  const analyze: AnalyzeRequest = {
    texts,
    explain: body['explain'] === true || body['explain'] === 'true',
    global: index === undefined,
    maxTokenCount: Number(
      index?.settings['index.analyze.max_token_count'] ?? (request.dialect.typed ? Number.MAX_SAFE_INTEGER : 10_000),
    ),
    ...(analyzer === undefined ? {} : { analyzer }),
    ...(body['normalizer'] === undefined ? {} : { normalizer: String(body['normalizer']) }),
    ...(tokenizer === undefined ? {} : { tokenizer }),
    ...(body['filter'] === undefined ? {} : { filters: partsOf('filter', body['filter']) }),
    ...(body['char_filter'] === undefined ? {} : { charFilters: partsOf('char_filter', body['char_filter']) }),
    ...(attributes === undefined ? {} : { attributes }),
  }
  return { status: 200, json: render(ofShard(() => analyzeText(componentsOf(index, context), analyze))) }
}

/** The analyzers that the index works with, or the built-in ones. */
function componentsOf(index: IndexMetadata | undefined, { engine }: RestContext): AnalysisComponents {
  const analyzers = index === undefined ? undefined : engine.mapping(index.name).analyzers
  return analyzers instanceof AnalysisComponents
    ? analyzers
    : new AnalysisComponents({}, { engineVersion: engine.version })
}

function analyzerOf(
  body: { readonly [name: string]: JsonValue },
  index: IndexMetadata | undefined,
  context: RestContext,
): string | Analyzer | undefined {
  const path = body['field']
  if (path === undefined || body['analyzer'] !== undefined)
    return body['analyzer'] === undefined ? undefined : String(body['analyzer'])
  if (index === undefined) {
    throw new ServiceError(
      'illegal_argument_exception',
      'No index provided, and trying to analyzer based on a specific field which requires the index parameter',
    )
  }
  const field = context.engine.mapping(index.name).field(String(path))
  if (field === undefined) return undefined
  if (field.kind === 'text') return field.analyzer
  if (field.kind === 'keyword') return field.normalizer ?? 'keyword'
  throw new ServiceError(
    'illegal_argument_exception',
    `Can't process field [${String(path)}], Analysis requests are only supported on tokenized fields`,
  )
}

/** What older clients write into the query string. */
function fromParameters({ parameters }: EndpointRequest): { [name: string]: JsonValue } {
  const out: { [name: string]: JsonValue } = {}
  for (const name of ['text', 'analyzer', 'tokenizer', 'field', 'normalizer', 'explain']) {
    const value = parameters.text(name)
    if (value !== undefined) out[name] = value
  }
  for (const name of ['filter', 'char_filter', 'attributes']) {
    const list = parameters.list(name)
    if (list !== undefined) out[name] = [...list]
  }
  return out
}

function textsOf(value: JsonValue | undefined): string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map((part) => {
    if (part !== null && typeof part === 'object')
      throw new ServiceError('illegal_argument_exception', 'text array element should only contain text')
    return String(part)
  })
}

function partOf(name: string, value: JsonValue | undefined): PartReference | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' || isObject(value)) return value
  throw wrongParameter(name, value)
}

function partsOf(name: string, value: JsonValue): PartReference[] {
  return (Array.isArray(value) ? value : [value]).map((part) => partOf(name, part) as PartReference)
}

function wrongParameter(name: string, value: JsonValue): ServiceError {
  return new ServiceError(
    'illegal_argument_exception',
    `Unknown parameter [${name}] in request body or parameter is of the wrong type[${tokenName(value)}] `,
  )
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
    ...(token.positionLength > 1 && token.attributes === undefined ? { positionLength: token.positionLength } : {}),
    ...(token.attributes as { readonly [name: string]: Json } | undefined),
  }
}
