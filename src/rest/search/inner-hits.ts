import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher, StoredDocument } from '../../engine/index/index-searcher.ts'
import { type NestedHit, nestedHits } from '../../engine/search/nested-hits.ts'
import type { NestedQuery, Query } from '../../engine/search/query.ts'
import type { ScoredHit } from '../../engine/search/search-request.ts'
import { ServiceError } from '../../errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import {
  renderSource,
  type SourceFilter,
  sourceOption,
  visibleSource,
  WHOLE_SOURCE,
} from '../endpoints/source-filter.ts'
import { valuesAt } from '../endpoints/stored-fields.ts'
import { JavaFloat, type Json, writeJson } from '../json/json-writer.ts'
import type { JsonValue } from '../parse-json.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { isObject } from '../rest-request.ts'
import { HighlightFetch } from './highlight-fetch.ts'

/** What inner hits are told of the search they are part of. */
export interface InnerHitsContext {
  readonly query: Query
  readonly dialect: Dialect
  readonly queries: QueryContext
  readonly engineVersion: EngineVersion
}

/** One `inner_hits` of a query. */
interface InnerHits {
  readonly name: string
  readonly query: NestedQuery
  readonly from: number
  readonly size: number
  readonly source: SourceFilter
  readonly highlight: HighlightFetch | undefined
}

const KEYS = new Set(['name', 'from', 'size', '_source', 'highlight', 'ignore_unmapped', 'track_scores'])

/** Shows, for each hit, the nested objects that made it one. */
export class InnerHitsFetch {
  readonly #parts: readonly InnerHits[]
  readonly #context: InnerHitsContext
  readonly #finders = new Map<string, ReturnType<typeof nestedHits>>()

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
    const parts = [...nestedQueries(context.query, false)].map((query) => readInnerHits(query, context))
    const names = new Set<string>()
    for (const { name } of parts) {
      if (names.has(name)) {
        throw new ServiceError('illegal_argument_exception', `[inner_hits] already contains an entry for key [${name}]`)
      }
      names.add(name)
    }
    return parts.length === 0 ? undefined : new InnerHitsFetch(parts, context)
  }

  /** `inner_hits` of a hit. */
  render(hit: ScoredHit, searcher: IndexSearcher, document: StoredDocument): { readonly [name: string]: Json } {
    return Object.fromEntries(
      this.#parts.map((part) => [part.name, { hits: this.#renderPart(part, hit, searcher, document) }]),
    )
  }

  #renderPart(part: InnerHits, hit: ScoredHit, searcher: IndexSearcher, document: StoredDocument): Json {
    const { dialect, engineVersion } = this.#context
    const key = `${part.name}/${hit.searcher}`
    const find = this.#finders.get(key) ?? nestedHits(part.query, searcher, { engineVersion, now: Date.now() })
    this.#finders.set(key, find)
    const found = find(hit.segment, hit.doc)
    const { path } = part.query
    const objects = {
      visible: objectsAt(path, visibleSource(document, searcher.mapping)),
      // What the mapping hides may still be highlighted, as stored fields are.
      whole: objectsAt(path, document.source),
    }
    return {
      total: dialect.renderTotalHits({ value: found.length, relation: 'eq' }, false),
      max_score: found[0] === undefined ? null : new JavaFloat(found[0].score),
      hits: found
        .slice(part.from, part.from + part.size)
        .map((nested) => this.#renderHit(part, nested, objects, searcher, document)),
    }
  }

  #renderHit(
    part: InnerHits,
    nested: NestedHit,
    objects: { readonly visible: readonly Json[]; readonly whole: readonly Json[] },
    searcher: IndexSearcher,
    document: StoredDocument,
  ): Json {
    const { dialect } = this.#context
    const { path } = part.query
    const { [nested.offset]: whole = null } = objects.whole
    const { [nested.offset]: visible } = objects.visible
    const highlight = part.highlight?.highlight(searcher, {
      ...document,
      source: wrapped(Buffer.from(writeJson(whole)), path),
    })
    return {
      _index: searcher.indexName,
      ...(dialect.showsType ? { _type: document.type } : {}),
      _id: document.id,
      _nested: { field: path, offset: nested.offset },
      _score: new JavaFloat(nested.score),
      ...(part.source.enabled && visible !== undefined
        ? { _source: renderSource(Buffer.from(writeJson(visible)), part.source) }
        : {}),
      ...(highlight === undefined ? {} : { highlight }),
    }
  }
}

/** Nested queries that ask for inner hits; a nested query within another may not. */
function* nestedQueries(query: Query, inside: boolean): Iterable<NestedQuery> {
  if (query.kind === 'nested' && query.innerHits !== undefined) {
    if (inside)
      throw new ServiceError(
        'illegal_argument_exception',
        '[inner_hits] of a nested query within another are not supported by this domain',
      )
    yield query
  }
  for (const value of Object.values(query)) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (typeof part === 'object' && part !== null && 'kind' in part)
        yield* nestedQueries(part as Query, inside || query.kind === 'nested')
    }
  }
}

function readInnerHits(query: NestedQuery, context: InnerHitsContext): InnerHits {
  const json = query.innerHits as JsonValue
  if (!isObject(json)) throw new ServiceError('parsing_exception', '[inner_hits] must be an object')
  for (const key of Object.keys(json)) {
    if (!KEYS.has(key))
      throw new ServiceError('illegal_argument_exception', `[${key}] of [inner_hits] is not supported by this domain`)
  }
  const from = Number(json['from'] ?? 0)
  const size = Number(json['size'] ?? 3)
  if (!(from >= 0 && size >= 0)) throw new ServiceError('illegal_argument_exception', 'illegal from or size value')
  if (from + size > 100) {
    throw new ServiceError(
      'illegal_argument_exception',
      `Inner result window is too large, the inner hit definition's [${query.path}]'s from + size must be less than or equal to: [100] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
      { inQueryPhase: true },
    )
  }
  const highlight = json['highlight']
  return {
    name: json['name'] === undefined ? query.path : String(json['name']),
    query,
    from,
    size,
    source: sourceOption(json['_source']) ?? WHOLE_SOURCE,
    highlight: highlight === undefined ? undefined : new HighlightFetch(highlight, { ...context, query: query.query }),
  }
}

/** The objects of a path in a source, in its order. */
function objectsAt(path: string, source: Buffer | undefined): readonly Json[] {
  return source === undefined ? [] : valuesAt(JSON.parse(source.toString('utf8')) as Json, path.split('.'))
}

/** A source that has just one object, at its path. */
function wrapped(object: Buffer, path: string): Buffer {
  const parts = path.split('.')
  const open = parts.map((part) => `{${JSON.stringify(part)}:`).join('')
  return Buffer.concat([Buffer.from(open), object, Buffer.from('}'.repeat(parts.length))])
}
