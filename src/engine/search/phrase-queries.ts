import { ServiceError } from '../../errors.ts'
import type { TermDictionary } from '../index/segment-reader.ts'
import { boosted } from './boosted.ts'
import { GraphPhraseQuery } from './lucene/graph-phrase-query.ts'
import type { LuceneQuery } from './lucene/lucene-query.ts'
import { MatchAllDocsQuery } from './lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'
import { PhraseQuery } from './lucene/phrase-query.ts'
import { SynonymQuery } from './lucene/synonym-query.ts'
import { checkSearchable, fieldOf, type QueryContext } from './query-context.ts'
import { termQuery } from './term-queries.ts'
import { prefixTerms } from './terms/prefix-terms.ts'
import { analyzeText, textPlaces } from './text-places.ts'

/** What a phrase may be told. */
export interface PhraseOptions {
  readonly slop: number
  readonly analyzer?: string
  readonly zeroTermsQuery?: 'none' | 'all'
  /** A value the field cannot take matches nothing, instead of failing. */
  readonly lenient?: boolean
}

/** The DSL's `match_phrase`: the words of a text, one behind the other. */
export function phraseQuery(path: string, text: string, options: PhraseOptions, context: QueryContext): LuceneQuery {
  if (!options.lenient) return strictPhraseQuery(path, text, options, context)
  try {
    return strictPhraseQuery(path, text, options, context)
  } catch (error) {
    if (error instanceof ServiceError) return new MatchNoDocsQuery(`failed [${path}] query`)
    throw error
  }
}

function strictPhraseQuery(path: string, text: string, options: PhraseOptions, context: QueryContext): LuceneQuery {
  const field = fieldOf(path, context)
  if (field === undefined) return new MatchNoDocsQuery(`unmapped field [${path}]`)
  if (field.kind !== 'text') return termQuery(path, text, context)
  checkSearchable(field, context)
  const { places, graph } = analyzeText(field, text, options.analyzer, true, context)
  if (graph !== undefined) {
    const stretches = graph.map((stretch) =>
      stretch.kind === 'ways' ? stretch.ways : stretch.terms.map((term) => [{ terms: [term], position: 0 }]),
    )
    return boosted(new GraphPhraseQuery(field.path, stretches, options.slop), field.boost)
  }
  const [first] = places
  if (first === undefined) {
    return options.zeroTermsQuery === 'all'
      ? new MatchAllDocsQuery()
      : new MatchNoDocsQuery('Matching no documents because no terms present.')
  }
  const query =
    places.length === 1 && first.terms.length > 1
      ? new SynonymQuery(field.path, first.terms)
      : new PhraseQuery(field.path, places, options.slop)
  return boosted(query, field.boost)
}

/** The DSL's `match_phrase_prefix`: a phrase whose last word is only begun. */
export function phrasePrefixQuery(
  path: string,
  text: string,
  options: PhraseOptions & { readonly maxExpansions: number },
  context: QueryContext,
): LuceneQuery {
  const field = fieldOf(path, context)
  if (field === undefined) return new MatchNoDocsQuery(`unmapped field [${path}]`)
  if (field.kind !== 'text') return termQuery(path, text, context)
  checkSearchable(field, context)
  const places = textPlaces(field, text, options.analyzer, true, context)
  const last = places.pop()
  if (last === undefined) return new MatchNoDocsQuery('Matching no documents because no terms present.')
  const terms = beginningWith(last.terms, field.path, options.maxExpansions, context)
  if (terms.length === 0) return new MatchNoDocsQuery('no term with the prefix')
  return boosted(
    new PhraseQuery(field.path, [...places, { terms, position: last.position }], options.slop),
    field.boost,
  )
}

/** The first so many terms of each segment that begin with any of the prefixes. */
function beginningWith(prefixes: readonly string[], path: string, most: number, context: QueryContext): string[] {
  const found = new Set<string>()
  for (const prefix of prefixes) {
    for (const { segment } of context.search.leaves) {
      const terms: TermDictionary | undefined = segment.field(path)?.terms
      if (terms === undefined) continue
      const { from, to } = prefixTerms(terms, Buffer.from(prefix))
      for (let ordinal = from; ordinal < to && found.size < most; ordinal++) found.add(terms.termText(ordinal))
    }
  }
  return [...found]
}
