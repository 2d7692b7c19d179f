import { ServiceError } from '../../../errors.ts'
import { matchWildcard } from '../../../match-wildcard.ts'
import type { FieldMapping, IpField, NumberField } from '../../mapping/field-mapping.ts'
import { knowsNoField } from '../../mapping/knows-no-field.ts'
import { parseAddress, parseNetwork } from '../../mapping/types/ip-address.ts'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchAllDocsQuery } from '../lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { PointInSetQuery } from '../lucene/point-in-set-query.ts'
import { PointRangeQuery } from '../lucene/point-range-query.ts'
import { sortedTerms, TermInSetQuery } from '../lucene/term-in-set-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { addressesText, bytesText } from '../query-texts/address-text.ts'
import { numberRangeText, numbersText } from '../query-texts/number-text.ts'
import { type TwoWays, toldTwoWays } from '../query-texts/two-ways.ts'
import { boosted } from './boosted.ts'
import { constantQuery } from './constant-keyword-query.ts'
import { namedField, namedFields } from './exists-query.ts'
import { idsQuery, typesQuery } from './metadata-queries.ts'
import { noneAsked, unmapped } from './no-terms.ts'
import { exactRange, queryNumber, readAs } from './number-ranges.ts'
import type { QueryValue } from './query.ts'
import {
  checkSearchable,
  creating,
  failedToCreate,
  fieldOf,
  illegalQuery,
  isCompletion,
  limitOf,
  normalized,
  type QueryContext,
  shardError,
  typeName,
} from './query-context.ts'
import { rangeFieldQuery } from './range-field-query.ts'
import { addressRange, anyTruth, dateRange, rangeQuery, truth } from './range-query.ts'
import { scored } from './scored.ts'
import { asWildcard, wildcardFieldQuery } from './wildcard-field-query.ts'

/** Documents with a value in a field. Words score, numbers, dates and addresses all score alike. */
export function termQuery(path: string, value: QueryValue, context: QueryContext): LuceneQuery {
  const metadata = metadataTerm(path, [String(value)], context)
  if (metadata !== undefined) return foreseen(metadata, context)
  const field = fieldOf(path, context)
  if (field === undefined) return unmapped(path, context)
  const constant = constantQuery(field, (own) => own === String(value))
  if (constant !== undefined) return constant
  // Addresses know no boost.
  return boosted(valueQuery(field, path, value, context), field.kind === 'ip' ? 1 : field.boost)
}

/** Documents with any of some values; all score alike. */
export function termsQuery(path: string, values: readonly QueryValue[], context: QueryContext): LuceneQuery {
  const limit = limitOf('index.max_terms_count', 65_536, context)
  // 6.x only warns of it.
  if (values.length > limit && !context.search.isLucene7) {
    const reason = `The number of terms [${values.length}] used in the Terms Query request has exceeded the allowed maximum of [${limit}]. This maximum can be set by changing the [index.max_terms_count] index level setting.`
    throw illegalQuery(context, reason)
  }
  if (values.length === 0)
    return new MatchNoDocsQuery(
      context.search.engineVersion === 'OpenSearch_2.19'
        ? 'User requested "match_none" query.'
        : 'No terms supplied for "terms" query.',
    )
  const texts = values.map(String)
  const isNames = path === '_field_names' && !knowsNoField(context.search.mapping)
  const metadata = isNames ? namedFields(texts, context) : metadataTerm(path, texts, context)
  if (metadata !== undefined) return foreseen(metadata, context)
  const field = fieldOf(path, context)
  if (field === undefined) return unmapped(path, context)
  const constant = constantQuery(field, (own) => texts.includes(own))
  if (constant !== undefined) return constant
  // Elasticsearch looks for a set of addresses whether or not they are indexed.
  const isAddressSet = field.kind === 'ip' && !values.some((value) => String(value).includes('/'))
  if (context.search.isLucene9 || !isAddressSet) checkTerms(field, context)
  if (isCompletion(field)) {
    return new TermInSetQuery(field.words.path, sortedTerms(new Set(values.map(String))))
  }
  if (field.kind === 'text' || field.kind === 'keyword' || field.kind === 'boolean') {
    const words = [...new Set(values.map((value) => indexedText(field, value, context)))]
    const [only] = words
    // Of booleans one value is to OpenSearch a term like any other.
    if (field.kind === 'boolean' && context.search.isLucene9 && words.length === 1)
      return scored(new TermQuery(field.path, only as string), field)
    if (field.kind === 'boolean' && context.search.isLucene9) return anyTruth(field, context)
    const isWild = typeName(field) === 'wildcard'
    const set = new TermInSetQuery(field.path, sortedTerms(words.filter((word) => !isWild || word !== '')))
    return isWild ? asWildcard(field, words.join('|'), set) : set
  }
  if (field.kind === 'number') return boosted(numbersQuery(field, values, context), field.boost)
  if (field.kind === 'ip') return addressesQuery(field, texts, context)
  const queries = values.map((value) => valueQuery(field, path, value, context))
  return anyOf(queries)
}

function anyOf(queries: readonly LuceneQuery[]): LuceneQuery {
  return new ConstantScoreQuery(new BooleanQuery(queries.map((query) => ({ occur: 'should', query }))))
}

/** Values of numbers are a set of their own, so that their number is not bounded by max_clause_count. */
function numbersQuery(field: NumberField, values: readonly QueryValue[], context: QueryContext): LuceneQuery {
  const asked = readAs(field)
  const numbers = values.flatMap((value) => {
    const number = creating(context, () => queryNumber(asked, value, 'value', context.search.isLucene7))
    const { from, to } = exactRange(asked, number)
    return from > to ? [] : [from]
  })
  if (numbers.length === 0) return new MatchNoDocsQuery('All values have a decimal part')
  const query = new PointInSetQuery(field.path, numbers)
  return toldTwoWays(query, exactly(field, context), false, () => numbersText(field, numbers), context)
}

function addressesQuery(field: IpField, values: readonly string[], context: QueryContext): LuceneQuery {
  const networks = values.filter((text) => text.includes('/'))
  if (networks.length > 0 || (values.length === 1 && context.search.isLucene9)) {
    const queries = values.map((value) => valueQuery(field, field.path, value, context))
    return queries.length === 1 ? (queries[0] as LuceneQuery) : anyOf(queries)
  }
  const addresses = values.map((text) => creating(context, () => parseAddress(text)))
  // Of what is not indexed Elasticsearch finds none.
  const sought = field.index || context.search.isLucene9 ? addresses : []
  const query = new TermInSetQuery(
    field.path,
    sought.map((address) => Buffer.from(address)),
  )
  return toldTwoWays(
    query,
    exactly(field, context),
    false,
    () => addressesText(field.path, addresses),
    context,
    () => {
      const { byIndex, byColumn } = addressesText(field.path, addresses)
      return { byIndex, byColumn: `ConstantScore(${byColumn})` }
    },
  )
}

/** A field as values of it are looked for: in Elasticsearch by the index alone. */
function exactly<F extends FieldMapping>(field: F, { search }: QueryContext): F {
  return search.isLucene9 ? field : { ...field, docValues: false }
}

/** `_id`, `_type`, `_index` and others that no mapping lists. */
export function metadataTerm(path: string, values: readonly string[], context: QueryContext): LuceneQuery | undefined {
  if (knowsNoField(context.search.mapping) && path !== '_type') return undefined
  switch (path) {
    case '_id':
      return idsQuery([], values, context)
    case '_uid':
      if (context.search.engineVersion !== 'Elasticsearch_6.8') return undefined
      return idsQuery([], idsOfUids(values, context), context)
    case '_type':
      // OpenSearch has no types.
      if (context.search.engineVersion === 'OpenSearch_2.19') return undefined
      return typesQuery(values, context)
    case '_index':
      // Patterns of names are taken, too, and what stands for all of them.
      return values.some(
        (value) =>
          (value === '_all' && !context.search.isLucene7) || matchWildcard(value, context.search.searcher.indexName),
      )
        ? new MatchAllDocsQuery()
        : new MatchNoDocsQuery(context.search.isLucene7 ? "Index didn't match" : '')
    case '_field_names':
      return namedField(values[0] as string, context)
    case '_seq_no':
      return numberedQuery(values, context)
    case '_source':
    case '_version':
      throw shardError(context, `The ${path} field is not searchable`)
    case '_doc_count':
      if (context.search.engineVersion !== 'OpenSearch_2.19') return undefined
      throw shardError(context, `Field [${path}] of type [${path}] is not searchable`)
    case '_data_stream_timestamp': {
      if (context.search.engineVersion !== 'OpenSearch_2.19') return undefined
      const reason = `Cannot run term query on internal field [${path}]`
      throw failedToCreate(context, new ServiceError('unsupported_operation_exception', reason))
    }
    default:
      return undefined
  }
}

/** The ids of values `type#id` of types that the index has. */
function idsOfUids(values: readonly string[], { search }: QueryContext): string[] {
  return values.flatMap((value) => {
    const end = value.indexOf('#')
    return end >= 0 && search.mapping.types.includes(value.slice(0, end)) ? [value.slice(end + 1)] : []
  })
}

/** What servers later than 6.x see to find nothing before it is made. */
function foreseen(query: LuceneQuery, { search }: QueryContext): LuceneQuery {
  return query instanceof MatchNoDocsQuery && !search.isLucene7 ? noneAsked() : query
}

/** Documents by sequence number. */
function numberedQuery(values: readonly string[], context: QueryContext): LuceneQuery {
  const queries = values.map((value) =>
    rangeQuery({ kind: 'range', field: '_seq_no', gte: value, lte: value, relation: 'intersects' }, context),
  )
  return queries.length === 1 ? (queries[0] as LuceneQuery) : anyOf(queries)
}

/** @throws {ServiceError} query_shard_exception for fields that are not looked for by value */
function checkTerms(field: FieldMapping, context: QueryContext): void {
  if (field.kind === 'binary') throw shardError(context, 'Binary fields do not support searching')
  if (field.kind === 'geo_point') {
    const [fields, queries] = context.search.isLucene7 ? ['Geo', 'geo'] : ['Geometry', 'geometry']
    const reason = `${fields} fields do not support exact searching, use dedicated ${queries} queries instead: [${field.path}]`
    throw shardError(context, reason)
  }
  checkSearchable(field, context)
}

function valueQuery(field: FieldMapping, path: string, value: QueryValue, context: QueryContext): LuceneQuery {
  checkTerms(field, context)
  if (isCompletion(field)) return new TermQuery(field.words.path, String(value))
  switch (field.kind) {
    case 'text':
    case 'keyword':
    case 'boolean':
      if (typeName(field) === 'wildcard') return wildcardFieldQuery(field, String(value), context)
      if (typeName(field) === 'match_only_text') return new ConstantScoreQuery(new TermQuery(field.path, String(value)))
      return scored(new TermQuery(field.path, indexedText(field, value, context)), field)
    case 'number': {
      const asked = readAs(field)
      const number = creating(context, () => queryNumber(asked, value, 'value', context.search.isLucene7))
      const { from, to } = exactRange(asked, number)
      // A text is told by its bytes.
      const told = typeof value === 'string' ? bytesText(Buffer.from(value)) : String(value)
      if (from > to) return new MatchNoDocsQuery(`Value [${told}] has a decimal part`)
      const tell = (): TwoWays => numberRangeText(field, { from, to })
      return toldTwoWays(new PointRangeQuery(field.path, from, to), exactly(field, context), true, tell, context)
    }
    case 'date':
      return dateRange(field, { gte: String(value), lte: String(value) }, context, (read) => creating(context, read))
    case 'ip': {
      const text = String(value)
      if (text.includes('/')) {
        const { first, last } = creating(context, () => parseNetwork(text))
        return addressRange(field, first, last, context)
      }
      const address = creating(context, () => parseAddress(text))
      return addressRange(field, address, address, context)
    }
    case 'range':
      return rangeFieldQuery(field, { gte: value, lte: value, relation: 'intersects' }, context)
    case 'binary':
    case 'geo_point':
    case 'opaque': {
      if (field.kind === 'opaque' && field.type === 'percolator')
        throw shardError(context, 'Percolator fields are not searchable directly, use a percolate query instead')
      if (field.kind === 'opaque' && field.type === 'geo_shape') {
        throw shardError(
          context,
          context.search.isLucene7
            ? 'Geo fields do not support exact searching, use dedicated geo queries instead'
            : `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${path}]`,
        )
      }
      if (field.kind === 'opaque' && (field.type === 'rank_feature' || field.type === 'rank_features')) {
        const unsupported = `Queries on [${field.type}] fields are not supported`
        throw illegalQuery(context, unsupported)
      }
      const reason = `Field [${path}] of type [${typeName(field)}] does not support term queries`
      throw illegalQuery(context, reason)
    }
  }
}

/** A value as the inverted index holds it. */
function indexedText(field: FieldMapping, value: QueryValue, context: QueryContext): string {
  const text = String(value)
  if (field.kind !== 'boolean') return normalized(field, text)
  return truth(text, context)
}
