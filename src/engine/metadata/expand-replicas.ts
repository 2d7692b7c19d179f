import type { FlatSettings } from './index-metadata.ts'

/**
 * Settings with as many replicas as `index.auto_expand_replicas` comes to on one node: none, where it allows none, and
 * else as many as were asked for.
 */
export function expandReplicas(settings: FlatSettings): FlatSettings {
  return expandsToNone(settings) ? { ...settings, 'index.number_of_replicas': '0' } : settings
}

/** Whether replicas are only wanted where there are more nodes. */
export function expandsToNone(settings: FlatSettings): boolean {
  const range = settings['index.auto_expand_replicas']
  return typeof range === 'string' && range.startsWith('0-')
}
