import type { IndexMapping } from './index-mapping.ts'

/**
 * Whether an index knows no field, its own neither: one that was given no mapping, and no document, so far.
 *
 * @param path  the field that is asked for: 7.10 knows `_type` everywhere
 */
export const knowsNoField = ({ engineVersion, types }: IndexMapping, path?: string): boolean =>
  types.length === 0 && !(path === '_type' && engineVersion === 'Elasticsearch_7.10')
