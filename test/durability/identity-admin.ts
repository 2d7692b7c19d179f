import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { IdentityCall } from './identity-child.ts'

const CHILD = fileURLToPath(new URL('identity-child.ts', import.meta.url))

/** Somebody who changes the identities of a data directory in a process of their own, which can be killed. */
export class IdentityAdmin {
  readonly #child: ChildProcess
  #answer: { resolve(value: unknown): void; reject(error: Error): void } | undefined

  constructor(dataDir: string) {
    this.#child = fork(CHILD, [dataDir], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child.on('message', ({ result, error }: { result?: unknown; error?: string }) => {
      const answer = this.#answer
      this.#answer = undefined
      if (error === undefined) answer?.resolve(result)
      else answer?.reject(new Error(error))
    })
    this.#child.on('exit', () => this.#answer?.reject(new Error('the process has ended')))
  }

  /** Does one thing after the other. @throws {Error} when it is refused, or the process ends meanwhile */
  do(call: IdentityCall, ...args: string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) reject(new Error('the process has ended'))
      this.#answer = { resolve, reject }
      this.#child.send({ call, args }, (error) => {
        if (error) reject(error)
      })
    })
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}
