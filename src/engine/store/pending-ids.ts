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
  /** True when no id waits after it. */
  readonly all: boolean
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
   * removed all of them do: those whose records stay would come back with the next start.
   */
  begin(changes: readonly Change[]): readonly Change[] {
    const { documents, ids } = this.#tables
    const all = changes.some(({ table, value }) => table === ids && value === undefined)
    const later: Change[] = []
    const upTo = new Map<number, number>()
    const marks = new Map<number, number | undefined>()
    const now: Change[] = []
    for (const change of changes) {
      if (change.table === ids && !all) later.push(change)
      else if (change.table !== documents) now.push(change)
      else if (change.value !== undefined) {
        const indexNumber = indexOf(change.key)
        const seqNo = seqNoOf(change.key)
        if (!upTo.has(indexNumber) && !this.#marked.has(indexNumber)) marks.set(indexNumber, seqNo - 1)
        upTo.set(indexNumber, seqNo)
      }
    }
    if (this.#runs.length === 0 && (all || this.quiet || this.#young.size >= MANY_IDS)) this.#turn()
    const most = Math.max(this.quiet ? QUIET_PORTION : LEAST_PORTION, Math.ceil(1.25 * later.length))
    const portion = firstOf(this.#runs, all ? Number.POSITIVE_INFINITY : most)
    const young = all ? runsOf(this.#young).map((run) => ({ run, count: run.places.length })) : []
    const written = [...portion, ...young].flatMap((part) => this.#changes(part))
    if (all) {
      for (const indexNumber of upTo.keys()) marks.delete(indexNumber)
      for (const indexNumber of this.#marked) marks.set(indexNumber, undefined)
    } else if (portion.length > 0 && portion.length === this.#runs.length && isLast(portion.at(-1))) {
      for (const [indexNumber, last] of this.#old.upTo) {
        const isDone = !this.#young.upTo.has(indexNumber) && !upTo.has(indexNumber)
        marks.set(indexNumber, isDone ? undefined : last)
      }
    }
    const marked = new Set(this.#marked)
    for (const [indexNumber, last] of marks) {
      if (last === undefined) marked.delete(indexNumber)
      else marked.add(indexNumber)
    }
    this.#commit = { later, upTo, portion, all, marked }
    return [...written, ...[...marks].map(([indexNumber, last]) => this.#tables.mark(indexNumber, last)), ...now]
  }

  /** What {@link begin} was called for last is in the tables. */
  committed(): void {
    if (this.#commit === undefined) return
    const { later, upTo, portion, all, marked } = this.#commit
    this.#commit = undefined
    this.#marked = marked
    for (const { run, count } of portion) run.next += count
    this.#runs = this.#runs.filter((run) => run.next < run.places.length)
    if (this.#runs.length === 0) this.#old = new Generation()
    this.added += later.length
    if (all) this.#young = new Generation()
    else {
      for (const { key, value } of later) this.#young.set(key, value as Buffer)
      for (const [indexNumber, seqNo] of upTo) this.#young.upTo.set(indexNumber, seqNo)
    }
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

function runsOf({ ids }: Generation): Run[] {
  return [...ids]
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

const isLast = (part: Part | undefined): boolean =>
  part !== undefined && part.run.next + part.count === part.run.places.length

const indexOf = (key: Buffer): number => key.readUInt32BE(0)
