import { ClientError } from '../client/client-error.ts'
import type { DomainClient, RequestOptions } from '../client/domain-client.ts'

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

/** Asks a server what it is. @param call  how long it is waited for */
export async function describeServer(client: DomainClient, call: RequestOptions = {}): Promise<ServerInfo> {
  const { number, distribution } = await askVersion(client, call)
  const major = Number.parseInt(number, 10)
  // Elasticsearch's majors begin where OpenSearch's have not come to: 5 to 9 against 1 to 3.
  const opensearch = distribution === 'opensearch' || major < 5
  const typed = !opensearch && major < 7
  return {
    distribution: opensearch ? 'opensearch' : 'elasticsearch',
    version: number,
    major,
    typed,
    multiType: !opensearch && (major < 6 || (typed && (await isChaja(client)))),
    seqNoOrder: opensearch || major >= 6,
  }
}

interface Version {
  readonly number: string
  readonly distribution?: string
}

/** The version that `GET /` tells; where that is refused (a policy, a server that has left the path out), a node's. */
async function askVersion(client: DomainClient, call: RequestOptions): Promise<Version> {
  try {
    const { body } = await client.request<{ readonly version?: Partial<Version> }>('GET', '/', undefined, call)
    const { number, ...rest } = body?.version ?? {}
    if (number !== undefined) return { number, ...rest }
  } catch (error) {
    const refused = error instanceof ClientError && [400, 403, 404, 405].includes(error.status ?? 0)
    // Whoever may not ask a node either is told why the first path was refused.
    const number = refused ? await nodeVersion(client).catch(() => undefined) : undefined
    if (number === undefined) throw error
    return { number }
  }
  const { host, basePath } = client.endpoint
  throw new ClientError('response', `${host}${basePath}/ does not answer as Elasticsearch or OpenSearch does`)
}

async function nodeVersion(client: DomainClient): Promise<string | undefined> {
  const path = '/_nodes/_local?filter_path=nodes.*.version'
  const { body } = await client.request<{ readonly nodes?: Record<string, { readonly version: string }> }>('GET', path)
  return Object.values(body?.nodes ?? {})[0]?.version
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

/** How an index is read by searches. */
export interface ReadableIndex {
  /**
   * Shards that can be read one by one. Undefined where the server keeps the whole index in one order of sequence
   * numbers, however many shards it shows (chaja): it does not heed `preference=_shards:0`, which shows in the number of
   * shards that answered.
   */
  readonly shards: readonly number[] | undefined
  /** Most documents a page. */
  readonly maxResultWindow: number
  /** Searches go through a pipeline of the index, which may leave out documents or change them (OpenSearch). */
  readonly hasPipeline: boolean
}

/** Asks how an index is to be read. */
export async function readableIndex(client: DomainClient, index: string): Promise<ReadableIndex> {
  const path = `/${encodeURIComponent(index)}`
  const names = 'index.number_of_shards,index.max_result_window,index.search.default_pipeline'
  const { body } = await client.request<Record<string, { readonly settings: Readonly<Record<string, string>> }>>(
    'GET',
    `${path}/_settings/${names}?flat_settings=true`,
  )
  const { settings = {} } = Object.values(body)[0] ?? {}
  const count = Number(settings['index.number_of_shards'] ?? 1)
  const { body: answer } = await client.request<{ readonly _shards: { readonly total: number } }>(
    'POST',
    `${path}/_search?preference=_shards:0`,
    { size: 0 },
    {},
    true,
  )
  return {
    shards: answer._shards.total === 1 ? Array.from({ length: count }, (_, i) => i) : undefined,
    maxResultWindow: Number(settings['index.max_result_window'] ?? Number.POSITIVE_INFINITY),
    hasPipeline: (settings['index.search.default_pipeline'] ?? '_none') !== '_none',
  }
}
