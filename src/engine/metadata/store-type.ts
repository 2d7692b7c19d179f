import { illegalArgument } from '../../illegal-argument.ts'
import type { FlatSettings } from './index-metadata.ts'

const KNOWN: ReadonlySet<unknown> = new Set(['', 'fs', 'hybridfs', 'mmapfs', 'niofs', 'simplefs', 'remote_snapshot'])

/** Checks `index.store.type`, which the real servers look at when an index is opened. @throws {ServiceError} illegal_argument_exception */
export function checkStoreType(settings: FlatSettings): void {
  const type = settings['index.store.type'] ?? ''
  if (!KNOWN.has(type)) throw illegalArgument(`Unknown store type [${String(type)}]`)
}
