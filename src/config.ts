import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { IDENTITY_NAME, IDENTITY_NAME_RULE } from './access/identity/identity-names.ts'
import { parseIpRange } from './access/policy/ip-range.ts'
import { fileProblem } from './file-problem.ts'

/** How one option is given and read. */
interface OptionDefinition {
  /** Value's name in the help; absent for a switch. */
  readonly value?: string
  readonly description: string
  readonly schema: z.ZodType
}

/** A whole number between two bounds, and one sentence for whatever else is given. */
function whole(least: number, most: number, fault = `must be a whole number from ${least} to ${most}`) {
  return z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], fault)
    .refine((value) => Number.isInteger(value) && value >= least && value <= most, fault)
}

const THREADS = 'must be auto, or a whole number from 0 to 32'
const text = z.string('must be text').min(1, 'has no value')
const flag = z.union([z.boolean(), z.stringbool()], 'must be true or false')
const list = z.pipe(
  z.union(
    [z.array(z.string()), z.string().transform((parts) => parts.split(',').map((part) => part.trim()))],
    'must be text, or a list of texts',
  ),
  z.array(text),
)

/**
 * Every option of `chaja serve`, once: the flags (`--engine-version`), the environment variables
 * (`CHAJA_ENGINE_VERSION`), the keys of the config file (`engineVersion`) and README's table come from here.
 */
export const OPTIONS = {
  data: { value: 'dir', description: 'folder that holds everything', schema: text.default('chaja-data') },
  host: { value: 'address', description: 'address to listen on', schema: text.default('127.0.0.1') },
  port: { value: 'number', description: 'port to listen on, 0 for a free one', schema: whole(0, 65_535).default(9443) },
  http: { description: 'plain HTTP: for tests, or behind a proxy that does TLS', schema: flag.default(false) },
  open: { description: 'serve unsigned requests, all of them', schema: flag.default(false) },
  engineVersion: {
    value: 'version',
    description: 'Elasticsearch_6.8, Elasticsearch_7.10 or OpenSearch_2.19',
    schema: z.enum(['Elasticsearch_6.8', 'Elasticsearch_7.10', 'OpenSearch_2.19']).default('Elasticsearch_6.8'),
  },
  cluster: {
    value: 'urls',
    description: 'serve an OpenSearch or Elasticsearch cluster instead of the embedded engine: URLs of its nodes',
    schema: list.default([]),
  },
  clusterCa: {
    value: 'file',
    description: "authorities that sign the cluster's certificates, PEM; absent: those Node knows",
    schema: text.optional(),
  },
  clusterTimeout: {
    value: 'seconds',
    description: 'a node of the cluster that is silent for so long is given up; nodes asked in turn have it together',
    schema: whole(1, 86_400).default(600),
  },
  domainName: {
    value: 'name',
    description: "the domain's name in its ARN",
    schema: text
      .regex(/^[a-z][a-z0-9-]{2,27}$/, 'must be 3 to 28 of a-z, 0-9, - and begin with a letter')
      .default('chaja'),
  },
  region: {
    value: 'region',
    description: 'region signatures must be scoped to',
    schema: text.regex(/^[a-z0-9-]+$/, 'must be of a-z, 0-9 and -').default('us-east-1'),
  },
  account: {
    value: 'id',
    description: "account in the domain's and the users' ARNs",
    schema: text.regex(/^\d{12}$/, 'must be 12 digits').default('000000000000'),
  },
  policy: {
    value: 'file',
    description: 'access policy, read again when it changes; absent: the one stored with the data',
    schema: text.optional(),
  },
  policyCompat: {
    value: 'chaja|aws',
    description: 'aws judges the path alone, as the cloud service does, and not what bodies and wildcards name',
    schema: z.enum(['chaja', 'aws']).default('chaja'),
  },
  errorWording: {
    value: '2017|2019|2022',
    description: "the cloud service's wording of a denial in that year",
    schema: z.coerce
      .string()
      .pipe(z.enum(['2017', '2019', '2022']))
      .default('2022'),
  },
  sigv4: {
    value: 'any|strict',
    description: 'strict takes only the canonical query of the specification, any also three that real signers make',
    schema: z.enum(['any', 'strict']).default('any'),
  },
  explain: {
    description:
      'tell the caller too why a request was refused, by the names of indices that patterns and aliases stand for',
    schema: flag.default(false),
  },
  allowExplicitIndex: {
    value: 'true|false',
    description: 'rest.action.multi.allow_explicit_index: may bodies of _bulk, _mget and _msearch name indices',
    schema: flag.default(true),
  },
  pathRepo: {
    value: 'folders',
    description: 'path.repo: folders that snapshot repositories must lie in',
    schema: list.default([]),
  },
  endpoints: {
    value: 'names',
    description:
      'further host names of the domain, for its certificate, and for unsigned requests over plain HTTP to a loopback address',
    schema: list.default([]),
  },
  tlsCert: {
    value: 'file',
    description: 'certificate chain, PEM; read again when it changes',
    schema: text.optional(),
  },
  tlsKey: { value: 'file', description: 'private key of it, PEM', schema: text.optional() },
  trustedProxies: {
    value: 'addresses',
    description: 'peers whose X-Forwarded-For is believed (addresses or ranges)',
    schema: list.default([]),
  },
  maxContentLength: {
    value: 'bytes',
    description: 'http.max_content_length: largest body, as received and inflated',
    schema: whole(1024, 2 ** 30).default(104_857_600),
  },
  maxInFlight: {
    value: 'bytes',
    description:
      'all bodies received or handled at one time; beyond it requests are answered circuit_breaking_exception',
    schema: whole(1024, 2 ** 40).default(201_326_592),
  },
  searchThreads: {
    value: 'auto|number',
    description:
      'threads that search beside the first, on further cores; auto starts them when long searches keep the first busy, or one is too long for it',
    schema: z.union([z.literal('auto'), whole(0, 32, THREADS)], THREADS).default('auto'),
  },
  health: { value: 'true|false', description: 'answer GET /-/health, unsigned', schema: flag.default(true) },
  pool: { value: 'true|false', description: 'answer the identity pool under /-/pool/', schema: flag.default(true) },
  poolSignUp: {
    value: 'open|confirm|closed',
    description: 'who may sign up: anybody, anybody the admin then confirms, or only whom the admin adds',
    schema: z.enum(['open', 'confirm', 'closed']).default('open'),
  },
  poolRole: {
    value: 'name',
    description: 'role of people signed in through the pool',
    schema: text.regex(IDENTITY_NAME, `must be ${IDENTITY_NAME_RULE}`).default('chaja-pool'),
  },
  poolSession: {
    value: 'seconds',
    description: 'how long their credentials hold',
    schema: whole(1, 43_200).default(3600),
  },
  accessLog: { description: 'log every request, not only refusals and errors', schema: flag.default(false) },
  logLevel: {
    value: 'level',
    description: 'debug, info, warn, error or silent',
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  },
} as const satisfies Record<string, OptionDefinition>

/** Name of an option. */
export type OptionName = keyof typeof OPTIONS

type Shape = { [Name in OptionName]: (typeof OPTIONS)[Name]['schema'] }

const optionNames = Object.keys(OPTIONS) as OptionName[]
const configSchema = z.strictObject(
  Object.fromEntries(optionNames.map((name) => [name, OPTIONS[name].schema])) as unknown as Shape,
)

/** Everything `chaja serve` was told, complete. */
export type Config = z.infer<typeof configSchema>

/** A configuration that cannot be used; the message names the option. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** `engineVersion` → `CHAJA_ENGINE_VERSION`. */
export function environmentName(option: OptionName): string {
  return `CHAJA_${option.replace(/[A-Z]/g, '_$&').toUpperCase()}`
}

/** `engineVersion` → `--engine-version`. */
export function flagName(option: OptionName): string {
  return `--${option.replace(/[A-Z]/g, '-$&').toLowerCase()}`
}

/** Words that an option takes, where there are but a few. */
export function wordsOf(option: OptionName): readonly string[] {
  const { schema, value } = OPTIONS[option] as OptionDefinition
  if (value === 'true|false') return value.split('|')
  let inner = schema instanceof z.ZodDefault ? schema.unwrap() : schema
  if (inner instanceof z.ZodPipe) inner = inner.out
  return inner instanceof z.ZodEnum ? inner.options.map(String) : []
}

/** Options that say nothing before a cluster, and those that say nothing without one. */
const OF_EMBEDDED = ['pathRepo', 'searchThreads'] as const
const OF_CLUSTER = ['clusterCa', 'clusterTimeout'] as const

/**
 * Puts a configuration together: flags before environment before the config file before the defaults.
 *
 * @param flags  values by option name, as the command line gave them, and `config`, the path of the config file (JSON)
 * @throws {ConfigError}
 */
export function readConfig(
  flags: Readonly<Record<string, unknown>> & { readonly config?: string },
  env: NodeJS.ProcessEnv = process.env,
): Config {
  const file = flags.config ?? (env['CHAJA_CONFIG'] || undefined)
  const values: Record<string, unknown> = file === undefined ? {} : readConfigFile(file)
  const variable = (name: OptionName): string | undefined => {
    const value = env[environmentName(name)]
    // An empty variable says nothing. Kubernetes sets CHAJA_PORT where a service is called chaja: tcp://10.0.0.1:9443.
    return value && !(name === 'port' && value.startsWith('tcp://')) ? value : undefined
  }
  /** Where an option was given, as whoever gave it calls it. */
  const said = (name: OptionName): string => {
    if (flags[name] !== undefined) return flagName(name)
    return variable(name) === undefined ? `${name} in ${file}` : environmentName(name)
  }
  for (const name of optionNames) {
    const value = flags[name] ?? variable(name)
    if (value !== undefined) values[name] = value
  }
  const parsed = configSchema.safeParse(values)
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues
        .map((issue) => {
          if (issue.code === 'unrecognized_keys') return `unknown option ${issue.keys.join(', ')} in ${file}`
          const fault =
            issue.code === 'invalid_value' ? `must be ${OR.format(issue.values.map(String))}` : issue.message
          return `${said(issue.path[0] as OptionName)} ${fault}`
        })
        .join('; '),
    )
  }
  const config = parsed.data
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined)) {
    const [one, other] =
      config.tlsKey === undefined ? (['tlsCert', 'tlsKey'] as const) : (['tlsKey', 'tlsCert'] as const)
    throw new ConfigError(`${said(one)} goes with ${flagName(other)}, which is missing`)
  }
  if (!config.cluster.every((url) => /^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))) {
    // Without the value, which may hold a password.
    throw new ConfigError(`${said('cluster')}: every node is named by an http or https URL`)
  }
  for (const address of config.trustedProxies) {
    if (parseIpRange(address) === undefined)
      throw new ConfigError(`${said('trustedProxies')}: [${address}] is no address or range`)
  }
  for (const name of config.endpoints) {
    if (!name.split('.').every((label) => /^[\w*-]+$/.test(label)) && isIP(name) === 0)
      throw new ConfigError(`${said('endpoints')}: [${name}] is no host name: leave out scheme, port and path`)
  }
  if (config.http && config.tlsCert !== undefined)
    throw new ConfigError(`${said('http')} and ${said('tlsCert')} exclude each other`)
  for (const name of ['policy', 'clusterCa', 'tlsCert', 'tlsKey'] as const) {
    const problem = config[name] === undefined ? undefined : readProblem(config[name])
    if (problem !== undefined) throw new ConfigError(`cannot read ${config[name]} (${said(name)}): ${problem}`)
  }
  const isCluster = config.cluster.length > 0
  for (const name of isCluster ? OF_EMBEDDED : OF_CLUSTER) {
    // What is so anyway may be said.
    if (isDeepStrictEqual(config[name], OPTIONS[name].schema.parse(undefined))) continue
    const other = isCluster
      ? 'the embedded engine, not for a cluster'
      : `a cluster, and ${flagName('cluster')} names none`
    throw new ConfigError(`${said(name)} is for ${other}`)
  }
  for (const folder of config.pathRepo) {
    // One that is not there is made when a repository is.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
      throw new ConfigError(`${said('pathRepo')}: ${folder} is no folder`)
  }
  return config
}

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Why a file cannot be read; undefined where it can. Nothing is read, since a pipe gives what it holds once. */
function readProblem(file: string): string | undefined {
  try {
    accessSync(file, constants.R_OK)
    return statSync(file).isDirectory() ? 'it is a folder' : undefined
  } catch (error) {
    return fileProblem(error)
  }
}

function readConfigFile(file: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  } catch (cause) {
    throw new ConfigError(`cannot read the config file ${file}: ${fileProblem(cause)}`, { cause })
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a JSON object')
    return value as Record<string, unknown>
  } catch (cause) {
    throw new ConfigError(`the config file ${file} is not valid: ${(cause as Error).message}`, { cause })
  }
}
