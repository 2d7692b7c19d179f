/** Who sent a request, as the policy sees it. */
export interface Caller {
  /** `anonymous`: unsigned. `root`: the account's owner. `role`: a session of a role. */
  readonly kind: 'anonymous' | 'user' | 'role' | 'root' | 'federated'
  /** ARN of the user or of the session; `anonymous` for unsigned callers, as messages call them. */
  readonly arn: string
  /** Of a role's session: the role's full ARN (which a session ARN does not tell: it lacks the role's path). */
  readonly roleArn?: string | undefined
  /** Access key the request was signed with. */
  readonly accessKeyId?: string | undefined
  /** `aws:userid`. */
  readonly userId?: string | undefined
  /** Names of identity policies attached to the user or role. */
  readonly policyNames?: readonly string[] | undefined
}

/** The caller of every unsigned request. */
export const ANONYMOUS: Caller = { kind: 'anonymous', arn: 'anonymous' }
