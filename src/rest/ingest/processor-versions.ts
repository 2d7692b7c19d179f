import type { EngineVersion } from '../../engine/engine-version.ts'

const SINCE_7: ReadonlySet<string> = new Set(['csv', 'html_strip'])
const OPENSEARCH: ReadonlySet<string> = new Set(['community_id', 'copy', 'fingerprint', 'remove_by_pattern'])

/** Whether a version has a processor of a type that some version has. */
export function hasProcessor(version: EngineVersion, type: string): boolean {
  if (OPENSEARCH.has(type)) return version === 'OpenSearch_2.19'
  return version !== 'Elasticsearch_6.8' || !SINCE_7.has(type)
}
