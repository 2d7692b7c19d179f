import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AccessDenial } from '../../src/access/access-denial.ts'
import { ANONYMOUS, type Caller } from '../../src/access/identity/caller.ts'
import { PolicyError, parsePolicy } from '../../src/access/policy/parse-policy.ts'
import { PolicyJudge } from '../../src/access/policy/policy-judge.ts'
import { canonicalPath } from '../../src/access/signature/canonical-path.ts'

interface Case {
  readonly id: string
  readonly group: string
  readonly policy?: unknown
  readonly policyText?: string
  readonly policyRepeat?: {
    readonly prefix: string
    readonly unit: string
    readonly times: number
    readonly suffix: string
  }
  readonly caller: string
  readonly method: string
  readonly path: string
  readonly expect: 'allow' | 'deny' | 'invalid'
  readonly aws?: 'allow' | 'deny'
  readonly orStatus?: readonly number[]
  readonly why: string
  readonly needs?: string
  readonly body?: string
  readonly context?: { readonly sourceIp?: string; readonly secure?: boolean; readonly time?: string }
}

const file = join(import.meta.dirname, '../../../shared/security/policy-cases.json')
const available = existsSync(file)
if (!available) console.log('skipped: policy cases need ../shared/security')
const data = available ? JSON.parse(readFileSync(file, 'utf8')) : { domain: {}, callers: {}, cases: [] }
const cases = data.cases as Case[]

function callerOf(name: string): Caller {
  const { type, arn, roleArn } = data.callers[name] as { type: Caller['kind']; arn: string | null; roleArn?: string }
  return arn === null ? ANONYMOUS : { kind: type, arn, roleArn }
}

function policyText(c: Case): string {
  if (c.policyText !== undefined) return c.policyText
  const r = c.policyRepeat
  return r === undefined ? JSON.stringify(c.policy) : r.prefix + r.unit.repeat(r.times) + r.suffix
}

function decide(c: Case, compat: 'chaja' | 'aws'): 'allow' | 'deny' | 'invalid' {
  let policy: ReturnType<typeof parsePolicy>
  try {
    policy = parsePolicy(policyText(c))
  } catch (error) {
    expect(error).toBeInstanceOf(PolicyError)
    return 'invalid'
  }
  const judge = new PolicyJudge(
    {
      domainArn: data.domain.arn,
      domainName: data.domain.name,
      region: data.domain.region,
      compat,
      wording: '2022',
      explain: true,
      now: () => Date.parse(c.context?.time ?? '2026-01-15T12:00:00Z'),
    },
    () => ({ resource: policy, identity: [] }),
  )
  const path = canonicalPath(c.path.split('?')[0] as string)
  const request = {
    caller: callerOf(c.caller),
    method: c.method,
    sourceIp: c.context?.sourceIp ?? '203.0.113.10',
    secure: c.context?.secure ?? true,
    userAgent: undefined,
    referer: undefined,
  }
  try {
    judge.judge(request, path.resource)
    if (path.guardedResource !== undefined) judge.judge(request, path.guardedResource)
    return 'allow'
  } catch (error) {
    expect(error).toBeInstanceOf(AccessDenial)
    return 'deny'
  }
}

/**
 * What the path alone does not tell: these are judged again when the handler knows what it touches, and are asked of a
 * running domain in live-policy.test.ts.
 */
const BEYOND_THE_PATH = new Set(
  cases.filter((c) => c.group === 'url-forms' && c.expect === 'deny' && c.aws === 'allow').map((c) => c.id),
)

describe.skipIf(!available)('access-policy decisions', () => {
  for (const c of cases) {
    if (BEYOND_THE_PATH.has(c.id)) continue
    it(`${c.id} ${c.expect === 'invalid' ? 'refuses the policy' : c.expect}: ${c.why}`, () => {
      const decision = decide(c, 'chaja')
      // Refused before the policy is asked, by the router: what the policy says does not matter then.
      if (c.orStatus !== undefined && decision !== c.expect) return
      expect(decision).toBe(c.expect)
    })
  }
})

describe.skipIf(!available)('access-policy decisions of the cloud service (policyCompat: aws)', () => {
  for (const c of cases.filter((c) => c.aws !== undefined)) {
    it(`${c.id} ${c.aws}: ${c.why}`, () => expect(decide(c, 'aws')).toBe(c.aws))
  }
})
