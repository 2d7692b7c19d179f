import { pause } from '../client/backoff.ts'
import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'
import { isObject } from '../is-object.ts'

/** What a cluster says of its health, as far as it tells whether it is on its way. */
interface Health {
  readonly status: 'green' | 'yellow' | 'red'
  readonly active_shards: number
  readonly initializing_shards: number
  readonly unassigned_shards: number
  readonly number_of_in_flight_fetch: number
}

/** How often a cluster that is starting is asked again. */
const ASKED_EVERY_MS = 2_000

/** Who is told what is waited for. */
interface Waiting {
  /** What the cluster is called. */
  readonly name: string
  readonly onNote: (line: string) => void
  readonly signal: AbortSignal
}

/**
 * Waits for as long as a cluster says that it is starting, and says so once.
 *
 * @param index  whose shards are waited for; undefined: for the cluster alone
 * @returns      whether it was starting
 */
export async function waitWhileStarting(
  client: DomainClient,
  index: string | undefined,
  { name, onNote, signal }: Waiting,
): Promise<boolean> {
  for (let waited = false; ; waited = true) {
    const missing = await missingYet(client, index, signal)
    if (missing === undefined) return waited
    if (!waited) onNote(`waiting for ${name} which is starting: ${missing}`)
    await pause(ASKED_EVERY_MS, signal)
  }
}

/**
 * What a starting cluster has not yet, its state or shards of the index. Undefined where nothing is on its way, be all
 * of it there or some lost, and where the caller may not ask.
 */
async function missingYet(
  client: DomainClient,
  index: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const health = await askHealth(client, '', signal)
  if (health?.status !== 'red') return undefined
  // A cluster without any index is green.
  if (health.active_shards + health.initializing_shards + health.unassigned_shards === 0)
    return 'it does not know its indices yet'
  if (index === undefined) return undefined
  const ofIndex = await askHealth(client, `/${encodeURIComponent(index)}`, signal)
  if (ofIndex?.status !== 'red') return undefined
  const { initializing_shards: opening, unassigned_shards: unassigned, number_of_in_flight_fetch: lookedFor } = ofIndex
  return opening + lookedFor > 0 ? `${opening + unassigned} shards of [${index}] are not there yet` : undefined
}

/** Undefined where a server does not tell, or the caller may not ask. */
async function askHealth(client: DomainClient, index: string, signal: AbortSignal): Promise<Health | undefined> {
  try {
    // An index that is not there would be waited for.
    const path = `/_cluster/health${index}?timeout=1s`
    const { body } = await client.request<Health>('GET', path, undefined, { signal, maxRetries: 1, timeoutMs: 5_000 })
    return isObject(body) ? body : undefined
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ClientError) return undefined
    throw error
  }
}
