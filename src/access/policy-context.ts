import type { Caller } from './caller.ts'
import { accountOf } from './evaluate-policy.ts'
import type { ContextLookup } from './policy-template.ts'

/** What condition keys are made of. */
export interface ContextSource {
  readonly caller: Caller
  readonly sourceIp: string
  readonly secure: boolean
  readonly nowMs: number
  readonly region: string
  readonly userAgent: string | undefined
  readonly referer: string | undefined
}

/** The condition keys of a request, each made when it is asked for. A key that is not here is absent. */
export function policyContext(source: ContextSource): ContextLookup {
  return (key) => {
    const value = keyValue(key, source)
    return value === undefined ? undefined : [value]
  }
}

function keyValue(key: string, { caller, ...source }: ContextSource): string | undefined {
  const signed = caller.kind !== 'anonymous'
  switch (key) {
    case 'aws:sourceip':
      return source.sourceIp
    case 'aws:securetransport':
      return String(source.secure)
    case 'aws:currenttime':
      return new Date(source.nowMs).toISOString()
    case 'aws:epochtime':
      return String(Math.floor(source.nowMs / 1000))
    case 'aws:requestedregion':
      return source.region
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
