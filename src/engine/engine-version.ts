/** The engine whose behaviour an index follows where versions differ (scores, digits in nori, limits). */
export type EngineVersion = 'Elasticsearch_6.8' | 'Elasticsearch_7.10' | 'OpenSearch_2.19'
