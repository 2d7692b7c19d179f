import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { peersDir } from './peers.ts'

/** Folder of measuring material beside the checkout: suite, benchmark, vectors. May be absent. */
export const sharedDir = join(import.meta.dirname, '..', '..', 'shared')

/**
 * Copies a tool of the shared folder (which is read-only) to where its dependencies can be installed.
 *
 * @param name  `conformance` or `bench`
 * @returns     the copy's folder; exits the process with a printed reason when there is no shared folder
 */
export function sharedTool(name: 'conformance' | 'bench'): string {
  const from = join(sharedDir, name)
  if (!existsSync(from)) {
    console.log(`skipped: ${from} is absent`)
    process.exit(0)
  }
  const to = join(peersDir, `tool-${name}`)
  if (!existsSync(join(to, 'node_modules'))) {
    mkdirSync(to, { recursive: true })
    execFileSync('cp', ['-r', '--no-preserve=mode', `${from}/.`, to])
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: to, stdio: 'inherit' })
  } else {
    cpSync(from, to, { recursive: true, force: true, mode: 0 })
  }
  return to
}
