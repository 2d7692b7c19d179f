import { ServiceError } from '../../../errors.ts'
import { LucenePriorityQueue } from '../../algorithms/lucene-priority-queue.ts'
import type { Analyzer } from '../../analysis/analyzer.ts'
import { inJavaHashOrder } from '../../java/java-hash-order.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { knowsNoField } from '../../mapping/knows-no-field.ts'
import { TYPED_METADATA } from '../../mapping/metadata-fields.ts'
import type { BooleanClause } from '../lucene/boolean-clause.ts'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { UnexpandedQuery } from '../lucene/unexpanded-query.ts'
import { faultInQueryPhase, illegalInQueryPhase } from '../query-phase.ts'
import { boosted } from './boosted.ts'
import { idsQuery } from './metadata-queries.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import type { MoreLikeThisQuery } from './query.ts'
import { askedPath, fieldOf, illegalQuery, type QueryContext, typeName } from './query-context.ts'

/** Tokens of a text that are looked at at most. */
const MAX_TOKENS = 5_000

/** How often each term occurs, in the order in which the terms were met. */
type Frequencies = Map<string, number>

/** A term worth looking for. */
interface ScoredTerm {
  /** The field where most documents have it. */
  readonly path: string
  readonly term: string
  /** Its frequency in what is liked, times its idf. */
  readonly score: number
}

/** The DSL's `more_like_this`: documents that share the telling terms of some texts and documents. */
export function moreLikeThisQuery(query: MoreLikeThisQuery, context: QueryContext): LuceneQuery {
  const fields = searchedFields(query, context)
  if (fields !== undefined && fields.length === 0) return new MatchNoDocsQuery('no fields')
  const finder = new TermFinder(query, fields ?? ['*'], context)
  const items = query.likeItems.map((item) => item.terms(context.search.searcher.indexName, fields))
  const parts: LuceneQuery[] = []
  const known = items.filter((item) => item !== undefined)
  if (query.likeItems.length > 0) parts.push(finder.likeDocuments(known))
  if (query.likeTexts.length > 0) parts.push(finder.likeTexts(query.likeTexts))
  const texts = query.likeTexts.length > 0 ? `[${query.likeTexts.join(', ')}]` : 'null'
  const all = new BooleanQuery(parts.map((part) => ({ occur: 'should', query: part })))
  const like = new UnexpandedQuery(`like:${texts}`, all)
  if (query.likeItems.length === 0) return like
  const excluded = query.include ? [] : query.likeItems.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const clauses: BooleanClause[] = [{ occur: 'should', query: like }]
  if (excluded.length > 0) clauses.push({ occur: 'must_not', query: idsQuery([], excluded, context) })
  return new BooleanQuery(clauses)
}

/** A term that a `more_like_this` looks for. */
export interface LikedTerm {
  readonly path: string
  readonly term: string
  readonly boost: number
}

/**
 * The terms that a `more_like_this` looks for.
 *
 * @param isOfOneText  as from a text alone, all of which it has: each in a single document
 */
export function likedTerms(query: MoreLikeThisQuery, context: QueryContext, isOfOneText: boolean): LikedTerm[] {
  const fields = searchedFields(query, context)
  if (fields !== undefined && fields.length === 0) return []
  const finder = new TermFinder(query, fields ?? ['*'], context, isOfOneText)
  const items = query.likeItems.map((item) => item.terms(context.search.searcher.indexName, fields))
  const known = items.filter((item) => item !== undefined)
  return [...finder.documentTerms(known), finder.textTerms(query.likeTexts)].flatMap((terms) => finder.weighed(terms))
}

/** Paths of the fields to look into; undefined: all that the liked documents have. */
function searchedFields(query: MoreLikeThisQuery, context: QueryContext): readonly string[] | undefined {
  if (query.fields === undefined) {
    if (query.likeTexts.length + query.unlikeTexts.length > 0 && !context.search.isLucene7) {
      const reason =
        '[more_like_this] query cannot infer the field to analyze the free text, you should update the [index.query.default_field] index setting to a field that exists in the mapping or set the [fields] option in the query.'
      throw illegalQuery(context, reason)
    }
    return undefined
  }
  const paths: string[] = []
  for (const name of query.fields) {
    const field = fieldOf(name, context)
    const isMetadata =
      !knowsNoField(context.search.mapping, name) && TYPED_METADATA[context.search.engineVersion].has(name)
    const isTaken = field === undefined ? !isMetadata : isPlainText(field) || typeName(field) === 'keyword'
    if (isTaken) paths.push(field?.path ?? name)
    else if (query.failOnUnsupportedField) {
      const reason = `more_like_this only supports text/keyword fields: [${field === undefined ? name : askedPath(field)}]`
      throw illegalQuery(context, reason)
    }
  }
  return paths
}

/** Texts of the type `text`, none of the fields that a text or its like makes for itself. */
const isPlainText = (field: FieldMapping): boolean => typeName(field) === 'text'

/** Picks terms and makes queries of them. */
class TermFinder {
  readonly #query: MoreLikeThisQuery
  readonly #context: QueryContext
  readonly #fields: readonly string[]
  /** Texts are taken apart as this one's would be. */
  readonly #textField: string
  readonly #stopWords: ReadonlySet<string>
  readonly #isOfOneText: boolean
  /** Terms of what is not liked, by field. */
  readonly #skipped = new Map<string, Set<string>>()

  constructor(query: MoreLikeThisQuery, fields: readonly string[], context: QueryContext, isOfOneText = false) {
    this.#isOfOneText = isOfOneText
    this.#query = query
    this.#context = context
    this.#fields = fields
    this.#textField = fields[0] as string
    this.#stopWords = new Set(query.stopWords)
    for (const text of query.unlikeTexts) {
      for (const term of this.#tokens(text)) this.#skip(this.#textField, term)
    }
    const asked = query.fields === undefined ? undefined : fields
    // As in the real server: documents that are not liked count beside documents that are.
    for (const item of query.likeItems.length > 0 ? query.unlikeItems : []) {
      const vectors = item.terms(context.search.searcher.indexName, asked)
      for (const [path, terms] of vectors ?? []) for (const term of terms.keys()) this.#skip(path, term)
    }
  }

  likeTexts(texts: readonly string[]): LuceneQuery {
    return this.#withMinimum(this.#clausesOf(this.textTerms(texts)))
  }

  likeDocuments(documents: readonly ReadonlyMap<string, ReadonlyMap<string, number>>[]): LuceneQuery {
    return this.#withMinimum(this.documentTerms(documents).flatMap((terms) => this.#clausesOf(terms)))
  }

  textTerms(texts: readonly string[]): readonly ScoredTerm[] {
    const words: Frequencies = new Map()
    for (const text of texts) {
      for (const term of this.#tokens(text).slice(0, MAX_TOKENS)) this.#count(words, this.#textField, term, 1)
    }
    return this.#best(words, this.#fields)
  }

  /** By field. */
  documentTerms(documents: readonly ReadonlyMap<string, ReadonlyMap<string, number>>[]): (readonly ScoredTerm[])[] {
    const paths = new Set(documents.flatMap((document) => [...document.keys()]))
    return [...paths].map((path) => {
      const words: Frequencies = new Map()
      for (const document of documents) {
        for (const [term, frequency] of document.get(path) ?? []) this.#count(words, path, term, frequency)
      }
      return this.#best(words, [path])
    })
  }

  #skip(path: string, term: string): void {
    const terms = this.#skipped.get(path) ?? new Set()
    terms.add(term)
    this.#skipped.set(path, terms)
  }

  #count(words: Frequencies, path: string, term: string, frequency: number): void {
    const { minWordLength, maxWordLength } = this.#query
    if (minWordLength > 0 && term.length < minWordLength) return
    if (maxWordLength > 0 && term.length > maxWordLength) return
    if (this.#stopWords.has(term) || this.#skipped.get(path)?.has(term)) return
    words.set(term, (words.get(term) ?? 0) + frequency)
  }

  #tokens(text: string): string[] {
    const { mapping } = this.#context.search
    const { analyzer: name } = this.#query
    const field = mapping.field(this.#textField)
    const own: Analyzer | undefined =
      field?.kind === 'text' ? field.searchAnalyzer : field?.kind === 'keyword' ? field.normalizer : undefined
    const analyzer = (name === undefined ? undefined : mapping.analyzers.analyzer(name)) ?? own
    if (analyzer === undefined) return [text]
    const tokens = analyzer.analyze(text)
    return tokens.terms.slice(0, tokens.length)
  }

  /** The heaviest terms, the lightest of them first. */
  #best(words: Frequencies, paths: readonly string[]): ScoredTerm[] {
    const { minTermFreq, minDocFreq, maxDocFreq, maxQueryTerms } = this.#query
    const { search } = this.#context
    // Of a text alone only those count that it has.
    const limit = this.#isOfOneText ? words.size : Math.min(maxQueryTerms, words.size)
    if (limit < 0) throw illegalInQueryPhase(`maxSize must be >= 0 and < 2147483631; got: ${limit}`)
    const best = new LucenePriorityQueue<ScoredTerm>(limit, (a, b) => a.score < b.score)
    const docs = this.#isOfOneText ? 1 : liveDocs(search.searcher)
    for (const term of inJavaHashOrder([...words.keys()])) {
      const frequency = words.get(term) as number
      if (minTermFreq > 0 && frequency < minTermFreq) continue
      let path = paths[0] as string
      let docFreq = 0
      for (const candidate of paths) {
        const found = this.#isOfOneText ? 1 : search.termStates(candidate, Buffer.from(term)).docFreq
        if (found <= docFreq) continue
        path = candidate
        docFreq = found
      }
      if ((minDocFreq > 0 && docFreq < minDocFreq) || docFreq > maxDocFreq || docFreq === 0) continue
      // ln((docs + 1) / (docFreq + 1)) + 1, a float
      const idf = Math.fround(Math.log((docs + 1) / (docFreq + 1)) + 1)
      best.offerGreater({ path, term, score: Math.fround(frequency * idf) })
    }
    return best.drain().reverse()
  }

  /** Terms with their weights beside the lightest one's. */
  weighed(terms: readonly ScoredTerm[]): LikedTerm[] {
    const { boostTerms } = this.#query
    const lightest = terms[0]?.score ?? 1
    return terms.map(({ path, term, score }) => {
      const boost = boostTerms === 0 ? 1 : Math.fround(Math.fround(Math.fround(boostTerms) * score) / lightest)
      return { path, term, boost }
    })
  }

  #clausesOf(terms: readonly ScoredTerm[]): BooleanClause[] {
    const { boostTerms } = this.#query
    return this.weighed(terms).map(({ path, term, boost }) => {
      const query = new TermQuery(path, term)
      return { occur: 'should', query: boostTerms === 0 ? query : boosted(query, boost) }
    })
  }

  #withMinimum(clauses: readonly BooleanClause[]): BooleanQuery {
    const kept = clauses.slice(0, this.#context.search.maxClauses)
    const least = minimumOf(this.#query.minimumShouldMatch, kept.length)
    return least > 0 ? new BooleanQuery(kept, least) : new BooleanQuery(kept)
  }
}

/** @throws {ServiceError} number_format_exception of the search phase: nothing catches it while a query is made */
function minimumOf(specification: string, count: number): number {
  try {
    return minimumShouldMatch(specification, count)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { type, reason } = error
    throw faultInQueryPhase(type, reason)
  }
}

/** Documents of a view that are not deleted, nested ones counted too. */
function liveDocs(searcher: QueryContext['search']['searcher']): number {
  let count = 0
  for (const { liveDocs, maxDoc, numDocs, rootDocs } of searcher.segments) {
    if (liveDocs === undefined) count += maxDoc
    else if (rootDocs === undefined) count += numDocs
    else for (let doc = 0; doc < maxDoc; doc++) count += ((liveDocs[doc >>> 5] as number) >>> (doc & 31)) & 1
  }
  return count
}
