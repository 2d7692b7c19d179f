import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileProblem } from '../file-problem.ts'
import { assumeRole } from './assume-role.ts'
import { ClientError } from './client-error.ts'
import type { CredentialProvider, Credentials } from './credentials.ts'

const run = promisify(execFile)

type Section = Readonly<Record<string, string>>

/** The profiles of `~/.aws/config` and `~/.aws/credentials` (or where AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE point). */
export interface SharedProfiles {
  readonly get: (name: string) => Section | undefined
  readonly names: readonly string[]
  /** Why one of the files could not be read, where it may be there. */
  readonly unread?: ClientError | undefined
}

/**
 * Reads both files. A key in the credentials file wins over the config file's. As for the AWS tools, a file that cannot be
 * read is empty: where a service runs as another user, its home folder is often root's, and its keys come from elsewhere.
 */
export async function loadSharedProfiles(env: NodeJS.ProcessEnv = process.env): Promise<SharedProfiles> {
  // As for the AWS tools, an empty variable says nothing.
  const folder = join(env['HOME'] ?? homedir(), '.aws')
  const configFile = await readIfThere(env['AWS_CONFIG_FILE'] || join(folder, 'config'))
  const credentialsFile = await readIfThere(env['AWS_SHARED_CREDENTIALS_FILE'] || join(folder, 'credentials'))
  const config = parseIni(configFile.text)
  const credentials = parseIni(credentialsFile.text)
  const profiles = new Map<string, Section>()
  for (const [heading, section] of config) {
    const name = heading === 'default' ? heading : /^profile\s+(["']?)(.+)\1$/.exec(heading)?.[2]
    if (name !== undefined) profiles.set(name, section)
  }
  for (const [name, section] of credentials) profiles.set(name, { ...profiles.get(name), ...section })
  const unread = credentialsFile.unread ?? configFile.unread
  return { get: (name) => profiles.get(name), names: [...profiles.keys()], unread }
}

/**
 * Credentials of a profile: its keys, its `credential_process`, or the role it assumes from `source_profile`.
 *
 * @throws {ClientError} kind `configuration`, naming the profile and what it lacks
 */
export function profileCredentials(
  name: string,
  profiles: SharedProfiles,
  region: string | undefined,
): CredentialProvider {
  return () => resolve(name, profiles, region, [])
}

async function resolve(
  name: string,
  profiles: SharedProfiles,
  region: string | undefined,
  visited: readonly string[],
): Promise<Credentials> {
  const profile = profiles.get(name)
  if (profile === undefined) {
    if (profiles.unread !== undefined) throw profiles.unread
    throw new ClientError(
      'configuration',
      `there is no profile [${name}]; the files have: ${profiles.names.join(', ') || 'none'}`,
    )
  }
  if (visited.includes(name)) {
    throw new ClientError(
      'configuration',
      `the profiles ${[...visited, name].join(' → ')} name each other as source_profile`,
    )
  }
  const role = profile['role_arn']
  if (role !== undefined && !(visited.length > 0 && hasKeys(profile))) {
    const source = profile['source_profile']
    if (source === undefined) throw unsupported(name, profile) ?? lacks(name, 'role_arn but no source_profile')
    if (profile['mfa_serial'] !== undefined)
      throw new ClientError('configuration', `profile [${name}] asks for a code (mfa_serial): ${elsewhere(name)}`)
    const own =
      source === name && hasKeys(profile)
        ? keysOf(profile)
        : await resolve(source, profiles, region, [...visited, name])
    return assumeRole({
      roleArn: role,
      sessionName: profile['role_session_name'] ?? 'chaja',
      externalId: profile['external_id'],
      durationSeconds: Number(profile['duration_seconds'] ?? 3600),
      region: region ?? profile['region'] ?? 'us-east-1',
      credentials: own,
    })
  }
  const command = profile['credential_process']
  if (command !== undefined) return fromProcess(name, command)
  if (hasKeys(profile)) return keysOf(profile)
  throw unsupported(name, profile) ?? lacks(name, 'neither keys, nor role_arn, nor credential_process')
}

const lacks = (name: string, what: string) => new ClientError('configuration', `profile [${name}] has ${what}`)

/** Where people get keys that only the AWS command line can fetch. */
const elsewhere = (name: string) =>
  `eval "$(aws configure export-credentials --profile ${name} --format env)" loads its keys, and as credential_process = aws configure export-credentials --profile ${name} of another profile they are renewed`

/** Ways to credentials that are left to the AWS command line; undefined when the profile names none of them. */
function unsupported(name: string, profile: Section): ClientError | undefined {
  const key = ['sso_session', 'sso_start_url', 'web_identity_token_file', 'credential_source', 'login_session'].find(
    (key) => profile[key] !== undefined,
  )
  if (key === undefined) return undefined
  return new ClientError(
    'configuration',
    `profile [${name}] gets its keys by ${key}, which chaja cannot: ${elsewhere(name)}`,
  )
}

const hasKeys = (profile: Section): boolean =>
  profile['aws_access_key_id'] !== undefined && profile['aws_secret_access_key'] !== undefined

const keysOf = (profile: Section): Credentials => ({
  accessKeyId: profile['aws_access_key_id'] as string,
  secretAccessKey: profile['aws_secret_access_key'] as string,
  sessionToken: profile['aws_session_token'],
})

/** How long a `credential_process` may take: some ask their user for a code. */
const PROCESS_TIMEOUT_MS = 60_000

/** Runs a `credential_process` through the shell, as the AWS tools do, and reads its JSON (version 1). */
async function fromProcess(name: string, command: string): Promise<Credentials> {
  let answer: Record<string, unknown>
  try {
    const { stdout } = await run('/bin/sh', ['-c', command], { timeout: PROCESS_TIMEOUT_MS })
    answer = (JSON.parse(stdout) ?? {}) as Record<string, unknown>
  } catch (cause) {
    // The process may have printed secrets: its output is not repeated.
    const { code, killed } = cause as { readonly code?: number | string; readonly killed?: boolean }
    const what = killed
      ? `did not end within ${PROCESS_TIMEOUT_MS / 1000} seconds`
      : cause instanceof SyntaxError
        ? 'did not print JSON'
        : `failed (${code})`
    throw new ClientError('configuration', `the credential_process of profile [${name}] ${what}: run it by itself`)
  }
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = answer
  if (typeof AccessKeyId !== 'string' || typeof SecretAccessKey !== 'string') {
    throw new ClientError(
      'configuration',
      `the credential_process of profile [${name}] printed no AccessKeyId and SecretAccessKey`,
    )
  }
  const expiration = typeof Expiration === 'string' ? new Date(Expiration) : undefined
  if (expiration !== undefined && !(expiration.getTime() > Date.now()))
    throw new ClientError(
      'configuration',
      `the credential_process of profile [${name}] printed keys that have ended already (${Expiration})`,
    )
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: typeof SessionToken === 'string' ? SessionToken : undefined,
    expiration,
  }
}

/**
 * Sections of an INI file as the AWS tools read it. What stands further from the margin than the setting above it is nested in
 * that, and passed over; the settings themselves may be indented.
 */
export function parseIni(text: string): Map<string, Section> {
  const sections = new Map<string, Record<string, string>>()
  let section: Record<string, string> | undefined
  /** How far the last name stands from the margin. */
  let nestedIn = Number.POSITIVE_INFINITY
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*([#;]|$)/.test(line)) continue
    const heading = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1]
    if (heading !== undefined) {
      section = sections.get(heading) ?? {}
      sections.set(heading, section)
      nestedIn = Number.POSITIVE_INFINITY
      continue
    }
    const indent = line.search(/\S/)
    if (indent > nestedIn) continue
    const pair = /^\s*([^\s=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line)
    if (pair === null || section === undefined) continue
    nestedIn = indent
    const name = (pair[1] as string).toLowerCase()
    const value = pair[2] as string
    // A remark behind a value; a command may have such characters of its own.
    section[name] = name === 'credential_process' ? value : value.replace(/(^|\s+)[#;].*$/, '')
  }
  return sections
}

async function readIfThere(path: string): Promise<{ readonly text: string; readonly unread?: ClientError }> {
  try {
    return { text: await readFile(path, 'utf8') }
  } catch (cause) {
    if (/^(ENOENT|ENOTDIR)$/.test((cause as NodeJS.ErrnoException).code ?? '')) return { text: '' }
    const reason = `cannot read ${path}: ${fileProblem(cause)}`
    return { text: '', unread: new ClientError('configuration', reason, { cause }) }
  }
}
