import type { Caller } from '../identity/caller.ts'
import type { PatternList, PolicyDocument, PolicyPrincipal, PolicyStatement } from './policy-document.ts'
import type { ContextLookup } from './policy-text.ts'

/** A question to the policy. */
export interface PolicyRequest {
  readonly caller: Caller
  /** `es:eshttpget`, lower-cased. */
  readonly action: string
  /** `arn:aws:es:<region>:<account>:domain/<name>/<path>`. */
  readonly resource: string
  /** Condition keys by lower-cased name. */
  readonly lookup: ContextLookup
  /** Is the interface's odd form (Resource = the principal's own ARN) the whole domain? Not with `policy_compat: aws`. */
  readonly ownArnIsDomain: boolean
  /** True: an Allow for an account is one for everybody in it, as where the account's own policies are asked besides. */
  readonly accountIsEverybody?: boolean
}

/** What decided, for messages: `resource` is the domain's access policy, `identity` one attached to the caller. */
export interface Decision {
  readonly outcome: 'allow' | 'explicit-deny' | 'implicit-deny'
  readonly by: { readonly kind: 'resource' | 'identity'; readonly statement: PolicyStatement } | undefined
}

/** The policies that bear on a caller. */
export interface PolicySet {
  readonly resource: PolicyDocument
  /** Attached to the caller, in no order. */
  readonly identity: readonly PolicyDocument[]
}

/**
 * Decides: an explicit Deny of any policy, else an Allow of any, else no.
 *
 * @source the service's own truth table for callers of the domain's account; there are no others here
 */
export function evaluatePolicies(policies: PolicySet, request: PolicyRequest): Decision {
  let allowedBy: Decision['by']
  for (const statement of policies.resource.statements) {
    if (allowedBy !== undefined && statement.effect === 'Allow') continue
    if (failingElement(statement, request) !== undefined) continue
    if (statement.effect === 'Deny') return { outcome: 'explicit-deny', by: { kind: 'resource', statement } }
    allowedBy = { kind: 'resource', statement }
  }
  for (const document of policies.identity) {
    for (const statement of document.statements) {
      if (allowedBy !== undefined && statement.effect === 'Allow') continue
      if (failingElement(statement, request) !== undefined) continue
      if (statement.effect === 'Deny') return { outcome: 'explicit-deny', by: { kind: 'identity', statement } }
      allowedBy = { kind: 'identity', statement }
    }
  }
  return { outcome: allowedBy === undefined ? 'implicit-deny' : 'allow', by: allowedBy }
}

/** The first element of a statement a request does not meet; undefined when the statement applies. */
export function failingElement(
  statement: PolicyStatement,
  request: PolicyRequest,
): 'Principal' | 'Action' | 'Resource' | 'Condition' | undefined {
  if (!principalMatches(statement, request.caller, request.accountIsEverybody)) return 'Principal'
  if (!listMatches(statement.action, request.action, request.lookup, statement.effect)) return 'Action'
  if (!resourceMatches(statement, request)) return 'Resource'
  for (const condition of statement.conditions)
    if (!condition.holds(request.lookup, statement.effect)) return 'Condition'
  return undefined
}

/** Whether a statement speaks of this caller and action under its conditions, whatever it says of resources. */
export function appliesToSome(statement: PolicyStatement, request: PolicyRequest): boolean {
  return (
    principalMatches(statement, request.caller, request.accountIsEverybody) &&
    listMatches(statement.action, request.action, request.lookup, statement.effect) &&
    statement.conditions.every((condition) => condition.holds(request.lookup, statement.effect))
  )
}

/** Is the caller meant by the statement's Principal? Always in an identity policy. */
function principalMatches(statement: PolicyStatement, caller: Caller, accountIsEverybody = false): boolean {
  const { principal } = statement
  if (principal === undefined) return true
  // A Deny is for all of an account; to others than its root user an Allow only delegates: their own policies must allow.
  const everybody = accountIsEverybody || (statement.effect === 'Deny' && !principal.negated)
  return includesCaller(principal, caller, everybody) !== principal.negated
}

function includesCaller(principal: PolicyPrincipal, caller: Caller, accountIsEverybody: boolean): boolean {
  if (principal.everyone) return true
  if (caller.kind === 'anonymous') return false
  if (principal.arns.has(caller.arn)) return true
  if (caller.roleArn !== undefined && principal.arns.has(caller.roleArn)) return true
  if (principal.accounts.size === 0 || !principal.accounts.has(accountOf(caller.arn))) return false
  return caller.kind === 'root' || accountIsEverybody
}

/**
 * A variable without a value matches nothing, and so everything would be outside it: in a negated list such a statement
 * fails closed, an Allow by not applying, a Deny by applying.
 */
function listMatches(list: PatternList, text: string, lookup: ContextLookup, effect: 'Allow' | 'Deny'): boolean {
  let hasUnknown = false
  for (const pattern of list.patterns) {
    const glob = pattern.glob(lookup)
    if (glob === undefined) hasUnknown = true
    else if (glob.matches(text)) return !list.negated
  }
  return list.negated && !(hasUnknown && effect === 'Allow')
}

function resourceMatches(statement: PolicyStatement, request: PolicyRequest): boolean {
  const { resource } = statement
  if (listMatches(resource, request.resource, request.lookup, statement.effect)) return true
  return request.ownArnIsDomain && !resource.negated && namesOwnArn(statement, request.caller)
}

/** The interface's odd form: the statement names this very caller as principal and, as resource, its ARN. */
export function namesOwnArn(statement: PolicyStatement, caller: Caller): boolean {
  const { principal, resource } = statement
  if (principal === undefined || principal.negated || caller.kind === 'anonymous') return false
  for (const arn of [caller.arn, caller.roleArn]) {
    if (arn === undefined || !principal.arns.has(arn)) continue
    if (resource.patterns.some((pattern) => pattern.source === arn)) return true
  }
  return false
}

/** The account in an ARN: `arn:aws:iam::111122223333:user/x`. */
export function accountOf(arn: string): string {
  return arn.split(':')[4] ?? ''
}
