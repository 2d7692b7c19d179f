import { ServiceError } from '../errors.ts'
import type { ClusterClient, ClusterLog } from './cluster-client.ts'

/** What kind of cluster answers. */
export interface ClusterVersion {
  readonly distribution: 'elasticsearch' | 'opensearch'
  /** `2.19.3`. */
  readonly number: string
  readonly major: number
  /** Whether documents have types there: Elasticsearch before 7. */
  readonly isTyped: boolean
}

/** How often a cluster that is not there is looked for. */
const RETRY_MS = 1_000

/** Finds out which version a cluster has, once it is there. */
export class ClusterVersionFinder {
  readonly #client: ClusterClient
  readonly #log: ClusterLog
  #known: ClusterVersion | undefined
  #asking: Promise<ClusterVersion> | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(client: ClusterClient, log: ClusterLog) {
    this.#client = client
    this.#log = log
  }

  /** Looks for the cluster until it is there. */
  start(): void {
    this.find().catch((error: unknown) => {
      this.#log('warn', { error: (error as Error).message }, 'the cluster is not there yet')
      this.#retry = setInterval(() => this.find().catch(() => {}), RETRY_MS)
      this.#retry.unref()
    })
  }

  stop(): void {
    clearInterval(this.#retry)
  }

  /** Asks anew at the next request. */
  forget(): void {
    this.#known = undefined
  }

  /** @throws {ServiceError} 503 while no node answers */
  find(): Promise<ClusterVersion> {
    if (this.#known !== undefined) return Promise.resolve(this.#known)
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #ask(): Promise<ClusterVersion> {
    const { status, json } = await this.#client.json('GET', '/')
    if (status !== 200) {
      throw new ServiceError('no_node_available_exception', `the cluster answers GET / with status ${status}`)
    }
    this.#known = readVersion(json)
    this.stop()
    this.#log('info', { distribution: this.#known.distribution, version: this.#known.number }, 'the cluster is there')
    return this.#known
  }
}

function readVersion(json: unknown): ClusterVersion {
  const version = (json as { version?: { number?: unknown; distribution?: unknown } } | undefined)?.version
  const number = String(version?.number)
  const major = Number.parseInt(number, 10)
  if (!Number.isInteger(major)) {
    throw new ServiceError('no_node_available_exception', 'what answers at the address of the cluster is no cluster')
  }
  const distribution = version?.distribution === 'opensearch' ? 'opensearch' : 'elasticsearch'
  return { distribution, number, major, isTyped: distribution === 'elasticsearch' && major < 7 }
}
