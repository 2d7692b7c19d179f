import type { Caller } from '../identity/caller.ts'
import { accountOf } from './evaluate-policy.ts'

/** What the policy has to know of a request beside its path. */
export interface JudgedRequest {
  readonly caller: Caller
  /** Upper-case. */
  readonly method: string
  readonly sourceIp: string
  readonly secure: boolean
  readonly userAgent: string | undefined
  readonly referer: string | undefined
}

/**
 * The values of a condition key, read off the request when a policy asks for it; undefined for one the request lacks.
 *
 * @param key  lower-cased
 */
export function contextValue(
  key: string,
  request: JudgedRequest,
  now: () => number,
  region: string,
): readonly string[] | undefined {
  const value = singleValue(key, request, now, region)
  return value === undefined ? undefined : [value]
}

function singleValue(key: string, source: JudgedRequest, now: () => number, region: string): string | undefined {
  const { caller } = source
  const signed = caller.kind !== 'anonymous'
  switch (key) {
    case 'aws:sourceip':
      return source.sourceIp
    case 'aws:securetransport':
      return String(source.secure)
    case 'aws:currenttime':
      return new Date(now()).toISOString()
    case 'aws:epochtime':
      return String(Math.floor(now() / 1000))
    case 'aws:requestedregion':
      return region
    case 'aws:useragent':
      return source.userAgent
    case 'aws:referer':
      return source.referer
    case 'aws:principalarn':
      return signed ? (caller.roleArn ?? caller.arn) : undefined
    case 'aws:principalaccount':
      return signed ? accountOf(caller.arn) : undefined
    case 'aws:principaltype':
      return PRINCIPAL_TYPES[caller.kind]
    case 'aws:username':
      return caller.kind === 'user' ? caller.arn.slice(caller.arn.lastIndexOf('/') + 1) : undefined
    case 'aws:userid':
      return signed ? caller.userId : undefined
    default:
      return undefined
  }
}

const PRINCIPAL_TYPES: Readonly<Record<Caller['kind'], string>> = {
  anonymous: 'Anonymous',
  user: 'User',
  role: 'AssumedRole',
  root: 'Account',
  federated: 'FederatedUser',
}
