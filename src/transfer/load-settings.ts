import type { DomainClient } from '../client/domain-client.ts'
import type { Settings } from './schema.ts'

const REFRESH = 'index.refresh_interval'
const REPLICAS = 'index.number_of_replicas'
/** The setting of the pipeline that every document of an index goes through last. */
export const FINAL_PIPELINE = 'index.final_pipeline'
const AUTO_EXPAND = 'index.auto_expand_replicas'

/**
 * Settings of an index while it is being filled: nothing is made visible in between and nothing is written twice, since
 * nobody searches it yet and the source is still there; nor is it changed by a pipeline that it went through before. Only for an index that the transfer makes itself.
 */
export function loadSettings(settings: Settings): Settings {
  return {
    ...settings,
    [REFRESH]: '-1',
    ...(namesReplicas(settings) ? { [REPLICAS]: '0' } : {}),
    ...(FINAL_PIPELINE in settings ? { [FINAL_PIPELINE]: '_none' } : {}),
  }
}

/** What brings an index made with {@link loadSettings} to its own settings; null: the server's default. */
export function settingsAfterLoad(settings: Settings): Readonly<Record<string, unknown>> {
  return {
    [REFRESH]: settings[REFRESH] ?? null,
    ...(namesReplicas(settings) ? { [REPLICAS]: settings[REPLICAS] } : {}),
    ...(FINAL_PIPELINE in settings ? { [FINAL_PIPELINE]: settings[FINAL_PIPELINE] } : {}),
  }
}

/** Else the server counts them itself, by its nodes, or takes its default, which Elasticsearch 6.8 is not brought back to. */
function namesReplicas(settings: Settings): boolean {
  const range = settings[AUTO_EXPAND] ?? 'false'
  return settings[REPLICAS] !== undefined && String(range) === 'false'
}

/**
 * Gives indices the settings they are to keep.
 *
 * @param after    by index: what {@link settingsAfterLoad} answered
 * @param options.patient  whether a server that does not answer is waited for
 */
export async function endLoad(
  client: DomainClient,
  after: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  options: { readonly patient: boolean },
): Promise<void> {
  for (const [index, settings] of Object.entries(after)) {
    const path = `/${encodeURIComponent(index)}/_settings`
    await client.request('PUT', path, settings, options.patient ? {} : { timeoutMs: 5_000 }, options.patient)
  }
}
