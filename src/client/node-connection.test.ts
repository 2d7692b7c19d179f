import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DomainClient } from './domain-client.ts'
import { parseEndpoint } from './endpoint.ts'
import { NodeConnection } from './node-connection.ts'

let server: Server
let client: DomainClient
beforeAll(async () => {
  server = createServer((request, response) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    if (request.method === 'HEAD') response.writeHead(200, headers).end()
    else if (request.url === '/warned') response.writeHead(204, { warning: 'w'.repeat(100_000) }).end()
    else if (request.url === '/half') response.writeHead(200, { 'content-length': 9 }).write('{')
    else setTimeout(() => response.writeHead(204).end(), 20)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = parseEndpoint(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  client = new DomainClient({ endpoint, connection: new NodeConnection(endpoint), maxRetries: 0 })
})
afterAll(() => {
  client.close()
  server.closeAllConnections()
  server.close()
})

describe('NodeConnection', () => {
  it('reads answers without a body, also where they tell how one would be encoded', async () => {
    expect(await client.exists('/')).toBe(true)
    expect(await client.request('GET', '/')).toMatchObject({ status: 204, body: undefined })
    // As many warnings as a server may have.
    expect((await client.request('GET', '/warned')).headers['warning']).toHaveLength(100_000)
  })

  it('says in its own error what it cannot send, and where it cannot reach', async () => {
    await expect(client.request('GET', '/', undefined, { headers: { 'x-a': 'a\nb' } })).rejects.toMatchObject({
      kind: 'configuration',
      message: /^the request cannot be sent: Invalid character/,
    })
    const endpoint = parseEndpoint(' http://[::1]:1')
    expect(() => new NodeConnection(parseEndpoint('h'), { ca: 'ca.pem' })).toThrow('the text of a file, not its name')
    const nobody = new DomainClient({ endpoint, connection: new NodeConnection(endpoint), maxRetries: 0 })
    await expect(nobody.request('GET', '/')).rejects.toThrow('cannot reach [::1]:1: ')
  })

  it("leaves an answer in the middle with the signal's own reason", async () => {
    const interruption = new AbortController()
    setTimeout(() => interruption.abort(new Error('mine')), 50)
    await expect(client.request('GET', '/half', undefined, { signal: interruption.signal })).rejects.toThrow('mine')
    await expect(client.request('GET', '/half', undefined, { timeoutMs: 50 })).rejects.toMatchObject({
      kind: 'timeout',
    })
  })

  it('lets many requests have one signal, without a warning', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    const { signal } = new AbortController()
    await Promise.all(Array.from({ length: 30 }, () => client.request('GET', '/', undefined, { signal })))
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off('warning', note)
    expect(warnings).toEqual([])
  })
})
