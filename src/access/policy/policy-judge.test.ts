import { describe, expect, it } from 'vitest'
import { AccessDenial } from '../access-denial.ts'
import { ANONYMOUS, type Caller } from '../identity/caller.ts'
import { parsePolicy } from './parse-policy.ts'
import { type JudgeOptions, PolicyJudge } from './policy-judge.ts'

const ARN = 'arn:aws:es:us-east-1:111122223333:domain/books'
const ALICE: Caller = { kind: 'user', arn: 'arn:aws:iam::111122223333:user/alice' }
const SESSION: Caller = {
  kind: 'role',
  arn: 'arn:aws:sts::111122223333:assumed-role/R/S',
  roleArn: 'arn:aws:iam::111122223333:role/R',
}

function judgeWith(
  statements: readonly object[],
  options: Partial<JudgeOptions> = {},
  identity: readonly object[] = [],
): PolicyJudge {
  const read = (list: readonly object[], kind: 'resource' | 'identity') =>
    parsePolicy(JSON.stringify({ Version: '2012-10-17', Statement: list }), kind)
  const policies = {
    resource: read(statements, 'resource'),
    identity: identity.length === 0 ? [] : [read(identity, 'identity')],
  }
  return new PolicyJudge(
    {
      domainArn: ARN,
      domainName: 'books',
      region: 'us-east-1',
      compat: 'chaja',
      wording: '2022',
      explain: false,
      now: () => Date.parse('2026-01-15T12:00:00Z'),
      ...options,
    },
    () => policies,
  )
}

/** The body of the refusal; undefined when the request is let through. */
function refusal(judge: PolicyJudge, caller: Caller, method: string, path: string): string | undefined {
  const context = { sourceIp: '203.0.113.10', secure: true, userAgent: undefined, referer: undefined }
  try {
    judge.judge({ caller, method, ...context }, path)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(AccessDenial)
    expect((error as AccessDenial).status).toBe(403)
    return (error as AccessDenial).body
  }
}

const NOBODY = [{ Effect: 'Deny', Principal: '*', Action: 'es:*', Resource: `${ARN}/secret/*` }]
const EVERYBODY = { Effect: 'Allow', Principal: '*', Action: 'es:*', Resource: `${ARN}/*` }

describe('a denial', () => {
  it('has the words of the year asked for', () => {
    const words = (wording: JudgeOptions['wording']) =>
      refusal(judgeWith(NOBODY, { wording }), ANONYMOUS, 'POST', 'x/_search')
    expect(words('2022')).toBe(
      '{"Message":"User: anonymous is not authorized to perform: es:ESHttpPost because no resource-based policy allows the es:ESHttpPost action"}',
    )
    expect(words('2019')).toBe('{"Message":"User: anonymous is not authorized to perform: es:ESHttpPost"}')
    expect(words('2017')).toBe(
      '{"Message":"User: anonymous is not authorized to perform: es:ESHttpPost on resource: books"}',
    )
  })

  it('tells which kind of policy denied', () => {
    expect(refusal(judgeWith(NOBODY), SESSION, 'PUT', 'x')).toBe(
      '{"Message":"User: arn:aws:sts::111122223333:assumed-role/R/S is not authorized to perform: es:ESHttpPut because no identity-based policy allows the es:ESHttpPut action"}',
    )
    expect(refusal(judgeWith([EVERYBODY, ...NOBODY]), ALICE, 'GET', 'secret/_search')).toBe(
      '{"Message":"User: arn:aws:iam::111122223333:user/alice is not authorized to perform: es:ESHttpGet with an explicit deny in a resource-based policy"}',
    )
    const own = [{ Effect: 'Deny', Action: 'es:ESHttpDelete', Resource: '*' }]
    expect(refusal(judgeWith([EVERYBODY], {}, own), ALICE, 'DELETE', 'x')).toBe(
      '{"Message":"User: arn:aws:iam::111122223333:user/alice is not authorized to perform: es:ESHttpDelete with an explicit deny in an identity-based policy"}',
    )
  })

  it('names the statement, the element and the smallest change only with explain', () => {
    const statements = [{ ...EVERYBODY, Sid: 'readers', Action: 'es:ESHttpGet' }]
    expect(JSON.parse(refusal(judgeWith(statements), ALICE, 'PUT', 'x') as string)).not.toHaveProperty('Reason')
    const told = JSON.parse(refusal(judgeWith(statements, { explain: true }), ALICE, 'PUT', 'x') as string)
    expect(told.Reason).toMatch(/readers/)
    expect(told.Reason).toMatch(/Action/)
    expect(told.Suggestion).toMatch(/es:ESHttpPut/)
  })

  it('meets every method that has no action', () => {
    expect(refusal(judgeWith([EVERYBODY]), ALICE, 'TRACE', 'x')).toContain('es:ESHttpTrace')
  })
})

describe('a Deny of all below an index', () => {
  it('is one of the index too, but in the cloud', () => {
    const statements = [EVERYBODY, ...NOBODY]
    expect(refusal(judgeWith(statements), ALICE, 'DELETE', 'secret')).toContain('with an explicit deny')
    expect(refusal(judgeWith(statements), ALICE, 'DELETE', 'secrets')).toBeUndefined()
    expect(refusal(judgeWith(statements, { compat: 'aws' }), ALICE, 'DELETE', 'secret')).toBeUndefined()
  })
})

describe('a variable that has no value', () => {
  // An assumed role has no aws:username.
  const variable = '$' + '{aws:username}'
  const allow = (extra: object) => [{ Effect: 'Allow', Principal: '*', Action: 'es:*', Resource: '*', ...extra }]
  const deny = (extra: object) => [
    EVERYBODY,
    { Effect: 'Deny', Principal: '*', Action: 'es:*', Resource: '*', ...extra },
  ]

  it.each([
    ['NotResource', { Resource: undefined, NotResource: `${ARN}/${variable}/*` }],
    ['StringNotEquals', { Condition: { StringNotEquals: { 'aws:PrincipalType': variable } } }],
    ['StringNotLike', { Condition: { StringNotLike: { 'aws:PrincipalType': `${variable}*` } } }],
    ['ArnNotLike', { Condition: { ArnNotLike: { 'aws:PrincipalArn': `arn:aws:iam::*:user/${variable}` } } }],
  ])('under %s lets nobody in and shuts everybody out', (_, extra) => {
    expect(refusal(judgeWith(allow(extra)), SESSION, 'GET', 'x')).toContain('is not authorized')
    expect(refusal(judgeWith(deny(extra)), SESSION, 'GET', 'x')).toContain('with an explicit deny')
  })
})

describe('a caller of another account', () => {
  const carol: Caller = { kind: 'user', arn: 'arn:aws:iam::444455556666:user/carol' }
  const shared = [{ Effect: 'Allow', Principal: { AWS: '444455556666' }, Action: 'es:*', Resource: `${ARN}/*` }]
  const own = [{ Effect: 'Allow', Action: 'es:*', Resource: '*' }]

  it('needs the leave of both accounts in the cloud', () => {
    const judged = (statements: readonly object[], identity: readonly object[]) =>
      refusal(judgeWith(statements, { compat: 'aws' }, identity), carol, 'GET', 'x')
    expect(judged(shared, own)).toBeUndefined()
    expect(judged(shared, [])).toContain('is not authorized')
    expect(judged(NOBODY, own)).toContain('is not authorized')
  })
})

it('fails closed where a value is none of its kind: an Allow does not apply, a Deny does', () => {
  const statement = (Effect: string, Condition: object) => ({ ...EVERYBODY, Effect, Condition })
  const name = '$' + '{aws:username}'
  for (const condition of [
    { DateNotEquals: { 'aws:CurrentTime': name } },
    { NotIpAddress: { 'aws:SourceIp': name } },
    { NumericNotEquals: { 'aws:username': '5' } },
  ]) {
    expect(refusal(judgeWith([statement('Allow', condition)]), ALICE, 'GET', 'x')).toBeDefined()
    expect(refusal(judgeWith([EVERYBODY, statement('Deny', condition)]), ALICE, 'GET', 'x')).toBeDefined()
  }
})
