import type { IndexSearcher } from '../../engine/index/index-searcher.ts'

/** Sums over a field of an index, deleted documents included; -1: not counted. */
export interface FieldStatistics {
  readonly sumDocFreq: number
  readonly docCount: number
  readonly sumTotalTermFreq: number
}

/** How often a term is met. */
export interface TermStatistics {
  readonly docFreq: number
  readonly totalTermFreq: number
}

/** @returns undefined when no document has the field */
export function fieldStatistics(
  searcher: IndexSearcher,
  path: string,
  isLucene7: boolean,
): FieldStatistics | undefined {
  let found = false
  let sumDocFreq = 0
  let docCount = 0
  let sumTotalTermFreq = 0
  for (const segment of searcher.segments) {
    const reader = segment.field(path)
    if (reader?.terms === undefined) continue
    found = true
    sumDocFreq += reader.sumDocFreq
    docCount += reader.docCount
    sumTotalTermFreq = reader.sumTotalTermFreq < 0 ? -1 : sumTotalTermFreq + reader.sumTotalTermFreq
  }
  // From Lucene 8 on a term counts once a document where frequencies are not kept.
  if (!isLucene7 && sumTotalTermFreq < 0) sumTotalTermFreq = sumDocFreq
  return found ? { sumDocFreq, docCount, sumTotalTermFreq } : undefined
}

/** @returns undefined when no document has the term */
export function termStatistics(
  searcher: IndexSearcher,
  path: string,
  term: string,
  isLucene7: boolean,
): TermStatistics | undefined {
  const bytes = Buffer.from(term)
  let docFreq = 0
  let totalTermFreq = 0
  for (const segment of searcher.segments) {
    const reader = segment.field(path)
    const ordinal = reader?.terms?.find(bytes) ?? -1
    if (reader?.terms === undefined || ordinal === -1) continue
    docFreq += reader.terms.docFreq(ordinal)
    totalTermFreq = reader.sumTotalTermFreq < 0 ? -1 : totalTermFreq + reader.terms.totalTermFreq(ordinal)
  }
  if (!isLucene7 && totalTermFreq < 0) totalTermFreq = docFreq
  return docFreq === 0 ? undefined : { docFreq, totalTermFreq }
}
