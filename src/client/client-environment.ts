import { readFileSync } from 'node:fs'
import { fileProblem } from '../file-problem.ts'
import { ClientError } from './client-error.ts'
import { type CredentialProvider, cachedCredentials } from './credentials.ts'
import { type Endpoint, parseEndpoint } from './endpoint.ts'
import { loadSharedProfiles, profileCredentials } from './shared-profile.ts'

/** What an environment says about a domain and its caller. */
export interface ClientEnvironment {
  readonly endpoint: Endpoint
  /** Both undefined where the host's URL carries a name and password. */
  readonly region: string | undefined
  readonly credentials: CredentialProvider | undefined
  /** PEM text of further authorities, from AWS_CA_BUNDLE. */
  readonly ca: string | undefined
}

/**
 * Reads host, region and credentials as the interface names them, then as the AWS tools do.
 *
 * Host: AWS_ES_HOST, AWS_ENDPOINT_URL_ES, AWS_ENDPOINT_URL. Keys: AWS_ACCESS_KEY / AWS_SECRET_KEY, AWS_ACCESS_KEY_ID /
 * AWS_SECRET_ACCESS_KEY (with AWS_SESSION_TOKEN), else the profile (AWS_PROFILE, `default`). Region: the host's own when
 * it is an AWS name, AWS_REGION, AWS_DEFAULT_REGION, the profile's.
 *
 * @param overrides  what flags say, before any variable
 * @throws {ClientError} kind `configuration`; one message names everything that is missing
 */
export async function readClientEnvironment(
  overrides: {
    readonly host?: string | undefined
    readonly region?: string | undefined
    readonly profile?: string | undefined
  } = {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<ClientEnvironment> {
  const profiles = await loadSharedProfiles(env)
  // As for the AWS tools, an empty variable says nothing.
  const first = (...names: readonly string[]) => names.map((name) => env[name]).find((value) => value)
  const profileName = overrides.profile ?? first('AWS_PROFILE') ?? 'default'
  const profile = profiles.get(profileName)

  const host = overrides.host ?? first('AWS_ES_HOST', 'AWS_ENDPOINT_URL_ES', 'AWS_ENDPOINT_URL')
  const endpoint = host === undefined || host === '' ? undefined : parseEndpoint(host)
  const ca = authorityOf(env)
  if (endpoint?.basic !== undefined) return { endpoint, region: undefined, credentials: undefined, ca }
  const region =
    overrides.region ?? endpoint?.region ?? first('AWS_REGION', 'AWS_DEFAULT_REGION') ?? profile?.['region']
  const keys = overrides.profile === undefined ? keysFrom(env) : undefined

  const missing: string[] = []
  if (endpoint === undefined) missing.push('the host (AWS_ES_HOST)')
  if (keys === undefined && profile === undefined) {
    if (overrides.profile !== undefined || first('AWS_PROFILE') !== undefined)
      missing.push(`the profile [${profileName}] (the AWS files have: ${profiles.names.join(', ') || 'none'})`)
    else {
      if (first('AWS_ACCESS_KEY', 'AWS_ACCESS_KEY_ID') === undefined) missing.push('the access key (AWS_ACCESS_KEY)')
      if (first('AWS_SECRET_KEY', 'AWS_SECRET_ACCESS_KEY') === undefined)
        missing.push('the secret key (AWS_SECRET_KEY)')
    }
  }
  if (!region) missing.push('the region (AWS_REGION), which only an AWS host name tells by itself')
  if (endpoint === undefined || !region || missing.length > 0) {
    const unread = profiles.unread === undefined ? '' : `; ${profiles.unread.reason}`
    throw new ClientError('configuration', `the environment lacks ${missing.join(', ')}${unread}`)
  }

  return {
    endpoint,
    region,
    credentials:
      keys === undefined
        ? // Read anew each time: tools that renew temporary keys write them into the files.
          cachedCredentials(async () => profileCredentials(profileName, await loadSharedProfiles(env), region)())
        : async () => keys,
    ca,
  }
}

function authorityOf(env: NodeJS.ProcessEnv): string | undefined {
  const bundle = env['AWS_CA_BUNDLE']
  return bundle ? readAuthority(bundle, 'AWS_CA_BUNDLE') : undefined
}

/**
 * Text of a PEM file of certificate authorities.
 *
 * @param name  what named the file, for the error
 * @throws {ClientError} kind `configuration` when it cannot be read or holds none
 */
export function readAuthority(path: string, name: string): string {
  let pem: string
  try {
    pem = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ClientError('configuration', `cannot read ${path} (${name}): ${fileProblem(cause)}`, { cause })
  }
  if (!pem.includes('-----BEGIN CERTIFICATE-----') && !pem.includes('-----BEGIN TRUSTED CERTIFICATE-----'))
    throw new ClientError('configuration', `${path} (${name}) holds no certificate in PEM form`)
  return pem
}

/** The interface's pair, else the AWS tools'; half of each only where neither is whole. */
function keysFrom(env: NodeJS.ProcessEnv) {
  const pairs = [
    ['AWS_ACCESS_KEY', 'AWS_SECRET_KEY'],
    ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
    ['AWS_ACCESS_KEY', 'AWS_SECRET_ACCESS_KEY'],
    ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_KEY'],
  ] as const
  for (const [id, secret] of pairs) {
    const accessKeyId = env[id]
    const secretAccessKey = env[secret]
    if (accessKeyId && secretAccessKey)
      return { accessKeyId, secretAccessKey, sessionToken: env['AWS_SESSION_TOKEN'] || undefined }
  }
  return undefined
}
