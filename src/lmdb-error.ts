import { getSystemErrorName } from 'node:util'

/** Whether LMDB reads nothing any more until the file is opened anew: it could not write the page that leads to all others. */
export const isPanic = (error: unknown): boolean => /MDB_PANIC/.test((error as Error).message)

/** An error with its name in place of its number, which is how LMDB gives those of the system; any other as it is. */
export function withSystemName<E extends Error>(error: E & { readonly code?: unknown }): E {
  const { code } = error
  return typeof code === 'number' && code > 0
    ? Object.assign(error, { code: getSystemErrorName(-code), errno: -code })
    : error
}
