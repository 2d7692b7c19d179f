import { javaFloat } from '../../../java/java-number-text.ts'
import { type Explanation, explainMatch, explainNoMatch } from '../explanation.ts'
import type { Leaf } from '../leaf.ts'
import type { Scorer } from '../scorer.ts'
import type { SearchContext } from '../search-context.ts'
import type { SimilarityWeight } from '../similarity/term-similarity.ts'

/** What spans over terms of a field are scored with; undefined: the index has none of them. */
export function spanSimilarity(
  context: SearchContext,
  field: string,
  boost: number,
  terms: readonly { readonly field: string; readonly term: string }[],
): SimilarityWeight | undefined {
  const collection = context.collectionStatistics(field)
  if (collection === undefined) return undefined
  const statistics = terms
    .map(({ field: own, term }) => {
      const { docFreq, totalTermFreq } = context.termStates(own, Buffer.from(term))
      return { term, docFreq, totalTermFreq }
    })
    // Lucene 7 counts words that the index does not have at all, too.
    .filter(({ docFreq }) => docFreq > 0 || context.isLucene7)
  return context.weigh(boost, collection, statistics)
}

/** A scorer by how often something stands in a document; `freq` is known once a document was scored. */
export interface FrequencyScorer extends Scorer {
  readonly freq: number
}

/** Why a document scores what it does by the frequency of a phrase. */
export function explainFrequency(
  {
    query,
    field,
    similarity,
  }: { query: { toString(): string }; field: string; similarity: SimilarityWeight | undefined },
  scorer: FrequencyScorer | undefined,
  leaf: Leaf,
  doc: number,
  noMatch = 'no matching term',
): Explanation {
  if (scorer === undefined || scorer.advance(doc) !== doc) return explainNoMatch(noMatch)
  scorer.score()
  const freq = explainMatch(scorer.freq, `phraseFreq=${javaFloat(scorer.freq)}`)
  const norm = leaf.segment.field(field)?.norms?.[doc] ?? -1
  const score = similarity?.explain(doc, freq, norm) ?? explainMatch(0, 'no score')
  return explainMatch(score.value, `weight(${query} in ${doc}) [PerFieldSimilarity], result of:`, [score])
}
