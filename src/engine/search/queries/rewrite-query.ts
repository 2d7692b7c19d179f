import { TYPED_METADATA } from '../../mapping/metadata-fields.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { PointRangeQuery } from '../lucene/point-range-query.ts'
import type { SearchContext } from '../lucene/search-context.ts'
import { ToldSetQuery } from '../lucene/told-set-query.ts'
import { pointEnds } from '../sort/point-ends.ts'
import { eitherCaseTermQuery, prefixQuery, wildcardQuery } from './pattern-queries.ts'
import type { BoolQuery, Query, RangeQuery, TermsQuery } from './query.ts'
import type { QueryContext } from './query-context.ts'
import { rangeQuery } from './range-query.ts'
import { termQuery, termsQuery } from './term-queries.ts'

const NONE: Query = { kind: 'match_none' }

/**
 * A query as each shard of the real servers rewrites it before it is made: what can match nothing there (fields that are not,
 * other indices' names) becomes `match_none`, and so does what needs it to match. Faults of clauses that go with it are never
 * found. The same query where nothing changes.
 *
 * @param withDates  whether ranges of dates are held against the first and the last of the index
 * @throws {ServiceError} for dates that cannot be read
 */
export function rewriteQuery(query: Query, search: SearchContext, withDates: boolean): Query {
  return new QueryRewriter(search, withDates).rewrite(query)
}

class QueryRewriter {
  readonly #search: SearchContext
  readonly #context: QueryContext
  readonly #withDates: boolean
  /** What 6.x leaves as it is. */
  readonly #isLater: boolean

  constructor(search: SearchContext, withDates: boolean) {
    this.#search = search
    this.#context = { search, isFilter: false, nestedPath: undefined }
    this.#withDates = withDates
    this.#isLater = !search.isLucene7
  }

  rewrite(query: Query): Query {
    switch (query.kind) {
      case 'bool':
        return this.#bool(query)
      case 'constant_score': {
        const filter = this.rewrite(query.filter)
        return isNone(filter) ? filter : filter === query.filter ? query : { ...query, filter }
      }
      case 'function_score':
      case 'script_score': {
        const inner = this.rewrite(query.query)
        if (this.#isLater && isNone(inner)) return inner
        return inner === query.query ? query : { ...query, query: inner }
      }
      case 'boosting': {
        const positive = this.rewrite(query.positive)
        const negative = this.rewrite(query.negative)
        if (this.#isLater && isNone(positive)) return positive
        return positive === query.positive && negative === query.negative ? query : { ...query, positive, negative }
      }
      case 'dis_max': {
        const queries = this.#all(query.queries)
        return queries === query.queries ? query : { ...query, queries }
      }
      case 'nested':
      case 'has_child':
      case 'has_parent': {
        const inner = this.rewrite(query.query)
        return inner === query.query ? query : { ...query, query: inner }
      }
      case 'range':
        return this.#range(query)
      case 'exists':
        return this.#isLater && !this.#existsIn(query.field) ? NONE : query
      case 'ids':
        return this.#isLater && query.values.length === 0 ? NONE : query
      case 'term':
        return this.#byName(query, query.field, () => termQuery(query.field, query.value, this.#context))
      case 'terms':
        if (query.isLookedUp) return this.rewrite(withoutLookup(query))
        if (this.#isLater && query.bitmap === undefined && query.values.length === 0) return NONE
        return this.#byName(query, query.field, () => termsQuery(query.field, query.values, this.#context))
      case 'either_case_term':
        return this.#byName(query, query.field, () => eitherCaseTermQuery(query.field, query.value, this.#context))
      case 'prefix':
        return this.#byName(query, query.field, () => prefixQuery(query, this.#context))
      case 'wildcard':
        return this.#byName(query, query.field, () => wildcardQuery(query, this.#context))
      case 'fuzzy':
        return this.#isLater && !this.#hasType(query.field) ? NONE : query
      default:
        return query
    }
  }

  #bool(query: BoolQuery): Query {
    const clauses = query.must.length + query.mustNot.length + query.filter.length + query.should.length
    if (clauses === 0) {
      const { boost, name } = query
      return { kind: 'match_all', ...(boost === undefined ? {} : { boost }), ...(name === undefined ? {} : { name }) }
    }
    const must = this.#all(query.must)
    const mustNot = this.#all(query.mustNot)
    const filter = this.#all(query.filter)
    const should = this.#all(query.should)
    const none = must.find(isNone) ?? filter.find(isNone)
    if (none !== undefined) return none
    const isOptional = must.length === 0 && filter.length === 0 && should.length > 0
    if (this.#isLater && isOptional && should.every(isNone)) return NONE
    const isSame =
      must === query.must && mustNot === query.mustNot && filter === query.filter && should === query.should
    return isSame ? query : { ...query, must, mustNot, filter, should }
  }

  /** The same list where nothing changes. */
  #all(queries: readonly Query[]): readonly Query[] {
    let changed: Query[] | undefined
    for (const [i, query] of queries.entries()) {
      const rewritten = this.rewrite(query)
      if (rewritten === query) continue
      changed ??= [...queries]
      changed[i] = rewritten
    }
    return changed ?? queries
  }

  /** A query for words of a field: what every document of an index has in common is known at once. */
  #byName(query: Query, path: string, make: () => unknown): Query {
    if (!this.#isLater) return query
    const field = this.#search.mapping.field(path)
    const isCommon = field === undefined ? path === '_index' : field.kind === 'keyword' && field.constant !== undefined
    if (isCommon) return make() instanceof MatchNoDocsQuery ? NONE : query
    return field === undefined && !this.#hasType(path) ? NONE : query
  }

  #hasType(path: string): boolean {
    return this.#search.mapping.field(path) !== undefined || TYPED_METADATA[this.#search.engineVersion].has(path)
  }

  #existsIn(path: string): boolean {
    const { mapping } = this.#search
    if (this.#hasType(path) || mapping.isObject(path)) return true
    return path.includes('*') && (mapping.matchFields(path).length > 0 || path.startsWith('_'))
  }

  #range(query: RangeQuery): Query {
    if (!this.#hasType(query.field)) return NONE
    const field = this.#search.mapping.field(query.field)
    if (field?.kind !== 'date' || field.derived !== undefined || !this.#withDates) return query
    if (!field.index) return this.#search.isLucene7 ? NONE : query
    const told = rangeQuery({ ...query, field: field.path }, this.#context)
    const made = told instanceof ToldSetQuery ? told.query : told
    if (made instanceof MatchNoDocsQuery) return NONE
    const { least, most } = pointEnds(field.path, this.#search)
    if (least > most) return NONE
    // Without ends, or with all values in between, it is a question for any value: the real servers ask anew without ends.
    if (!(made instanceof PointRangeQuery)) return hasEnds(query) ? { ...query } : query
    return most >= made.from && least <= made.to ? query : NONE
  }
}

function withoutLookup({ isLookedUp: _, ...query }: TermsQuery): Query {
  return query
}

function hasEnds({ gte, gt, lte, lt }: RangeQuery): boolean {
  return (gte ?? gt ?? lte ?? lt) !== undefined
}

function isNone(query: Query): boolean {
  return query.kind === 'match_none'
}
