import type { TopHitsResult } from '../../engine/aggregation/aggregation-result.ts'
import type { IndexSearcher, StoredDocument } from '../../engine/index/index-searcher.ts'
import type { SegmentReader } from '../../engine/index/segment-reader.ts'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { IGNORED_FIELD } from '../../engine/mapping/ignored-field.ts'
import { METADATA_FIELDS } from '../../engine/mapping/metadata-fields.ts'
import { hitExplainer } from '../../engine/search/explain-document.ts'
import type { StatisticsInstead } from '../../engine/search/lucene/similarity/gathered-statistics.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import type { RescoreStage, ScoredHit, SortKey } from '../../engine/search/search-request.ts'
import type { SearchWatch } from '../../engine/search/search-watch.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { setOwn } from '../../set-own.ts'
import type { TopHitsFetch } from '../aggregation-dsl/top-hits-aggregation.ts'
import { noteDocValueFields } from '../deprecation/search-deprecations.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { renderSource, requireWholeSource, visibleSource } from '../documents/source-filter.ts'
import { stopsAtRouting, storedFields } from '../documents/stored-fields.ts'
import { floatText, JavaFloat, type Json, RawJson, writeJson } from '../json/json-writer.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import type { ShownDocument } from '../statistics/search-tally.ts'
import { shownDerived } from './derived-fetch.ts'
import { columnReader, docValueFields, ignoredPaths } from './doc-value-fields.ts'
import { type FetchOptions, isRecordless } from './fetch-options.ts'
import { inFetchOrder } from './fetch-order.ts'
import { HighlightFetch } from './highlight-fetch.ts'
import { hitDemands } from './hit-demands.ts'
import { InnerHitsFetch } from './inner-hits.ts'
import { type NamedScores, namedQueries } from './named-queries.ts'
import { filteredNestedSource, NestedIdentities, NestedSources } from './nested-identity.ts'
import { PercolateFetch } from './percolate-fetch.ts'
import { renderExplanation } from './render-explanation.ts'
import { ScriptFieldsFetch } from './script-fields.ts'
import type { SearchBody } from './search-body.ts'
import { bool, type DocumentShard, type SearchView } from './search-view.ts'
import { numberJson, sortValueJson } from './sort-value-json.ts'
import { sourceFields } from './source-fields.ts'

/** What hits are rendered from. */
export interface HitContext {
  readonly searchers: readonly IndexSearcher[]
  readonly dialect: Dialect
  readonly queries: QueryContext
  readonly query: Query
  /** The `post_filter`, of which hits show the same as of the query. */
  readonly postFilter?: Query | undefined
  /** What changed the scores that the query gives, for explanations. */
  readonly rescore?: readonly RescoreStage[] | undefined
  readonly indexBoosts?: readonly number[] | undefined
  /** What terms were scored by, for explanations; undefined: by the statistics of each index. */
  readonly statistics?: (() => StatisticsInstead | undefined) | undefined
  /** What each index is limited to, for explanations. */
  readonly limits?: SearchView['limits']
  readonly sort: readonly SortKey[]
  /** Id of the node, which explanations name. */
  readonly node: string
  /** Asked before each hit whether the search may go on. */
  readonly watch?: SearchWatch
  /** Set where hits stand for groups. */
  readonly groups?: HitGroups | undefined
  /** Set for hits of an aggregation, whose explanations are of the query as it was asked. */
  readonly isInAggregation?: boolean
  readonly namedScores?: NamedScores
  /** The shard that explanations name; absent: the first. */
  readonly shardOf?: DocumentShard
  /** Told of each document that is shown. */
  readonly onShown?: ShownDocument | undefined
}

/** What hits that stand for groups show of them. */
export interface HitGroups {
  readonly field: string
  /** `inner_hits` of such a hit. */
  readonly innerHits?: ((hit: ScoredHit) => { readonly [name: string]: Json }) | undefined
}

/** Shows the hits of one search. */
export class HitRenderer {
  readonly #context: HitContext
  readonly #fetch: FetchOptions
  readonly #explainers = new Map<number, ReturnType<typeof hitExplainer>>()
  readonly #identities = new NestedIdentities()
  readonly #highlight: HighlightFetch | undefined
  readonly #scriptFields: ScriptFieldsFetch | undefined
  readonly #innerHits: InnerHitsFetch | undefined
  readonly #percolated: PercolateFetch | undefined
  readonly #matchedQueries: ReturnType<typeof namedQueries> | undefined
  /** Whether hits show nothing but what {@link #plain} writes. */
  readonly #isPlain: boolean

  /** Whether nothing can be wrong with what hits show: no more than their documents. */
  get isPlain(): boolean {
    return this.#isPlain
  }

  #hasNoted = false

  /** @throws {ServiceError} when `highlight` cannot be read */
  constructor(context: HitContext, fetch: FetchOptions) {
    this.#context = context
    this.#fetch = fetch
    this.#highlight =
      fetch.highlight === undefined
        ? undefined
        : new HighlightFetch(fetch.highlight, { engineVersion: context.dialect.engineVersion, ...context })
    this.#scriptFields =
      fetch.scriptFields === undefined
        ? undefined
        : new ScriptFieldsFetch(fetch.scriptFields, context.searchers, context.dialect.engineVersion)
    const { engineVersion } = context.dialect
    const { postFilter } = context
    const asking = postFilter === undefined ? context.query : bool({ must: [context.query], filter: [postFilter] })
    const demands = hitDemands(asking)
    this.#matchedQueries =
      demands.named.length > 0
        ? namedQueries(demands.named, context.searchers, engineVersion, context.namedScores)
        : undefined
    this.#percolated = demands.percolates
      ? PercolateFetch.of({ ...context, engineVersion }, fetch.highlight)
      : undefined
    this.#innerHits = demands.innerHits
      ? InnerHitsFetch.of({
          ...context,
          query: asking,
          engineVersion,
          hidesIds: isRecordless(fetch) && !context.dialect.typed,
          hitRenderer: (query, sort, options) => {
            const shown = { ...withoutScores(context), query, sort, groups: undefined }
            const renderer = new HitRenderer(shown, options)
            return (hit) => renderer.render(hit)
          },
        })
      : undefined
    this.#isPlain =
      isPlain(fetch) &&
      this.#innerHits === undefined &&
      this.#matchedQueries === undefined &&
      this.#percolated === undefined &&
      context.groups === undefined
  }

  /** @throws {ServiceError} when queries of the highlighting cannot be made in any index */
  checkHighlightQueries(now: number): void {
    this.#highlight?.checkQueries(this.#context.searchers, now)
  }

  /** Shows hits that are fetched together. */
  renderAll(hits: readonly ScoredHit[]): Json[] {
    // Nothing depends on the order then.
    if (this.#isPlain) return hits.map((hit) => this.render(hit))
    this.startFetch()
    return inFetchOrder(hits, this.#context.dialect, (hit) => this.render(hit))
  }

  /** Said before hits that are fetched together. */
  startFetch(): void {
    this.#highlight?.startFetch()
  }

  render(hit: ScoredHit): Json {
    this.#context.watch?.requireClient()
    if (this.#isPlain) {
      const searcher = this.#context.searchers[hit.searcher] as IndexSearcher
      const segment = searcher.segments[hit.segment] as SegmentReader
      const document = searcher.document(segment, hit.doc)
      const plain = this.#plain(hit, searcher, segment, document)
      if (plain !== undefined) {
        this.#context.onShown?.(hit.searcher, document)
        return plain
      }
    }
    return this.members(hit)
  }

  /** A hit member by member, for what shows it among others (a suggestion's option). */
  members(hit: ScoredHit): { readonly [name: string]: Json } {
    const { searchers, dialect } = this.#context
    const fetch = this.#fetch
    const searcher = searchers[hit.searcher] as IndexSearcher
    const segment = searcher.segments[hit.segment] as SegmentReader
    const document = searcher.document(segment, hit.doc)
    this.#context.onShown?.(hit.searcher, document)
    const nested = this.#identities.of(segment, hit.doc, searcher.mapping)
    // Of an object nobody can tell without its root's record, which is read whatever was asked for.
    const recordless = isRecordless(fetch)
    const bare = nested === undefined && recordless
    if (bare) this.#checkBare(searcher)
    const whole = fetch.source.enabled && !bare ? visibleSource(document, searcher.mapping) : undefined
    if (whole === undefined && !bare) requireWholeSource(fetch.source, searcher.indexName)
    const source = whole === undefined || nested === undefined ? whole : new NestedSources(whole).of(nested)
    const percolated = this.#percolated?.render(searcher, segment, hit.doc)
    // 6.x reads columns when all else of a hit is there.
    const first = dialect.typed ? undefined : this.#fields(searcher, segment, hit, document)
    const highlight = joined(
      this.#highlight?.highlight(searcher, document, { segment, doc: hit.doc }),
      percolated?.highlight,
    )
    const fields = joined(dialect.typed ? this.#fields(searcher, segment, hit, document) : first, percolated?.fields)
    const matched = this.#matchedQueries?.(hit)
    const explanation = fetch.explain ? this.#explain(hit) : undefined
    return {
      ...(explanation === undefined
        ? {}
        : { _shard: this.#shardText(hit, searcher, document), _node: this.#context.node }),
      _index: searcher.indexName,
      ...(dialect.showsType && !(bare && dialect.typed) ? { _type: document.type } : {}),
      ...(bare ? {} : { _id: document.id }),
      ...(nested === undefined ? {} : { _nested: nested as unknown as Json }),
      ...(fetch.version && !(recordless && dialect.typed) ? { _version: document.version } : {}),
      // Nested objects have no number of their own.
      ...(fetch.seqNo && nested === undefined ? { _seq_no: document.seqNo, _primary_term: document.primaryTerm } : {}),
      _score: scoreJson(hit.score),
      ...(document.routing === undefined || bare || nested !== undefined ? {} : { _routing: document.routing }),
      ...(bare || !hasIgnored(segment) || this.#stopsAtRouting(document, searcher)
        ? {}
        : ignoredFields(segment, hit.doc)),
      ...(source === undefined
        ? {}
        : {
            _source:
              nested === undefined
                ? renderSource(source, fetch.source, dialect.engineVersion)
                : filteredNestedSource(
                    source,
                    segment.nestedPath(hit.doc) as string,
                    fetch.source,
                    dialect.engineVersion,
                  ),
          }),
      ...(fields === undefined ? {} : { fields }),
      ...(highlight === undefined ? {} : { highlight }),
      ...(hit.sortValues === undefined ? {} : { sort: this.#sortJson(hit.sortValues, searcher) }),
      ...(matched === undefined ? {} : { matched_queries: matched }),
      ...this.#innerHitsOf(hit, searcher, document),
      ...(explanation === undefined ? {} : { _explanation: explanation }),
    }
  }

  #shardText({ searcher }: ScoredHit, { indexName }: IndexSearcher, document: StoredDocument): string {
    return `[${indexName}][${this.#context.shardOf?.(searcher, document) ?? 0}]`
  }

  /** {@link stopsAtRouting}, unless stored fields are looked for. */
  #stopsAtRouting(document: StoredDocument, { mapping }: IndexSearcher): boolean {
    if (document.routing === undefined) return false
    const isField = (name: string): boolean =>
      mapping.matchFields(name).length > 0 ||
      [...METADATA_FIELDS[mapping.engineVersion]].some((field) => matchWildcard(name, field))
    const { storedFields = [], source, sourceFields = [] } = this.#fetch
    if (storedFields.some((name) => name !== '_source' && isField(name))) return false
    // A source that nobody asks for is such a field too.
    const isSourceLeft = !source.enabled && sourceFields.length === 0 && document.source !== undefined
    return stopsAtRouting(document, mapping, isSourceLeft)
  }

  /** @throws {ServiceError} for what cannot be shown of a hit whose record is not read */
  #checkBare(searcher: IndexSearcher): void {
    requireWholeSource(this.#fetch.source, searcher.indexName)
    if (this.#context.dialect.typed) this.#highlight?.checkWithoutType(searcher)
  }

  /** A hit of what most show, without an object of it; undefined: there is more to it. */
  #plain(
    hit: ScoredHit,
    searcher: IndexSearcher,
    segment: SegmentReader,
    document: StoredDocument,
  ): RawJson | undefined {
    if (segment.rootDocs !== undefined || document.routing !== undefined || hasIgnored(segment)) return undefined
    const source = visibleSource(document, searcher.mapping)
    if (source === undefined) return undefined
    const type = this.#context.dialect.showsType ? `","_type":${JSON.stringify(document.type)},"_id":` : '","_id":'
    const score = Number.isNaN(hit.score) ? 'null' : floatText(hit.score)
    // Names of indices hold nothing that JSON escapes.
    const head = `{"_index":"${searcher.indexName}${type}${JSON.stringify(document.id)},"_score":${score},"_source":`
    const highlight = this.#highlight?.highlight(searcher, document, { segment, doc: hit.doc })
    let tail = highlight === undefined ? '' : `,"highlight":${writeJson(highlight)}`
    if (hit.sortValues !== undefined) tail += `,"sort":${writeJson(this.#sortJson(hit.sortValues, searcher))}`
    return new RawJson(head, source, `${tail}}`)
  }

  #sortJson(values: NonNullable<ScoredHit['sortValues']>, searcher: IndexSearcher): Json {
    const { searchers, sort } = this.#context
    return values.map((value, i) => sortValueJson(value, sort[i] as SortKey, searcher, searchers))
  }

  #innerHitsOf(hit: ScoredHit, searcher: IndexSearcher, document: StoredDocument): { readonly inner_hits?: Json } {
    const { groups } = this.#context
    if (this.#innerHits === undefined && groups?.innerHits === undefined) return {}
    const shown = { ...this.#innerHits?.render(hit, searcher, document), ...groups?.innerHits?.(hit) }
    return Object.keys(shown).length === 0 ? {} : { inner_hits: shown }
  }

  #explain(hit: ScoredHit): Json {
    const {
      searchers,
      query,
      dialect,
      rescore,
      indexBoosts,
      limits,
      statistics,
      isInAggregation = false,
    } = this.#context
    let explainer = this.#explainers.get(hit.searcher)
    if (explainer === undefined) {
      const searcher = searchers[hit.searcher] as IndexSearcher
      explainer = hitExplainer(query, searcher, rescore ?? [], {
        engineVersion: dialect.engineVersion,
        now: Date.now(),
        isFiltered: !isInAggregation,
        boost: Math.fround(indexBoosts?.[hit.searcher] ?? 1),
        statistics: statistics?.(),
        ...(limits === undefined ? {} : { limits: limits(hit.searcher) }),
      })
      this.#explainers.set(hit.searcher, explainer)
    }
    return renderExplanation(explainer(hit))
  }

  /** What of `docvalue_fields` is deprecated: once a search, with the first hit that shows some. */
  noteDocValueFields(): void {
    const { docValueFields: columns } = this.#fetch
    const { queries, searchers } = this.#context
    if (this.#hasNoted || queries.warnings === undefined || columns.length === 0) return
    this.#hasNoted = true
    noteDocValueFields(columns, searchers, queries.warnings)
  }

  #fields(
    searcher: IndexSearcher,
    segment: SegmentReader,
    hit: ScoredHit,
    document: StoredDocument,
  ): { readonly [name: string]: Json } | undefined {
    const { storedFields: stored, docValueFields: columns, sourceFields: asked } = this.#fetch
    const { groups } = this.#context
    // Before any script runs, which may fail.
    this.noteDocValueFields()
    const scripted = this.#scriptFields?.render(hit.searcher, segment, hit.doc)
    if (
      stored === undefined &&
      columns.length === 0 &&
      asked === undefined &&
      groups === undefined &&
      scripted === undefined
    )
      return undefined
    const group = groups === undefined ? undefined : groupField(groups.field, hit, searcher)
    const groupLast = this.#context.dialect.typed ? group : undefined
    const kept = stored === undefined ? undefined : storedFields(document, stored, searcher.mapping, true)
    const fromColumns = docValueFields(columns, searcher, segment, hit.doc)
    const fields = {
      ...scripted,
      ...(groupLast === undefined ? group : undefined),
      ...kept,
      ...fromColumns,
      ...inBoth(kept, fromColumns),
      ...(asked === undefined
        ? undefined
        : sourceFields(asked, searcher, document, {
            column: columnReader(searcher, segment, hit.doc),
            ignored: () => ignoredPaths(segment, hit.doc),
            derived: ({ field, format }) => shownDerived(field, format, searcher, segment, hit.doc),
          })),
      ...groupLast,
    }
    return Object.keys(fields).length === 0 ? undefined : fields
  }
}

/** A context for hits of another query than the search's own. */
export function withoutScores(context: HitContext): HitContext {
  const namedScores = context.namedScores && 'unknown'
  return { ...context, postFilter: undefined, rescore: undefined, indexBoosts: undefined, namedScores }
}

/** Members of both; undefined: none. */
function joined(
  own: { readonly [name: string]: Json } | undefined,
  more: { readonly [name: string]: Json } | undefined,
): { readonly [name: string]: Json } | undefined {
  if (more === undefined || Object.keys(more).length === 0) return own
  return { ...own, ...more }
}

/** The value that a hit's group has in common. */
function groupField(field: string, { collapseValue }: ScoredHit, { mapping }: IndexSearcher): { [name: string]: Json } {
  if (collapseValue === undefined || collapseValue === null) return {}
  const mapped = mapping.field(field)
  const type = mapped?.kind === 'number' ? mapped.type : undefined
  // Of floats what their column holds is shown, a double.
  const shown = type === 'float' || type === 'half_float' ? 'double' : type
  return { [field]: [typeof collapseValue === 'number' ? numberJson(collapseValue, shown) : collapseValue] }
}

/** Whether hits are asked for as they are by default. */
function isPlain(fetch: FetchOptions): boolean {
  const { source } = fetch
  return (
    source.enabled &&
    source.includes.length === 0 &&
    source.excludes.length === 0 &&
    fetch.storedFields === undefined &&
    fetch.docValueFields.length === 0 &&
    fetch.sourceFields === undefined &&
    fetch.scriptFields === undefined &&
    !fetch.explain &&
    !fetch.version &&
    !fetch.seqNo
  )
}

/** Whether any document of a segment has values that were left out. */
const hasIgnored = (segment: SegmentReader): boolean => segment.field(IGNORED_FIELD.path) !== undefined

/** `_ignored`, for documents that have any. */
function ignoredFields(segment: SegmentReader, doc: number): { readonly _ignored?: Json } {
  if (!hasIgnored(segment)) return {}
  const paths = ignoredPaths(segment, doc)
  return paths.length === 0 ? {} : { _ignored: inJavaHashOrder(paths) }
}

/** `hits` of an answer, or of a `top_hits` aggregation. @param hits  as they are shown */
export function renderHits(
  hits: Json[],
  found: {
    readonly total: { readonly value: number; readonly relation: 'eq' | 'gte' } | undefined
    readonly maxScore: Json
  },
  dialect: Dialect,
  totalAsInt: boolean,
): Json {
  return {
    total: dialect.renderTotalHits(found.total, totalAsInt),
    max_score: found.maxScore,
    hits,
  }
}

/** Shows the hits of a `top_hits` aggregation as the search's own are shown. */
export function renderTopHits(top: TopHitsResult, context: HitContext, body: SearchBody): Json {
  const { options, sort } = top.fetch as TopHitsFetch
  const namedScores = context.namedScores && 'unknown'
  const renderer = new HitRenderer(
    { isInAggregation: true, ...context, sort, rescore: undefined, namedScores, onShown: undefined },
    options,
  )
  const found = { total: { value: top.total, relation: 'eq' as const }, maxScore: scoreJson(top.maxScore) }
  return renderHits(renderer.renderAll(top.hits), found, context.dialect, body.totalAsInt)
}

/** A score; null where there is none. */
export function scoreJson(score: number): Json {
  return Number.isNaN(score) ? null : new JavaFloat(score)
}

/** The best score of a search; null where there is none, or none that is finite. */
export function maxScoreJson(score: number): Json {
  return scoreJson(Number.isFinite(score) ? score : Number.NaN)
}

/** A field that is asked for as stored and as column shows what is stored, then the column. */
function inBoth(
  stored: { readonly [name: string]: Json } | undefined,
  columns: { readonly [name: string]: readonly Json[] },
): { readonly [name: string]: Json } {
  const out: Record<string, Json> = {}
  for (const [path, values] of Object.entries(columns)) {
    const kept = stored?.[path]
    if (Array.isArray(kept)) setOwn(out, path, [...(kept as readonly Json[]), ...values])
  }
  return out
}
