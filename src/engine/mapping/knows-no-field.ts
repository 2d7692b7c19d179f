import type { IndexMapping } from './index-mapping.ts'

/** Whether an index knows no field, its own neither: one of 6.x that no type is mapped in. */
export const knowsNoField = ({ engineVersion, types }: IndexMapping): boolean =>
  engineVersion === 'Elasticsearch_6.8' && types.length === 0
