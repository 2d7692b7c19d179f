import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A domain running as a process of its own, as users start it. */
export interface DomainProcess {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  readonly child: ChildProcess
  /** Milliseconds from spawn to the ready line. */
  readonly readyMs: number
  /** Stops it and answers the exit code (null when a signal ended it). */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** The built command line; `npm run build` makes it. */
export const mainPath = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist', 'cli', 'main.js')

/**
 * Starts `chaja serve` on a free port and waits for its ready line.
 *
 * @param args     further flags; `--http --open` unless `secure`
 * @param dataDir  a fresh temporary folder when absent
 * @param main     another build's command line
 * @throws {Error} with the process' stderr when it exits before it is ready
 */
export function startDomain(
  options: {
    readonly args?: readonly string[]
    readonly dataDir?: string
    readonly main?: string
    readonly secure?: boolean
    readonly env?: NodeJS.ProcessEnv
  } = {},
): Promise<DomainProcess> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'chaja-'))
  const flags = options.secure ? [] : ['--http', '--open']
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [options.main ?? mainPath, 'serve', '--data', dataDir, '--port', '0', ...flags, ...(options.args ?? [])],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: options.env ?? process.env,
    },
  )
  return new Promise((resolve, reject) => {
    let out = ''
    let err = ''
    child.stderr.on('data', (chunk: Buffer) => {
      if (err.length < 20_000) err += chunk
    })
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk
      const url = /listening on (\S+)/.exec(out)?.[1]
      if (url === undefined) return
      child.stdout.removeAllListeners('data').resume()
      resolve({
        url,
        pid: child.pid as number,
        dataDir,
        child,
        readyMs: performance.now() - started,
        stop: (signal) => stop(child, signal),
      })
    })
    child.once('exit', (code) => reject(new Error(`chaja serve exited with ${code} before it was ready:\n${err}`)))
  })
}

/** Removes a data directory made by {@link startDomain}. */
export function removeDataDir(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true })
}

function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
    child.once('exit', (code) => resolve(code))
    child.kill(signal)
  })
}
