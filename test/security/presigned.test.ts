import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeHash } from '../../src/access/signature/node-hash.ts'
import { presignRequest, type SigningCredentials } from '../../src/access/signature/sign-request.ts'
import { type EchoDomain, sendExactly, startEchoDomain } from './echo-domain.ts'

let domain: EchoDomain
beforeAll(async () => {
  domain = await startEchoDomain()
})
afterAll(() => domain.close())

/** A link as its maker hands it to somebody who has no key. */
const link = (target: string, credentials: SigningCredentials = domain.admin, date = new Date()) =>
  presignRequest({ method: 'GET', target, headers: { host: domain.host } }, credentials, {
    region: 'us-east-1',
    hash: nodeHash,
    expiresSeconds: 60,
    date,
  })

const open = (target: string, more: { readonly method?: string; readonly body?: string } = {}) =>
  sendExactly(domain, { method: 'GET', target, headers: { host: domain.host }, ...more })

describe('a presigned request', () => {
  it('is served as it was signed, and its signature is no parameter', async () => {
    const answer = await open(await link('/books/_search?q=a'))
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body).query).toEqual({ q: 'a' })
  })

  it('takes nothing that was added to it', async () => {
    const own = await link('/books/_search?q=a')
    const session = domain.session()
    const theirs = await link('/books/_search?q=a', session)
    const token = encodeURIComponent(session.sessionToken)
    const signature = /X-Amz-Signature=(\w+)/.exec(own)?.[1]
    domain.handled.length = 0
    for (const target of [
      `${own}&q=b`,
      `${own};q=b`,
      // What is the signature's own name once it is decoded is not the signature.
      `${own}&X%2DAmz-Signature=x;q=b`,
      `${own}&%58-Amz-Signature;q=b`,
      `${own}&X-Amz%2DSignature=${signature};q=b`,
      `${own}&X-Amz-Signature=${signature};q=b`,
      `${own}&x-amz-signature=x;q=b`,
      `${theirs}&X%2DAmz-Security-Token=x;q=b`,
      `${theirs}&X-Amz-Security-Token=${token};q=b`,
      own.replace('q=a', 'q=a;q=b'),
      own.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'),
      own.replace('X-Amz-Expires=60', 'X-Amz-Expires=60&X-Amz-Expires=600'),
      own.replace('/books/', '/books//secret/'),
    ]) {
      const answer = await open(target)
      expect(answer.status, `${target} ${answer.body}`).toBe(403)
    }
    expect((await open(own, { method: 'DELETE' })).status).toBe(403)
    expect((await open(own, { method: 'POST' })).status).toBe(403)
    expect((await open(own, { body: '{"query":{"match_all":{}}}' })).status).toBe(403)
    expect(domain.handled).toEqual([])
  })

  it('ends when it says, whoever asks', async () => {
    const old = await link('/books/_search', domain.admin, new Date(Date.now() - 61_000))
    expect((await open(old)).body).toContain('Signature expired')
  })
})
