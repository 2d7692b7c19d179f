import { parseDateMath } from '../../engine/mapping/date-math.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { joinParentOf } from '../../engine/mapping/join-field.ts'
import { editsOf } from '../../engine/search/fuzziness.ts'
import { javaFloat } from '../../engine/search/lucene/java-float.ts'
import { closedRange, queryNumber } from '../../engine/search/number-ranges.ts'
import type { HasChildQuery, HasParentQuery, ParentIdQuery, Query, RangeQuery } from '../../engine/search/query.ts'
import { parseQueryString } from '../../engine/search/query-string.ts'
import { scriptText } from '../../engine/search/script/search-script.ts'
import { parseSimpleQueryString } from '../../engine/search/simple-query-string.ts'

/** A query in Lucene's notation (`+title:wind #year:[1939 TO 1939]`), as `_validate/query?explain` shows it. */
export function describeQuery(query: Query, mapping: IndexMapping): string {
  return describe(query, mapping)
}

function describe(query: Query, mapping: IndexMapping): string {
  const text = describeUnboosted(query, mapping)
  const { boost = 1 } = query
  return boost === 1 ? text : `(${text})^${javaFloat(boost)}`
}

function describeUnboosted(query: Query, mapping: IndexMapping): string {
  switch (query.kind) {
    case 'match_all':
      return '*:*'
    case 'match_none':
      return `MatchNoDocsQuery("${query.reason ?? 'User requested "match_none" query.'}")`
    case 'bool': {
      const part = (sign: string, parts: readonly Query[]) => parts.map((p) => `${sign}${nested(p, mapping)}`)
      return [
        ...part('+', query.must),
        ...part('#', query.filter),
        ...part('-', query.mustNot),
        ...part('', query.should),
      ].join(' ')
    }
    case 'function_score':
      return `function score (${describe(query.query, mapping)}, functions: [${query.functions.length}])`
    case 'script':
      return `ScriptQuery(${scriptText(query.script)})`
    case 'constant_score':
      return `ConstantScore(${describe(query.filter, mapping)})`
    case 'dis_max':
      return `(${query.queries.map((q) => nested(q, mapping)).join(' | ')})`
    case 'query_string':
      return describe(parseQueryString(query, mapping), mapping)
    case 'simple_query_string':
      return describe(parseSimpleQueryString(query, mapping), mapping)
    case 'match':
      return words(query.field, query.text, mapping, query.operator === 'and')
    case 'match_phrase':
    case 'match_phrase_prefix': {
      const terms = analyzed(query.field, query.text, mapping)
      const star = query.kind === 'match_phrase_prefix' ? '*' : ''
      return terms.length === 1 && star === ''
        ? `${query.field}:${terms[0]}`
        : `${query.field}:"${terms.join(' ')}${star}"`
    }
    case 'multi_match':
      return `(${query.fields.map(([field]) => words(field, query.text, mapping, query.operator === 'and')).join(' | ')})`
    case 'either_case_term':
    case 'term':
      return termText(query.field, query.value, mapping)
    case 'terms':
      return mapping.field(query.field)?.kind === 'number'
        ? `${query.field}:{${query.values.map(String).join(' ')}}`
        : `${query.field}:(${query.values.map(String).join(' ')})`
    case 'prefix':
      return `${query.field}:${query.value}*`
    case 'wildcard':
      return `${query.field}:${query.value}`
    case 'regexp':
      return `${query.field}:/${query.value}/`
    case 'fuzzy':
      return `${query.field}:${query.value}~${editsOf(query.fuzziness, Array.from(query.value).length)}`
    case 'exists':
      return `ConstantScore(${hasNorms(query.field, mapping) ? 'Norms' : 'DocValues'}FieldExistsQuery [field=${query.field}])`
    case 'range': {
      const closed = closedText(query, mapping)
      if (closed !== undefined) return closed
      const from = query.gte ?? query.gt
      const to = query.lte ?? query.lt
      return `${query.field}:${query.gt === undefined ? '[' : '{'}${from ?? '*'} TO ${to ?? '*'}${query.lt === undefined ? ']' : '}'}`
    }
    case 'nested':
      return `ToParentBlockJoinQuery (${describe(query.query, mapping)})`
    case 'has_child':
    case 'has_parent':
    case 'parent_id':
      return describeJoin(query, mapping)
    default:
      return query.kind
  }
}

function hasNorms(path: string, mapping: IndexMapping): boolean {
  const field = mapping.field(path)
  return field?.kind === 'text' && field.norms
}

/** The bounds of a range of whole numbers or instants as they are looked for; undefined for other ranges. */
function closedText(query: RangeQuery, mapping: IndexMapping): string | undefined {
  const field = mapping.field(query.field)
  if (field?.kind === 'number' && WHOLE.has(field.type)) {
    const bounds: { gt?: number | bigint; gte?: number | bigint; lt?: number | bigint; lte?: number | bigint } = {}
    for (const key of ['gt', 'gte', 'lt', 'lte'] as const) {
      const value = query[key]
      if (value !== undefined) bounds[key] = queryNumber(field, value)
    }
    const { from, to } = closedRange(field, bounds)
    return `${query.field}:[${from} TO ${to}]`
  }
  if (field?.kind !== 'date' || field.inNanos || query.format !== undefined) return undefined
  const { timeZone } = query
  const instant = (value: string | number | bigint, roundUp: boolean): number =>
    parseDateMath(String(value), field.format, { now: Date.now(), timeZone, roundUp })
  const from =
    query.gte !== undefined
      ? instant(query.gte, false)
      : query.gt !== undefined
        ? instant(query.gt, true) + 1
        : -(2n ** 63n)
  const to =
    query.lte !== undefined
      ? instant(query.lte, true)
      : query.lt !== undefined
        ? instant(query.lt, false) - 1
        : 2n ** 63n - 1n
  return `${query.field}:[${from} TO ${to}]`
}

const WHOLE: ReadonlySet<string> = new Set(['long', 'integer', 'short', 'byte'])

function describeJoin(query: HasChildQuery | HasParentQuery | ParentIdQuery, { join }: IndexMapping): string {
  if (join === undefined) return 'MatchNoDocsQuery("")'
  const parent = query.kind === 'has_parent' ? join.parents.get(query.parentType) : joinParentOf(join, query.type ?? '')
  if (parent === undefined) return 'MatchNoDocsQuery("")'
  const { path } = parent.idField
  return query.kind === 'parent_id'
    ? `+${path}:${query.id} #${join.field.path}:${query.type}`
    : `LateParsingQuery {joinField=${path}}`
}

function nested(query: Query, mapping: IndexMapping): string {
  const text = describe(query, mapping)
  const single = !text.includes(' ') || /^\(.*\)$/.test(text) || query.kind === 'range' || query.kind === 'term'
  return single ? text : `(${text})`
}

function words(field: string, text: string, mapping: IndexMapping, all: boolean): string {
  const mapped = mapping.field(field)
  if (mapped === undefined) return `MatchNoDocsQuery("unmapped fields [${field}]")`
  if (mapped.kind !== 'text' && mapped.kind !== 'keyword') return termText(field, text, mapping)
  return analyzed(field, text, mapping)
    .map((term) => `${all ? '+' : ''}${field}:${term}`)
    .join(' ')
}

function analyzed(field: string, text: string, mapping: IndexMapping): string[] {
  const mapped = mapping.field(field)
  if (mapped?.kind !== 'text') return [text]
  const tokens = mapped.searchAnalyzer.analyze(text)
  return tokens.terms.slice(0, tokens.length)
}

function termText(field: string, value: string | number | bigint | boolean, mapping: IndexMapping): string {
  return mapping.field(field)?.kind === 'number' ? `${field}:[${value} TO ${value}]` : `${field}:${value}`
}
