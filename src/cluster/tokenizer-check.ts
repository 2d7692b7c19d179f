import { ServiceError } from '../errors.ts'
import type { ClusterCall } from './cluster-call.ts'
import type { ClusterClient } from './cluster-client.ts'

/** Calls that say how texts are analysed. */
const ANALYSIS_ENDPOINTS: ReadonlySet<string> = new Set([
  'cluster.put_component_template',
  'indices.create',
  'indices.put_index_template',
  'indices.put_settings',
  'indices.put_template',
])

/** Types of analysis that come with plugins, by words that their plugins' names have. */
const PLUGIN_TYPES: readonly (readonly [type: string, plugin: string])[] = [
  ['seunjeon_tokenizer', 'seunjeon'],
  ['nori_tokenizer', 'nori'],
]

/**
 * Refuses Korean tokenizers that the cluster does not have. There is no equivalent to put in their place: each has its own
 * dictionary, and another one would find other documents.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export async function checkTokenizers(call: ClusterCall, endpoint: string, client: ClusterClient): Promise<void> {
  if (!ANALYSIS_ENDPOINTS.has(endpoint)) return
  const named = PLUGIN_TYPES.filter(([type]) => call.body.includes(type))
  if (named.length === 0) return
  const { json } = await client.json('GET', '/_nodes/plugins?filter_path=nodes.*.plugins.name')
  const plugins = JSON.stringify(json ?? {})
  for (const [type, plugin] of named) {
    if (plugins.includes(plugin)) continue
    throw new ServiceError(
      'illegal_argument_exception',
      `Unknown tokenizer type [${type}]: the cluster has no plugin for it (analysis-${plugin}), and no other tokenizer finds the same words`,
    )
  }
}
