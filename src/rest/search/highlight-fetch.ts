import { TokenBuffer } from '../../engine/analysis/token-buffer.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import { type HighlightTerms, highlightTerms } from '../../engine/highlight/highlight-terms.ts'
import { highlightPlain } from '../../engine/highlight/plain-highlighter.ts'
import { type HighlightFormat, highlightUnified } from '../../engine/highlight/unified-highlighter.ts'
import type { IndexSearcher, StoredDocument } from '../../engine/index/index-searcher.ts'
import type { FieldMapping } from '../../engine/mapping/field-mapping.ts'
import type { Query } from '../../engine/search/query.ts'
import { ServiceError } from '../../errors.ts'
import { valuesAt } from '../endpoints/stored-fields.ts'
import type { Json } from '../json/json-writer.ts'
import type { JsonValue } from '../parse-json.ts'
import { parseQuery } from '../query-dsl/parse-query.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { isObject, tokenName } from '../rest-request.ts'

/** What highlighting is told of the search it is part of. */
export interface HighlightContext {
  readonly query: Query
  readonly queries: QueryContext
  readonly engineVersion: EngineVersion
}

/** Options of `highlight`, of one field or of all. */
interface Options {
  readonly type?: string
  readonly preTags?: readonly string[]
  readonly postTags?: readonly string[]
  readonly fragmentSize?: number
  readonly numberOfFragments?: number
  readonly noMatchSize?: number
  readonly order?: string
  readonly boundaryScanner?: string
  readonly fragmenter?: string
  readonly requireFieldMatch?: boolean
  readonly query?: Query
}

interface FieldRequest {
  readonly pattern: string
  readonly options: Options
}

/** The `highlight` of a search: read once, applied to each hit. */
export class HighlightFetch {
  readonly #fields: readonly FieldRequest[]
  readonly #encode: (text: string) => string
  readonly #context: HighlightContext
  readonly #terms = new Map<FieldMapping, Map<Options, HighlightTerms>>()

  /** @throws {ServiceError} x_content_parse_exception, illegal_argument_exception */
  constructor(json: JsonValue, context: HighlightContext) {
    this.#context = context
    if (!isObject(json))
      throw new ServiceError('parsing_exception', `Unknown key for a ${tokenName(json)} in [highlight].`)
    const global = readOptions(json, context, GLOBAL_KEYS)
    this.#encode = json['encoder'] === 'html' ? escapeHtml : (text) => text
    this.#fields = readFields(json['fields'], context).map(({ pattern, options }) => ({
      pattern,
      options: { ...global, ...options },
    }))
  }

  /** Fragments by field; undefined when none has any. */
  highlight(searcher: IndexSearcher, document: StoredDocument): { readonly [field: string]: Json } | undefined {
    if (document.source === undefined) return undefined
    const source = JSON.parse(document.source.toString('utf8')) as Json
    const out: Record<string, Json> = {}
    for (const { pattern, options } of this.#fields) {
      for (const path of pattern.includes('*') ? searcher.mapping.matchFields(pattern) : [pattern]) {
        const field = searcher.mapping.field(path)
        if (field === undefined || (field.kind !== 'text' && field.kind !== 'keyword')) continue
        const fragments = this.#fragments(field, options, searcher, source)
        if (fragments.length > 0) out[path] = fragments
      }
    }
    return Object.keys(out).length === 0 ? undefined : out
  }

  /** What a field's text is looked through for: the same for every hit of an index. */
  #wanted(field: FieldMapping, options: Options, searcher: IndexSearcher): HighlightTerms {
    let byOptions = this.#terms.get(field)
    if (byOptions === undefined) {
      byOptions = new Map()
      this.#terms.set(field, byOptions)
    }
    let wanted = byOptions.get(options)
    if (wanted === undefined) {
      const scope = (options.requireFieldMatch ?? true) ? field : undefined
      wanted = highlightTerms(options.query ?? this.#context.query, scope, searcher.mapping)
      byOptions.set(options, wanted)
    }
    return wanted
  }

  #fragments(
    field: FieldMapping & { kind: 'text' | 'keyword' },
    options: Options,
    searcher: IndexSearcher,
    source: Json,
  ): string[] {
    const values = valuesOf(field, searcher, source)
    if (values.length === 0) return []
    const analyzer = field.kind === 'text' ? field.analyzer : (field.normalizer ?? WHOLE_VALUE)
    const wanted = this.#wanted(field, options, searcher)
    const format: HighlightFormat = {
      preTag: options.preTags?.[0] ?? '<em>',
      postTag: options.postTags?.[0] ?? '</em>',
      encode: this.#encode,
      fragmentSize: options.fragmentSize ?? 100,
      numberOfFragments: options.numberOfFragments ?? 5,
      noMatchSize: options.noMatchSize ?? 0,
      byScore: options.order === 'score',
      boundary: options.boundaryScanner === 'word' ? 'word' : 'sentence',
      fragmenter: options.fragmenter === 'simple' ? 'simple' : 'span',
    }
    return options.type === 'plain'
      ? highlightPlain(values, analyzer, wanted, format)
      : highlightUnified(values, analyzer, wanted, format)
  }
}

/** A keyword is one token. */
const WHOLE_VALUE = {
  name: 'keyword',
  positionIncrementGap: 0,
  analyze(text: string) {
    const tokens = new TokenBuffer()
    tokens.push(text, 0, text.length, 'word')
    return tokens
  },
}

/** Texts of a field in the source; a multi-field's are its parent's. */
function valuesOf(field: FieldMapping, searcher: IndexSearcher, source: Json): string[] {
  let path = field.path
  let values = valuesAt(source, path.split('.'))
  while (values.length === 0 && path.includes('.')) {
    path = path.slice(0, path.lastIndexOf('.'))
    if (searcher.mapping.field(path) === undefined) break
    values = valuesAt(source, path.split('.'))
  }
  return values.filter((v) => typeof v !== 'object').map(String)
}

const FIELD_KEYS = new Set([
  'type',
  'pre_tags',
  'post_tags',
  'fragment_size',
  'number_of_fragments',
  'no_match_size',
  'order',
  'boundary_scanner',
  'boundary_scanner_locale',
  'boundary_chars',
  'boundary_max_scan',
  'fragmenter',
  'require_field_match',
  'highlight_query',
  'force_source',
  'matched_fields',
  'phrase_limit',
  'fragment_offset',
  'highlight_filter',
  'options',
])
const GLOBAL_KEYS = new Set([...FIELD_KEYS, 'fields', 'encoder', 'tags_schema', 'use_explicit_field_order'])

const STYLED_TAGS = Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`)

function readOptions(
  json: { readonly [name: string]: JsonValue },
  context: HighlightContext,
  known: ReadonlySet<string>,
): Options {
  for (const key of Object.keys(json)) {
    if (!known.has(key))
      throw new ServiceError('x_content_parse_exception', `[highlight] unknown field [${key}], parser not found`)
  }
  const type = json['type'] === undefined ? undefined : String(json['type'])
  if (type === 'fvh' || type === 'fast-vector-highlighter') {
    throw new ServiceError(
      'illegal_argument_exception',
      'the highlighter [fvh] is not supported by this domain: use [unified] or [plain]',
    )
  }
  if (type !== undefined && type !== 'unified' && type !== 'plain') {
    throw new ServiceError('illegal_argument_exception', `unknown highlighter type [${type}]`)
  }
  for (const key of ['matched_fields', 'fragment_offset'] as const) {
    if (json[key] !== undefined)
      throw new ServiceError('illegal_argument_exception', `[${key}] of [highlight] is not supported by this domain`)
  }
  const scanner = json['boundary_scanner'] === undefined ? undefined : String(json['boundary_scanner']).toLowerCase()
  if (scanner !== undefined && !['sentence', 'word', 'chars'].includes(scanner)) {
    throw new ServiceError(
      'illegal_argument_exception',
      `No enum constant org.elasticsearch.search.fetch.subphase.highlight.HighlightBuilder.BoundaryScannerType.${scanner.toUpperCase()}`,
    )
  }
  const styled = json['tags_schema'] === 'styled'
  const preTags = texts(json['pre_tags']) ?? (styled ? STYLED_TAGS : undefined)
  const postTags = texts(json['post_tags']) ?? (styled ? ['</em>'] : undefined)
  if (preTags !== undefined && postTags === undefined)
    throw new ServiceError('parsing_exception', 'pre_tags are set but post_tags are not set')
  const out: { -readonly [K in keyof Options]: Options[K] } = {}
  if (type !== undefined) out.type = type
  if (preTags !== undefined) out.preTags = preTags
  if (postTags !== undefined) out.postTags = postTags
  if (json['fragment_size'] !== undefined) out.fragmentSize = Number(json['fragment_size'])
  if (json['number_of_fragments'] !== undefined) out.numberOfFragments = Number(json['number_of_fragments'])
  if (json['no_match_size'] !== undefined) out.noMatchSize = Number(json['no_match_size'])
  if (json['order'] !== undefined) out.order = String(json['order'])
  if (scanner !== undefined) out.boundaryScanner = scanner
  if (json['fragmenter'] !== undefined) out.fragmenter = String(json['fragmenter'])
  if (json['require_field_match'] !== undefined) out.requireFieldMatch = String(json['require_field_match']) !== 'false'
  if (json['highlight_query'] !== undefined) out.query = parseQuery(json['highlight_query'], context.queries)
  return out
}

function readFields(json: JsonValue | undefined, context: HighlightContext): FieldRequest[] {
  const parts = json === undefined ? [] : Array.isArray(json) ? json : [json]
  return parts.flatMap((part) => {
    if (!isObject(part))
      throw new ServiceError('parsing_exception', `Unknown key for a ${tokenName(part)} in [fields].`)
    return Object.entries(part).map(([pattern, options]) => {
      if (!isObject(options))
        throw new ServiceError(
          'x_content_parse_exception',
          `[highlight_field] Expected START_OBJECT but was: ${tokenName(options)}`,
        )
      return { pattern, options: readOptions(options, context, FIELD_KEYS) }
    })
  })
}

function texts(json: JsonValue | undefined): readonly string[] | undefined {
  if (json === undefined) return undefined
  return Array.isArray(json) ? json.map(String) : [String(json)]
}

const ENTITIES: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#x27;',
  '/': '&#x2F;',
}

/** Lucene's SimpleHTMLEncoder. */
function escapeHtml(text: string): string {
  return text.replace(/["&<>'/]/g, (char) => ENTITIES[char] as string)
}
