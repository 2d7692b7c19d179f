import { ServiceError } from '../../../errors.ts'
import { MemorySearcher } from '../../index/memory-searcher.ts'
import { inJavaHashOrder } from '../../java/java-hash-order.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { OverlaidMapping } from '../../mapping/overlaid-mapping.ts'
import { keyText, type ScriptValue } from '../../script/values/script-value.ts'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import type { Leaf } from '../lucene/leaf.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { ScriptLuceneQuery } from '../lucene/script-query.ts'
import { SearchContext } from '../lucene/search-context.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { noneAsked } from '../queries/no-terms.ts'
import type { Query } from '../queries/query.ts'
import { failedToCreate, fieldOf, illegalQuery, type QueryContext, shardError } from '../queries/query-context.ts'
import { faultInQueryPhase } from '../query-phase.ts'
import { indexedValues } from './derived-indexing.ts'
import { derivedValues } from './derived-values.ts'
import { valuesTest } from './values-test.ts'

/** Makes queries, those inside them too. */
type Create = (query: Query, context: QueryContext) => LuceneQuery

/** A query of one field. */
type FieldQuery = Extract<Query, { readonly field: string }>

/** Those whose words are looked for one by one, so that each counts. */
const OF_WORDS: ReadonlySet<Query['kind']> = new Set(['match', 'common'])

/** Those that the real server makes of a field's values as if these were indexed. */
const OVER_VALUES: ReadonlySet<Query['kind']> = new Set<Query['kind']>([
  ...(['term', 'either_case_term', 'terms', 'range', 'prefix', 'wildcard', 'regexp', 'fuzzy'] as const),
  ...(['match', 'match_phrase', 'match_phrase_prefix', 'common', 'distance_feature', 'geo_shape', 'geo_area'] as const),
])

/** Those that ask a field of texts first, where there is one. */
const PREFILTERED: ReadonlySet<Query['kind']> = new Set<Query['kind']>(
  [...OVER_VALUES].filter((kind) => !['range', 'distance_feature', 'geo_shape', 'geo_area'].includes(kind)),
)

/**
 * A query of a derived field: its script is run for each document that other conditions let through, and the query over what it
 * emits. All documents score alike.
 *
 * @returns undefined where nothing of the query is about a derived field, or nothing that is computed for it
 * @throws {ServiceError} query_shard_exception for what such a field cannot be asked
 */
export function derivedQuery(query: Query, context: QueryContext, create: Create): LuceneQuery | undefined {
  if (!('field' in query) || typeof query.field !== 'string') return undefined
  const asked = query as FieldQuery
  if (query.kind === 'exists') return existing(query.field, context)
  const field = fieldOf(asked.field, context)
  if (field?.derived === undefined) return undefined
  // Of documents that are percolated the real server computes nothing.
  if (field.derived.isOff || context.search.searcher instanceof MemorySearcher) return noneAsked()
  if (query.kind === 'geo_area' && query.area.shape === 'polygon')
    throw shardError(context, `field [${query.field}] is not a geo_point field`)
  if (!OVER_VALUES.has(query.kind)) return undefined
  const inner = innerContext(field, context)
  const made = told(context, () => create(asked, inner))
  const wrap = (part: LuceneQuery): LuceneQuery => {
    const found = overValues(part, asked, field, context, inner)
    const first = prefilter(part, asked, field, context, create)
    if (first === undefined) return found
    return new BooleanQuery([
      { occur: 'filter', query: first },
      { occur: 'filter', query: found },
    ])
  }
  if (!OF_WORDS.has(query.kind) || !(made instanceof BooleanQuery)) return wrap(made)
  const clauses = made.clauses.map(({ occur, query: part }) => ({ occur, query: wrap(part) }))
  return new BooleanQuery(clauses, made.minimumShouldMatch)
}

/** @throws {ServiceError} for a derived field of the mapping; nothing has those of a search */
function existing(name: string, context: QueryContext): LuceneQuery | undefined {
  const { mapping } = context.search
  const paths = name.includes('*') ? inJavaHashOrder([...mapping.matchFields(name)]) : [name]
  const fields = paths.map((path) => mapping.field(path)).filter((field) => field?.derived !== undefined)
  const own = fields.find((field) => !field?.derived?.isOfSearch && !field?.derived?.isOff)
  if (own !== undefined) {
    const reason = `Field [${own.path}] of type [derived] does not support exist queries`
    throw illegalQuery(context, reason)
  }
  return fields.length > 0 && fields.length === paths.length ? noneAsked() : undefined
}

/** Faults of dates too are of the making of a query here. */
function told(context: QueryContext, make: () => LuceneQuery): LuceneQuery {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type === 'query_shard_exception') throw error
    throw failedToCreate(context, error)
  }
}

/** A view of no documents in which the field is one like others. */
function innerContext(field: FieldMapping, context: QueryContext): QueryContext {
  const { derived: _, ...rest } = field
  // What is told of points is told of their index alone.
  const plain = field.kind === 'geo_point' ? { ...rest, docValues: false } : rest
  const { search } = context
  const { mapping } = search
  const own = new OverlaidMapping(mapping, (path) =>
    path === field.path ? (plain as FieldMapping) : mapping.field(path),
  )
  const { indexName, indexUuid } = search.searcher
  const { limit } = search.searcher
  const empty = Object.assign(new MemorySearcher({ indexName, indexUuid, mapping: own }), {
    limit: limit.bind(search.searcher),
  })
  return { ...context, search: new SearchContext(empty, { engineVersion: search.engineVersion, now: search.now }) }
}

/** What is asked of the field of texts first; undefined: nothing. @throws {ServiceError} query_shard_exception */
function prefilter(
  part: LuceneQuery,
  query: FieldQuery,
  { derived }: FieldMapping,
  context: QueryContext,
  create: Create,
): LuceneQuery | undefined {
  const name = derived?.prefilterField ?? ''
  if (name === '' || !PREFILTERED.has(query.kind)) return undefined
  const field = fieldOf(name, context)
  const refuse = (reason: string): ServiceError =>
    failedToCreate(context, new ServiceError('mapper_exception', `prefilter_field[${name}] ${reason}`))
  if (field === undefined) throw refuse('is not defined in the index mappings')
  if (field.kind !== 'text') throw refuse(`should be of type text. Type found [${field.kind}].`)
  if (OF_WORDS.has(query.kind)) return part instanceof TermQuery ? new TermQuery(field.path, part.text) : undefined
  return create({ ...query, field: name }, context)
}

/** Ways to rewrite patterns that look for terms of the index, where there are none. */
const FINDS_NO_TERMS = /^(?:top_terms|scoring_boolean|constant_score_boolean)/

/** Whether the real server looks for what is asked among the terms of the index, and so finds nothing. */
function looksInIndex(query: FieldQuery): boolean {
  if (query.kind === 'fuzzy' || query.kind === 'match_phrase_prefix') return true
  if (query.kind === 'match') return query.fuzziness !== undefined
  return 'rewrite' in query && FINDS_NO_TERMS.test(query.rewrite ?? '')
}

/** Documents whose values are remembered as found or not, by their values. */
const MAX_KEPT = 10_000

function overValues(
  part: LuceneQuery,
  query: FieldQuery,
  field: FieldMapping,
  context: QueryContext,
  inner: QueryContext,
): LuceneQuery {
  const { search } = context
  const values = derivedValues(field, search.searcher, search.watch)
  const isNone = looksInIndex(query)
  const unreadable = isNone ? undefined : noColumn(query, field)
  const isFoundIn = valuesTest(part, field, inner.search)
  const found = new Map<string, boolean>()
  const matches = (emitted: readonly ScriptValue[]): boolean => {
    const key = emitted.map(keyText).join('\u0001')
    const kept = found.get(key)
    if (kept !== undefined) return kept
    const indexed = indexedValues(field, emitted)
    if (unreadable !== undefined && indexed.length > 0) throw unreadable
    const isFound = !isNone && indexed.length > 0 && isFoundIn(indexed)
    if (found.size < MAX_KEPT) found.set(key, isFound)
    return isFound
  }
  return new DerivedLuceneQuery(
    `DerivedFieldQuery (Query: [ ${part}])`,
    (leaf: Leaf) => {
      const open = values.open(leaf.segment)
      return (doc) => matches(open(doc))
    },
    (leaf) => leaf.segment.rootDocs,
  )
}

class DerivedLuceneQuery extends ScriptLuceneQuery {
  override get profiledAs(): string {
    return 'DerivedFieldQuery'
  }
}

/** What the real server says of a query that reads a column, which values in memory do not have. */
function noColumn(query: FieldQuery, { kind, path }: FieldMapping): ServiceError | undefined {
  const fault = (reason: string): ServiceError => faultInQueryPhase('illegal_state_exception', reason)
  if (query.kind === 'distance_feature')
    return fault(
      `unexpected docvalues type NONE for field '${path}' (expected one of [SORTED_NUMERIC, NUMERIC]). Re-index with correct docvalues type.`,
    )
  if (query.kind === 'terms' && kind === 'boolean' && new Set(query.values.map(String)).size > 1)
    return fault(
      `FieldExistsQuery requires that the field indexes doc values, norms or vectors, but field '${path}' exists and indexes neither of these data structures`,
    )
  return undefined
}
