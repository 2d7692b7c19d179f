import { ServiceError } from '../../errors.ts'
import type { TokenBuffer } from '../analysis/token-buffer.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { FIELD_NAMES } from '../index/segment-builder.ts'
import type { SegmentReader } from '../index/segment-reader.ts'
import { createDateFormat } from '../mapping/create-date-format.ts'
import { parseDateMath } from '../mapping/date-math.ts'
import type { DateField, FieldMapping, TextField } from '../mapping/field-mapping.ts'
import { parseAddress, parseNetwork } from '../mapping/ip-address.ts'
import { collectionStatistics, ordinalMatches, phraseMatches, termMatches, termStatistics, weightOf } from './field-terms.ts'
import {
  disjunction,
  disjunctionMax,
  docsOfBits,
  intersect,
  type Matches,
  NO_MATCHES,
  requiredPlusOptional,
  scoreAt,
  subtract,
  union,
  withConstant,
} from './matches.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import { fuzzyTerms, prefixOrdinals, regexpOrdinals, wildcardOrdinals } from './multi-terms.ts'
import { closedRange, queryNumber, rangeMatches } from './number-ranges.ts'
import { parseQueryString } from './query-string.ts'
import type { BoolQuery, MatchQuery, MultiMatchQuery, NestedQuery, Query, RangeQuery } from './query.ts'

/** A query made ready for one index: asked segment by segment. */
export type CompiledQuery = (segment: SegmentReader, segmentIndex: number) => Matches

/** What compilation needs beside the query. */
export interface CompileContext {
  readonly searcher: IndexSearcher
  readonly engineVersion: EngineVersion
  /** What `now` means in date math, ms since 1970. */
  readonly now: number
}

/** Most clauses of a bool query, as `indices.query.bool.max_clause_count`. */
const MAX_CLAUSES = 1_024

const NOTHING: CompiledQuery = () => NO_MATCHES

/**
 * Makes a query ready for an index.
 *
 * @throws {ServiceError} query_shard_exception and its kin for values the fields cannot take
 */
export function compileQuery(query: Query, context: CompileContext): CompiledQuery {
  return compile(query, context, 1)
}

function compile(query: Query, context: CompileContext, outer: number): CompiledQuery {
  const boost = Math.fround(outer * (query.boost ?? 1))
  switch (query.kind) {
    case 'match_all':
      return (segment) => allDocs(segment, boost)
    case 'match_none':
      return NOTHING
    case 'term':
      return term(query.field, query.value, context, boost)
    case 'terms': {
      const parts = query.values.map((value) => term(query.field, value, context, 1))
      return (segment, i) => union(parts.map((p) => p(segment, i)), segment.maxDoc, boost)
    }
    case 'range':
      return range(query, context, boost)
    case 'exists':
      return exists(query.field, context, boost)
    case 'ids': {
      const wanted = new Map<number, number[]>()
      const types: readonly (string | undefined)[] = query.types.length > 0 ? query.types : [undefined]
      for (const id of query.values) {
        for (const type of types) {
          for (const { segment, doc } of context.searcher.locate(type, id)) wanted.set(segment, [...(wanted.get(segment) ?? []), doc])
        }
      }
      return (_, i) => ({ docs: Int32Array.from(new Set(wanted.get(i) ?? [])).sort(), scores: undefined, constant: boost })
    }
    case 'type':
      return (segment) => {
        const ordinal = segment.typeNames.indexOf(query.value)
        if (ordinal < 0) return NO_MATCHES
        return filterDocs(segment, (doc) => segment.typeOrdinals[doc] === ordinal, boost)
      }
    case 'prefix':
      return multiTerm(query.field, context, boost, (segment) => {
        const terms = segment.field(resolve(query.field, context))?.terms
        if (terms === undefined) return []
        const { from, to } = prefixOrdinals(terms, Buffer.from(normalized(query.field, query.value, context)))
        return span(from, to)
      })
    case 'wildcard':
      return multiTerm(query.field, context, boost, (segment) => {
        const terms = segment.field(resolve(query.field, context))?.terms
        return terms === undefined ? [] : wildcardOrdinals(terms, normalized(query.field, query.value, context))
      })
    case 'regexp':
      if (query.value.length > 1_000) {
        throw shardError(context, `The length of regex [${query.value.length}] used in the Regexp Query request has exceeded the allowed maximum of [1000]. This maximum can be set by changing the [index.max_regex_length] index level setting.`)
      }
      return multiTerm(query.field, context, boost, (segment) => {
        const terms = segment.field(resolve(query.field, context))?.terms
        return terms === undefined ? [] : regexpOrdinals(terms, query.value)
      })
    case 'fuzzy': {
      const field = fieldOf(query.field, context)
      if (field === undefined) return NOTHING
      return fuzzy(field, query.value, query, context, boost)
    }
    case 'bool':
      return bool(query, context, boost)
    case 'constant_score': {
      const inner = compile(query.filter, context, 1)
      return (segment, i) => withConstant(inner(segment, i), boost)
    }
    case 'dis_max': {
      const parts = query.queries.map((q) => compile(q, context, boost))
      return (segment, i) => disjunctionMax(parts.map((p) => p(segment, i)), query.tieBreaker, segment.maxDoc)
    }
    case 'boosting': {
      const positive = compile(query.positive, context, boost)
      const negative = compile(query.negative, context, 1)
      return (segment, i) => demote(positive(segment, i), negative(segment, i), query.negativeBoost)
    }
    case 'nested':
      return nested(query, context, boost)
    case 'match':
      return match(query, context, boost)
    case 'match_phrase':
      return phrase(query.field, query.text, { slop: query.slop, analyzer: query.analyzer, zeroTerms: query.zeroTermsQuery }, context, boost)
    case 'match_phrase_prefix':
      return phrase(query.field, query.text, { slop: query.slop, analyzer: query.analyzer, zeroTerms: 'none', prefixExpansions: query.maxExpansions }, context, boost)
    case 'multi_match':
      return multiMatch(query, context, boost)
    case 'query_string':
      return compile(parseQueryString(query, context.searcher.mapping), context, boost)
  }
}

function resolve(path: string, context: CompileContext): string {
  return context.searcher.mapping.field(path)?.path ?? path
}

function fieldOf(path: string, context: CompileContext): FieldMapping | undefined {
  return context.searcher.mapping.field(path)
}

/** An error of a query against one index. */
function shardError(context: CompileContext, reason: string, cause?: ServiceError): ServiceError {
  return new ServiceError('query_shard_exception', reason, {
    index: context.searcher.indexName,
    indexUuid: context.searcher.indexUuid,
    inQueryPhase: true,
    cause,
  })
}

function allDocs(segment: SegmentReader, constant: number): Matches {
  const docs = new Int32Array(segment.maxDoc)
  for (let i = 0; i < docs.length; i++) docs[i] = i
  return { docs, scores: undefined, constant }
}

function filterDocs(segment: SegmentReader, keep: (doc: number) => boolean, constant: number): Matches {
  const docs = new Int32Array(segment.maxDoc)
  let n = 0
  for (let doc = 0; doc < segment.maxDoc; doc++) if (keep(doc)) docs[n++] = doc
  return { docs: docs.subarray(0, n), scores: undefined, constant }
}

function* span(from: number, to: number): Generator<number> {
  for (let i = from; i < to; i++) yield i
}

function term(path: string, value: string | number | bigint | boolean, context: CompileContext, boost: number): CompiledQuery {
  if (path === '_id' || path === '_type' || path === '_index') return metadataTerm(path, String(value), context, boost)
  const field = fieldOf(path, context)
  if (field === undefined) return NOTHING
  checkSearchable(field, context)
  switch (field.kind) {
    case 'text':
      return scoredTerm(field, String(value), context, boost)
    case 'keyword':
      return scoredTerm(field, normalized(path, String(value), context), context, boost)
    case 'boolean': {
      const text = String(value)
      if (text !== 'true' && text !== 'false' && text !== '') {
        throw failedToCreate(context, new ServiceError('illegal_argument_exception', `Can't parse boolean value [${text}], expected [true] or [false]`))
      }
      return scoredTerm(field, text === 'true' ? 'T' : 'F', context, boost)
    }
    case 'number': {
      const number = wrapped(context, () => queryNumber(field, value))
      const { from, to } = closedRange(field, { gte: number, lte: number })
      return (segment) => rangeMatches(segment, field.path, { from, to }, boost)
    }
    case 'date':
      return dateRange(field, { gte: String(value), lte: String(value) }, context, boost)
    case 'ip': {
      const text = String(value)
      if (text.includes('/')) {
        const { first, last } = wrapped(context, () => parseNetwork(text))
        return ipRange(field.path, first, last, boost)
      }
      const address = wrapped(context, () => parseAddress(text))
      return (segment) => termMatches(segment, field.path, address, undefined, boost)
    }
    case 'range':
    case 'binary':
    case 'geo_point':
    case 'opaque':
      throw failedToCreate(context, new ServiceError('illegal_argument_exception', `Field [${path}] of type [${kindName(field)}] does not support term queries`))
  }
}

const kindName = (field: FieldMapping): string => (field.kind === 'number' || field.kind === 'opaque' || field.kind === 'range' ? field.type : field.kind)

function metadataTerm(path: string, value: string, context: CompileContext, boost: number): CompiledQuery {
  if (path === '_id') return compile({ kind: 'ids', types: [], values: [value] }, context, boost)
  if (path === '_type') return compile({ kind: 'type', value }, context, boost)
  return value === context.searcher.indexName ? (segment) => allDocs(segment, boost) : NOTHING
}

function checkSearchable(field: FieldMapping, context: CompileContext): void {
  if (field.index) return
  throw failedToCreate(context, new ServiceError('illegal_argument_exception', `Cannot search on field [${field.path}] since it is not indexed.`))
}

function failedToCreate(context: CompileContext, cause: ServiceError): ServiceError {
  return shardError(context, `failed to create query: ${cause.reason}`, cause)
}

function wrapped<T>(context: CompileContext, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof ServiceError && !error.detail.inQueryPhase) throw failedToCreate(context, error)
    throw error
  }
}

/** A keyword's value as it was indexed. */
function normalized(path: string, text: string, context: CompileContext): string {
  const field = fieldOf(path, context)
  if (field?.kind !== 'keyword' || field.normalizer === undefined) return text
  return field.normalizer.analyze(text).terms[0] ?? text
}

function scoredTerm(field: FieldMapping, text: string, context: CompileContext, boost: number): CompiledQuery {
  const bytes = Buffer.from(text)
  const statistics = { term: text, ...termStatistics(context.searcher, field.path, bytes) }
  const weight = weightOf(context.searcher, field, [statistics], boost, context.engineVersion)
  if (weight === undefined) return NOTHING
  return (segment) => termMatches(segment, field.path, bytes, weight, 0)
}

function multiTerm(path: string, context: CompileContext, boost: number, ordinals: (segment: SegmentReader) => Iterable<number>): CompiledQuery {
  const field = fieldOf(path, context)
  if (field === undefined) return NOTHING
  if (field.kind !== 'text' && field.kind !== 'keyword' && field.kind !== 'boolean') {
    throw failedToCreate(context, new ServiceError('illegal_argument_exception', `Can only use prefix, wildcard and regexp queries on keyword and text fields - not on [${path}] which is of type [${kindName(field)}]`))
  }
  checkSearchable(field, context)
  return (segment) => ordinalMatches(segment, field.path, ordinals(segment), boost)
}

function range(query: RangeQuery, context: CompileContext, boost: number): CompiledQuery {
  const field = fieldOf(query.field, context)
  if (field === undefined) return NOTHING
  checkSearchable(field, context)
  switch (field.kind) {
    case 'number': {
      const bound = (v: string | number | bigint | undefined) => (v === undefined ? undefined : wrapped(context, () => queryNumber(field, v)))
      const [gt, gte, lt, lte] = [bound(query.gt), bound(query.gte), bound(query.lt), bound(query.lte)]
      const closed = closedRange(field, {
        ...(gt === undefined ? {} : { gt }),
        ...(gte === undefined ? {} : { gte }),
        ...(lt === undefined ? {} : { lt }),
        ...(lte === undefined ? {} : { lte }),
      })
      return (segment) => rangeMatches(segment, field.path, closed, boost)
    }
    case 'date':
      return dateRange(field, query, context, boost)
    case 'ip': {
      const low = query.gte ?? query.gt
      const high = query.lte ?? query.lt
      let first = low === undefined ? new Uint8Array(16) : wrapped(context, () => parseAddress(String(low)))
      let last = high === undefined ? new Uint8Array(16).fill(255) : wrapped(context, () => parseAddress(String(high)))
      if (query.gt !== undefined && query.gte === undefined) first = step(first, 1)
      if (query.lt !== undefined && query.lte === undefined) last = step(last, -1)
      return ipRange(field.path, first, last, boost)
    }
    case 'text':
    case 'keyword':
    case 'boolean': {
      const bytes = (v: string | number | bigint | undefined) => (v === undefined ? undefined : Buffer.from(normalized(query.field, String(v), context)))
      const low = bytes(query.gte ?? query.gt)
      const high = bytes(query.lte ?? query.lt)
      return multiTerm(query.field, context, boost, (segment) => {
        const terms = segment.field(field.path)?.terms
        if (terms === undefined) return []
        let from = low === undefined ? 0 : terms.ceiling(low)
        if (low !== undefined && query.gte === undefined && terms.find(low) === from) from++
        let to = high === undefined ? terms.size : terms.ceiling(high)
        if (high !== undefined && query.lte !== undefined && terms.find(high) === to) to++
        return span(from, to)
      })
    }
    case 'range':
    case 'binary':
    case 'geo_point':
    case 'opaque':
      throw failedToCreate(context, new ServiceError('illegal_argument_exception', `Field [${query.field}] of type [${kindName(field)}] does not support range queries`))
  }
}

function step(address: Uint8Array, by: 1 | -1): Uint8Array {
  const out = address.slice()
  for (let i = out.length - 1; i >= 0; i--) {
    const value = (out[i] as number) + by
    out[i] = value & 0xff
    if (value >= 0 && value <= 255) break
  }
  return out
}

function ipRange(path: string, first: Uint8Array, last: Uint8Array, boost: number): CompiledQuery {
  return (segment) => {
    const terms = segment.field(path)?.terms
    if (terms === undefined) return NO_MATCHES
    const end = terms.ceiling(last)
    return ordinalMatches(segment, path, span(terms.ceiling(first), terms.find(last) === end ? end + 1 : end), boost)
  }
}

function dateRange(field: DateField, query: Pick<RangeQuery, 'gt' | 'gte' | 'lt' | 'lte' | 'format' | 'timeZone'>, context: CompileContext, boost: number): CompiledQuery {
  const format = query.format === undefined ? field.format : createDateFormat(query.format, context.engineVersion)
  const instant = (value: string | number | bigint, roundUp: boolean): number =>
    wrapped(context, () => parseDateMath(String(value), format, { now: context.now, timeZone: query.timeZone, roundUp }))
  let from = Number.NEGATIVE_INFINITY
  let to = Number.POSITIVE_INFINITY
  if (query.gte !== undefined) from = instant(query.gte, false)
  if (query.gt !== undefined) from = instant(query.gt, true) + 1
  if (query.lte !== undefined) to = instant(query.lte, true)
  if (query.lt !== undefined) to = instant(query.lt, false) - 1
  return (segment) => rangeMatches(segment, field.path, { from, to }, boost)
}

function exists(path: string, context: CompileContext, boost: number): CompiledQuery {
  const { mapping } = context.searcher
  const paths = path.includes('*') ? mapping.matchFields(path) : mapping.isObject(path) ? mapping.matchFields(`${path}.*`) : [resolve(path, context)]
  return (segment) => union([NO_MATCHES, ...paths.map((p) => fieldExists(segment, p))], segment.maxDoc, boost)
}

function fieldExists(segment: SegmentReader, path: string): Matches {
  const column = segment.field(path)?.docValues
  if (column !== undefined) {
    return column.present === undefined ? allDocs(segment, 1) : { docs: docsOfBits(column.present, segment.maxDoc), scores: undefined, constant: 1 }
  }
  return termMatches(segment, FIELD_NAMES, Buffer.from(path), undefined, 1)
}

function bool(query: BoolQuery, context: CompileContext, boost: number): CompiledQuery {
  const clauses = query.must.length + query.should.length + query.filter.length + query.mustNot.length
  if (clauses === 0) return (segment) => allDocs(segment, boost)
  if (clauses > MAX_CLAUSES) {
    const cause = new ServiceError('too_many_clauses', `maxClauseCount is set to ${MAX_CLAUSES}`)
    throw shardError(context, `failed to create query: ${cause.reason}`, cause)
  }
  const must = query.must.map((q) => compile(q, context, boost))
  const should = query.should.map((q) => compile(q, context, boost))
  const filter = query.filter.map((q) => compile(q, context, 1))
  const mustNot = query.mustNot.map((q) => compile(q, context, 1))
  const required = must.length + filter.length > 0
  const specification = query.minimumShouldMatch
  const least = specification === undefined ? (required || should.length === 0 ? 0 : 1) : wrapped(context, () => minimumShouldMatch(specification, should.length))
  // Without a clause that must or should match, everything is a candidate.
  const negativeOnly = !required && should.length === 0
  if (negativeOnly && !query.adjustPureNegative) return NOTHING
  return (segment, i) => {
    const evaluate = (parts: readonly CompiledQuery[]) => parts.map((p) => p(segment, i))
    let found: Matches
    if (negativeOnly) found = allDocs(segment, 0)
    else if (!required) found = disjunction(evaluate(should), Math.max(1, least), segment.maxDoc)
    else {
      found = intersect(evaluate(must), evaluate(filter))
      if (should.length > 0) {
        const optional = disjunction(evaluate(should), Math.max(1, least), segment.maxDoc)
        found = least > 0 ? intersect([found, optional], []) : requiredPlusOptional(found, optional)
      }
    }
    for (const excluded of mustNot) found = subtract(found, excluded(segment, i))
    return found
  }
}

function demote(positive: Matches, negative: Matches, negativeBoost: number): Matches {
  const demoted = new Set(negative.docs)
  const scores = new Float32Array(positive.docs.length)
  for (let i = 0; i < scores.length; i++) {
    const score = scoreAt(positive, i)
    scores[i] = demoted.has(positive.docs[i] as number) ? Math.fround(score * negativeBoost) : score
  }
  return { docs: positive.docs, scores, constant: 0 }
}

/** Nested documents stand before their root: each match counts for the next document of the level above. */
function nested(query: NestedQuery, context: CompileContext, boost: number): CompiledQuery {
  const { mapping } = context.searcher
  if (!mapping.isNested(query.path)) {
    if (query.ignoreUnmapped) return NOTHING
    throw shardError(context, `failed to create query: [nested] failed to find nested object under path [${query.path}]`, new ServiceError('illegal_state_exception', `[nested] failed to find nested object under path [${query.path}]`))
  }
  const inner = compile(query.query, context, boost)
  return (segment, i) => {
    const roots = segment.rootDocs
    if (roots === undefined) return NO_MATCHES
    const found = inner(segment, i)
    const docs: number[] = []
    const scores: number[] = []
    let parent = -1
    let parts: number[] = []
    const close = () => {
      if (parent < 0 || parts.length === 0) return
      docs.push(parent)
      scores.push(combine(parts, query.scoreMode))
      parts = []
    }
    for (let k = 0; k < found.docs.length; k++) {
      const doc = found.docs[k] as number
      if (segment.nestedPath(doc) !== query.path) continue
      let root = doc + 1
      while (((roots[root >>> 5] as number) & (1 << (root & 31))) === 0) root++
      if (root !== parent) {
        close()
        parent = root
      }
      parts.push(scoreAt(found, k))
    }
    close()
    return { docs: Int32Array.from(docs), scores: Float32Array.from(scores), constant: 0 }
  }
}

function combine(scores: readonly number[], mode: NestedQuery['scoreMode']): number {
  const sum = scores.reduce((a, b) => a + b, 0)
  switch (mode) {
    case 'none':
      return 0
    case 'sum':
      return Math.fround(sum)
    case 'avg':
      return Math.fround(sum / scores.length)
    case 'min':
      return Math.min(...scores)
    case 'max':
      return Math.max(...scores)
  }
}

/** Terms of a text at each position. */
interface Slot {
  readonly terms: readonly string[]
  readonly position: number
}

function slotsOf(tokens: TokenBuffer): Slot[] {
  const slots: { terms: string[]; position: number }[] = []
  let position = -1
  for (let i = 0; i < tokens.length; i++) {
    const increment = tokens.positionIncrements[i] as number
    position += increment
    const text = tokens.terms[i] as string
    if (increment === 0 && slots.length > 0) (slots.at(-1) as { terms: string[] }).terms.push(text)
    else slots.push({ terms: [text], position })
  }
  return slots
}

function analyzed(field: FieldMapping, text: string, analyzer: string | undefined, context: CompileContext, quoted = false): Slot[] {
  if (analyzer !== undefined) {
    const named = context.searcher.mapping.analyzers.analyzer(analyzer)
    if (named === undefined) throw failedToCreate(context, new ServiceError('illegal_argument_exception', `[match] analyzer [${analyzer}] not found`))
    return slotsOf(named.analyze(text))
  }
  if (field.kind === 'text') return slotsOf((quoted ? field.searchQuoteAnalyzer : field.searchAnalyzer).analyze(text))
  return [{ terms: [text], position: 0 }]
}

function match(query: MatchQuery, context: CompileContext, boost: number): CompiledQuery {
  const field = fieldOf(query.field, context)
  if (field === undefined) {
    if (query.field === '_id' || query.field === '_type' || query.field === '_index') return metadataTerm(query.field, query.text, context, boost)
    return NOTHING
  }
  if (field.kind !== 'text') {
    try {
      if (query.fuzziness !== undefined && field.kind === 'keyword') return fuzzyMatch(field, normalized(query.field, query.text, context), query, context, boost)
      return term(query.field, query.text, context, boost)
    } catch (error) {
      if (query.lenient && error instanceof ServiceError) return NOTHING
      throw error
    }
  }
  checkSearchable(field, context)
  const slots = analyzed(field, query.text, query.analyzer, context)
  if (slots.length === 0) return query.zeroTermsQuery === 'all' ? (segment) => allDocs(segment, boost) : NOTHING
  const parts = slots.map(({ terms }) => {
    if (terms.length > 1) return synonyms(field, terms, context, boost)
    const text = terms[0] as string
    return query.fuzziness === undefined ? scoredTerm(field, text, context, boost) : fuzzyMatch(field, text, query, context, boost)
  })
  if (parts.length === 1) return parts[0] as CompiledQuery
  if (parts.length > MAX_CLAUSES) {
    const cause = new ServiceError('too_many_clauses', `maxClauseCount is set to ${MAX_CLAUSES}`)
    throw shardError(context, `failed to create query: ${cause.reason}`, cause)
  }
  if (query.operator === 'and') return (segment, i) => intersect(parts.map((p) => p(segment, i)), [])
  const least = query.minimumShouldMatch === undefined ? 1 : Math.max(1, wrapped(context, () => minimumShouldMatch(query.minimumShouldMatch as string, parts.length)))
  return (segment, i) => disjunction(parts.map((p) => p(segment, i)), least, segment.maxDoc)
}

/** Words at one position count as one word: frequencies add up, the rarest's statistics are the largest document frequency. */
function synonyms(field: TextField, terms: readonly string[], context: CompileContext, boost: number): CompiledQuery {
  const statistics = terms.map((t) => termStatistics(context.searcher, field.path, Buffer.from(t)))
  const joined = {
    term: terms.join(' '),
    docFreq: Math.max(...statistics.map((s) => s.docFreq)),
    totalTermFreq: statistics.reduce((sum, s) => sum + s.totalTermFreq, 0),
  }
  const weight = weightOf(context.searcher, field, [joined], boost, context.engineVersion)
  if (weight === undefined) return NOTHING
  return (segment) => {
    const reader = segment.field(field.path)
    const freqs = new Map<number, number>()
    for (const t of terms) {
      const ordinal = reader?.terms?.find(Buffer.from(t)) ?? -1
      if (reader?.terms === undefined || ordinal < 0) continue
      const cursor = reader.terms.postings(ordinal)
      for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) {
        for (let i = 0; i < size; i++) {
          const doc = cursor.blockDocs[i] as number
          freqs.set(doc, (freqs.get(doc) ?? 0) + (cursor.blockFreqs[i] as number))
        }
      }
    }
    const docs = Int32Array.from(freqs.keys()).sort()
    const scores = Float32Array.from(docs, (doc) => weight.score(freqs.get(doc) as number, reader?.norms === undefined ? -1 : (reader.norms[doc] as number)))
    return { docs, scores, constant: 0 }
  }
}

interface FuzzyOptions {
  readonly prefixLength: number
  readonly maxExpansions: number
  readonly transpositions: boolean
}

function fuzzyMatch(field: FieldMapping, text: string, query: MatchQuery, context: CompileContext, boost: number): CompiledQuery {
  return fuzzy(field, text, { ...query, fuzziness: query.fuzziness ?? 'AUTO' }, context, boost)
}

/**
 * Terms within a few edits, the best of them scored by their likeness; their document frequencies are blended to the
 * largest, so that a rare misspelling does not outrank the word (Lucene's top_terms_blended_freqs rewrite).
 */
function fuzzy(field: FieldMapping, text: string, options: FuzzyOptions & { readonly fuzziness: string }, context: CompileContext, boost: number): CompiledQuery {
  const length = Array.from(text).length
  const maxEdits = wrapped(context, () => editsOf(options.fuzziness, length))
  if (maxEdits === 0) return scoredTerm(field, text, context, boost)
  const found = new Map<string, number>()
  for (const segment of context.searcher.segments) {
    const terms = segment.field(field.path)?.terms
    if (terms === undefined) continue
    for (const { text: t, edits } of fuzzyTerms(terms, text, maxEdits, options.prefixLength, options.transpositions)) found.set(t, edits)
  }
  const likeness = (t: string, edits: number) => (edits === 0 ? 1 : Math.fround(1 - Math.fround(edits / Math.min(Array.from(t).length, length))))
  const best = [...found]
    .map(([t, edits]) => ({ text: t, boost: likeness(t, edits) }))
    .filter((t) => t.boost > 0)
    .sort((a, b) => b.boost - a.boost || Buffer.compare(Buffer.from(a.text), Buffer.from(b.text)))
    .slice(0, options.maxExpansions)
  const statistics = best.map((t) => termStatistics(context.searcher, field.path, Buffer.from(t.text)))
  const docFreq = Math.max(0, ...statistics.map((s) => s.docFreq))
  const totalTermFreq = statistics.reduce((sum, s) => sum + s.totalTermFreq, 0)
  const parts: CompiledQuery[] = []
  for (const t of best) {
    const weight = weightOf(context.searcher, field, [{ term: t.text, docFreq, totalTermFreq }], Math.fround(boost * t.boost), context.engineVersion)
    const bytes = Buffer.from(t.text)
    if (weight !== undefined) parts.push((segment) => termMatches(segment, field.path, bytes, weight, 0))
  }
  if (parts.length === 0) return NOTHING
  return (segment, i) => disjunction(parts.map((p) => p(segment, i)), 1, segment.maxDoc)
}

function editsOf(fuzziness: string, length: number): number {
  const auto = /^AUTO(?::(\d+),(\d+))?$/i.exec(fuzziness)
  if (auto !== null) {
    const low = Number(auto[1] ?? 3)
    const high = Number(auto[2] ?? 6)
    return length < low ? 0 : length < high ? 1 : 2
  }
  const edits = Number(fuzziness)
  if (Number.isNaN(edits)) throw new ServiceError('illegal_argument_exception', `failed to parse [${fuzziness}] as a "Fuzziness"`)
  if (edits < 0 || edits > 2 || !Number.isInteger(edits)) throw new ServiceError('illegal_argument_exception', `Valid edit distances are [0, 1, 2] but was [${fuzziness}]`)
  return edits
}

interface PhraseOptions {
  readonly slop: number
  readonly analyzer: string | undefined
  readonly zeroTerms: 'none' | 'all'
  /** The last word is a prefix, of so many terms at most. */
  readonly prefixExpansions?: number
}

function phrase(path: string, text: string, options: PhraseOptions, context: CompileContext, boost: number): CompiledQuery {
  const field = fieldOf(path, context)
  if (field === undefined) return NOTHING
  if (field.kind !== 'text') return term(path, text, context, boost)
  checkSearchable(field, context)
  const slots = analyzed(field, text, options.analyzer, context, true)
  if (slots.length === 0) return options.zeroTerms === 'all' ? (segment) => allDocs(segment, boost) : NOTHING
  if (options.prefixExpansions !== undefined) expandLast(slots, field, options.prefixExpansions, context)
  const [first] = slots
  if (slots.length === 1 && first !== undefined && options.prefixExpansions === undefined) {
    return first.terms.length === 1 ? scoredTerm(field, first.terms[0] as string, context, boost) : synonyms(field, first.terms, context, boost)
  }
  if (slots.some((s) => s.terms.length === 0)) return NOTHING
  const statistics = slots.flatMap((s) => s.terms.map((t) => ({ term: t, ...termStatistics(context.searcher, field.path, Buffer.from(t)) })))
  const present = statistics.filter((s) => s.docFreq > 0)
  if (slots.some((s) => s.terms.every((t) => !present.some((p) => p.term === t)))) return NOTHING
  if (slots.length === 1 && first !== undefined) {
    // Only a prefix: Lucene makes it a prefix query, all matches alike.
    return (segment, i) => union(first.terms.map((t) => scoredTerm(field, t, context, 1)(segment, i)), segment.maxDoc, boost)
  }
  const weight = weightOf(context.searcher, field, present, boost, context.engineVersion)
  if (weight === undefined || collectionStatistics(context.searcher, field.path) === undefined) return NOTHING
  const bytes = slots.map((s) => ({ terms: s.terms.map((t) => Buffer.from(t)), position: s.position }))
  return (segment) => phraseMatches(segment, field.path, bytes, options.slop, weight)
}

function expandLast(slots: Slot[], field: TextField, maxExpansions: number, context: CompileContext): void {
  const last = slots.pop() as Slot
  const found = new Set<string>()
  for (const segment of context.searcher.segments) {
    const terms = segment.field(field.path)?.terms
    if (terms === undefined) continue
    for (const prefix of last.terms) {
      const { from, to } = prefixOrdinals(terms, Buffer.from(prefix))
      for (let o = from; o < to && o < from + maxExpansions; o++) found.add(terms.termText(o))
    }
  }
  slots.push({ terms: [...found].sort().slice(0, maxExpansions), position: last.position })
}

function multiMatch(query: MultiMatchQuery, context: CompileContext, boost: number): CompiledQuery {
  const { mapping } = context.searcher
  const patterns = query.fields.length > 0 ? query.fields : ([['*', 1]] as const)
  const fields = new Map<string, number>()
  for (const [pattern, fieldBoost] of patterns) {
    const paths = pattern.includes('*') ? mapping.matchFields(pattern).filter((p) => ['text', 'keyword'].includes(mapping.field(p)?.kind ?? '')) : [pattern]
    for (const path of paths) fields.set(path, (fields.get(path) ?? 1) * fieldBoost)
  }
  if (query.type === 'cross_fields' || query.type === 'bool_prefix') {
    throw failedToCreate(context, new ServiceError('illegal_argument_exception', `multi_match type [${query.type}] is not supported by this domain`))
  }
  const parts: CompiledQuery[] = []
  for (const [field, fieldBoost] of fields) {
    const partBoost = Math.fround(boost * fieldBoost)
    const common = query.analyzer === undefined ? {} : { analyzer: query.analyzer }
    if (query.type === 'phrase') {
      parts.push(compile({ kind: 'match_phrase', field, text: query.text, slop: query.slop, zeroTermsQuery: query.zeroTermsQuery, ...common }, context, partBoost))
    } else if (query.type === 'phrase_prefix') {
      parts.push(compile({ kind: 'match_phrase_prefix', field, text: query.text, slop: query.slop, maxExpansions: query.maxExpansions, ...common }, context, partBoost))
    } else {
      parts.push(
        compile(
          {
            kind: 'match',
            field,
            text: query.text,
            operator: query.operator,
            prefixLength: query.prefixLength,
            maxExpansions: query.maxExpansions,
            transpositions: true,
            lenient: query.lenient,
            zeroTermsQuery: query.zeroTermsQuery,
            autoGenerateSynonymsPhraseQuery: true,
            ...(query.minimumShouldMatch === undefined ? {} : { minimumShouldMatch: query.minimumShouldMatch }),
            ...(query.fuzziness === undefined ? {} : { fuzziness: query.fuzziness }),
            ...common,
          },
          context,
          partBoost,
        ),
      )
    }
  }
  if (parts.length === 0) return NOTHING
  const tieBreaker = query.tieBreaker ?? (query.type === 'most_fields' ? 1 : 0)
  return (segment, i) => disjunctionMax(parts.map((p) => p(segment, i)), tieBreaker, segment.maxDoc)
}

/** Documents of a match that are alive and roots, as bits; for callers that want sets. */
export function liveRoots(segment: SegmentReader): Uint32Array | undefined {
  const { liveDocs, rootDocs } = segment
  if (liveDocs === undefined) return rootDocs
  if (rootDocs === undefined) return liveDocs
  return liveDocs.map((word, i) => word & (rootDocs[i] as number))
}

