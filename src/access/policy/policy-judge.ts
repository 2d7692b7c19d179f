import { AccessDenial } from '../access-denial.ts'
import type { Caller } from '../identity/caller.ts'
import { accountOf, type Decision, evaluatePolicies, type PolicyRequest, type PolicySet } from './evaluate-policy.ts'
import { actionName, type DecisionExplanation, explainDecision } from './explain-decision.ts'
import { contextValue, type JudgedRequest } from './policy-context.ts'
import type { PolicyDocument } from './policy-document.ts'
import { whyNotWholeDomain } from './whole-domain.ts'

/** How denials are decided and worded. */
export interface JudgeOptions {
  /** `arn:aws:es:us-east-1:111122223333:domain/books`. */
  readonly domainArn: string
  readonly domainName: string
  readonly region: string
  /** `aws`: the path alone is judged, as the cloud service does. */
  readonly compat: 'chaja' | 'aws'
  /** The cloud service's wording in that year. */
  readonly wording: '2017' | '2019' | '2022'
  /** Tell the caller the reason too. */
  readonly explain: boolean
  readonly now: () => number
}

const NO_POLICY: PolicyDocument = { version: '2012-10-17', statements: [] }

const ACTIONS: Readonly<Record<string, string>> = {
  GET: 'es:eshttpget',
  HEAD: 'es:eshttphead',
  POST: 'es:eshttppost',
  PUT: 'es:eshttpput',
  DELETE: 'es:eshttpdelete',
  PATCH: 'es:eshttppatch',
}

/** Is this path an index (or several) and nothing below it? */
function namesIndexAlone(path: string): boolean {
  return path !== '' && !path.startsWith('_') && !path.includes('/')
}

/** Asks the policies and words the refusal. */
export class PolicyJudge {
  readonly #options: JudgeOptions
  readonly #policies: (caller: Caller) => PolicySet

  /** @param policies  the access policy in force, and those attached to a caller */
  constructor(options: JudgeOptions, policies: (caller: Caller) => PolicySet) {
    this.#options = options
    this.#policies = policies
  }

  /**
   * Lets a request to a path through, or not.
   *
   * @param path    below the domain, without a leading slash
   * @param method  judged instead of the request's own
   * @throws {AccessDenial}
   */
  judge(request: JudgedRequest, path: string, method: string = request.method): void {
    const action = ACTIONS[method]
    if (action === undefined) {
      // No such action exists, so no policy can allow it.
      throw this.#denial(request.caller, `es:ESHttp${method.charAt(0)}${method.slice(1).toLowerCase()}`, false, {
        reason: `no action covers the method ${method}`,
      })
    }
    const { caller } = request
    const question = this.#question(request, path, action)
    const policies = this.#policies(caller)
    const decision = this.#decide(policies, question, path)
    if (decision.outcome !== 'explicit-deny' && this.#options.compat === 'aws' && this.#isForeign(caller)) {
      this.#judgeForeign(policies, question)
      return
    }
    if (decision.outcome === 'allow') return
    const { reason, suggestion } = explainDecision(decision, policies, question)
    throw this.#denial(caller, actionName(action), decision.outcome === 'explicit-deny', {
      reason,
      ...(suggestion === undefined ? {} : { suggestion }),
      by: decision.by?.kind ?? 'resource',
      resource: question.resource,
    })
  }

  /**
   * Lets a request through that may touch anything of the domain, or anything whose name begins so, or not.
   *
   * @throws {AccessDenial}
   */
  judgeDomain(request: JudgedRequest, method: string, prefix: string): void {
    const action = ACTIONS[method] ?? ''
    const { caller } = request
    const uncovered = whyNotWholeDomain(this.#policies(caller), this.#question(request, prefix, action))
    if (uncovered === undefined) return
    const touched = prefix === '' ? 'any index' : `any index whose name begins with [${prefix}]`
    throw this.#denial(caller, actionName(action), uncovered === 'denied-in-part', {
      reason:
        uncovered === 'denied-in-part'
          ? `the request may touch ${touched}, and a statement denies the caller some`
          : `the request may touch ${touched}, and no statement allows the caller all of them`,
      resource: `${this.#options.domainArn}/${prefix}*`,
    })
  }

  /** In the cloud a caller of another account needs the leave of both: the domain's policy and its own account's. */
  #judgeForeign(policies: PolicySet, question: PolicyRequest): void {
    const own = evaluatePolicies({ resource: NO_POLICY, identity: policies.identity }, question)
    const shared = { ...question, accountIsEverybody: true }
    const ours = evaluatePolicies({ resource: policies.resource, identity: [] }, shared)
    if (own.outcome === 'allow' && ours.outcome === 'allow') return
    const reason =
      own.outcome === 'allow' ? "the domain's policy does not allow it" : 'no policy of its own account allows it'
    throw this.#denial(question.caller, actionName(question.action), false, { reason })
  }

  /** Which statement decides about a request, or comes nearest. For a method that has an action. */
  explain(request: JudgedRequest, path: string): DecisionExplanation {
    const question = this.#question(request, path, ACTIONS[request.method] ?? '')
    const policies = this.#policies(request.caller)
    return explainDecision(this.#decide(policies, question, path), policies, question)
  }

  /** Who denies all below an index denies the index too: the cloud lets `DELETE /secret` pass a Deny of `secret/*`. */
  #decide(policies: PolicySet, question: PolicyRequest, path: string): Decision {
    const decision = evaluatePolicies(policies, question)
    if (decision.outcome !== 'allow' || this.#options.compat === 'aws' || !namesIndexAlone(path)) return decision
    const below = evaluatePolicies(policies, { ...question, resource: `${question.resource}/` })
    return below.outcome === 'explicit-deny' ? below : decision
  }

  #question(request: JudgedRequest, path: string, action: string): PolicyRequest {
    return {
      caller: request.caller,
      action,
      resource: `${this.#options.domainArn}/${path}`,
      lookup: (key) => contextValue(key, request, this.#options.now, this.#options.region),
      ownArnIsDomain: this.#options.compat === 'chaja',
    }
  }

  #denial(
    caller: Caller,
    action: string,
    explicit: boolean,
    fields: Readonly<{ reason: string; suggestion?: string; by?: string; resource?: string }>,
  ): AccessDenial {
    const who = `User: ${caller.arn} is not authorized to perform: ${action}`
    const message =
      this.#options.wording === '2017'
        ? `${who} on resource: ${this.#options.domainName}`
        : this.#options.wording === '2019'
          ? who
          : `${who} ${this.#because(caller, action, explicit, fields.by)}`
    const told = this.#options.explain
      ? {
          Message: message,
          Reason: fields.reason,
          ...(fields.suggestion === undefined ? {} : { Suggestion: fields.suggestion }),
        }
      : { Message: message }
    return new AccessDenial(403, told, `policy: ${fields.reason}`, { caller: caller.arn, action, ...fields })
  }

  #isForeign(caller: Caller): boolean {
    return caller.kind !== 'anonymous' && accountOf(caller.arn) !== accountOf(this.#options.domainArn)
  }

  #because(caller: Caller, action: string, explicit: boolean, by: string | undefined): string {
    if (explicit)
      return `with an explicit deny in ${by === 'identity' ? 'an identity-based' : 'a resource-based'} policy`
    const kind = caller.kind === 'anonymous' ? 'resource-based' : 'identity-based'
    return `because no ${kind} policy allows the ${action} action`
  }
}
