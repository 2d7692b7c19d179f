import type { MultiTermDslQuery, Query, SpanDslQuery } from '../../engine/search/queries/query.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readInt } from '../body/read-int.ts'
import { parsingException } from '../parsing-exception.ts'
import { fieldQuery, queriesIn } from './query-options.ts'
import { checkFieldName, type QueryContext, QueryReader, singleField } from './query-reader.ts'

/** Reads a query inside another. */
type ParseInner = (json: unknown) => Query

const SPAN_KINDS: ReadonlySet<string> = new Set<SpanDslQuery['kind']>([
  'span_term',
  'span_near',
  'span_or',
  'span_not',
  'span_first',
  'span_multi',
  'span_containing',
  'span_within',
  'field_masking_span',
])

const fault = (reason: string): ServiceError => parsingException(reason)

function isSpan(query: Query): query is Query & SpanDslQuery {
  return SPAN_KINDS.has(query.kind)
}

/** A clause that has to be a span query. @param boosted  what it is called where it is boosted; null: it may be */
function span(
  json: unknown,
  where: string,
  parse: ParseInner,
  context: QueryContext,
  boosted: string | null = where,
): SpanDslQuery {
  const query = parse(json)
  if (!isSpan(query)) throw fault(`${where} must be of type span query`).at(json as object, undefined, 'end')
  if (boosted !== null && context.engineVersion !== 'Elasticsearch_6.8' && (query.boost ?? 1) !== 1) {
    const boost = Number.isInteger(query.boost) ? `${query.boost}.0` : String(query.boost)
    throw fault(`${boosted} as a nested span clause can't have non-default boost value [${boost}]`).at(
      json as object,
      undefined,
      'end',
    )
  }
  return query
}

/** One that counts by where it is alone: 6.x still takes a boost for it. */
function innerSpan(json: unknown, where: string, parse: ParseInner, context: QueryContext): SpanDslQuery {
  const query = span(json, where, parse, context)
  if ((query.boost ?? 1) !== 1) context.warnings?.note('inner_span_boost')
  return query
}

/** `span_term`. */
export function spanTerm(body: unknown, context: QueryContext): Query {
  return fieldQuery('span_term', body, context, ['value', 'term'], (field, value, reader) => ({
    kind: 'span_term',
    field,
    value,
    ...reader.base(),
  }))
}

function clausesOf(reader: QueryReader) {
  return queriesIn(reader.list('clauses') ?? [], false)
}

/** `span_near`, gaps among its clauses. */
export function spanNear(body: unknown, context: QueryContext, parse: ParseInner): Query {
  const reader = new QueryReader('span_near', body, context.engineVersion)
  const clauses = clausesOf(reader).map((clause): SpanDslQuery => {
    if (clause['span_gap'] !== undefined) {
      const [field, width] = singleField('span_gap', clause['span_gap'])
      return {
        kind: 'span_gap',
        field,
        width: readInt(width as JsonValue, context.engineVersion === 'Elasticsearch_6.8'),
      }
    }
    return innerSpan(clause, 'span_near [clauses]', parse, context)
  })
  const query: Query = {
    kind: 'span_near',
    clauses,
    slop: reader.int('slop') ?? 0,
    inOrder: reader.boolean('in_order', true),
    ...reader.base(),
  }
  reader.done()
  if (clauses.length === 0) throw fault('span_near must include [clauses]')
  return query
}

/** `span_or`. */
export function spanOr(body: unknown, context: QueryContext, parse: ParseInner): Query {
  const reader = new QueryReader('span_or', body, context.engineVersion)
  const clauses = clausesOf(reader).map((clause) => innerSpan(clause, 'span_or [clauses]', parse, context))
  const query: Query = { kind: 'span_or', clauses, ...reader.base() }
  reader.done()
  if (clauses.length === 0) throw fault('span_or must include [clauses]')
  return query
}

/** `span_not`. */
export function spanNot(body: unknown, context: QueryContext, parse: ParseInner): Query {
  const reader = new QueryReader('span_not', body, context.engineVersion)
  const inner = (key: string): SpanDslQuery | undefined => {
    const json = reader.object(key)
    return json === undefined ? undefined : innerSpan(json, `span_not [${key}]`, parse, context)
  }
  const include = inner('include')
  const exclude = inner('exclude')
  const distance = reader.int('dist')
  const pre = reader.int('pre')
  const post = reader.int('post')
  const base = reader.base()
  reader.done()
  if (include === undefined) throw fault('span_not must have [include] span query clause')
  if (exclude === undefined) throw fault('span_not must have [exclude] span query clause')
  if (distance !== undefined && (pre !== undefined || post !== undefined))
    throw fault('span_not can either use [dist] or [pre] & [post] (or none)')
  const free = (value: number | undefined): number => Math.max(0, distance ?? value ?? 0)
  return { kind: 'span_not', include, exclude, pre: free(pre), post: free(post), ...base }
}

/** `span_first`. */
export function spanFirst(body: unknown, context: QueryContext, parse: ParseInner): Query {
  const reader = new QueryReader('span_first', body, context.engineVersion)
  const json = reader.object('match')
  const match = json === undefined ? undefined : innerSpan(json, 'span_first [match]', parse, context)
  const end = reader.int('end')
  const base = reader.base()
  reader.done()
  if (match === undefined) throw fault('span_first must have [match] span query clause')
  if (end === undefined) throw fault('span_first must have [end] set for it')
  if (end < 0) throw illegalArgument('parameter [end] needs to be positive.')
  return { kind: 'span_first', match, end, ...base }
}

/** `span_multi`: the terms of a pattern. */
export function spanMulti(body: unknown, context: QueryContext, parse: ParseInner): Query {
  const reader = new QueryReader('span_multi', body, context.engineVersion)
  const json = reader.object('match')
  const match = json === undefined ? undefined : parse(json)
  const base = reader.base()
  reader.done()
  if (match === undefined) throw fault('[span_multi] must have [match] multi term query clause')
  if (!isMultiTerm(match))
    throw fault('[span_multi] [match] must be of type multi term query').at(json as object, undefined, 'end')
  return { kind: 'span_multi', match, ...base }
}

function isMultiTerm(query: Query): query is Query & MultiTermDslQuery {
  return ['prefix', 'wildcard', 'regexp', 'fuzzy', 'range'].includes(query.kind)
}

/** `span_containing` and `span_within`. */
export function spanContainment(
  kind: 'span_containing' | 'span_within',
  body: unknown,
  context: QueryContext,
  parse: ParseInner,
): Query {
  const reader = new QueryReader(kind, body)
  const inner = (key: string): SpanDslQuery | undefined => {
    const json = reader.object(key)
    return json === undefined ? undefined : innerSpan(json, `${kind} [${key}]`, parse, context)
  }
  const big = inner('big')
  const little = inner('little')
  const base = reader.base()
  reader.done()
  const missing = big === undefined ? 'big' : 'little'
  if (big === undefined || little === undefined) {
    throw kind === 'span_within'
      ? fault(`span_within must include [${missing}]`)
      : illegalArgument(`inner clause [${missing}] cannot be null.`)
  }
  return { kind, big, little, ...base }
}

/** `field_masking_span`, in OpenSearch `span_field_masking`: it alone minds what the clause is boosted by. */
export function fieldMaskingSpan(body: unknown, context: QueryContext, parse: ParseInner): Query {
  const isOpenSearch = context.engineVersion === 'OpenSearch_2.19'
  const name = isOpenSearch ? 'span_field_masking' : 'field_masking_span'
  const reader = new QueryReader(name, body)
  const json = reader.object('query')
  const query =
    json === undefined
      ? undefined
      : span(json, `[${name}] query`, parse, context, isOpenSearch ? `${name} [query]` : null)
  const field = reader.text('field')
  const base = reader.base()
  reader.done()
  if (query === undefined) throw fault(`${name} must have [query] span query clause`)
  if (field === undefined) throw fault(`${name} must have [field] set for it`)
  checkFieldName(name, field)
  return { kind: 'field_masking_span', query, field, ...base }
}
