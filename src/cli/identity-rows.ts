import { DamagedIdentityError } from '../access/identity/damaged-identity.ts'
import type { IdentityStore, IdentityTable, Tables } from '../access/identity/identity-store.ts'

/**
 * A row for every record of a table; of a damaged one that it is, and what to do.
 *
 * @param id   the column of what it is filed under
 * @param row  of one that can be read; undefined to leave it out
 */
export function identityRows<T extends IdentityTable>(
  store: IdentityStore,
  table: T,
  id: string,
  row: (record: Tables[T]) => Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>>[] {
  return [...store.entries(table)]
    .map(([name, record]) =>
      record instanceof DamagedIdentityError ? { [id]: name, damaged: record.message } : row(record),
    )
    .filter((shown) => shown !== undefined)
}
