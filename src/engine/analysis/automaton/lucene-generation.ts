import type { EngineVersion } from '../../engine-version.ts'
import type { LuceneGeneration } from './regexp-parser.ts'

const GENERATIONS: Readonly<Record<EngineVersion, LuceneGeneration>> = {
  'Elasticsearch_6.8': 7,
  'Elasticsearch_7.10': 8,
  'OpenSearch_2.19': 9,
}

/** Lucene's generation within a version. */
export function luceneGeneration(version: EngineVersion): LuceneGeneration {
  return GENERATIONS[version]
}
