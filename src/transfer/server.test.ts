import { describe, expect, it } from 'vitest'
import { connectSettings } from '../client/connect-settings.ts'
import type { Connection } from '../client/connection.ts'
import { DomainClient } from '../client/domain-client.ts'
import { describeServer } from './server.ts'

/** A client of a server that answers some paths (before the query) and 403 to the rest. */
function client(answers: Readonly<Record<string, object>>): DomainClient {
  const connection: Connection = {
    async send({ target }) {
      const answer = answers[target.split('?')[0] as string]
      const body = JSON.stringify(answer ?? { Message: `not authorized for ${target}` })
      return {
        status: answer === undefined ? 403 : 200,
        headers: { 'content-type': 'application/json' },
        body: new TextEncoder().encode(body),
      }
    },
    close() {},
  }
  return new DomainClient(connectSettings({ host: 'http://localhost:1' }, () => connection))
}

describe('describeServer', () => {
  it('tells products and versions apart, and what they can do', async () => {
    const of = (version: object) => describeServer(client({ '/': { version } }))
    expect(await of({ number: '5.6.16' })).toMatchObject({ typed: true, multiType: true, seqNoOrder: false })
    expect(await of({ number: '6.8.23' })).toMatchObject({ typed: true, multiType: false, seqNoOrder: true })
    expect(await of({ number: '8.17.4' })).toMatchObject({ distribution: 'elasticsearch', major: 8, typed: false })
    expect(await of({ number: '3.3.0', distribution: 'opensearch' })).toMatchObject({
      distribution: 'opensearch',
      major: 3,
      typed: false,
    })
  })

  it('knows OpenSearch that gives itself out for an older version', async () => {
    const version = { number: '7.10.2', distribution: 'opensearch' }
    expect(await describeServer(client({ '/': { version } }))).toMatchObject({ distribution: 'opensearch' })
  })

  it('asks a node where the root is refused', async () => {
    const nodes = (version: string) => ({ '/_nodes/_local': { nodes: { a: { version } } } })
    expect(await describeServer(client(nodes('8.17.4')))).toMatchObject({ distribution: 'elasticsearch', major: 8 })
    expect(await describeServer(client(nodes('2.19.3')))).toMatchObject({ distribution: 'opensearch', major: 2 })
  })

  it('says why where nothing is allowed, and when it is another kind of server', async () => {
    await expect(describeServer(client({}))).rejects.toMatchObject({ status: 403, reason: 'not authorized for /' })
    await expect(describeServer(client({ '/': { hello: 1 } }))).rejects.toThrow('does not answer as Elasticsearch')
  })
})
