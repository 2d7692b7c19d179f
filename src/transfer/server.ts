import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'

/** What a server is and what a transfer may ask of it. */
export interface ServerInfo {
  readonly distribution: 'elasticsearch' | 'opensearch'
  readonly version: string
  readonly major: number
  /** Paths and mappings carry a type: Elasticsearch before 7 (and chaja's default dialect). */
  readonly typed: boolean
  /** Several types in one index: Elasticsearch 5, and chaja. */
  readonly multiType: boolean
  /** Documents can be walked by `_seq_no` shard by shard, which can be resumed; else a scroll is used. */
  readonly seqNoOrder: boolean
}

/** Asks `GET /` what a server is. An AWS domain that refuses the path is taken for what its other answers show. */
export async function describeServer(client: DomainClient): Promise<ServerInfo> {
  const { body } = await client.request<{
    readonly version?: { readonly number?: string; readonly distribution?: string }
    readonly name?: string
    readonly tagline?: string
  }>('GET', '/')
  const version = body?.version?.number
  if (version === undefined) {
    throw new ClientError('response', `${client.endpoint.host} does not answer as Elasticsearch or OpenSearch does`)
  }
  const opensearch = body.version?.distribution === 'opensearch'
  const major = Number.parseInt(version, 10)
  const typed = !opensearch && major < 7
  return {
    distribution: opensearch ? 'opensearch' : 'elasticsearch',
    version,
    major,
    typed,
    multiType: !opensearch && (major < 6 || /chaja/.test(body.tagline ?? '') || body.name === 'chaja'),
    seqNoOrder: opensearch || major >= 6,
  }
}

/** Numbers of the shards that hold an index' documents. */
export async function shardNumbers(client: DomainClient, index: string): Promise<readonly number[]> {
  const { body } = await client.request<{ readonly shards: readonly (readonly { readonly shard: number }[])[] }>(
    'GET',
    `/${encodeURIComponent(index)}/_search_shards`,
  )
  return [...new Set(body.shards.flatMap((copies) => copies.map((c) => c.shard)))].sort((a, b) => a - b)
}
