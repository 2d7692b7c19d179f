import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Its file within the folder of the identities. */
const FILE = 'in-force'
/** How often a command looks whether its change is in force. */
const LOOK_MS = 10

/**
 * How far a running domain has taken over what commands changed, noted beside the identities: a command that has ended must not
 * leave anybody with what it took from them.
 */
export class RevisionInForce {
  readonly #path: string
  #told: number | undefined

  constructor(folder: string) {
    this.#path = join(folder, FILE)
  }

  /** Notes up to which revision everything is in force, in the domain of this process. */
  tell(revision: number): void {
    if (revision === this.#told) return
    try {
      // It is of this moment alone, so that it need not outlive a crash.
      writeFileSync(this.#path, `${process.pid} ${revision}\n`, { mode: 0o600 })
      this.#told = revision
    } catch {
      // On a full disk a command waits for nothing, and says so.
    }
  }

  /** The domain of this process is no more. */
  forget(): void {
    rmSync(this.#path, { force: true })
  }

  /** Waits until a change is in force wherever a domain runs. @returns false where one has not taken it over in time */
  async reached(revision: number, mostMs: number): Promise<boolean> {
    for (const end = performance.now() + mostMs; ; await sleep(LOOK_MS)) {
      const [pid, inForce] = this.#read()
      if (inForce >= revision || !isAlive(pid)) return true
      if (performance.now() > end) return false
    }
  }

  #read(): readonly [pid: number, revision: number] {
    try {
      const [pid, revision] = readFileSync(this.#path, 'utf8').split(' ').map(Number)
      return [pid || 0, revision || 0]
    } catch {
      return [0, 0]
    }
  }
}

/** Whether there is such a process; of one that is another's it is said that it may not be asked. */
function isAlive(pid: number): boolean {
  if (pid === 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
