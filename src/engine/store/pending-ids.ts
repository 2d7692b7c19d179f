import { ByteTable } from './byte-table.ts'
import { seqNoOf } from './record-keys.ts'
import type { Change } from './write-ahead-log.ts'

/** Ids that gather before they go into the table. */
const MANY_IDS = 32_768
/** So many of those before go along with a commit at least; with a large one a quarter more than it brings, so that it does not take much longer. */
const LEAST_PORTION = 500
/** So many go with one while nobody writes. */
export const QUIET_PORTION = 2_000

/** What changes are of, and how it is kept which ids wait. */
export interface IdTables {
  readonly documents: number
  readonly ids: number
  /** The change that keeps up to which record the table has an index' ids; undefined: all of them. */
  mark(indexNumber: number, upTo: number | undefined): Change
}

/** Ids that gathered together. */
class Generation {
  /** By index number. */
  readonly ids = new Map<number, ByteTable>()
  /** The last records they are of, by index number. */
  readonly upTo = new Map<number, number>()
  size = 0

  get(key: Buffer): Buffer | undefined {
    return this.ids.get(indexOf(key))?.get(key)
  }

  set(key: Buffer, value: Buffer): void {
    const indexNumber = indexOf(key)
    let table = this.ids.get(indexNumber)
    if (table === undefined) {
      table = new ByteTable()
      this.ids.set(indexNumber, table)
    }
    const before = table.size
    table.set(key, value)
    this.size += table.size - before
  }

  deleteIndex(indexNumber: number): void {
    this.size -= this.ids.get(indexNumber)?.size ?? 0
    this.ids.delete(indexNumber)
    this.upTo.delete(indexNumber)
  }
}

/** Ids of an index on their way into the table: those before `next` are there. */
interface Run {
  readonly indexNumber: number
  readonly table: ByteTable
  readonly places: Int32Array
  next: number
}

/** How many ids of a run go with a commit. */
interface Part {
  readonly run: Run
  readonly count: number
}

/** A commit under way. */
interface Commit {
  /** Its own ids. */
  readonly later: readonly Change[]
  /** The last of its records, by index number. */
  readonly upTo: ReadonlyMap<number, number>
  readonly portion: readonly Part[]
  /** Indices of which no id waits after it. */
  readonly emptied: ReadonlySet<number>
  /** Indices whose ids wait after it. */
  readonly marked: ReadonlySet<number>
}

/**
 * Ids that are committed with their records and not yet in the ids table. They come in any order, so that each of them hits
 * another page of it: many together, sorted, share their pages. After a crash they are found again in the records behind
 * the one up to which the table is known to have them.
 */
export class PendingIds {
  readonly #tables: IdTables
  #young = new Generation()
  /** On its way into the table, by what is left of it. */
  #old = new Generation()
  #runs: Run[] = []
  #commit: Commit | undefined
  /** Indices of which it is kept that ids wait. */
  #marked: ReadonlySet<number> = new Set()
  /** How many ids were left for later ever. */
  added = 0
  /** True while nobody writes: what is there goes into the table, few or many. */
  quiet = false

  constructor(tables: IdTables) {
    this.#tables = tables
  }

  /** How many may wait. */
  get size(): number {
    return this.#young.size + this.#old.size
  }

  /** The entry of an id; undefined when only the table can tell. */
  get(key: Buffer): Buffer | undefined {
    if (this.size === 0) return undefined
    return this.#young.get(key) ?? this.#old.get(key)
  }

  /** Takes ids of an index that wait, of records up to one. */
  resume(indexNumber: number, ids: Iterable<readonly [key: Buffer, value: Buffer]>, upTo: number): void {
    this.#marked = new Set([...this.#marked, indexNumber])
    for (const [key, value] of ids) this.#young.set(key, value)
    this.#young.upTo.set(indexNumber, upTo)
  }

  /**
   * What a commit writes beside its records: ids are left for later, and some of those that were come along. Where ids are
   * removed all of their index do: those whose records stay would come back with the next start.
   *
   * @param hasRoom  whether the disk has room for such as can wait
   */
  begin(changes: readonly Change[], hasRoom = true): readonly Change[] {
    const { documents, ids } = this.#tables
    const emptied = new Set<number>()
    for (const { table, key, value } of changes) if (table === ids && value === undefined) emptied.add(indexOf(key))
    const isEmptied = (key: Buffer): boolean => emptied.size > 0 && emptied.has(indexOf(key))
    const later: Change[] = []
    const upTo = new Map<number, number>()
    const marks = new Map<number, number | undefined>()
    const now: Change[] = []
    for (const change of changes) {
      if (change.table === ids && !isEmptied(change.key)) later.push(change)
      else if (change.table !== documents) now.push(change)
      else if (change.value !== undefined && !isEmptied(change.key)) {
        const indexNumber = indexOf(change.key)
        const seqNo = seqNoOf(change.key)
        if (!upTo.has(indexNumber) && !this.#marked.has(indexNumber)) marks.set(indexNumber, seqNo - 1)
        upTo.set(indexNumber, seqNo)
      }
    }
    if (this.#runs.length === 0 && (this.quiet || this.#young.size >= MANY_IDS)) this.#turn()
    const most = Math.max(this.quiet ? QUIET_PORTION : LEAST_PORTION, Math.ceil(1.25 * later.length))
    const portion = this.#portion(emptied, hasRoom ? most : 0)
    const young = runsOf(this.#young, emptied).map((run) => ({ run, count: run.places.length }))
    const written = [...portion, ...young].flatMap((part) => this.#changes(part))
    if (portion.length > 0 && portion.length === this.#runs.length && portion.every(isWhole)) {
      for (const [indexNumber, last] of this.#old.upTo) {
        const isDone = !this.#young.upTo.has(indexNumber) && !upTo.has(indexNumber)
        marks.set(indexNumber, isDone ? undefined : last)
      }
    }
    for (const indexNumber of emptied) if (this.#marked.has(indexNumber)) marks.set(indexNumber, undefined)
    const marked = new Set(this.#marked)
    for (const [indexNumber, last] of marks) {
      if (last === undefined) marked.delete(indexNumber)
      else marked.add(indexNumber)
    }
    this.#commit = { later, upTo, portion, emptied, marked }
    return [...written, ...[...marks].map(([indexNumber, last]) => this.#tables.mark(indexNumber, last)), ...now]
  }

  /** What {@link begin} was called for last is in the tables. */
  committed(): void {
    if (this.#commit === undefined) return
    const { later, upTo, portion, emptied, marked } = this.#commit
    this.#commit = undefined
    this.#marked = marked
    for (const { run, count } of portion) run.next += count
    this.#runs = this.#runs.filter((run) => run.next < run.places.length)
    if (this.#runs.length === 0) this.#old = new Generation()
    this.added += later.length
    for (const indexNumber of emptied)
      for (const generation of [this.#young, this.#old]) generation.deleteIndex(indexNumber)
    for (const { key, value } of later) this.#young.set(key, value as Buffer)
    for (const [indexNumber, seqNo] of upTo) this.#young.upTo.set(indexNumber, seqNo)
  }

  /**
   * Forgets the ids of an index that is being removed.
   *
   * @returns true when a commit under way may put some into the table
   */
  deleteIndex(indexNumber: number): boolean {
    for (const generation of [this.#young, this.#old]) generation.deleteIndex(indexNumber)
    this.#runs = this.#runs.filter((run) => run.indexNumber !== indexNumber)
    return this.#commit?.portion.some(({ run }) => run.indexNumber === indexNumber) ?? false
  }

  /** All ids of some indices on their way, and the first of the others. */
  #portion(emptied: ReadonlySet<number>, most: number): Part[] {
    if (emptied.size === 0) return firstOf(this.#runs, most)
    const whole = this.#runs.filter(({ indexNumber }) => emptied.has(indexNumber))
    const others = this.#runs.filter(({ indexNumber }) => !emptied.has(indexNumber))
    return [...firstOf(whole, Number.POSITIVE_INFINITY), ...firstOf(others, most)]
  }

  #turn(): void {
    this.#old = this.#young
    this.#young = new Generation()
    this.#runs = runsOf(this.#old)
  }

  #changes({ run: { table, places, next }, count }: Part): Change[] {
    const changes: Change[] = []
    for (let i = next; i < next + count; i++) {
      const [key, value] = table.entry(places[i] as number)
      changes.push({ table: this.#tables.ids, key, value })
    }
    return changes
  }
}

/** @param only  of these indices alone */
function runsOf({ ids }: Generation, only?: ReadonlySet<number>): Run[] {
  return [...ids]
    .filter(([indexNumber]) => only?.has(indexNumber) ?? true)
    .sort(([a], [b]) => a - b)
    .map(([indexNumber, table]) => ({ indexNumber, table, places: table.places(), next: 0 }))
}

/** The first ids of runs, at most so many. */
function firstOf(runs: readonly Run[], most: number): Part[] {
  const parts: Part[] = []
  let left = most
  for (const run of runs) {
    if (left === 0) break
    const count = Math.min(left, run.places.length - run.next)
    parts.push({ run, count })
    left -= count
  }
  return parts
}

/** Whether nothing of its run is left after a part. */
const isWhole = ({ run, count }: Part): boolean => run.next + count === run.places.length

const indexOf = (key: Buffer): number => key.readUInt32BE(0)
