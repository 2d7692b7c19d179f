import { join } from 'node:path'
import type { EngineLog } from './engine.ts'
import type { FlatSettings } from './metadata/index-metadata.ts'
import { type LmdbStore, STORE_FILE } from './store/lmdb-store.ts'

/** Who the node is; undefined: there is no entry yet, or a damaged one, in place of which another does. */
export function storedNode(store: LmdbStore, log: EngineLog): { clusterUuid: string; nodeId: string } | undefined {
  return storedOr('node', undefined, store, log) as { clusterUuid: string; nodeId: string } | undefined
}

/** The persistent settings. Those that cannot be read may have kept something from being changed: until others are put, nothing can be. */
export function storedSettings(store: LmdbStore, log: EngineLog): FlatSettings {
  const stored = storedOr('settings', { 'cluster.blocks.read_only': 'true' }, store, log)
  return (stored as FlatSettings | undefined) ?? {}
}

/** An entry of the store, or what stands for a damaged one. */
function storedOr(name: string, otherwise: unknown, store: LmdbStore, log: EngineLog): unknown {
  return store.metadataOr(name, ({ reason }) => {
    log('error', { file: join(store.folder, STORE_FILE), instead: otherwise }, reason)
    return otherwise
  })
}

/** Logs what a crash had left in the store's log. */
export function tellReplayed({ replayed: { groups, gap, torn }, failure, folder }: LmdbStore, log: EngineLog): void {
  const place = failure === undefined ? 'are in the store now' : 'stay there'
  if (groups > 0) log('info', { groups }, `writes that a crash had left in the log ${place}`)
  const files = [join(folder, 'wal.0'), join(folder, 'wal.1')]
  if (gap)
    log(
      'error',
      { files },
      'the write-ahead log is damaged or missing: acknowledged writes that it had are lost, restore what was written last',
    )
  if (torn)
    log(
      'warn',
      { files },
      'the last write in the write-ahead log is not whole: it was cut off before it was acknowledged, or damaged since',
    )
}
