import type { Change } from './write-ahead-log.ts'

/** Changes that are logged and cannot be committed now: what the tables would say if they could. */
export class OwedChanges {
  /** In the order in which they were made. */
  readonly changes: Change[] = []
  /** The last of each key (as latin-1 text, which sorts like the bytes), by table. */
  readonly #latest = new Map<number, Map<string, Change>>()

  get isEmpty(): boolean {
    return this.changes.length === 0
  }

  add(changes: readonly Change[]): void {
    for (const change of changes) {
      this.changes.push(change)
      const ofTable = this.#latest.get(change.table) ?? new Map<string, Change>()
      this.#latest.set(change.table, ofTable)
      ofTable.set(change.key.toString('latin1'), change)
    }
  }

  clear(): void {
    this.changes.length = 0
    this.#latest.clear()
  }

  /** The last change of a key; undefined when there is none. */
  get(table: number, key: Buffer): Change | undefined {
    return this.#latest.get(table)?.get(key.toString('latin1'))
  }

  /** The entries of a table's range (`start <= key < end`) with these changes made, in order. */
  *over(
    table: number,
    start: Buffer,
    end: Buffer,
    entries: Iterable<{ readonly key: Buffer; readonly value: Buffer }>,
  ): Generator<{ readonly key: Buffer; readonly value: Buffer }> {
    const [from, to] = [start.toString('latin1'), end.toString('latin1')]
    const changed = [...(this.#latest.get(table) ?? [])]
      .filter(([key]) => key >= from && key < to)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, change]) => change)
    let next = 0
    for (const entry of entries) {
      const { key } = entry
      for (; next < changed.length && Buffer.compare((changed[next] as Change).key, key) < 0; next++) {
        yield* present(changed[next] as Change)
      }
      if (changed[next]?.key.equals(key)) yield* present(changed[next++] as Change)
      else yield entry
    }
    for (; next < changed.length; next++) yield* present(changed[next] as Change)
  }
}

function* present({ key, value }: Change) {
  if (value !== undefined) yield { key, value }
}
