import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mainPath, removeDataDir, startDomain } from '../../scripts/domain-process.ts'

/** What a command line printed and how it ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A signed TLS domain and a shell in which `chaja` is the built command and `eval "$(chaja env)"` was said. */
export interface SignedDomain {
  readonly url: string
  /** The shell's variables: host, keys, region, authority. */
  readonly env: NodeJS.ProcessEnv
  readonly dataDir: string
  /** An empty folder, where the shell is. */
  readonly folder: string
  /** Runs lines of bash as a user types them. */
  sh(script: string, options?: { readonly stdin?: string; readonly env?: NodeJS.ProcessEnv }): Promise<Ended>
  stop(): Promise<void>
}

/** Starts a domain as the README does: TLS by its own authority, every request signed, keys by `chaja env`. */
export async function startSignedDomain(args: readonly string[] = []): Promise<SignedDomain> {
  const domain = await startDomain({ secure: true, args })
  const folder = mkdtempSync(join(tmpdir(), 'chaja-user-'))
  const env = { ...cleanEnvironment(), ...domainEnvironment(domain.dataDir) }
  return {
    url: domain.url,
    dataDir: domain.dataDir,
    env,
    folder,
    sh: (script, options = {}) => shell(script, { env: { ...env, ...options.env }, folder, stdin: options.stdin }),
    async stop() {
      await domain.stop()
      removeDataDir(domain.dataDir)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The variables that `chaja env` sets, as a shell reads them. */
function domainEnvironment(dataDir: string): NodeJS.ProcessEnv {
  const script = `eval "$("${process.execPath}" "${mainPath}" env --data "$0")" && env -0`
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script, dataDir], {
    env: cleanEnvironment(),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`chaja env failed: ${stderr}`)
  const env: NodeJS.ProcessEnv = {}
  for (const line of stdout.split('\0')) {
    const [, name, value] = /^((?:AWS|NODE)_\w+)=(.*)$/s.exec(line) ?? []
    if (name !== undefined && value !== undefined) env[name] = value
  }
  return env
}

/** This process' environment without what would name another domain, and with a home that has no profiles. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { HOME: join(tmpdir(), 'chaja-no-home') }
  for (const [name, value] of Object.entries(process.env)) {
    if (!/^(AWS_|CHAJA_|NODE_EXTRA|FORCE_COLOR|NO_COLOR|HOME$|npm_)/.test(name)) env[name] = value
  }
  return env
}

/** Runs bash with `chaja` as a function. */
function shell(
  script: string,
  options: { readonly env: NodeJS.ProcessEnv; readonly folder: string; readonly stdin?: string | undefined },
): Promise<Ended> {
  const preamble = `chaja() { "${process.execPath}" "${mainPath}" "$@"; }\n`
  const child = spawn('bash', ['-c', preamble + script], { env: options.env, cwd: options.folder })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  child.stdin.on('error', () => {})
  child.stdin.end(options.stdin ?? '')
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}
