import { ServiceError } from '../../../errors.ts'
import { packageOf } from '../../engine-version.ts'
import type { TermDictionary } from '../../index/segment-reader.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { isBuiltInField, TYPED_METADATA } from '../../mapping/metadata-fields.ts'
import { toldPath } from '../../mapping/types/text-sub-field.ts'
import type { UseListener } from '../../script/deprecated-use.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchAllDocsQuery } from '../lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { type PhrasePlace, PhraseQuery } from '../lucene/positions/phrase-query.ts'
import { type SpanNode, SpanQuery } from '../lucene/positions/span-query.ts'
import { SourceFieldMatchQuery } from '../lucene/source-field-match-query.ts'
import { SynonymQuery } from '../lucene/synonym-query.ts'
import { UnexpandedQuery } from '../lucene/unexpanded-query.ts'
import { prefixTerms } from '../terms/prefix-terms.ts'
import { booleanOf } from './boolean-queries.ts'
import { graphSpans } from './graph-spans.ts'
import { leniently } from './lenient-query.ts'
import { noTerms, unmappedFields } from './no-terms.ts'
import { maskedPrefix } from './prefix-field.ts'
import {
  askedPath,
  checkSearchable,
  failedToCreate,
  fieldOf,
  hasOwnPositions,
  hasPositions,
  illegalQuery,
  isCompletion,
  type QueryContext,
  typeName,
} from './query-context.ts'
import { scored } from './scored.ts'
import { metadataTerm, termQuery } from './term-queries.ts'
import { analyzeText, isWithoutWords, shinglePlaces } from './text-places.ts'
import { graphWays } from './token-graph.ts'

/** What a phrase may be told. */
export interface PhraseOptions {
  readonly slop: number
  readonly analyzer?: string
  readonly zeroTermsQuery?: 'none' | 'all'
  /** A value the field cannot take matches nothing, instead of failing. */
  readonly lenient?: boolean
  /** Told of phrases in fields without words. */
  readonly heard?: UseListener
}

/** The DSL's `match_phrase`: the words of a text, one behind the other. */
export function phraseQuery(path: string, text: string, options: PhraseOptions, context: QueryContext): LuceneQuery {
  return ifLenient(path, options, context, () => strictPhraseQuery(path, text, options, context))
}

function ifLenient(
  path: string,
  { lenient }: PhraseOptions,
  context: QueryContext,
  make: () => LuceneQuery,
): LuceneQuery {
  return lenient ? leniently(path, context, make) : make()
}

function strictPhraseQuery(path: string, text: string, options: PhraseOptions, context: QueryContext): LuceneQuery {
  const named = fieldOf(path, context)
  const field = named !== undefined && isCompletion(named) ? named.words : named
  if (isWithoutWords(path, field, text, options.analyzer, context))
    return options.zeroTermsQuery === 'all' ? new MatchAllDocsQuery() : noTerms()
  if (field === undefined) return metadataTerm(path, [text], context) ?? unmappedFields([path])
  if (!isWords(field, options)) return analyzedValue(field, path, text, options, context)
  if (named !== undefined && field !== named && context.search.isLucene7) {
    const { places } = analyzeText(field, text, options.analyzer, true, context)
    if (places.length > 1) return noPhrase('phrase', named.path, options)
  }
  return scored(phrased(analyzedPhrase(field, text, options, context, undefined), field), field)
}

/** A text as the value of a field without words; an analyzer that is named may make several of it. */
function analyzedValue(
  field: FieldMapping,
  path: string,
  text: string,
  options: PhraseOptions,
  context: QueryContext,
): LuceneQuery {
  const { isLucene7 } = context.search
  const isAnalyzed = isLucene7 || field.kind === 'number' || field.kind === 'date' || field.kind === 'ip'
  if (options.analyzer === undefined || !isAnalyzed) return termQuery(path, text, context)
  const { places } = analyzeText(field, text, options.analyzer, true, context)
  const [first] = places
  if (first === undefined) return options.zeroTermsQuery === 'all' ? new MatchAllDocsQuery() : noTerms()
  if (places.length > 1) {
    if (isLucene7 && field.kind !== 'boolean') return noPhrase('phrase', askedPath(field), options)
    requirePositions(field, context)
  }
  return termQuery(path, first.terms[0] ?? text, context)
}

/** The DSL's `match_phrase_prefix`: a phrase whose last word is only begun. */
export function phrasePrefixQuery(
  path: string,
  text: string,
  options: PhraseOptions & { readonly maxExpansions: number },
  context: QueryContext,
): LuceneQuery {
  return ifLenient(path, options, context, () => {
    const field = fieldOf(path, context)
    if (field === undefined) {
      if (context.search.isLucene7 && path !== '_type' && isBuiltInField(path, context.search.mapping))
        return noPhrase('phrase prefix', path, options)
      if (context.search.isLucene7 || !TYPED_METADATA[context.search.engineVersion].has(path))
        return unmappedFields([path])
      throw notOfText('phrase prefix', path, path, context)
    }
    if ((field.kind !== 'keyword' || field.flat !== undefined) && !isWords(field, options)) {
      const words = isCompletion(field) ? field.words : context.search.isLucene7 && options.analyzer ? field : undefined
      if (words !== undefined && analyzeText(words, text, options.analyzer, true, context).places.length === 0)
        return options.zeroTermsQuery === 'all' ? new MatchAllDocsQuery() : noTerms()
      if (context.search.isLucene7) return noPhrase('phrase prefix', askedPath(field), options)
      throw notOfText('phrase prefix', field.kind === 'keyword' ? askedPath(field) : path, typeName(field), context)
    }
    if (field.kind !== 'text' && !field.index && context.search.isLucene7)
      return new MatchNoDocsQuery('no words to begin')
    // 6.x looks for what a keyword begins with as it was asked for.
    const isRaw = field.kind === 'keyword' && options.analyzer === undefined && context.search.isLucene7
    const searched = isRaw ? { ...field, normalizer: undefined } : field
    return phrased(analyzedPhrase(searched, text, options, context, options.maxExpansions), field)
  })
}

/** A phrase as its field finds it: one without positions of its own scores all finds alike. */
function phrased(query: LuceneQuery, field: FieldMapping): LuceneQuery {
  const isPhrase = query instanceof PhraseQuery || query instanceof UnexpandedQuery
  return isPhrase && typeName(field) === 'match_only_text' ? new SourceFieldMatchQuery(query) : query
}

/** Words one behind the other, the last of which is only begun. */
export function begunPhraseQuery(
  field: FieldMapping,
  places: readonly PhrasePlace[],
  maxExpansions: number,
  context: QueryContext,
): LuceneQuery {
  const expand = (terms: readonly string[]) => expanded(field, terms, maxExpansions, context)
  return indexedPhrasePrefix(field, places) ?? placesQuery(field, places, 0, context, expand)
}

/** Whether a field's values are looked for word by word: a text's always, a keyword's by an analyzer that the query names. */
function isWords(field: FieldMapping, options: PhraseOptions): boolean {
  return field.kind === 'text' || (field.kind === 'keyword' && options.analyzer !== undefined)
}

/** @param maxExpansions  words that the last one may stand for; undefined: it is whole */
function analyzedPhrase(
  field: FieldMapping,
  text: string,
  options: PhraseOptions,
  context: QueryContext,
  maxExpansions: number | undefined,
): LuceneQuery {
  // What is searched as it is typed is asked for its positions alone.
  const isTyped = field.kind === 'text' && field.shingles !== undefined
  const { places, graph } = analyzeText(field, text, options.analyzer, true, context)
  if (places.length === 0) {
    return options.zeroTermsQuery === 'all' ? new MatchAllDocsQuery() : noTerms()
  }
  // A text that is not indexed has no positions, which is found out further on.
  if (field.kind !== 'text') checkSearchable(field, context)
  const { slop } = options
  const expandIn = (searched: FieldMapping) =>
    maxExpansions === undefined
      ? undefined
      : (terms: readonly string[]) => expanded(searched, terms, maxExpansions, context)
  const expand = expandIn(field)
  if (graph === undefined) {
    if (isTyped && places.length > 1) requirePositions(field, context)
    if (slop === 0 && places.length > 1 && (expand === undefined || isTyped)) {
      const shingles = textShingles(field, text, options.analyzer, context)
      if (shingles !== undefined) {
        const { field: runs, places: joined } = shingles
        if (expand === undefined) return new PhraseQuery(runs.path, joined, 0)
        return indexedPhrasePrefix(runs, joined) ?? placesQuery(runs, joined, 0, context, expandIn(runs))
      }
    }
    const indexed = expand !== undefined && slop === 0 && !isTyped ? indexedPhrasePrefix(field, places) : undefined
    return indexed ?? placesQuery(field, places, slop, context, expand)
  }
  if (slop === 0) {
    if (expand !== undefined) checkText(field, 'span prefix', context)
    const begun = (word: string): SpanNode[] => {
      const masked = field.kind === 'text' && !context.search.isLucene7 ? maskedPrefix(field, word) : undefined
      if (masked !== undefined) return [masked]
      const isUnplaced = !hasOwnPositions(field)
      return (expand?.([word]) ?? []).map((term) => ({ kind: 'term', field: field.path, term, isUnplaced }))
    }
    const target = { path: field.path, isUnplaced: !hasOwnPositions(field) }
    return graphSpans(target, graph, context, expand === undefined ? undefined : begun)
  }
  // One phrase for each way through: their scores are added.
  return booleanOf(
    graphWays(graph).map((way) => ({
      occur: 'should',
      query: phrased(placesQuery(field, way, slop, context, expand), field),
    })),
    context,
  )
}

/** A phrase's runs of words, where those are indexed; undefined where they are not, or where the phrase has gaps. */
function textShingles(
  field: FieldMapping,
  text: string,
  analyzer: string | undefined,
  context: QueryContext,
): ReturnType<typeof shinglePlaces> {
  return field.kind === 'text' ? shinglePlaces(field, text, analyzer, context) : undefined
}

/** A phrase whose last word is one of those whose beginnings are indexed; undefined where they are not. */
function indexedPhrasePrefix(field: FieldMapping, places: readonly PhrasePlace[]): LuceneQuery | undefined {
  if (field.kind !== 'text' || field.prefixes === undefined) return undefined
  const { terms } = places.at(-1) as PhrasePlace
  const begun = terms.map((term) => maskedPrefix(field, term)).filter((node) => node !== undefined)
  if (begun.length < terms.length) return undefined
  if (places.length === 1) return new SynonymQuery(field.prefixes.path, terms)
  const path = field.path
  const clauses: SpanNode[] = []
  let next = 0
  for (const [i, { terms: words, position }] of places.entries()) {
    if (position > next) clauses.push({ kind: 'gap', field: path, width: position - next })
    next = position + 1
    const nodes = i < places.length - 1 ? words.map((term): SpanNode => ({ kind: 'term', field: path, term })) : begun
    clauses.push(nodes.length === 1 ? (nodes[0] as SpanNode) : { kind: 'or', field: path, clauses: nodes })
  }
  return new SpanQuery({ kind: 'near', field: path, clauses, slop: 0, inOrder: true })
}

/** A phrase of places. A field's boost is for single words alone. */
function placesQuery(
  field: FieldMapping,
  places: readonly PhrasePlace[],
  slop: number,
  context: QueryContext,
  expand: ((terms: readonly string[]) => string[]) | undefined,
): LuceneQuery {
  const last = places.at(-1) as PhrasePlace
  // One place behind a gap (a stop word) is a phrase, too, unless it is a single word.
  const isPhrase = places.length > 1 || (last.position > 0 && last.terms.length > 1)
  if (isPhrase) requirePositions(field, context)
  if (expand !== undefined) {
    if (!context.search.isLucene7) checkText(field, 'phrase prefix', context)
    const terms = expand(last.terms)
    const made =
      terms.length === 0
        ? new MatchNoDocsQuery(
            `No terms supplied for ${packageOf(context.search.engineVersion)}.common.lucene.search.MultiPhrasePrefixQuery`,
          )
        : new PhraseQuery(field.path, [...places.slice(0, -1), { terms, position: last.position }], slop)
    return new UnexpandedQuery(begunPhraseText(field.path, places, slop), made)
  }
  if (isPhrase) {
    if (!context.search.isLucene7) checkText(field, 'phrase', context)
    return new PhraseQuery(field.path, places, slop)
  }
  const [only] = last.terms
  return last.terms.length === 1 && only !== undefined
    ? termQuery(field.path, only, context)
    : new SynonymQuery(field.path, last.terms)
}

/** What a phrase is called whose last word is only begun. */
function begunPhraseText(path: string, places: readonly PhrasePlace[], slop: number): string {
  const texts = places.map(({ terms }, i) => {
    const words = i === places.length - 1 ? terms.map((term) => `${term}*`) : terms
    return words.length === 1 ? words[0] : `(${words.join(' ')})`
  })
  return `${path}:"${texts.join(' ')}"${slop === 0 ? '' : `~${slop}`}`
}

function requirePositions(field: FieldMapping, context: QueryContext): void {
  if (hasPositions(field)) return
  const reason = `field:[${field.path}] was indexed without position data; cannot run PhraseQuery`
  throw failedToCreate(context, new ServiceError('illegal_state_exception', reason))
}

/**
 * The first so many words of each segment that begin with the first prefix; with each further one, where that many were
 * found already, there is one more.
 */
function expanded(field: FieldMapping, prefixes: readonly string[], most: number, context: QueryContext): string[] {
  const found = new Set<string>()
  for (const prefix of prefixes) {
    collectBeginning(prefix, field.path, most, found, context)
    if (found.size > most) break
  }
  return [...found]
}

function collectBeginning(prefix: string, path: string, most: number, found: Set<string>, context: QueryContext): void {
  for (const { segment } of context.search.leaves) {
    const terms: TermDictionary | undefined = segment.field(path)?.terms
    if (terms === undefined) continue
    const { from, to } = prefixTerms(terms, Buffer.from(prefix))
    for (let ordinal = from; ordinal < to; ordinal++) {
      found.add(terms.termText(ordinal))
      if (found.size >= most) return
    }
  }
}

/** What 6.x makes of a phrase in a field without words: nothing is found, which is warned of unless it was to be lenient. */
function noPhrase(kind: 'phrase' | 'phrase prefix', path: string, { lenient, heard }: PhraseOptions): LuceneQuery {
  if (!lenient) heard?.({ name: kind === 'phrase' ? 'phrase_of_values' : 'phrase_prefix_of_values', words: [path] })
  const reason = `Attempted to build a ${kind} query with multiple terms against non-text field [${path}]`
  return new MatchNoDocsQuery(`failed [${path}] query, caused by illegal_argument_exception:[${reason}]`)
}

function checkText(field: FieldMapping, kind: string, context: QueryContext): void {
  // From 7 on fields that a text makes for itself are none, either.
  if (field.kind === 'text' && (field.subField === undefined || field.subField.kind === 'shingle')) return
  throw notOfText(kind, toldPath(field.path), typeName(field), context)
}

function notOfText(kind: string, path: string, type: string, context: QueryContext): ServiceError {
  const reason = `Can only use ${kind} queries on text fields - not on [${path}] which is of type [${type}]`
  return illegalQuery(context, reason)
}
