import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher, StoredDocument } from '../../engine/index/index-searcher.ts'
import type { SegmentReader } from '../../engine/index/segment-reader.ts'
import { type NestedHit, nestedHits } from '../../engine/search/nested-hits.ts'
import type { NestedQuery, Query } from '../../engine/search/query.ts'
import type { ScoredHit, SortKey } from '../../engine/search/search-request.ts'
import { compareSortValues, type SortValue, sortReader } from '../../engine/search/sort-values.ts'
import { ServiceError } from '../../errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { visibleSource } from '../endpoints/source-filter.ts'
import { JavaFloat, type Json } from '../json/json-writer.ts'
import type { JsonValue } from '../parse-json.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { isObject } from '../rest-request.ts'
import { docValueFields } from './doc-value-fields.ts'
import { HighlightFetch } from './highlight-fetch.ts'
import { type InnerHitOptions, readInnerHitOptions } from './inner-hit-options.ts'
import { filteredNestedSource, nestedIdentity, nestedSource, wrappedObject } from './nested-identity.ts'
import { sortValueJson } from './sort-value-json.ts'

/** What inner hits are told of the search they are part of. */
export interface InnerHitsContext {
  readonly query: Query
  readonly dialect: Dialect
  readonly queries: QueryContext
  readonly engineVersion: EngineVersion
}

/** One `inner_hits` of a query, with those of queries within it. */
interface InnerHits extends InnerHitOptions {
  readonly name: string
  readonly query: NestedQuery
  readonly highlight: HighlightFetch | undefined
  readonly inside: readonly InnerHits[]
}

/** An object found, with what it is sorted by. */
interface FoundObject extends NestedHit {
  readonly values?: readonly SortValue[]
}

/** Shows, for each hit, the nested objects that made it one. */
export class InnerHitsFetch {
  readonly #parts: readonly InnerHits[]
  readonly #context: InnerHitsContext
  readonly #finders = new Map<InnerHits, Map<number, ReturnType<typeof nestedHits>>>()

  private constructor(parts: readonly InnerHits[], context: InnerHitsContext) {
    this.#parts = parts
    this.#context = context
  }

  /**
   * Reads the `inner_hits` of a query's parts; undefined when there are none.
   *
   * @throws {ServiceError} illegal_argument_exception, also for what is not supported
   */
  static of(context: InnerHitsContext): InnerHitsFetch | undefined {
    const parts = readParts(context.query, context)
    return parts.length === 0 ? undefined : new InnerHitsFetch(parts, context)
  }

  /** `inner_hits` of a hit. */
  render(hit: ScoredHit, searcher: IndexSearcher, document: StoredDocument): { readonly [name: string]: Json } {
    return this.#renderParts(this.#parts, hit, hit.doc, undefined, searcher, document)
  }

  #renderParts(
    parts: readonly InnerHits[],
    hit: ScoredHit,
    parent: number,
    parentPath: string | undefined,
    searcher: IndexSearcher,
    document: StoredDocument,
  ): { readonly [name: string]: Json } {
    return Object.fromEntries(
      parts.map((part) => {
        const found = this.#find(part, hit, parent, parentPath, searcher)
        const { dialect } = this.#context
        const isScored = part.sort.length === 0 || part.trackScores
        const best = isScored ? found.reduce((most, { score }) => Math.max(most, score), Number.NEGATIVE_INFINITY) : 0
        const hits = {
          total: dialect.renderTotalHits({ value: found.length, relation: 'eq' }, false),
          max_score: isScored && found.length > 0 ? new JavaFloat(best) : null,
          hits: found
            .slice(part.from, part.from + part.size)
            .map((nested) => this.#renderHit(part, nested, hit, searcher, document)),
        }
        return [part.name, { hits }]
      }),
    )
  }

  #find(
    part: InnerHits,
    hit: ScoredHit,
    parent: number,
    parentPath: string | undefined,
    searcher: IndexSearcher,
  ): readonly FoundObject[] {
    const { engineVersion } = this.#context
    const finders = this.#finders.get(part) ?? new Map<number, ReturnType<typeof nestedHits>>()
    this.#finders.set(part, finders)
    const find = finders.get(hit.searcher) ?? nestedHits(part.query, searcher, { engineVersion, now: Date.now() })
    finders.set(hit.searcher, find)
    const found = find(hit.segment, parent, parentPath)
    return part.sort.length === 0 ? found : sorted(found, part.sort, hit, searcher, engineVersion)
  }

  #renderHit(
    part: InnerHits,
    nested: FoundObject,
    hit: ScoredHit,
    searcher: IndexSearcher,
    document: StoredDocument,
  ): Json {
    const { dialect } = this.#context
    const { fetch, inside } = part
    const segment = searcher.segments[hit.segment] as SegmentReader
    const identity = nestedIdentity(segment, nested.doc, searcher.mapping)
    const source = fetch.source.enabled ? visibleSource(document, searcher.mapping) : undefined
    const own = source === undefined || identity === undefined ? undefined : nestedSource(source, identity)
    const fields = docValueFields(fetch.docValueFields, searcher, segment, nested.doc)
    // From 7.0 on sorted objects show no scores, though the best of them may be.
    const isScored = part.sort.length === 0 || (part.trackScores && dialect.typed)
    // What the mapping hides may still be highlighted, as stored fields are.
    const highlight =
      part.highlight === undefined || identity === undefined
        ? undefined
        : part.highlight.highlight(searcher, {
            ...document,
            source: wrappedObject(nestedSource(document.source ?? Buffer.from('{}'), identity), part.query.path),
          })
    return {
      _index: searcher.indexName,
      ...(dialect.showsType ? { _type: document.type } : {}),
      _id: document.id,
      _nested: identity as unknown as Json,
      ...(fetch.version ? { _version: document.version } : {}),
      ...(fetch.seqNo ? { _seq_no: document.seqNo, _primary_term: document.primaryTerm } : {}),
      _score: isScored ? new JavaFloat(nested.score) : null,
      ...(own === undefined ? {} : { _source: filteredNestedSource(own, part.query.path, fetch.source) }),
      ...(Object.keys(fields).length === 0 ? {} : { fields }),
      ...(highlight === undefined ? {} : { highlight }),
      ...(nested.values === undefined
        ? {}
        : { sort: nested.values.map((value, i) => sortValueJson(value, part.sort[i] as SortKey, searcher)) }),
      ...(inside.length === 0
        ? {}
        : { inner_hits: this.#renderParts(inside, hit, nested.doc, part.query.path, searcher, document) }),
    }
  }
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
function readParts(query: Query, context: InnerHitsContext): InnerHits[] {
  const parts = [...nestedQueries(query)].map((nested) => readInnerHits(nested, context))
  const names = new Set<string>()
  for (const { name } of parts) {
    if (names.has(name)) {
      throw new ServiceError('illegal_argument_exception', `[inner_hits] already contains an entry for key [${name}]`, {
        inQueryPhase: true,
      })
    }
    names.add(name)
  }
  return parts
}

/** Nested queries that ask for inner hits, the outermost of them. */
function* nestedQueries(query: Query): Iterable<NestedQuery> {
  if (query.kind === 'nested') {
    if (query.innerHits !== undefined) yield query
    return
  }
  for (const value of Object.values(query)) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (typeof part === 'object' && part !== null && 'kind' in part) yield* nestedQueries(part as Query)
    }
  }
}

function readInnerHits(query: NestedQuery, context: InnerHitsContext): InnerHits {
  const json = query.innerHits as JsonValue
  if (!isObject(json)) throw new ServiceError('parsing_exception', '[nested] query does not support [inner_hits]')
  const options = readInnerHitOptions(json, context.queries)
  const { from, size, fetch } = options
  for (const [name, isAsked] of [
    ['explain', fetch.explain],
    ['fields', fetch.sourceFields !== undefined],
    ['collapse', options.collapseField !== undefined],
  ] as const) {
    if (!isAsked) continue
    throw new ServiceError(
      'illegal_argument_exception',
      `[${name}] of [inner_hits] of a nested query is not supported by this domain`,
    )
  }
  if (fetch.seqNo) {
    throw new ServiceError('unsupported_operation_exception', 'nested documents are not assigned sequence numbers', {
      inQueryPhase: true,
    })
  }
  if (from + size > 100) {
    throw new ServiceError(
      'illegal_argument_exception',
      `Inner result window is too large, the inner hit definition's [${options.name ?? 'null'}]'s from + size must be less than or equal to: [100] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
      { inQueryPhase: true },
    )
  }
  return {
    ...options,
    name: options.name ?? query.path,
    query,
    inside: readParts(query.query, context),
    highlight:
      fetch.highlight === undefined
        ? undefined
        : new HighlightFetch(fetch.highlight, { ...context, query: query.query }),
  }
}
