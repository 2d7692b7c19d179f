import type { Engine } from '../../engine/engine.ts'
import { type IndexMetadata, isServed } from '../../engine/metadata/index-metadata.ts'

/** Whether an index is open; it may have been closed or removed while a request about it waited. */
export function isStillOpen({ name, uuid }: IndexMetadata, engine: Engine): boolean {
  const now = engine.indices.get(name)
  return now?.uuid === uuid && isServed(now)
}
