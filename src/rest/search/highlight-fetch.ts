import { greatest } from '../../engine/algorithms/long-lists.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { TokenBuffer } from '../../engine/analysis/token-buffer.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import {
  highlightVectors,
  type VectorField,
  type VectorFormat,
} from '../../engine/highlight/fast-vector-highlighter.ts'
import { type HighlightTerms, highlightTerms, type RewritingIndex } from '../../engine/highlight/highlight-terms.ts'
import { highlightPlain, type PhraseHold } from '../../engine/highlight/plain-highlighter.ts'
import { type TextMatcher, textMatcher } from '../../engine/highlight/text-matcher.ts'
import { type HighlightFormat, highlightUnified } from '../../engine/highlight/unified-highlighter.ts'
import type { IndexSearcher, StoredDocument } from '../../engine/index/index-searcher.ts'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import type { FieldMapping } from '../../engine/mapping/field-mapping.ts'
import { javaText } from '../../engine/mapping/java-text.ts'
import { parseLosslessJson } from '../../engine/mapping/lossless-json.ts'
import { SearchContext } from '../../engine/search/lucene/search-context.ts'
import { createQuery } from '../../engine/search/queries/create-query.ts'
import { likedTerms } from '../../engine/search/queries/more-like-this-query.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import { normalized, typeName, unquoted } from '../../engine/search/queries/query-context.ts'
import { faultInQueryPhase, illegalInQueryPhase } from '../../engine/search/query-phase.ts'
import type { SearchWatch } from '../../engine/search/search-watch.ts'
import { ServiceError } from '../../errors.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { valuesAt } from '../documents/stored-fields.ts'
import { type Json, writeJson } from '../json/json-writer.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { type DerivedPosition, derivedTexts } from './derived-fetch.ts'
import {
  type AskedField,
  askedFields,
  type FieldRequest,
  type HighlightOptions,
  hasVectors,
  takesVectors,
} from './highlight-fields.ts'
import { readHighlight } from './highlight-options.ts'
import { sourceFields } from './source-fields.ts'
import { SourceMembers } from './source-members.ts'

/** What highlighting is told of the search it is part of. */
export interface HighlightContext {
  readonly query: Query
  readonly queries: QueryContext
  readonly engineVersion: EngineVersion
  /** Asked before long texts. */
  readonly watch?: SearchWatch
}

/** Characters of a text that take more time than others should wait: a millisecond a thousand at worst. */
const LONG_TEXT = 200_000

/** What a field's texts are highlighted by: the same for every hit of an index. */
interface Highlighting {
  readonly wanted: HighlightTerms
  readonly matches: TextMatcher
  readonly format: HighlightFormat
  /** What hits before have left of their phrases. */
  readonly hold: PhraseHold
}

/** The `highlight` of a search: read once, applied to each hit. */
export class HighlightFetch {
  readonly #fields: readonly FieldRequest[]
  readonly #queries: readonly Query[]
  readonly #encode: (text: string) => string
  readonly #context: HighlightContext
  readonly #highlightings = new Map<FieldMapping, Map<HighlightOptions, Highlighting>>()
  readonly #askedOf = new Map<IndexSearcher, readonly AskedField[]>()
  readonly #members = new Map<IndexSearcher, SourceMembers>()

  /** @throws {ServiceError} x_content_parse_exception, parsing_exception */
  constructor(json: JsonValue, context: HighlightContext) {
    this.#context = context
    const { encodesHtml, fields, queries } = readHighlight(json, context)
    this.#encode = encodesHtml ? escapeHtml : (text) => text
    this.#fields = fields
    this.#queries = queries
  }

  /**
   * Makes the queries of its own for their faults alone, as the real servers do before there are hits.
   *
   * @throws {ServiceError} what is wrong in the first index where something is
   */
  checkQueries(searchers: readonly IndexSearcher[], now: number): void {
    if (this.#queries.length === 0) return
    try {
      for (const searcher of searchers) {
        const context = new SearchContext(searcher, { engineVersion: this.#context.engineVersion, now })
        for (const query of this.#queries) unquoted(() => createQuery(query, context))
      }
    } catch (error) {
      throw error instanceof ServiceError ? error.with({ inQueryPhase: true }) : error
    }
  }

  /** Begins with hits that are fetched together: what others have left is forgotten. */
  startFetch(): void {
    for (const byOptions of this.#highlightings.values()) {
      for (const { hold } of byOptions.values()) hold.until = -1
    }
  }

  /** Fragments by field; undefined when none has any. */
  highlight(
    searcher: IndexSearcher,
    document: StoredDocument,
    at?: DerivedPosition,
  ): { readonly [field: string]: Json } | undefined {
    if (document.source === undefined) return undefined
    if (!searcher.mapping.sourceEnabled(document.type)) this.#refuseForced(searcher, document.type)
    const source = this.#membersOf(searcher).read(document.source)
    const shown = new Map<string, Json>()
    for (const { path, options } of this.#asked(searcher)) {
      const field = searcher.mapping.field(path)
      const { type = 'unified' } = options
      if (type !== 'unified' && type !== 'plain' && type !== 'fvh')
        throw illegalInQueryPhase(`unknown highlighter type [${type}] for the field [${path}]`)
      if (type === 'fvh' && (field === undefined || !takesVectors(field, this.#context.engineVersion))) {
        throw illegalInQueryPhase(
          `the field [${path}] should be indexed with term vector with position offsets to be used with fast vector highlighter`,
        )
      }
      const isStored = field !== undefined && 'store' in field && field.store
      // What is kept nowhere cannot be shown.
      if (!isStored && !searcher.mapping.sourceEnabled(document.type)) continue
      // The values of `wildcard` fields are no words.
      if (field === undefined || typeName(field) === 'wildcard') continue
      const fragments = isTextual(field)
        ? this.#fragments(field, options, searcher, source, document, at)
        : this.#excerpt(field, options, searcher, source, document)
      if (fragments.length > 0) shown.set(path, fragments)
    }
    if (shown.size === 0) return undefined
    return Object.fromEntries(inJavaHashOrder([...shown.keys()]).map((path) => [path, shown.get(path) as Json]))
  }

  /** Refuses fields that are to be read from a source that is not kept. @throws {ServiceError} illegal_argument_exception */
  #refuseForced({ mapping }: IndexSearcher, type: string): void {
    const forced = this.#fields.find(({ options }) => options.forceSource === true)
    if (forced === undefined) return
    const { pattern } = forced
    const names = pattern.includes('*') ? mapping.matchFields(pattern) : [pattern]
    const why =
      this.#context.engineVersion === 'Elasticsearch_6.8'
        ? `type [${type}] has disabled _source`
        : '_source is disabled'
    throw illegalInQueryPhase(`source is forced for fields [${names.join(', ')}] but ${why}`)
  }

  /** Looks at hits that are shown without a type, whose mapping 6.x looks for but by vectors. @throws {ServiceError} null_pointer_exception */
  checkWithoutType(searcher: IndexSearcher): void {
    if (this.#asked(searcher).every(({ options }) => options.type === 'fvh')) return
    const reason = 'Cannot invoke "org.elasticsearch.index.mapper.DocumentMapper.mappers()" because "docMapper" is null'
    throw faultInQueryPhase('null_pointer_exception', reason)
  }

  #asked(searcher: IndexSearcher): readonly AskedField[] {
    let asked = this.#askedOf.get(searcher)
    if (asked === undefined) {
      asked = askedFields(this.#fields, searcher.mapping, this.#context.engineVersion)
      this.#askedOf.set(searcher, asked)
    }
    return asked
  }

  /** What is shown of a field that has no words to be found: the beginning of its values, where that is asked for. */
  #excerpt(
    field: FieldMapping,
    options: HighlightOptions,
    searcher: IndexSearcher,
    source: { readonly [name: string]: Json },
    document: StoredDocument,
  ): string[] {
    const isSix = this.#context.engineVersion === 'Elasticsearch_6.8'
    const isCut = isSix && options.boundaryScanner === 'chars' && (options.type ?? 'unified') === 'unified'
    if (!options.noMatchSize && !isCut) return []
    const values = isSix ? valuesOf(field, searcher, source) : shownTexts(field.path, searcher, document)
    if (values.length === 0) return []
    if (isCut && options.numberOfFragments !== 0) throw illegalInQueryPhase('Invalid boundary scanner type: chars')
    const format = this.#format(field, options)
    return options.type === 'plain'
      ? highlightPlain(values, WHOLE_VALUE, NO_TERMS, format)
      : highlightUnified(values, () => [], format)
  }

  /** Reads what of a source may hold values of the fields asked for. */
  #membersOf(searcher: IndexSearcher): SourceMembers {
    let members = this.#members.get(searcher)
    if (members === undefined) {
      const { mapping } = searcher
      const paths = this.#fields.flatMap(({ pattern, options }) => [
        ...(pattern.includes('*') ? mapping.matchFields(pattern) : [pattern]),
        ...(options.matchedFields ?? []),
      ])
      members = SourceMembers.at(paths.map((path) => mapping.field(path)?.path ?? path))
      this.#members.set(searcher, members)
    }
    return members
  }

  #highlightingOf(field: TextualField, options: HighlightOptions, searcher: IndexSearcher): Highlighting {
    let byOptions = this.#highlightings.get(field)
    if (byOptions === undefined) {
      byOptions = new Map()
      this.#highlightings.set(field, byOptions)
    }
    let highlighting = byOptions.get(options)
    if (highlighting === undefined) {
      const scope = (options.requireFieldMatch ?? true) ? field : undefined
      const wanted = highlightTerms(
        options.query ?? this.#context.query,
        scope,
        searcher.mapping,
        this.#context.engineVersion,
        options.type === 'plain' || options.type === 'fvh' ? options.type : 'unified',
        this.#rewritingIndex(searcher, options),
      )
      const all = textMatcher(analyzerOf(field), wanted)
      const last = keepsOffsets(field) ? undefined : options.maxAnalyzerOffset
      const matches: TextMatcher =
        last === undefined ? all : (text, isFurther) => all(text, isFurther).filter(({ start }) => start <= last)
      highlighting = { wanted, matches, format: this.#format(field, options), hold: { until: -1 } }
      byOptions.set(options, highlighting)
    }
    return highlighting
  }

  /** What highlighters see that rewrite queries: the fast vector highlighter for the index, the plain one for a text. */
  #rewritingIndex(searcher: IndexSearcher, { type }: HighlightOptions): RewritingIndex | undefined {
    if (type !== 'plain' && type !== 'fvh') return undefined
    const search = new SearchContext(searcher, { engineVersion: this.#context.engineVersion, now: 0 })
    return {
      liked: (query) => likedTerms(query, { search, isFilter: false, nestedPath: undefined }, type === 'plain'),
      hasTerm: (path, term) =>
        search.termStates(searcher.mapping.field(path)?.path ?? path, Buffer.from(term)).docFreq > 0,
    }
  }

  #format(field: FieldMapping, options: HighlightOptions): HighlightFormat {
    const isOpenSearch = this.#context.engineVersion === 'OpenSearch_2.19'
    if (options.postTags?.length === 0) {
      const reason = 'Index 0 out of bounds for length 0'
      throw faultInQueryPhase('array_index_out_of_bounds_exception', reason)
    }
    return {
      preTag: options.preTags?.[0] ?? '<em>',
      postTag: options.postTags?.[0] ?? '</em>',
      encode: this.#encode,
      fragmentSize: options.fragmentSize ?? 100,
      numberOfFragments: options.numberOfFragments ?? 5,
      noMatchSize: options.noMatchSize ?? 0,
      byScore: options.byScore ?? false,
      boundary: options.boundaryScanner === 'word' ? 'word' : 'sentence',
      keepsValues: isOpenSearch && field.kind !== 'text',
      cutsMatches: isOpenSearch,
      joinsMatches: this.#context.engineVersion !== 'Elasticsearch_6.8',
      fragmenter: options.fragmenter === 'simple' ? 'simple' : 'span',
    }
  }

  #vectorFormat(options: HighlightOptions): VectorFormat {
    const scanner = options.boundaryScanner
    return {
      preTags: options.preTags ?? ['<em>'],
      postTags: options.postTags ?? ['</em>'],
      encode: this.#encode,
      fragmentSize: options.fragmentSize ?? 100,
      numberOfFragments: options.numberOfFragments ?? 5,
      noMatchSize: options.noMatchSize ?? 0,
      byScore: options.byScore ?? false,
      fragmentOffset: options.fragmentOffset,
      boundary: scanner === 'word' || scanner === 'sentence' ? scanner : 'chars',
      boundaryChars: options.boundaryChars ?? '.,!? \t\n',
      boundaryMaxScan: options.boundaryMaxScan ?? 20,
      phraseLimit: options.phraseLimit ?? 256,
    }
  }

  /** Long texts are not analyzed again. @throws {ServiceError} illegal_argument_exception */
  #checkLength(
    field: FieldMapping,
    values: readonly string[],
    { type, maxAnalyzerOffset }: HighlightOptions,
    searcher: IndexSearcher,
    { id }: StoredDocument,
  ): void {
    const { engineVersion, watch } = this.#context
    if (values.some((value) => value.length > LONG_TEXT)) watch?.requireOwnThread()
    const isSix = engineVersion === 'Elasticsearch_6.8'
    const limit = searcher.limit('index.highlight.max_analyzed_offset', isSix ? -1 : 1_000_000)
    if (maxAnalyzerOffset !== undefined && maxAnalyzerOffset <= 0)
      throw illegalInQueryPhase(`the value [${maxAnalyzerOffset}] of max_analyzer_offset is invalid`)
    if (limit < 0) return
    const isPlain = type === 'plain'
    if (!isPlain && keepsOffsets(field)) return
    const length = isPlain
      ? greatest(values.map((value) => value.length))
      : values.reduce((sum, value) => sum + value.length + 1, -1)
    const isLimited = maxAnalyzerOffset !== undefined
    if (isLimited ? maxAnalyzerOffset <= limit : length <= limit) return
    const advice = isPlain
      ? 'indexing with offsets or term vectors, and highlighting with unified or fvh highlighter is recommended!'
      : 'indexing with offsets or term vectors is recommended!'
    const what = isLimited
      ? 'max_analyzer_offset'
      : `The length${isSix ? ` [${length}]` : ''} of [${field.path}] field of [${id}] doc of [${searcher.indexName}] index`
    throw illegalInQueryPhase(
      `${what} has exceeded [${limit}] - maximum allowed to be analyzed for highlighting. This maximum can be set by changing the [index.highlight.max_analyzed_offset] index level setting. For large texts, ${advice}`,
    )
  }

  #fragments(
    field: TextualField,
    options: HighlightOptions,
    searcher: IndexSearcher,
    source: { readonly [name: string]: Json },
    document: StoredDocument,
    at: DerivedPosition | undefined,
  ): string[] {
    const values =
      field.derived === undefined
        ? this.#valuesOf(field, options, searcher, source, document)
        : at === undefined
          ? []
          : derivedTexts(field, searcher, at)
    if (values.length === 0) return []
    const isOpenSearch = this.#context.engineVersion === 'OpenSearch_2.19'
    if (options.type === 'fvh') {
      const fields = this.#vectorFields(field, options, searcher, source)
      return highlightVectors(values, fields, this.#vectorFormat(options), options.matchedFields !== undefined)
    }
    if (
      options.boundaryScanner === 'chars' &&
      options.type !== 'plain' &&
      options.numberOfFragments !== 0 &&
      (!isOpenSearch || field.kind === 'text')
    )
      throw illegalInQueryPhase('Invalid boundary scanner type: chars')
    if (options.type === 'plain') checkFragmenter(field, options)
    const { wanted, matches, format, hold } = this.#highlightingOf(field, options, searcher)
    this.#checkLength(field, values, options, searcher, document)
    const { maxAnalyzerOffset } = options
    return options.type === 'plain'
      ? highlightPlain(
          values.map((value) => value.slice(0, maxAnalyzerOffset)),
          analyzerOf(field),
          wanted,
          format,
          hold,
        )
      : highlightUnified(values, matches, format)
  }

  /** The texts of a field; OpenSearch shows keywords as they are indexed. */
  #valuesOf(
    field: TextualField,
    { type }: HighlightOptions,
    searcher: IndexSearcher,
    source: { readonly [name: string]: Json },
    document: StoredDocument,
  ): string[] {
    const isOpenSearch = this.#context.engineVersion === 'OpenSearch_2.19'
    const values = valuesOf(field, searcher, source, isOpenSearch && type !== 'fvh' ? 1 : undefined)
    // A flat object shows what it is.
    if (field.kind === 'keyword' && field.flat !== undefined) return shownTexts(field.flat.path, searcher, document)
    if (field.kind !== 'keyword' || !isOpenSearch) return values
    return values.filter((value) => value.length <= field.ignoreAbove).map((value) => normalized(field, value))
  }

  /** The field, or those that are to count for it, as far as they keep what is needed. */
  #vectorFields(
    field: TextualField,
    options: HighlightOptions,
    searcher: IndexSearcher,
    source: { readonly [name: string]: Json },
  ): VectorField[] {
    const fields = [...new Set(options.matchedFields ?? [field.path])].flatMap((path) => {
      const matched = searcher.mapping.field(path)
      return matched?.kind === 'text' && hasVectors(matched) ? matched : []
    })
    return fields.map((matched) => ({
      values: valuesOf(matched, searcher, source),
      analyzer: analyzerOf(matched),
      wanted: this.#highlightingOf(matched, options, searcher).wanted,
    }))
  }
}

const NO_TERMS: HighlightTerms = { terms: new Map(), patterns: [], phrases: [], numbers: new Map() }

const FRAGMENTERS: ReadonlySet<string> = new Set(['simple', 'span'])

/** @throws {ServiceError} illegal_argument_exception */
function checkFragmenter({ path }: FieldMapping, { fragmenter, numberOfFragments }: HighlightOptions): void {
  if (fragmenter === undefined || numberOfFragments === 0 || FRAGMENTERS.has(fragmenter)) return
  throw illegalInQueryPhase(`unknown fragmenter option [${fragmenter}] for the field [${path}]`)
}

type TextualField = FieldMapping & { kind: 'text' | 'keyword' }

/** Whether a field has words to be found. */
function isTextual(field: FieldMapping): field is TextualField {
  return field.kind === 'text' || field.kind === 'keyword'
}

/** Whether a field's index says where its words stand. */
const keepsOffsets = (field: FieldMapping): boolean =>
  field.kind === 'text' && (field.indexOptions === 'offsets' || hasVectors(field))

function analyzerOf(field: TextualField): Analyzer {
  return field.kind === 'text' ? field.analyzer : (field.normalizer ?? WHOLE_VALUE)
}

/** A keyword is one token. */
const WHOLE_VALUE: Analyzer = {
  name: 'keyword',
  positionIncrementGap: 0,
  analyze(text: string) {
    const tokens = new TokenBuffer()
    tokens.push(text, 0, text.length, 'word')
    return tokens
  },
}

/** A field's values as `fields` shows them, as texts. */
function shownTexts(path: string, searcher: IndexSearcher, document: StoredDocument): string[] {
  const shown = sourceFields([{ field: path, format: undefined }], searcher, document, { column: () => [] })[path]
  return (Array.isArray(shown) ? shown : []).flatMap((value) => {
    if (typeof value === 'string') return [value]
    const text = writeJson(value)
    if (text.startsWith('{')) return [javaText(parseLosslessJson(text))]
    return text.startsWith('[') ? [] : [text]
  })
}

/**
 * Texts of a field in the source; a multi-field's are its parent's.
 *
 * @param levels  most fields to go up: a field that a multi-field makes for itself has its texts two above
 */
function valuesOf(
  field: FieldMapping,
  searcher: IndexSearcher,
  source: { readonly [name: string]: Json },
  levels = Number.POSITIVE_INFINITY,
): string[] {
  let path = field.path
  const plain = path.includes('.') ? undefined : source[path]
  if (typeof plain === 'string') return [plain]
  let values = valuesAt(source, path.split('.'))
  for (let level = 0; level < levels && values.length === 0 && path.includes('.'); level++) {
    path = path.slice(0, path.lastIndexOf('.'))
    if (searcher.mapping.field(path) === undefined) break
    values = valuesAt(source, path.split('.'))
  }
  return values.filter((v) => typeof v !== 'object').map(String)
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
