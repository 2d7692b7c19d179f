import type { ExtraStore } from '../../engine/engine.ts'

const NAMESPACE = 'ever_put'

/**
 * Whether anything of a kind was ever put: until then the real servers take any name of one to delete, whatever it is.
 *
 * @param kind  the namespace of its kind in the store
 */
export function wasEverPut(kind: string, extras: ExtraStore): boolean {
  return extras.get(NAMESPACE, kind) !== undefined || !extras.entries(kind)[Symbol.iterator]().next().done
}

/** Notes that there was something of a kind, before the last of it is deleted. */
export async function noteEverPut(kind: string, extras: ExtraStore): Promise<void> {
  if (extras.get(NAMESPACE, kind) === undefined) await extras.put(NAMESPACE, kind, true)
}
