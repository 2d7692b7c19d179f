import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANONYMOUS, type Caller } from '../identity/caller.ts'
import { evaluatePolicies, type PolicyRequest, type PolicySet } from './evaluate-policy.ts'
import { parsePolicy } from './parse-policy.ts'
import { whyNotWholeDomain } from './whole-domain.ts'

const ARN = 'arn:aws:es:us-east-1:111122223333:domain/books'
const ALICE: Caller = { kind: 'user', arn: 'arn:aws:iam::111122223333:user/alice' }

const policies = (statements: readonly object[]): PolicySet => ({
  resource: parsePolicy(
    JSON.stringify({ Version: '2012-10-17', Statement: statements.map((one) => ({ Principal: '*', ...one })) }),
    'resource',
  ),
  identity: [],
})

const question = (path: string, caller = ANONYMOUS, ip = '192.0.2.1'): PolicyRequest => ({
  caller,
  action: 'es:eshttpget',
  resource: `${ARN}/${path}`,
  lookup: (key) => (key === 'aws:sourceip' ? [ip] : undefined),
  ownArnIsDomain: true,
})

const why = (...statements: readonly object[]) => whyNotWholeDomain(policies(statements), question(''))

describe('the right to a whole domain', () => {
  it('is an Allow of everything, in whatever words', () => {
    const allow = (Resource: string) => why({ Effect: 'Allow', Action: 'es:ESHttp*', Resource })
    for (const resource of ['*', `${ARN}/*`, `${ARN}*`, 'arn:aws:es:*:*:domain/*'])
      expect(allow(resource)).toBeUndefined()
    for (const resource of [ARN, `${ARN}/books/*`, `${ARN}/*/_search`, `${ARN}/b*`])
      expect(allow(resource)).toBe('not-allowed')
  })

  it('is not had by whom any Deny concerns', () => {
    const allow = { Effect: 'Allow', Action: 'es:*', Resource: '*' }
    const deny = { Effect: 'Deny', Action: 'es:*', Resource: `${ARN}/not-there-yet*` }
    expect(why(allow, deny)).toBe('denied-in-part')
    expect(why(allow, { ...deny, Action: 'es:ESHttpPut' })).toBeUndefined()
    expect(why(allow, { ...deny, Principal: { AWS: ALICE.arn } })).toBeUndefined()
    const elsewhere = { Condition: { NotIpAddress: { 'aws:SourceIp': '192.0.2.0/24' } } }
    expect(why(allow, { ...deny, ...elsewhere })).toBeUndefined()
  })

  it('is asked for names that begin in some way too', () => {
    const why = (prefix: string, ...statements: readonly object[]) =>
      whyNotWholeDomain(policies(statements.map((one) => ({ Action: 'es:*', ...one }))), question(prefix))
    const logs = { Effect: 'Allow', Resource: `${ARN}/logs-*` }
    expect(why('logs-', logs)).toBeUndefined()
    expect(why('logs-a', logs)).toBeUndefined()
    expect(why('log', logs)).toBe('not-allowed')
    expect(why('', logs)).toBe('not-allowed')
    const all = { Effect: 'Allow', Resource: '*' }
    for (const denied of ['secret', 'secret/*', 'se*', '*', '?ecret', '*-secret', `secret-\${aws:username}`])
      expect(why('sec', all, { Effect: 'Deny', Resource: `${ARN}/${denied}` }), denied).toBe('denied-in-part')
    for (const denied of ['secret', 'secret/*', 'se/*', '_snapshot/*'])
      expect(why('books-', all, { Effect: 'Deny', Resource: `${ARN}/${denied}` }), denied).toBeUndefined()
    expect(why('books-', all, { Effect: 'Deny', Resource: 'arn:aws:es:*:*:domain/books/secret' })).toBe(
      'denied-in-part',
    )
    expect(why('books-', all, { Effect: 'Deny', NotResource: `${ARN}/books-*` })).toBe('denied-in-part')
  })

  it("is the interface's odd form", () => {
    const odd = { Effect: 'Allow', Principal: { AWS: ALICE.arn }, Action: 'es:*', Resource: ALICE.arn }
    expect(whyNotWholeDomain(policies([odd]), question('', ALICE))).toBeUndefined()
    expect(whyNotWholeDomain(policies([odd]), question(''))).toBe('not-allowed')
  })

  it('is never had by whom any path is refused', () => {
    const resource = fc.constantFrom(
      '*',
      `${ARN}/*`,
      `${ARN}/a*`,
      `${ARN}/*a`,
      `${ARN}*`,
      `${ARN}/?*`,
      `${ARN}/a`,
      ALICE.arn,
    )
    const statement = fc.record({
      Effect: fc.constantFrom('Allow', 'Deny'),
      Action: fc.constantFrom('es:*', 'es:ESHttpGet', 'es:ESHttpPut'),
      Resource: fc.array(resource, { minLength: 1, maxLength: 2 }),
    })
    fc.assert(
      fc.property(
        fc.array(statement, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', 'a', 'b', 'ab'),
        fc.string(),
        (statements, prefix, path) => {
          const set = policies(statements)
          if (whyNotWholeDomain(set, question(prefix)) !== undefined) return
          for (const one of [path, '', 'a', 'ba', 'a/_search', '_all']) {
            expect(evaluatePolicies(set, question(prefix + one)).outcome).toBe('allow')
          }
        },
      ),
    )
  })
})
