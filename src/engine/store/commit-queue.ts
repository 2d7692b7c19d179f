import type { OwedChanges } from './owed-changes.ts'
import type { Change, WriteAheadLog } from './write-ahead-log.ts'

/** Changes from which on a group moves on though nobody waits for it yet: the more together, the less each costs. */
const MANY_CHANGES = 1_200
/** Changes from which on groups are not committed together any more: LMDB keeps the memory of its largest transaction. */
const MOST_CHANGES = 2_400
/** How long changes that nobody waits for may gather. */
const GATHER_MS = 10
/** How long logged changes may wait for others to be committed with. */
const COMMIT_AFTER_MS = 50
/** Changes from which on a group is not logged: it is worth a commit of its own, and writing it twice costs more than that. */
const TOO_MANY_TO_LOG = 256
/** Bytes of logged changes that may wait: from here on writers wait for commits. */
const MOST_LOGGED_BYTES = 32 * 2 ** 20

/** Thrown by whoever waits for a commit that failed, and by whatever is queued afterwards: nothing can be written now. */
export class CommitFailedError extends Error {
  constructor(cause: Error) {
    super(`a commit to disk failed: ${cause.message}`, { cause })
    this.name = 'CommitFailedError'
  }
}

/** Where a queue's changes go. */
export interface CommitTarget {
  /** Commits changes as one; settles when they are on disk. @param applied  last number that was given to them or before */
  commit(changes: readonly Change[], applied: number): Promise<void>
  /** Undefined where nothing is logged. */
  readonly log: Pick<WriteAheadLog, 'append' | 'applied' | 'isFull'> | undefined
  /** Takes what is logged, and was not committed when a commit failed. */
  readonly owed: OwedChanges
  /** Called before each write to the log; what it throws is its failure. */
  beforeWrite(): void
  /** Whether there is space for what is logged to be committed later. */
  hasRoom(): boolean
  /** Called after each commit, before anybody who waited for it goes on. */
  onCommit(): void
}

/** Changes that are logged and committed together. */
interface Group {
  readonly changes: Change[]
  bytes: number
  /** True once somebody waits for it to be logged, or more. */
  awaited: boolean
  /** True once somebody waits for its commit. */
  hurried: boolean
  /** Sees to it that it does not gather for ever. */
  timer: NodeJS.Timeout | undefined
  /** True once it is to move on at the end of this turn of the event loop. */
  due: boolean
  /** Given when it moves on, whether it is logged or not: what is logged shows what it follows. */
  number: number
  isLogged: boolean
  readonly logged: Deferred
  readonly committed: Deferred
}

/**
 * The way of changes to the disk, in groups, each wholly or not at all, in their order: they gather, are logged (and safe
 * from then on), and are committed to the tables together with others. While one group is being logged and others
 * committed, the next one gathers. What is queued within one turn of the event loop is never split.
 *
 * When a commit fails, all that was not logged fails too (it was decided on a state that never came to be), and so does
 * every later change until {@link CommitQueue.recover}. What was logged waits for that, or for the next start.
 * Large groups are not logged, and none while the log fails: they are safe with their commit.
 */
export class CommitQueue {
  readonly #target: CommitTarget
  #gathering: Group | undefined
  #logging: { readonly group: Group; readonly done: Promise<void> } | undefined
  /** Logged (or not to be), in order. */
  #ready: Group[] = []
  #readyBytes = 0
  #committing: readonly Group[] = []
  #commitTimer: NodeJS.Timeout | undefined
  /** The last number that was given to a group. */
  #lastNumber: number
  #logBroken = false
  #failure: CommitFailedError | undefined
  /** How many changes were queued ever. */
  queued = 0

  /** @param applied  number of the last logged group that the tables have */
  constructor(target: CommitTarget, applied: number) {
    this.#target = target
    this.#lastNumber = applied
  }

  /** Why nothing can be written; undefined when all is well. */
  get failure(): CommitFailedError | undefined {
    return this.#failure
  }

  /** True when the tables lack something that is on disk, or on its way there. */
  get isBehind(): boolean {
    return this.#last !== undefined || !this.#target.owed.isEmpty
  }

  queue(change: Change): void {
    if (this.#failure !== undefined) throw this.#failure
    const group = this.#begin()
    this.queued++
    group.changes.push(change)
    group.bytes += change.key.length + (change.value?.length ?? 0)
    if (group.changes.length === MANY_CHANGES) this.#moveOnWhenDue(group)
  }

  /** Sees to a commit though nothing may be queued: its target has more to write. @throws {CommitFailedError} as {@link logged} */
  touch(): Promise<void> {
    if (this.#failure === undefined && this.#last === undefined) this.#begin()
    return this.committed()
  }

  /** The group that gathers. */
  #begin(): Group {
    if (this.#gathering !== undefined) return this.#gathering
    const begun = newGroup()
    begun.timer = setTimeout(() => {
      begun.awaited = true
      this.#moveOnWhenDue(begun)
    }, GATHER_MS)
    this.#gathering = begun
    return begun
  }

  /**
   * Settles when everything queued so far is on disk, in the log or in the tables.
   *
   * @throws {CommitFailedError} when it could not be written; nothing of it is there then
   */
  logged(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const last = this.#last
    if (last === undefined) return Promise.resolve()
    last.awaited = true
    this.#moveOnWhenDue(last)
    // Whoever writes faster than the tables take it in waits for them.
    if (this.#readyBytes > MOST_LOGGED_BYTES)
      return last.logged.promise.then(() => this.#committing[0]?.committed.promise)
    return last.logged.promise
  }

  /** Settles when the tables have everything queued so far. @throws {CommitFailedError} as {@link logged} */
  committed(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const last = this.#last
    if (last === undefined) return Promise.resolve()
    last.awaited = true
    last.hurried = true
    this.#moveOnWhenDue(last)
    this.#commitWhenDue()
    return last.committed.promise
  }

  /** {@link committed}, without hurrying it. */
  whenCommitted(): Promise<void> {
    return this.#last?.committed.promise ?? Promise.resolve()
  }

  /**
   * Tries to write again after a failed commit.
   *
   * @returns true when a commit went through: changes are taken again
   */
  async recover(): Promise<boolean> {
    if (this.#failure === undefined) return true
    try {
      await this.#target.commit(this.#target.owed.changes, this.#lastNumber)
    } catch {
      return false
    }
    this.#target.owed.clear()
    this.#failure = undefined
    this.#target.log?.applied(this.#lastNumber)
    this.#logBroken = false
    this.#target.onCommit()
    return true
  }

  /** Writes nothing from now on, until {@link recover}. */
  refuse(cause: Error): void {
    if (this.#failure === undefined) this.#fail(new CommitFailedError(cause))
  }

  /** Settles when nothing is under way any more; what can be committed is. */
  async close(): Promise<void> {
    while (this.#failure === undefined && this.#last !== undefined) await this.committed().catch(() => {})
    clearTimeout(this.#commitTimer)
  }

  /** The last group of all. */
  get #last(): Group | undefined {
    return this.#gathering ?? this.#logging?.group ?? this.#ready.at(-1) ?? this.#committing.at(-1)
  }

  #moveOnWhenDue(group: Group): void {
    if (group !== this.#gathering || group.due || this.#logging !== undefined) return
    if (!group.awaited && group.changes.length < MANY_CHANGES) return
    group.due = true
    // At the end of the event loop's turn, so that what came in together moves on together.
    setImmediate(() => void this.#moveOn(group))
  }

  /** Logs what has gathered; only one group is being logged at a time. */
  async #moveOn(group: Group): Promise<void> {
    if (group !== this.#gathering) return
    this.#gathering = undefined
    clearTimeout(group.timer)
    group.number = ++this.#lastNumber
    if (this.#mayLog(group)) {
      this.#logging = { group, done: this.#log(group) }
      await this.#logging.done
      this.#logging = undefined
    }
    this.#ready.push(group)
    this.#readyBytes += group.bytes
    if (group.isLogged) group.logged.resolve()
    this.#commitWhenDue()
    if (this.#gathering !== undefined) this.#moveOnWhenDue(this.#gathering)
  }

  #mayLog({ changes }: Group): boolean {
    const { log } = this.#target
    if (log === undefined || changes.length === 0 || changes.length >= TOO_MANY_TO_LOG) return false
    if (!this.#target.hasRoom()) return false
    // A group that is not logged must be in the tables before later ones may be logged: they are nothing without it.
    return !this.#logBroken && [...this.#ready, ...this.#committing].every(({ isLogged }) => isLogged)
  }

  async #log(group: Group): Promise<void> {
    try {
      this.#target.beforeWrite()
      await this.#target.log?.append({ number: group.number, changes: group.changes })
      group.isLogged = true
    } catch {
      this.#logBroken = true
    }
  }

  #commitWhenDue(): void {
    if (this.#committing.length > 0 || this.#ready.length === 0) return
    const changes = this.#ready.reduce((sum, group) => sum + group.changes.length, 0)
    const isDue =
      changes >= MANY_CHANGES ||
      this.#ready.some(({ isLogged, hurried }) => !isLogged || hurried) ||
      this.#target.log?.isFull
    if (isDue) void this.#commit()
    else this.#commitTimer ??= setTimeout(() => this.#commit(), COMMIT_AFTER_MS)
  }

  /** Commits what is ready; only one commit is under way at a time. */
  async #commit(): Promise<void> {
    clearTimeout(this.#commitTimer)
    this.#commitTimer = undefined
    if (this.#committing.length > 0 || this.#ready.length === 0) return
    const groups = this.#takeReady()
    this.#committing = groups
    const { number: applied } = groups.at(-1) as Group
    try {
      const changes = groups.length === 1 ? (groups[0] as Group).changes : groups.flatMap((group) => group.changes)
      await this.#target.commit(changes, applied)
    } catch (error) {
      // Whether what is being logged will have happened must be known first.
      while (this.#logging !== undefined) await this.#logging.done
      this.#fail(new CommitFailedError(error as Error))
      return
    }
    this.#committing = []
    this.#target.log?.applied(applied)
    if (!this.isBehind) this.#logBroken = false
    this.#target.onCommit()
    for (const group of groups) {
      group.logged.resolve()
      group.committed.resolve()
    }
    this.#commitWhenDue()
  }

  /** The groups that are committed next. */
  #takeReady(): Group[] {
    let count = 0
    let changes = 0
    while (count < this.#ready.length && (count === 0 || changes < MOST_CHANGES)) {
      changes += (this.#ready[count] as Group).changes.length
      count++
    }
    const taken = this.#ready.splice(0, count)
    for (const group of taken) this.#readyBytes -= group.bytes
    return taken
  }

  #fail(failure: CommitFailedError): void {
    const groups = [...this.#committing, ...this.#ready]
    if (this.#gathering !== undefined) groups.push(this.#gathering)
    clearTimeout(this.#gathering?.timer)
    this.#failure = failure
    this.#gathering = undefined
    this.#ready = []
    this.#readyBytes = 0
    this.#committing = []
    // All at once: whoever is told of the failure looks at what is left.
    for (const { isLogged, changes } of groups) if (isLogged) this.#target.owed.add(changes)
    for (const { logged, committed } of groups) {
      logged.reject(failure)
      committed.reject(failure)
    }
  }
}

interface Deferred {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

function deferred(): Deferred {
  let resolve = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  // Some changes are queued without anybody waiting for them; their failure shows with the next one that is waited for.
  promise.catch(() => {})
  return { promise, resolve, reject }
}

function newGroup(): Group {
  return {
    changes: [],
    bytes: 0,
    awaited: false,
    hurried: false,
    timer: undefined,
    due: false,
    number: -1,
    isLogged: false,
    logged: deferred(),
    committed: deferred(),
  }
}
