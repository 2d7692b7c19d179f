import type { EngineVersion } from '../../engine-version.ts'
import { Bm25Lucene8Similarity } from './bm25-lucene8-similarity.ts'
import { Bm25Similarity } from './bm25-similarity.ts'
import { BooleanSimilarity } from './boolean-similarity.ts'
import { ClassicSimilarity } from './classic-similarity.ts'
import { OccurrenceSimilarity } from './occurrence-similarity.ts'
import type { Similarity } from './term-similarity.ts'

export type { Similarity } from './term-similarity.ts'

/** A similarity as a mapping names it, with its own parameters where it has any. */
export interface NamedSimilarity {
  readonly name: 'BM25' | 'classic' | 'boolean' | 'occurrence'
  readonly k1: number | undefined
  readonly b: number | undefined
}

const BOOLEAN = new BooleanSimilarity(false)
const BOOLEAN_LUCENE_7 = new BooleanSimilarity(true)
const CLASSIC = new ClassicSimilarity()
const OCCURRENCE = new OccurrenceSimilarity(new Bm25Lucene8Similarity())
/** Similarities by version and parameters: few, as there are few mappings. */
const bm25s = new Map<string, Similarity>()

/** The similarity a mapping names, as an engine version computes it. */
export function similarityNamed({ name, k1, b }: NamedSimilarity, version: EngineVersion): Similarity {
  const isLucene7 = version === 'Elasticsearch_6.8'
  if (name === 'boolean') return isLucene7 ? BOOLEAN_LUCENE_7 : BOOLEAN
  if (name === 'classic') return CLASSIC
  if (name === 'occurrence') return OCCURRENCE
  const key = `${isLucene7} ${k1} ${b}`
  let similarity = bm25s.get(key)
  if (similarity === undefined) {
    similarity = isLucene7 ? new Bm25Similarity(k1, b) : new Bm25Lucene8Similarity(k1, b)
    bm25s.set(key, similarity)
  }
  return similarity
}
