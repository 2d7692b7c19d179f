import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { WireMessage } from './wire-message.ts'

it('leaves out of the headers what signs a request, and joins those of one name', async () => {
  const server = createServer({ IncomingMessage: WireMessage, joinDuplicateHeaders: true }, (message, response) => {
    response.end(JSON.stringify({ headers: message.headers, rawHeaders: message.rawHeaders }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const text = await new Promise<string>((resolve) => {
    const headers = {
      Authorization: 'secret',
      'X-Amz-Security-Token': 'token',
      'x-a': ['1', '2'],
      Accept: 'application/json',
      __proto__hidden: 'x',
    }
    request({ port, host: '127.0.0.1', headers }, (answer) => {
      let body = ''
      answer.on('data', (chunk: Buffer) => {
        body += chunk
      })
      answer.on('end', () => resolve(body))
    }).end()
  })
  server.close()
  const { headers, rawHeaders } = JSON.parse(text) as { headers: Record<string, string>; rawHeaders: string[] }
  expect(headers).toMatchObject({ accept: 'application/json', 'x-a': '1, 2', __proto__hidden: 'x' })
  expect(Object.keys(headers)).not.toContain('authorization')
  expect(Object.keys(headers)).not.toContain('x-amz-security-token')
  expect(rawHeaders).toContain('secret')
})
