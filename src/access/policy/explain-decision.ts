import type { Decision, PolicyRequest, PolicySet } from './evaluate-policy.ts'
import { failingElement } from './evaluate-policy.ts'
import type { PolicyStatement } from './policy-document.ts'

/** Why a request was allowed or denied, for logs and for `chaja policy check`. */
export interface DecisionExplanation {
  /** `Statement[1] (Sid "logs") of the access policy denies it`. */
  readonly reason: string
  /** For a request nothing allows: the smallest change to the policy that would. */
  readonly suggestion: string | undefined
}

const ORDER = ['Principal', 'Action', 'Resource', 'Condition'] as const

/** Says which statement decided, or for an implicit denial which came nearest and where it failed. */
export function explainDecision(decision: Decision, policies: PolicySet, request: PolicyRequest): DecisionExplanation {
  const { outcome, by } = decision
  if (by !== undefined) {
    const verb = outcome === 'allow' ? 'allows' : 'denies'
    return { reason: `${nameOf(by.statement, by.kind)} ${verb} it`, suggestion: undefined }
  }
  const candidates = [
    ...policies.resource.statements.map((statement) => ({ statement, kind: 'resource' as const })),
    ...policies.identity.flatMap((document) =>
      document.statements.map((statement) => ({ statement, kind: 'identity' as const })),
    ),
  ]
    .filter(({ statement }) => statement.effect === 'Allow')
    .map((candidate) => ({ ...candidate, misses: missesOf(candidate.statement, request) }))
  // The nearest fails in the fewest elements; of several, the one that fails latest.
  candidates.sort(
    (a, b) =>
      a.misses.length - b.misses.length ||
      ORDER.indexOf(b.misses[0] as 'Action') - ORDER.indexOf(a.misses[0] as 'Action'),
  )
  const nearest = candidates[0]
  const { caller } = request
  const what = `${actionName(request.action)} on ${request.resource}`
  if (nearest === undefined) {
    return { reason: `no statement allows anything (${what})`, suggestion: grant(request) }
  }
  const where = nameOf(nearest.statement, nearest.kind)
  const details = nearest.misses.map((element) => detail(element, nearest.statement, request)).join('; ')
  const [only] = nearest.misses
  if (nearest.misses.length > 1 || only === undefined) {
    return {
      reason: `no statement allows ${what}; the nearest is ${where}, but ${details}`,
      suggestion: grant(request),
    }
  }
  return {
    reason: `no statement allows ${what}; the nearest is ${where}, but ${details}`,
    suggestion:
      only === 'Principal'
        ? caller.kind === 'anonymous'
          ? `sign the request, or give ${where} the Principal "*" with a condition on aws:SourceIp`
          : `add ${caller.roleArn ?? caller.arn} to the Principal of ${where}`
        : only === 'Action'
          ? `add ${actionName(request.action)} to the Action of ${where}`
          : only === 'Resource'
            ? `add ${request.resource} to the Resource of ${where}${missingStar(nearest.statement, request)}`
            : `meet the Condition of ${where}, or change it`,
  }
}

function missesOf(statement: PolicyStatement, request: PolicyRequest): (typeof ORDER)[number][] {
  const misses: (typeof ORDER)[number][] = []
  const first = failingElement(statement, request)
  if (first === undefined) return misses
  for (const element of ORDER.slice(ORDER.indexOf(first))) {
    if (element === first || failsAt(element, statement, request)) misses.push(element)
  }
  return misses
}

/** Does the statement fail at this very element, were those before it met? */
function failsAt(element: (typeof ORDER)[number], statement: PolicyStatement, request: PolicyRequest): boolean {
  const anything = { negated: true, patterns: [] }
  const relaxed: PolicyStatement = {
    ...statement,
    principal: undefined,
    action: element === 'Action' ? statement.action : anything,
    resource: element === 'Resource' ? statement.resource : anything,
    conditions: element === 'Condition' ? statement.conditions : [],
  }
  return failingElement(relaxed, request) !== undefined
}

function detail(element: (typeof ORDER)[number], statement: PolicyStatement, request: PolicyRequest): string {
  switch (element) {
    case 'Principal':
      return `its Principal is not ${request.caller.arn}`
    case 'Action':
      return `its ${statement.action.negated ? 'NotAction' : 'Action'} does not cover ${actionName(request.action)}`
    case 'Resource':
      return `its ${statement.resource.negated ? 'NotResource' : 'Resource'} does not cover ${request.resource}`
    case 'Condition': {
      const unmet = statement.conditions.find((condition) => !condition.holds(request.lookup, statement.effect))
      if (unmet === undefined) return 'its Condition is not met'
      const actual = request.lookup(unmet.key.toLowerCase())
      const has = actual === undefined ? 'which the request lacks' : `which is ${actual.join(', ')}`
      return `its Condition ${unmet.operator} wants ${unmet.key} ${unmet.values.join(' or ')}, ${has}`
    }
  }
}

/** The trap everyone falls into once: `domain/name` without `/*` covers no request. */
function missingStar(statement: PolicyStatement, request: PolicyRequest): string {
  const domain = request.resource.slice(0, request.resource.indexOf('/', request.resource.indexOf(':domain/') + 8))
  return statement.resource.patterns.some((pattern) => pattern.source === domain)
    ? ` (it names the domain itself: ${domain}/* is what covers requests)`
    : ''
}

function grant(request: PolicyRequest): string {
  const { caller } = request
  const principal = caller.kind === 'anonymous' ? '"*"' : (caller.roleArn ?? caller.arn)
  return `add a statement that allows ${actionName(request.action)} on ${request.resource} to ${principal}`
}

function nameOf(statement: PolicyStatement, kind: 'resource' | 'identity'): string {
  const sid = statement.sid === undefined ? '' : ` (Sid ${JSON.stringify(statement.sid)})`
  return `Statement[${statement.index}]${sid} of ${kind === 'resource' ? 'the access policy' : "the caller's own policy"}`
}

/** `es:eshttpget` → `es:ESHttpGet`. */
export function actionName(action: string): string {
  const method = action.slice('es:eshttp'.length)
  return `es:ESHttp${method.charAt(0).toUpperCase()}${method.slice(1)}`
}
