import { ANONYMOUS, type Caller } from '../../src/access/identity/caller.ts'

/** A generated question: policies, who asks, and for what. */
export interface GeneratedCase {
  readonly policy: Readonly<Record<string, unknown>>
  /** Attached to the caller; none for unsigned callers. */
  readonly identityPolicies: readonly Readonly<Record<string, unknown>>[]
  readonly caller: Caller
  readonly method: string
  /** Below the domain, without a leading slash. */
  readonly path: string
  readonly sourceIp: string
  readonly secure: boolean
  readonly userAgent: string | undefined
  readonly referer: string | undefined
}

const ACCOUNT = '111122223333'
const FOREIGN = '444455556666'
/** The domain generated policies are about. */
export const GENERATED_DOMAIN = { arn: `arn:aws:es:us-east-1:${ACCOUNT}:domain/books`, account: ACCOUNT } as const
/** The instant generated questions are asked at. */
export const GENERATED_NOW = Date.parse('2026-01-15T12:00:00Z')

const user = (name: string, account = ACCOUNT): Caller => ({
  kind: 'user',
  arn: `arn:aws:iam::${account}:user/${name}`,
  userId: `AIDA${name.toUpperCase().replace(/\W/g, '')}`,
})
const session = (role: string, name: string, account = ACCOUNT): Caller => ({
  kind: 'role',
  arn: `arn:aws:sts::${account}:assumed-role/${role.split('/').at(-1)}/${name}`,
  roleArn: `arn:aws:iam::${account}:role/${role}`,
  userId: `AROA${role.toUpperCase().replace(/\W/g, '')}:${name}`,
})

/** Weighted by repetition: what the evaluator compared with models otherwise is rare, so that most is compared in full. */
const CALLERS: readonly Caller[] = [
  ...Array.from({ length: 6 }, () => [user('alice'), user('bob'), session('Analyst', 's1'), session('Analyst', 's2')]),
  ...Array.from({ length: 3 }, () => [ANONYMOUS, user('staff/dora'), user('carol', FOREIGN)]),
  [session('service/Indexer', 'i-0abc'), session('Analyst', 's1', FOREIGN)],
  [{ kind: 'root', arn: `arn:aws:iam::${ACCOUNT}:root`, userId: ACCOUNT } satisfies Caller],
  [{ kind: 'federated', arn: `arn:aws:sts::${ACCOUNT}:federated-user/eve`, userId: `${ACCOUNT}:eve` } satisfies Caller],
].flat()

const PRINCIPALS = [
  ...new Set(CALLERS.flatMap((caller) => (caller.kind === 'anonymous' ? [] : [caller.arn, caller.roleArn]))),
].filter((arn): arn is string => arn !== undefined && !arn.endsWith(':root'))

const ACTIONS = [
  'es:*',
  'es:ESHttp*',
  'es:ESHttpGet',
  'es:ESHttpPost',
  'es:ESHttpPut',
  'es:ESHttpDelete',
  'es:ESHttpHead',
  'es:ESHttpPatch',
  'es:eshttpget',
  'es:ESHttpP*',
  'es:ESHttp?et',
  'es:*Http*t',
  'es:Describe*',
  'ES:ESHTTPGET',
  's3:GetObject',
  '*',
]

const RESOURCES = [
  `${GENERATED_DOMAIN.arn}/*`,
  `${GENERATED_DOMAIN.arn}/*`,
  GENERATED_DOMAIN.arn,
  `${GENERATED_DOMAIN.arn}/`,
  `${GENERATED_DOMAIN.arn}*`,
  `${GENERATED_DOMAIN.arn}/x`,
  `${GENERATED_DOMAIN.arn}/x/*`,
  `${GENERATED_DOMAIN.arn}/x*`,
  `${GENERATED_DOMAIN.arn}/*/_search`,
  `${GENERATED_DOMAIN.arn}/?/_doc/*`,
  `${GENERATED_DOMAIN.arn}/_bulk`,
  `${GENERATED_DOMAIN.arn}/X/*`,
  `${GENERATED_DOMAIN.arn}/\${aws:username}/*`,
  `${GENERATED_DOMAIN.arn}/\${aws:username, 'x'}/*`,
  `${GENERATED_DOMAIN.arn}/\${*}/_search`,
  `arn:aws:es:us-east-1:${ACCOUNT}:domain/*`,
  `arn:aws:es:*:${ACCOUNT}:domain/books/*`,
  `arn:aws:es:us-east-1:${ACCOUNT}:domain/films/*`,
  `arn:aws:es:eu-west-1:${ACCOUNT}:domain/books/*`,
  '*',
]

const PATHS = [
  '',
  'x',
  'x/_search',
  'x/_doc/1',
  'y/_doc/1',
  'alice/_doc/1',
  'xy/_search',
  '_bulk',
  '_search',
  'a/b/c',
  '한글/_search',
]
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH']
const ADDRESSES = ['203.0.113.10', '203.0.113.200', '198.51.100.1', '10.0.0.1', '2001:db8::1', '2001:db9::1']

/** By kind: operators, keys of that kind, and values. */
const CONDITIONS = [
  {
    operators: [
      'StringEquals',
      'StringNotEquals',
      'StringEqualsIgnoreCase',
      'StringNotEqualsIgnoreCase',
      'StringLike',
      'StringNotLike',
    ],
    keys: [
      'aws:username',
      'aws:userid',
      'aws:UserAgent',
      'aws:Referer',
      'aws:PrincipalAccount',
      'aws:PrincipalType',
      'aws:RequestedRegion',
      'AWS:USERNAME',
    ],
    values: [
      'alice',
      'ALICE',
      'bob',
      'a*',
      '*',
      '?ob',
      'AROAANALYST:s1',
      'AROA*:s?',
      'curl/8.0',
      'curl/*',
      ACCOUNT,
      FOREIGN,
      'User',
      'AssumedRole',
      'us-east-1',
      'https://example.com/*',
      `\${aws:username}`,
      `al\${*}`,
      `\${aws:userid}`,
      `\${aws:username, 'bob'}`,
      `\${aws:PrincipalTag/team, 'alice'}`,
      `*\${aws:username}*`,
      '',
    ],
  },
  {
    // The evaluator takes /0 for no address, other spellings of an IPv6 address and mapped ones for others.
    operators: ['IpAddress', 'NotIpAddress'],
    keys: ['aws:SourceIp'],
    values: [
      '203.0.113.0/24',
      '203.0.113.0/25',
      '203.0.113.10',
      '203.0.113.10/32',
      '198.51.100.0/31',
      '10.0.0.0/8',
      '2001:db8::/32',
      '2001:db8::1',
      '128.0.0.0/1',
      '0.0.0.0/1',
    ],
  },
  {
    operators: ['ArnEquals', 'ArnLike', 'ArnNotEquals', 'ArnNotLike'],
    keys: ['aws:PrincipalArn'],
    values: [
      `arn:aws:iam::${ACCOUNT}:user/alice`,
      `arn:aws:iam::${ACCOUNT}:user/*`,
      `arn:aws:iam::*:role/Analyst`,
      'arn:aws:iam::*:*',
      'arn:*:iam::*:user/?ob',
      `arn:aws:iam::${FOREIGN}:*`,
    ],
  },
  {
    operators: [
      'DateEquals',
      'DateNotEquals',
      'DateLessThan',
      'DateLessThanEquals',
      'DateGreaterThan',
      'DateGreaterThanEquals',
    ],
    keys: ['aws:CurrentTime'],
    values: [
      '2026-01-15T12:00:00Z',
      '2026-01-15T12:00:01Z',
      '2026-01-15',
      '2020-01-01T00:00:00Z',
      '2030-01-01T00:00:00Z',
      '1768478400',
      '2026-01-15T21:00:00+09:00',
      '2026-01-15T12:00:00.000Z',
      '2026-01-15T12:00Z',
    ],
  },
  {
    operators: ['StringLike', 'StringNotLike', 'StringEquals'],
    keys: ['aws:SourceIp', 'aws:SecureTransport', 'aws:PrincipalArn', 'aws:PrincipalTag/team'],
    values: ['203.0.113.*', '203.0.113.10', 'true', `arn:aws:iam::${ACCOUNT}:user/*`, '2001:db8::1', '*'],
  },
  {
    operators: [
      'NumericEquals',
      'NumericNotEquals',
      'NumericLessThan',
      'NumericLessThanEquals',
      'NumericGreaterThan',
      'NumericGreaterThanEquals',
    ],
    keys: ['aws:EpochTime'],
    values: ['1768478400', '1768478401', '0', '2000000000', '-1', '1768478400.0'],
  },
  { operators: ['Bool'], keys: ['aws:SecureTransport'], values: ['true', 'false'] },
  {
    operators: ['Null'],
    keys: ['aws:username', 'aws:UserAgent', 'aws:SourceIp', 'aws:PrincipalArn', 'aws:Referer', 'aws:PrincipalTag/team'],
    values: ['true', 'false'],
  },
]

/** Generates questions, the same ones for the same seed. */
export class PolicyGenerator {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  next(): GeneratedCase {
    const caller = this.#pick(CALLERS)
    return {
      policy: this.#policy('resource'),
      identityPolicies:
        caller.kind === 'anonymous'
          ? []
          : Array.from({ length: this.#pick([0, 0, 1, 2]) }, () => this.#policy('identity')),
      caller,
      method: this.#pick(METHODS),
      path: this.#pick(PATHS),
      sourceIp: this.#pick(ADDRESSES),
      secure: this.#chance(0.8),
      userAgent: this.#chance(0.7) ? this.#pick(['curl/8.0', 'elasticsearch-js/6.8']) : undefined,
      referer: this.#chance(0.2) ? 'https://example.com/a' : undefined,
    }
  }

  #policy(kind: 'resource' | 'identity'): Record<string, unknown> {
    const statements = Array.from({ length: 1 + this.#below(4) }, () => this.#statement(kind))
    return {
      ...(this.#chance(0.97) ? { Version: '2012-10-17' } : this.#chance(0.5) ? { Version: '2008-10-17' } : {}),
      Statement: statements.length === 1 && this.#chance(0.3) ? statements[0] : statements,
    }
  }

  #statement(kind: 'resource' | 'identity'): Record<string, unknown> {
    const effect = this.#chance(0.7) ? 'Allow' : 'Deny'
    const conditions = this.#conditions()
    return {
      Effect: effect,
      ...(kind === 'identity' ? {} : this.#principal(effect)),
      [this.#chance(0.9) ? 'Action' : 'NotAction']: this.#list(ACTIONS),
      [this.#chance(0.9) ? 'Resource' : 'NotResource']: this.#list(RESOURCES),
      ...(conditions === undefined ? {} : { Condition: conditions }),
    }
  }

  #principal(effect: string): Record<string, unknown> {
    if (this.#chance(0.25)) return { Principal: this.#chance(0.5) ? '*' : { AWS: '*' } }
    const entry = () =>
      this.#chance(0.85)
        ? this.#pick(PRINCIPALS)
        : this.#pick([ACCOUNT, FOREIGN, `arn:aws:iam::${ACCOUNT}:root`, `arn:aws:iam::${FOREIGN}:root`, '*'])
    const entries = Array.from({ length: 1 + this.#below(4) }, entry)
    const name = effect === 'Deny' && this.#chance(0.1) ? 'NotPrincipal' : 'Principal'
    return { [name]: { AWS: entries.length === 1 && this.#chance(0.5) ? entries[0] : entries } }
  }

  #conditions(): Record<string, Record<string, unknown>> | undefined {
    if (this.#chance(0.55)) return undefined
    const conditions: Record<string, Record<string, unknown>> = {}
    for (let i = 1 + this.#below(2); i > 0; i--) {
      const { operators, keys, values } = this.#pick(CONDITIONS)
      let operator = this.#pick(operators)
      if (operator !== 'Null') {
        if (this.#chance(0.15)) operator = `${this.#pick(['ForAnyValue', 'ForAllValues'])}:${operator}`
        if (this.#chance(0.2)) operator += 'IfExists'
      }
      conditions[operator] = { ...conditions[operator], [this.#pick(keys)]: this.#list(values) }
    }
    return conditions
  }

  #list(values: readonly string[]): string | string[] {
    if (this.#chance(0.5)) return this.#pick(values)
    return Array.from({ length: 1 + this.#below(3) }, () => this.#pick(values))
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T
  }

  #chance(probability: number): boolean {
    return this.#random() < probability
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  /** Mulberry32. */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
