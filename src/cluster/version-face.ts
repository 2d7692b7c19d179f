import { parseJson } from '../rest/body/parse-json.ts'
import type { Dialect } from '../rest/dialects/dialect.ts'
import { type Json, writeJson } from '../rest/json/json-writer.ts'
import type { ClusterVersion } from './cluster-version.ts'

/** Whether a cluster's own version is none that the clients of a dialect expect. */
export function needsFace({ engineVersion }: Dialect, { distribution, major }: ClusterVersion): boolean {
  if (engineVersion === 'OpenSearch_2.19') return false
  return distribution === 'opensearch' || major !== (engineVersion === 'Elasticsearch_6.8' ? 6 : 7)
}

/** `GET /` of a cluster with the version of the dialect. */
export function versionFace(body: Buffer, dialect: Dialect): string {
  const { name, cluster_name, cluster_uuid } = parseJson(body) as { readonly [member: string]: Json }
  return `${writeJson({ name, cluster_name, cluster_uuid, version: dialect.version, tagline: dialect.tagline }, true)}\n`
}
