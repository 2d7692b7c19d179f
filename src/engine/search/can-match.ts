import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { createQuery } from './create-query.ts'
import type { LuceneQuery } from './lucene/lucene-query.ts'
import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'
import { PointRangeQuery } from './lucene/point-range-query.ts'
import { SearchContext } from './lucene/search-context.ts'
import type { Query, RangeQuery } from './query.ts'

/**
 * Whether a query can match in an index, as the real servers ask each shard before they search it: ranges of dates are held
 * against the first and last of the index, 7.x and later know of more queries that fields which are not there match nothing.
 * True says nothing; false, that nothing matches.
 */
export function canMatch(
  query: Query,
  searcher: IndexSearcher,
  options: { readonly engineVersion: EngineVersion; readonly now: number },
): boolean {
  return new MatchTest(new SearchContext(searcher, options)).canMatch(query)
}

const ALL = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

class MatchTest {
  readonly #context: SearchContext

  constructor(context: SearchContext) {
    this.#context = context
  }

  canMatch(query: Query): boolean {
    const isLater = !this.#context.isLucene7
    switch (query.kind) {
      case 'match_none':
        return false
      case 'constant_score':
        return this.canMatch(query.filter)
      case 'bool': {
        const needed = [...query.must, ...query.filter]
        if (needed.length > 0 || !isLater || query.should.length === 0)
          return needed.every((clause) => this.canMatch(clause))
        return query.should.some((clause) => this.canMatch(clause))
      }
      case 'range':
        return this.#canRangeMatch(query)
      case 'function_score':
      case 'script_score':
        return !isLater || this.canMatch(query.query)
      case 'boosting':
        return !isLater || this.canMatch(query.positive)
      case 'exists': {
        const { mapping } = this.#context
        // Metadata fields, and patterns of names, are left to the search.
        const isThere = mapping.field(query.field) !== undefined || mapping.isObject(query.field)
        return !isLater || isThere || /^_|\*/.test(query.field)
      }
      case 'term':
      case 'terms':
      case 'prefix':
      case 'wildcard':
      case 'fuzzy':
        // Of what no mapping lists `_index` is the one that can match.
        if (!isLater || this.#context.mapping.field(query.field) !== undefined) return true
        return !(this.#create(query) instanceof MatchNoDocsQuery)
      default:
        return true
    }
  }

  #canRangeMatch(query: RangeQuery): boolean {
    const field = this.#context.mapping.field(query.field)
    const made = this.#create(query)
    if (field?.kind !== 'date' || (!field.index && !this.#context.isLucene7)) return !(made instanceof MatchNoDocsQuery)
    // Without ends it is a question for any value.
    const { from, to } = made instanceof PointRangeQuery ? made : ALL
    return this.#hasValues(query.field, from, to)
  }

  /** Whether the stretch between the first and the last value of a field, deleted documents' too, meets a range. */
  #hasValues(path: string, from: number | bigint, to: number | bigint): boolean {
    const ends = this.#context.leaves.flatMap(({ segment }) => {
      const values = segment.field(path)?.points?.values
      return values === undefined || values.length === 0 ? [] : [values[0], values[values.length - 1]]
    }) as (number | bigint)[]
    return ends.some((end) => end >= from) && ends.some((end) => end <= to)
  }

  /** The query itself, whatever it is multiplied by. */
  #create(query: Query): LuceneQuery {
    const { boost, ...plain } = query
    return createQuery(plain as Query, this.#context)
  }
}
