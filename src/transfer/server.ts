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
    multiType: !opensearch && (major < 6 || (typed && (await isChaja(client)))),
    seqNoOrder: opensearch || major >= 6,
  }
}

/** chaja answers as the server it stands for does, and besides at a path of its own that no such server has. */
async function isChaja(client: DomainClient): Promise<boolean> {
  try {
    return (await client.request<{ status?: string }>('GET', '/-/health')).body?.status === 'up'
  } catch (error) {
    if (error instanceof ClientError && error.status !== undefined) return false
    throw error
  }
}

/**
 * Shards of an index that can be read one by one. Undefined where the server keeps the whole index in one order of
 * sequence numbers, however many shards it shows (chaja): it does not heed `preference=_shards:0`, which shows in the
 * number of shards that answered.
 */
export async function readableShards(client: DomainClient, index: string): Promise<readonly number[] | undefined> {
  const path = `/${encodeURIComponent(index)}`
  const { body: settings } = await client.request<
    Record<string, { readonly settings: Readonly<Record<string, string>> }>
  >('GET', `${path}/_settings/index.number_of_shards?flat_settings=true`)
  const shards = Number(Object.values(settings)[0]?.settings['index.number_of_shards'] ?? 1)
  const { body } = await client.request<{ readonly _shards: { readonly total: number } }>(
    'POST',
    `${path}/_search?preference=_shards:0`,
    { size: 0 },
    {},
    true,
  )
  return body._shards.total === 1 ? Array.from({ length: shards }, (_, i) => i) : undefined
}
