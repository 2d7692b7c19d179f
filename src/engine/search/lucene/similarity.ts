import type { EngineVersion } from '../../engine-version.ts'
import { Bm25Lucene8Similarity } from './bm25-lucene8-similarity.ts'
import { Bm25Similarity } from './bm25-similarity.ts'
import { BooleanSimilarity } from './boolean-similarity.ts'
import type { Similarity } from './term-similarity.ts'

export type { Similarity } from './term-similarity.ts'

const BM25 = new Bm25Similarity()
const BM25_LUCENE_8 = new Bm25Lucene8Similarity()
const BOOLEAN = new BooleanSimilarity()

/** The similarity a mapping names, as an engine version computes it. */
export function similarityNamed(name: 'BM25' | 'classic' | 'boolean', version: EngineVersion): Similarity {
  if (name === 'boolean') return BOOLEAN
  return version === 'Elasticsearch_6.8' ? BM25 : BM25_LUCENE_8
}
