import type { EngineVersion } from '../../../engine-version.ts'
import type { SimilarityParameters, SimilarityType } from '../../../mapping/field-mapping.ts'
import { Bm25Lucene8Similarity } from './bm25-lucene8-similarity.ts'
import { Bm25Similarity } from './bm25-similarity.ts'
import { BooleanSimilarity } from './boolean-similarity.ts'
import { ClassicSimilarity } from './classic-similarity.ts'
import { FormulaSimilarity } from './formula-similarity.ts'
import { OccurrenceSimilarity } from './occurrence-similarity.ts'
import { ScriptedSimilarity } from './scripted-similarity.ts'
import type { Similarity } from './term-similarity.ts'

const BOOLEAN = new BooleanSimilarity(false)
const BOOLEAN_LUCENE_7 = new BooleanSimilarity(true)
const CLASSIC = new ClassicSimilarity()
const OCCURRENCE = new OccurrenceSimilarity(new Bm25Lucene8Similarity())
/** Similarities by version and parameters: few, as there are few mappings. */
const bm25s = new Map<string, Similarity>()

/** The similarity of a field's mapping, with its own parameters where it has any, as an engine version computes it. */
export function similarityNamed(
  name: SimilarityType | 'occurrence',
  { formula, scripts, k1, b }: SimilarityParameters,
  version: EngineVersion,
): Similarity {
  const isLucene7 = version === 'Elasticsearch_6.8'
  if (formula !== undefined) return new FormulaSimilarity(formula, isLucene7)
  if (scripts !== undefined) return new ScriptedSimilarity(scripts, version)
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
