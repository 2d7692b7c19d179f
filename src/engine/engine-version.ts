/** The engine whose behaviour an index follows where versions differ (scores, digits in nori, limits). */
export type EngineVersion = 'Elasticsearch_6.8' | 'Elasticsearch_7.10' | 'OpenSearch_2.19'

/** The package of the real server's classes, which messages name. */
export function packageOf(engineVersion: EngineVersion): 'org.elasticsearch' | 'org.opensearch' {
  return engineVersion === 'OpenSearch_2.19' ? 'org.opensearch' : 'org.elasticsearch'
}
