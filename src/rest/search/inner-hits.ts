import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher, StoredDocument } from '../../engine/index/index-searcher.ts'
import type { SegmentReader } from '../../engine/index/segment-reader.ts'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { type NestedHit, type NestedHits, nestedHits } from '../../engine/search/nested-hits.ts'
import { isQuery } from '../../engine/search/queries/is-query.ts'
import type { HasChildQuery, HasParentQuery, NestedQuery, Query } from '../../engine/search/queries/query.ts'
import { faultInQueryPhase, illegalInQueryPhase } from '../../engine/search/query-phase.ts'
import type { ScoredHit, SortKey } from '../../engine/search/search-request.ts'
import type { SearchWatch } from '../../engine/search/search-watch.ts'
import { isByScore } from '../../engine/search/sort/ranking.ts'
import type { SortValue } from '../../engine/search/sort/segment-sort.ts'
import { compareSortValues, sortReader } from '../../engine/search/sort/sort-values.ts'
import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { noteDocValueFields } from '../deprecation/search-deprecations.ts'
import { visibleSource } from '../documents/source-filter.ts'
import { JavaFloat, type Json } from '../json/json-writer.ts'
import { parsingException } from '../parsing-exception.ts'
import { checkDocValueCount } from './check-field-counts.ts'
import { columnReader, docValueFields } from './doc-value-fields.ts'
import { isRecordless } from './fetch-options.ts'
import { inFetchOrder } from './fetch-order.ts'
import { HighlightFetch } from './highlight-fetch.ts'
import { hitDemands } from './hit-demands.ts'
import { type InnerHitOptions, readInnerHitOptions } from './inner-hit-options.ts'
import { checkInnerWindow } from './inner-hit-window.ts'
import { JoinInnerHits, type JoinInnerHitsContext } from './join-inner-hits.ts'
import { type NamedScores, namedQueries } from './named-queries.ts'
import { NestedIdentities, NestedSources, shownNestedSource, wrappedObject } from './nested-identity.ts'
import { renderExplanation } from './render-explanation.ts'
import { ScriptFieldsFetch } from './script-fields.ts'
import { sortValueJson } from './sort-value-json.ts'
import { sourceFields } from './source-fields.ts'

/** What inner hits are told of the search they are part of. */
export interface InnerHitsContext extends JoinInnerHitsContext {
  readonly namedScores?: NamedScores
  readonly query: Query
  /** Id of the node, which explanations name. */
  readonly node: string
  /** Whether nested objects are shown without the id of their document. */
  readonly hidesIds?: boolean
  /** Asked before each object whether the search may go on. */
  readonly watch?: SearchWatch
}

/** A hit's document, and what its objects' sources are cut from. */
interface HitDocument extends StoredDocument {
  /** All of them; undefined where it has no source. */
  readonly stored: NestedSources | undefined
  /** What the mapping lets be seen. */
  readonly visible: NestedSources | undefined
}

/** One `inner_hits` of a query, with those of queries within it. */
interface InnerHits extends InnerHitOptions {
  readonly name: string
  readonly query: NestedQuery
  readonly highlight: HighlightFetch | undefined
  /** Which named parts of the query match an object. */
  readonly matchedQueries: ReturnType<typeof namedQueries> | undefined
  readonly inside: readonly InnerHits[]
}

/** An object found, with what it is sorted by. */
interface FoundObject extends NestedHit {
  readonly values?: readonly SortValue[]
}

/** Shows, for each hit, the nested objects, children and parents that made it one. */
export class InnerHitsFetch {
  readonly #parts: readonly InnerHits[]
  readonly #joined: readonly JoinInnerHits[]
  readonly #context: InnerHitsContext
  readonly #scriptFields = new Map<object, Map<IndexSearcher, ScriptFieldsFetch>>()
  readonly #finders = new Map<InnerHits, Map<number, NestedHits>>()
  readonly #identities = new NestedIdentities()
  readonly #noted = new Set<InnerHits>()

  private constructor(parts: readonly InnerHits[], joined: readonly JoinInnerHits[], context: InnerHitsContext) {
    this.#parts = parts
    this.#joined = joined
    this.#context = context
  }

  /**
   * Reads the `inner_hits` of a query's parts; undefined when there are none.
   *
   * @throws {ServiceError} illegal_argument_exception, also for what is not supported
   */
  static of(context: InnerHitsContext): InnerHitsFetch | undefined {
    const asked = [...askedQueries(context.query)]
    if (asked.length === 0) return undefined
    const joined = asked.flatMap((query) => (query.kind === 'nested' ? [] : [new JoinInnerHits(query, context)]))
    const parts = readParts(asked, context)
    checkNames([...parts, ...joined])
    return new InnerHitsFetch(parts, joined, context)
  }

  /** `inner_hits` of a hit. */
  render(hit: ScoredHit, searcher: IndexSearcher, document: StoredDocument): { readonly [name: string]: Json } {
    const nested =
      this.#parts.length === 0
        ? {}
        : this.#renderParts(this.#parts, hit, hit.doc, undefined, searcher, hitDocument(document, searcher))
    if (this.#joined.length === 0 && this.#parts.length === 1) return nested
    const joined = this.#joined.flatMap((part) => {
      const json = part.render(hit, searcher)
      return json === undefined ? [] : [[part.name, json] as const]
    })
    const shown = new Map<string, Json>([...Object.entries(nested), ...joined])
    return Object.fromEntries(inJavaHashOrder([...shown.keys()]).map((name) => [name, shown.get(name) as Json]))
  }

  #renderParts(
    parts: readonly InnerHits[],
    hit: ScoredHit,
    parent: number,
    parentPath: string | undefined,
    searcher: IndexSearcher,
    document: HitDocument,
  ): { readonly [name: string]: Json } {
    const shown = parts.filter((part) => isThere(part, searcher))
    return Object.fromEntries(
      shown.map((part) => {
        part.highlight?.startFetch()
        const found = this.#find(part, hit, parent, parentPath, searcher)
        const { dialect } = this.#context
        const byScore = isByScore(part.sort)
        const isScored = byScore || part.trackScores
        const best = isScored ? found.reduce((most, { score }) => Math.max(most, score), Number.NEGATIVE_INFINITY) : 0
        // By score the real server knows nothing of objects before those it shows, 6.x not even the best.
        const isBeyond = byScore && part.size > 0 && part.from >= found.length
        const hasBest = isScored && part.size > 0 && found.length > 0 && !(isBeyond && dialect.typed)
        const noScore = dialect.typed && part.size === 0 ? new JavaFloat(0) : null
        const hits = {
          total: dialect.renderTotalHits({ value: isBeyond ? 0 : found.length, relation: 'eq' }, false),
          max_score: hasBest ? new JavaFloat(best) : noScore,
          hits: inFetchOrder(found.slice(part.from, part.from + part.size), dialect, (nested) =>
            this.#renderHit(part, nested, hit, searcher, document),
          ),
        }
        return [part.name, { hits }]
      }),
    )
  }

  /** The scripts of a part, compiled for an index. */
  #scriptFieldsOf({ fetch }: InnerHits, searcher: IndexSearcher): ScriptFieldsFetch | undefined {
    const fields = fetch.scriptFields
    if (fields === undefined) return undefined
    const ofSearchers = this.#scriptFields.get(fields) ?? new Map<IndexSearcher, ScriptFieldsFetch>()
    this.#scriptFields.set(fields, ofSearchers)
    const made = ofSearchers.get(searcher) ?? new ScriptFieldsFetch(fields, [searcher], this.#context.engineVersion)
    ofSearchers.set(searcher, made)
    return made
  }

  #find(
    part: InnerHits,
    hit: ScoredHit,
    parent: number,
    parentPath: string | undefined,
    searcher: IndexSearcher,
  ): readonly FoundObject[] {
    const { engineVersion } = this.#context
    const found = this.#finder(part, hit, searcher).find(hit.segment, parent, parentPath)
    return part.sort.length === 0 ? found : sorted(found, part.sort, hit, searcher, engineVersion)
  }

  #finder(part: InnerHits, hit: ScoredHit, searcher: IndexSearcher): NestedHits {
    const { engineVersion } = this.#context
    const finders = this.#finders.get(part) ?? new Map<number, NestedHits>()
    this.#finders.set(part, finders)
    const finder = finders.get(hit.searcher) ?? nestedHits(part.query, searcher, { engineVersion, now: Date.now() })
    finders.set(hit.searcher, finder)
    return finder
  }

  #renderHit(
    part: InnerHits,
    nested: FoundObject,
    hit: ScoredHit,
    searcher: IndexSearcher,
    document: HitDocument,
  ): Json {
    const { dialect, watch } = this.#context
    watch?.requireClient()
    const { fetch, inside } = part
    const segment = searcher.segments[hit.segment] as SegmentReader
    const identity = this.#identities.of(segment, nested.doc, searcher.mapping)
    // What the mapping hides may still be highlighted, as stored fields are.
    const alone = (): StoredDocument => ({
      ...document,
      source:
        identity === undefined
          ? undefined
          : wrappedObject(document.stored?.of(identity) ?? Buffer.from('{}'), part.query.path),
    })
    const fields = this.#fieldsOf(part, searcher, segment, nested.doc, alone)
    // From 7.0 on sorted objects show no scores, though the best of them may be.
    const isScored = part.sort.length === 0 || (part.trackScores && dialect.typed)
    const highlight = part.highlight?.highlight(searcher, alone())
    const explanation = fetch.explain
      ? renderExplanation(this.#finder(part, hit, searcher).explain(hit.segment, nested.doc))
      : undefined
    const matched = part.matchedQueries?.({ ...hit, doc: nested.doc })
    // One member after the other: a literal that begins with others' members has a shape of its own each time.
    const shown: { [name: string]: Json } = {}
    if (explanation !== undefined) {
      shown['_shard'] = `[${searcher.indexName}][0]`
      shown['_node'] = this.#context.node
    }
    shown['_index'] = searcher.indexName
    if (dialect.showsType) shown['_type'] = document.type
    if (!this.#context.hidesIds) shown['_id'] = document.id
    shown['_nested'] = identity as unknown as Json
    if (fetch.version && !(dialect.typed && isRecordless(fetch))) shown['_version'] = document.version
    shown['_score'] = isScored ? new JavaFloat(nested.score) : null
    if (identity !== undefined && fetch.source.enabled && document.visible !== undefined) {
      const { engineVersion } = searcher.mapping
      shown['_source'] = shownNestedSource(document.visible, identity, part.query.path, fetch.source, engineVersion)
    }
    if (fields !== undefined) shown['fields'] = fields
    if (highlight !== undefined) shown['highlight'] = highlight
    if (nested.values !== undefined)
      shown['sort'] = nested.values.map((value, i) => sortValueJson(value, part.sort[i] as SortKey, searcher))
    if (matched !== undefined) shown['matched_queries'] = matched
    if (explanation !== undefined) shown['_explanation'] = explanation
    if (inside.some((part) => isThere(part, searcher)))
      shown['inner_hits'] = this.#renderParts(inside, hit, nested.doc, part.query.path, searcher, document)
    return shown
  }

  /** What of `docvalue_fields` is deprecated: once a search, with the first object that shows some. */
  #noteColumns(part: InnerHits): void {
    const { warnings } = this.#context.queries
    if (warnings === undefined || part.fetch.docValueFields.length === 0 || this.#noted.has(part)) return
    this.#noted.add(part)
    noteDocValueFields(part.fetch.docValueFields, this.#context.searchers, warnings)
  }

  /** `fields` of an object; undefined: it has none, or none are asked for. */
  #fieldsOf(
    part: InnerHits,
    searcher: IndexSearcher,
    segment: SegmentReader,
    doc: number,
    alone: () => StoredDocument,
  ): { readonly [name: string]: Json } | undefined {
    const { scriptFields, docValueFields: columns, sourceFields: parts } = part.fetch
    if (scriptFields === undefined && columns.length === 0 && parts === undefined) return undefined
    this.#noteColumns(part)
    const fields: { [name: string]: Json } = Object.assign(
      {},
      this.#scriptFieldsOf(part, searcher)?.render(0, segment, doc),
      docValueFields(columns, searcher, segment, doc),
      parts === undefined
        ? undefined
        : sourceFields(parts, searcher, alone(), { column: columnReader(searcher, segment, doc) }),
    )
    return Object.keys(fields).length === 0 ? undefined : fields
  }
}

/** What is passed over since nothing is mapped there shows nothing either. */
const isThere = ({ query }: InnerHits, { mapping }: IndexSearcher): boolean =>
  !query.ignoreUnmapped || mapping.isNested(query.path)

function hitDocument(document: StoredDocument, { mapping }: IndexSearcher): HitDocument {
  const { source } = document
  const stored = source === undefined ? undefined : new NestedSources(source)
  const shown = visibleSource(document, mapping)
  const visible = shown === undefined || shown === source ? undefined : new NestedSources(shown)
  return { ...document, stored, visible: visible ?? (shown === undefined ? undefined : stored) }
}

function sorted(
  found: readonly NestedHit[],
  keys: readonly SortKey[],
  hit: ScoredHit,
  searcher: IndexSearcher,
  engineVersion: EngineVersion,
): FoundObject[] {
  const segment = searcher.segments[hit.segment] as SegmentReader
  const leaf = { segment, ord: hit.segment, docBase: searcher.docBases[hit.segment] as number }
  const sorts = keys.map((key) => sortReader(key, searcher, engineVersion === 'Elasticsearch_6.8')(leaf))
  const objects = found.map((object) => ({
    ...object,
    values: sorts.map(({ read }) => read(object.doc, object.score)),
  }))
  return objects.sort((a, b) => {
    for (const [i, key] of keys.entries()) {
      const order = compareSortValues(a.values[i] as SortValue, b.values[i] as SortValue, key)
      if (order !== 0) return order
    }
    return a.doc - b.doc
  })
}

/** The inner hits that a query's parts ask for; what lies within a nested query is that one's affair. */
function readParts(asked: Iterable<AskedQuery>, context: InnerHitsContext): InnerHits[] {
  const parts = [...asked].filter((part) => part.kind === 'nested').map((nested) => readInnerHits(nested, context))
  checkNames(parts)
  return parts
}

/** Each is shown under a name of its own. @throws {ServiceError} illegal_argument_exception */
function checkNames(parts: readonly { readonly name: string }[]): void {
  const names = new Set<string>()
  for (const { name } of parts) {
    if (names.has(name)) {
      throw illegalInQueryPhase(`[inner_hits] already contains an entry for key [${name}]`)
    }
    names.add(name)
  }
}

type AskedQuery = NestedQuery | HasChildQuery | HasParentQuery

/** Nested and joining queries that ask for inner hits, the outermost of them. */
function* askedQueries(query: Query): Iterable<AskedQuery> {
  if (query.kind === 'nested' || query.kind === 'has_child' || query.kind === 'has_parent') {
    if (query.innerHits !== undefined) yield query
    return
  }
  for (const [member, value] of Object.entries(query)) {
    // What must not match has nothing to show.
    if (query.kind === 'bool' && member === 'mustNot') continue
    for (const part of Array.isArray(value) ? value : [value]) {
      if (isQuery(part)) yield* askedQueries(part)
    }
  }
}

function readInnerHits(query: NestedQuery, context: InnerHitsContext): InnerHits {
  const json = query.innerHits as JsonValue
  if (!isObject(json)) throw parsingException('[nested] query does not support [inner_hits]')
  const options = readInnerHitOptions(json, context.queries)
  const { fetch } = options
  if (fetch.seqNo && context.searchers.some(({ mapping }) => mapping.isNested(query.path))) {
    const reason = 'nested documents are not assigned sequence numbers'
    throw faultInQueryPhase('unsupported_operation_exception', reason)
  }
  checkInnerWindow(options, context.searchers)
  if (!context.dialect.typed) checkDocValueCount(fetch, context.searchers)
  const { named } = hitDemands(query)
  const ofObjects = named.filter((part) => part.query !== query)
  return {
    ...options,
    name: options.name ?? query.path,
    query,
    matchedQueries:
      ofObjects.length === 0
        ? undefined
        : namedQueries(ofObjects, context.searchers, context.engineVersion, context.namedScores && 'unknown'),
    inside: readParts(askedQueries(query.query), context),
    highlight:
      fetch.highlight === undefined
        ? undefined
        : new HighlightFetch(fetch.highlight, { ...context, query: query.query }),
  }
}
