const classesOf = (organisation: string) => ({
  list: `org.${organisation}.ingest.ConditionalProcessor$UnmodifiableIngestList`,
  map: `org.${organisation}.ingest.ConditionalProcessor$UnmodifiableIngestData`,
})

/** Classes of what conditions of ingest processors see, which faults name. */
export const CONDITION_CLASS = {
  Elasticsearch: classesOf('elasticsearch'),
  OpenSearch: classesOf('opensearch'),
} as const

/** The same as a list, for tables of classes. */
export const CONDITION_CLASSES = Object.values(CONDITION_CLASS)
