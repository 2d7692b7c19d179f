import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Calls that can fail, as failing-disk.c numbers them. */
export const CALLS = {
  pwrite: 1,
  pwritev: 2,
  write: 4,
  sync: 8,
  truncate: 16,
  open: 32,
  rename: 64,
  remove: 128,
  folder: 256,
} as const
/** How they fail. */
export const ERRNO = { EIO: 5, EROFS: 30, ENOSPC: 28, EDQUOT: 122 } as const

/** A fault of a disk. */
export interface DiskFault {
  readonly error: keyof typeof ERRNO
  readonly calls: readonly (keyof typeof CALLS)[]
  /** So many of a thousand calls fail. */
  readonly share: number
  /** Only files with this in their path. */
  readonly part?: string
}

/** A folder whose disk fails when it is told to, for processes that are started with {@link FailingDisk.env}. */
export class FailingDisk {
  readonly #folder: string
  readonly #trigger: string
  readonly env: NodeJS.ProcessEnv

  /** @param library  what {@link compileFailingDisk} made */
  constructor(library: string, folder: string) {
    this.#folder = mkdtempSync(join(tmpdir(), 'chaja-fault-'))
    this.#trigger = join(this.#folder, 'fault')
    this.env = { ...process.env, LD_PRELOAD: library, CHAJA_FAULT_FOLDER: folder, CHAJA_FAULT_FILE: this.#trigger }
  }

  /** From now on calls fail; undefined: none does. */
  set fault(fault: DiskFault | undefined) {
    rmSync(this.#trigger, { force: true })
    if (fault === undefined) return
    const calls = fault.calls.reduce((sum, call) => sum | CALLS[call], 0)
    writeFileSync(this.#trigger, `${ERRNO[fault.error]} ${calls} ${fault.share} ${fault.part ?? '*'}\n`)
  }

  /** From now on so many calls are made, of files with this in their path, and the process is killed before the next. */
  killAfter(count: number, part = '*'): void {
    const calls = Object.values(CALLS).reduce((sum, call) => sum | call, 0)
    writeFileSync(this.#trigger, `-9 ${calls} ${count} ${part}\n`)
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Compiles failing-disk.c. @returns the library; undefined where there is no C compiler, or no Linux */
export function compileFailingDisk(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined
  const library = join(folder, 'failing-disk.so')
  const source = fileURLToPath(new URL('./failing-disk.c', import.meta.url))
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
  return status === 0 ? library : undefined
}
