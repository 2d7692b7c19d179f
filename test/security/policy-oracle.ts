import { runSimulation } from '@cloud-copilot/iam-simulate'
import { AccessDenial } from '../../src/access/access-denial.ts'
import { parsePolicy } from '../../src/access/policy/parse-policy.ts'
import { contextValue } from '../../src/access/policy/policy-context.ts'
import { PolicyJudge } from '../../src/access/policy/policy-judge.ts'
import { GENERATED_DOMAIN, GENERATED_NOW, type GeneratedCase } from './policy-generator.ts'

/** What was decided: `error` when the evaluator refused to answer. */
export type Decided = 'allow' | 'deny' | 'error'

/** Our decision, as the cloud service's (`policyCompat: aws`), which is what the evaluator models. */
function ourDecision(question: GeneratedCase): Decided {
  const resource = parsePolicy(JSON.stringify(question.policy))
  const identity = question.identityPolicies.map((policy) => parsePolicy(JSON.stringify(policy), 'identity'))
  const judge = new PolicyJudge(
    {
      domainArn: GENERATED_DOMAIN.arn,
      domainName: 'books',
      region: 'us-east-1',
      compat: 'aws',
      wording: '2022',
      explain: true,
      now: () => GENERATED_NOW,
    },
    () => ({ resource, identity }),
  )
  try {
    judge.judge(question, question.path)
    return 'allow'
  } catch (error) {
    if (error instanceof AccessDenial) return 'deny'
    throw error
  }
}

const CONTEXT_KEYS = [
  'aws:SourceIp',
  'aws:SecureTransport',
  'aws:CurrentTime',
  'aws:EpochTime',
  'aws:RequestedRegion',
  'aws:UserAgent',
  'aws:Referer',
  'aws:PrincipalArn',
  'aws:PrincipalAccount',
  'aws:PrincipalType',
  'aws:username',
  'aws:userid',
]

function contextOf(question: GeneratedCase, key: string): string | undefined {
  return contextValue(key.toLowerCase(), question, () => GENERATED_NOW, 'us-east-1')?.[0]
}

/** The evaluator's decision, and what it said when it gave none. */
async function evaluatorDecision(question: GeneratedCase): Promise<{ decided: Decided; said?: string }> {
  const { caller, method } = question
  const contextVariables: Record<string, string> = {}
  for (const key of CONTEXT_KEYS) {
    const value = contextOf(question, key)
    if (value !== undefined) contextVariables[key] = value
  }
  const answer = await runSimulation(
    {
      request: {
        principal: caller.kind === 'anonymous' ? { type: 'Anonymous' } : caller.arn,
        action: `es:ESHttp${method.charAt(0)}${method.slice(1).toLowerCase()}`,
        resource: { resource: `${GENERATED_DOMAIN.arn}/${question.path}`, accountId: GENERATED_DOMAIN.account },
        contextVariables,
      },
      identityPolicies: question.identityPolicies.map((policy, i) => ({ name: `policy-${i}`, policy })),
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      resourcePolicy: question.policy,
    },
    {},
  )
  if (answer.resultType === 'error') return { decided: 'error', said: JSON.stringify(answer.errors) }
  return { decided: answer.overallResult === 'Allowed' ? 'allow' : 'deny' }
}

/** A way in which the evaluator reads policies otherwise, and the same question put so that it reads it as meant. */
interface Restatement {
  /** Why the decisions differ, and what we hold to. */
  readonly why: string
  /** @returns undefined when the question has nothing of the kind */
  readonly restate: (question: GeneratedCase) => GeneratedCase | undefined
}

type Statement = Record<string, unknown> & {
  readonly Effect: string
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>
}

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value as string])

/** The question with every statement rewritten; undefined when none changed. */
function mapStatements(
  question: GeneratedCase,
  rewrite: (statement: Statement, policy: Readonly<Record<string, unknown>>) => Statement,
): GeneratedCase | undefined {
  const map = (policy: Readonly<Record<string, unknown>>) => {
    const { Statement: given } = policy
    const statements = (Array.isArray(given) ? given : [given]) as Statement[]
    return { ...policy, Statement: statements.map((statement) => rewrite(statement, policy)) }
  }
  const restated = {
    ...question,
    policy: map(question.policy),
    identityPolicies: question.identityPolicies.map((policy) => map(policy)),
  }
  const plain = mapText(question)
  return mapText(restated) === plain ? undefined : restated
}

function mapText({ policy, identityPolicies }: GeneratedCase): string {
  return JSON.stringify(
    [policy, ...identityPolicies].map((document) => {
      const given = document['Statement']
      return [document['Version'], Array.isArray(given) ? given : [given]]
    }),
  )
}

function mapConditionValues(
  question: GeneratedCase,
  isMeant: (operator: string) => boolean,
  rewrite: (values: readonly string[]) => readonly string[],
): GeneratedCase | undefined {
  return mapStatements(question, (statement) => {
    if (statement.Condition === undefined) return statement
    const condition: Record<string, Record<string, string | readonly string[]>> = {}
    for (const [operator, keys] of Object.entries(statement.Condition)) {
      for (const [key, value] of Object.entries(keys)) {
        const values = isMeant(operator) ? rewrite(listOf(value)) : listOf(value)
        const same = values.length === listOf(value).length && values.every((v, i) => v === listOf(value)[i])
        condition[operator] = { ...condition[operator], [key]: same ? value : values }
      }
    }
    return { ...statement, Condition: condition }
  })
}

/** An address no policy means, of each family. */
const ELSEWHERE = { 4: '192.0.2.255/32', 6: '2001:db8:ffff::1/128' } as const

const USERNAME = '\x24{aws:username}'

/** Every known difference. */
const RESTATEMENTS: readonly Restatement[] = [
  {
    why: 'a Date value in seconds since 1970: the evaluator reads ISO 8601 alone',
    restate: (question) =>
      mapConditionValues(
        question,
        (operator) => /Date/.test(operator),
        (values) => values.map((v) => (/^\d+$/.test(v) ? new Date(Number(v) * 1000).toISOString() : v)),
      ),
  },
  {
    why: 'NotIpAddress and an address of the other family: the evaluator finds it neither inside nor outside',
    restate: (question) => {
      const family = question.sourceIp.includes(':') ? 6 : 4
      const isOther = (value: string) => value.includes(':') !== (family === 6)
      return mapConditionValues(
        question,
        (operator) => /NotIpAddress/.test(operator),
        (values) => values.map((v) => (isOther(v) ? ELSEWHERE[family] : v)),
      )
    },
  },
  {
    why: 'NotPrincipal with the account root: the evaluator excepts the whole account, IAM the root user alone',
    restate: (question) =>
      question.caller.kind === 'root'
        ? undefined
        : mapStatements(question, (statement) => {
            const not = statement['NotPrincipal'] as { AWS: unknown } | undefined
            if (not === undefined) return statement
            const named = listOf(not.AWS).filter((entry) => !/^\d+$|:root$/.test(entry))
            const { NotPrincipal: _, ...rest } = statement
            return (
              named.length === 0 ? { ...rest, Principal: '*' } : { ...rest, NotPrincipal: { AWS: named } }
            ) as Statement
          }),
  },
  {
    why: 'a variable without a value in the NotResource of a Deny: it fails closed here, the evaluator drops the statement',
    restate: (question) =>
      question.caller.kind === 'user'
        ? undefined
        : mapStatements(question, (statement) =>
            statement.Effect === 'Deny' && statement['NotResource'] !== undefined
              ? {
                  ...statement,
                  NotResource: listOf(statement['NotResource']).map((r) => r.replace(USERNAME, 'nobody-at-all')),
                }
              : statement,
          ),
  },
  {
    why: 'a variable without a value under a negated operator of a Deny: as in NotResource',
    restate: (question) =>
      question.caller.kind === 'user'
        ? undefined
        : mapStatements(question, (statement) => {
            if (statement.Effect !== 'Deny' || statement.Condition === undefined) return statement
            const text = JSON.stringify(statement.Condition)
            return { ...statement, Condition: JSON.parse(text.replaceAll(USERNAME, 'nobody-at-all')) }
          }),
  },
  {
    why: 'ForAnyValue with IfExists and a key the request lacks: IfExists holds here, ForAnyValue fails there',
    restate: (question) =>
      mapStatements(question, (statement) => {
        if (statement.Condition === undefined) return statement
        const kept = Object.entries(statement.Condition).flatMap(([operator, keys]) => {
          if (!/^ForAnyValue:.*IfExists$/.test(operator)) return [[operator, keys] as const]
          const present = Object.entries(keys).filter(([key]) => contextOf(question, key) !== undefined)
          return present.length === 0 ? [] : [[operator, Object.fromEntries(present)] as const]
        })
        return { ...statement, Condition: Object.fromEntries(kept) }
      }),
  },
  {
    why: 'a variable in a policy of version 2008-10-17, which knows none: the evaluator fills it in',
    restate: (question) => {
      const map = (policy: Readonly<Record<string, unknown>>) =>
        policy['Version'] === '2012-10-17'
          ? policy
          : {
              Version: '2012-10-17',
              // The characters that wildcards are keep their meaning; only the braces become text.
              Statement: JSON.parse(JSON.stringify(policy['Statement']).replaceAll('\x24{', '\x24{\x24}{')),
            }
      const restated = {
        ...question,
        policy: map(question.policy),
        identityPolicies: question.identityPolicies.map(map),
      }
      return mapText(restated) === mapText(question) ? undefined : restated
    },
  },
  {
    why: "a role with a path: the evaluator takes the role from the session's ARN, which has none",
    restate: (question) => {
      const { caller } = question
      if (caller.roleArn?.includes('/service/') !== true) return undefined
      const text = JSON.stringify({ ...question, caller: { ...caller, userId: undefined } })
      const restated = JSON.parse(text.replaceAll('role/service/', 'role/')) as GeneratedCase
      return { ...question, ...restated, caller: { ...restated.caller, userId: caller.userId } } as GeneratedCase
    },
  },
]

/** Whether both agree; and where they do not, whether a known difference in reading is why. */
export async function compareDecisions(
  question: GeneratedCase,
): Promise<{ readonly agree: boolean; readonly why: readonly string[] | undefined; readonly text: string }> {
  const ours = ourDecision(question)
  const plain = await evaluatorDecision(question)
  const text = `${ours} here, ${plain.decided} there ${plain.said ?? ''}`
  if (ours === plain.decided) return { agree: true, why: undefined, text }
  // What the evaluator says of the root user: it lets nobody off needing an identity policy.
  if (question.caller.kind === 'root' && ours === 'allow') return { agree: false, why: [ROOT], text }
  const why: string[] = []
  let restated = question
  for (const { why: reason, restate } of RESTATEMENTS) {
    const next = restate(restated)
    if (next === undefined) continue
    restated = next
    why.push(reason)
    if ((await evaluatorDecision(restated)).decided === ours) return { agree: false, why, text }
  }
  return { agree: false, why: undefined, text }
}

const ROOT = 'the root user of the account, who needs no identity policy: the evaluator does not model that'
