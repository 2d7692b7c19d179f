import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { BooleanQuery } from '../lucene/boolean-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchAllDocsQuery } from '../lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { PhraseQuery } from '../lucene/positions/phrase-query.ts'
import { SynonymQuery } from '../lucene/synonym-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { booleanOf, withMinimum } from './boolean-queries.ts'
import { boosted } from './boosted.ts'
import { commonTermsQuery } from './common-terms.ts'
import { fuzzyQuery, fuzzyWord, refusesFuzzyWords } from './fuzziness.ts'
import { leniently } from './lenient-query.ts'
import { noTerms, unmappedFields } from './no-terms.ts'
import { prefixQuery, wordPrefixQuery } from './pattern-queries.ts'
import { begunPhraseQuery } from './phrase-queries.ts'
import type { MatchQuery } from './query.ts'
import {
  checkSearchable,
  fieldOf,
  hasOwnPositions,
  isCompletion,
  literally,
  type QueryContext,
  typeName,
} from './query-context.ts'
import { scored } from './scored.ts'
import { metadataTerm, termQuery } from './term-queries.ts'
import { analyzeText, isWithoutWords, wayPlaces } from './text-places.ts'
import { type GraphStretch, graphStretches } from './token-graph.ts'

/** The DSL's `match`: the words of a text, any or all of them. */
export function matchQuery(query: MatchQuery, context: QueryContext): LuceneQuery {
  const make = (): LuceneQuery => scoredMatchQuery(query, context)
  return query.lenient ? leniently(query.field, context, make) : make()
}

function scoredMatchQuery(query: MatchQuery, context: QueryContext): LuceneQuery {
  const field = fieldOf(query.field, context)
  const found = strictMatchQuery(query, context)
  return field === undefined ? found : scored(found, field)
}

function strictMatchQuery(query: MatchQuery, context: QueryContext): LuceneQuery {
  const named = fieldOf(query.field, context)
  const isOfTerms = query.fuzziness === undefined && (!query.lastIsPrefix || query.ofWordsAlone === true)
  const field = named !== undefined && isCompletion(named) && isOfTerms ? named.words : named
  if (isWithoutWords(query.field, field, query.text, query.analyzer, context))
    return query.zeroTermsQuery === 'all' ? new MatchAllDocsQuery() : noTerms()
  if (field === undefined) {
    const { fuzziness } = query
    if (fuzziness !== undefined && refusesFuzzyWords(query.field, context))
      return fuzzyQuery(query.field, query.text, { ...query, fuzziness }, context)
    return metadataTerm(query.field, [query.text], context) ?? unmappedFields([query.field])
  }
  const isAnalyzed = query.analyzer !== undefined && query.fuzziness === undefined && ANALYZED_VALUES.has(field.kind)
  if (!isAnalyzed && field.kind !== 'text' && (field.kind !== 'keyword' || field.constant !== undefined)) {
    if (
      isCompletion(field) &&
      analyzeText(field.words, query.text, query.analyzer, false, context).places.length === 0
    ) {
      return query.zeroTermsQuery === 'all' ? new MatchAllDocsQuery() : new MatchNoDocsQuery('no words')
    }
    // Says what is wrong with misspelling such values.
    if (query.fuzziness !== undefined)
      return fuzzyWord(field, query.text, { ...query, fuzziness: query.fuzziness }, context)
    // An input is one word, which no prefix may be asked of.
    if (isCompletion(field) && query.lastIsPrefix)
      return prefixQuery({ kind: 'prefix', field: query.field, value: query.text }, context)
    return termQuery(query.field, query.text, context)
  }
  const analyzed = analyzeText(field, query.text, query.analyzer, false, context)
  const { places, endsInWord } = analyzed
  // A query string looks at the places of words alone where it lets one be begun.
  const graph = query.prefixAlternatives ? undefined : analyzed.graph
  if (places.length === 0) {
    return query.zeroTermsQuery === 'all' ? new MatchAllDocsQuery() : noTerms()
  }
  checkSearchable(field, context)
  const whole = query.lastIsPrefix ? { ...query, lastIsPrefix: false } : query
  // What a mark or a stop word follows is whole.
  const isOpen = endsInWord || query.prefixAlternatives
  const stretches = graph === undefined ? undefined : graphStretches(graph)
  const words =
    stretches?.map((stretch, i) => stretchQuery(field, stretch, i < stretches.length - 1 ? whole : query, context)) ??
    places.map(({ terms }, i) => placeQuery(field, terms, i < places.length - 1 || !isOpen ? whole : query, context))
  if (words.length === 1 && graph === undefined) return words[0] as LuceneQuery
  const occur = query.operator === 'and' ? 'must' : 'should'
  const all = booleanOf(
    words.map((word) => ({ occur, query: word })),
    context,
  )
  const common = commonWords(field, all, query, context)
  return common ?? withMinimum(all, query.minimumShouldMatch, context)
}

/** Words told apart by how frequent they are, where that is asked for and all are plain terms. */
function commonWords(
  field: FieldMapping,
  { clauses }: BooleanQuery,
  { cutoffFrequency, operator, minimumShouldMatch }: MatchQuery,
  context: QueryContext,
): LuceneQuery | undefined {
  if (cutoffFrequency === undefined) return undefined
  const terms = clauses.flatMap(({ query }) => (query instanceof TermQuery ? [query] : []))
  if (terms.length < clauses.length) return undefined
  const least = minimumShouldMatch === undefined ? {} : { lowFreqMinimumShouldMatch: minimumShouldMatch }
  return commonTermsQuery(
    field,
    terms.map(({ text }) => text),
    { cutoffFrequency, lowFreqOperator: operator, highFreqOperator: operator, ...least },
    context,
  )
}

function placeQuery(
  field: FieldMapping,
  terms: readonly string[],
  query: MatchQuery,
  context: QueryContext,
): LuceneQuery {
  const [only] = terms
  if (query.lastIsPrefix && query.prefixAlternatives && terms.length > 1) {
    const ways = terms.map((term) => ({ occur: 'should', query: wordQuery(field, term, query, context) }) as const)
    return booleanOf(ways, context)
  }
  return terms.length === 1 && only !== undefined
    ? wordQuery(field, only, query, context)
    : // A field's boost is for single words alone.
      new SynonymQuery(field.path, terms)
}

/** Alternative ways through a stretch of the text: each one a word, or a phrase of words. */
function stretchQuery(
  field: FieldMapping,
  stretch: GraphStretch,
  query: MatchQuery,
  context: QueryContext,
): LuceneQuery {
  if (stretch.kind === 'words') return placeQuery(field, stretch.terms, query, context)
  const isPhrase = query.autoGenerateSynonymsPhraseQuery && hasOwnPositions(field)
  const isBegun = query.lastIsPrefix === true
  // The words of a way that is no phrase are whole, whatever was asked.
  const inWay = isBegun ? { ...query, lastIsPrefix: false } : query
  const ways = stretch.ways.map((way): LuceneQuery => {
    if (isPhrase && isBegun) return begunPhraseQuery(field, way, query.maxExpansions, context)
    const [only] = way
    if (way.length === 1 && only !== undefined) return placeQuery(field, only.terms, inWay, context)
    if (isPhrase) {
      const { path, places } = wayPlaces(field, way)
      return new PhraseQuery(path, places, 0)
    }
    return booleanOf(
      way.map(({ terms }) => ({ occur: 'must', query: placeQuery(field, terms, inWay, context) })),
      context,
    )
  })
  return booleanOf(
    ways.map((way) => ({ occur: 'should', query: way })),
    context,
  )
}

/** Kinds of fields whose values are words only where the query names an analyzer. */
const ANALYZED_VALUES: ReadonlySet<FieldMapping['kind']> = new Set(['number', 'date', 'ip', 'boolean'])

/** Types of fields whose single words are queries of their own. */
const HAS_OWN_TERMS: ReadonlySet<string> = new Set(['wildcard', 'match_only_text'])

function wordQuery(field: FieldMapping, word: string, query: MatchQuery, context: QueryContext): LuceneQuery {
  if (field.kind === 'keyword' && field.flat !== undefined && query.fuzziness === undefined)
    return termQuery(field.flat.path, word, context)
  if (ANALYZED_VALUES.has(field.kind)) return termQuery(field.path, word, context)
  if (query.lastIsPrefix) {
    const begun = { kind: 'prefix', field: field.path, value: word } as const
    return query.ofWordsAlone ? wordPrefixQuery(begun, field, context) : prefixQuery(begun, context)
  }
  if (query.fuzziness === undefined) {
    if (HAS_OWN_TERMS.has(typeName(field))) return termQuery(field.path, word, context)
    return boosted(new TermQuery(field.path, word), field.boost)
  }
  const { fuzziness, fuzzyRewrite } = query
  const rewrite = fuzzyRewrite === undefined ? {} : { rewrite: fuzzyRewrite }
  return fuzzyWord(literally(field), word, { ...query, fuzziness, ...rewrite }, context)
}
