import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
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

it('gives its body to a sink as it comes, and keeps a connection on which nobody took one', async () => {
  const taken: string[] = []
  const server = createServer({ IncomingMessage: WireMessage }, (message, response) => {
    if (message.url === '/passed') {
      response.end('passed ')
      return
    }
    let text = ''
    const chunk = (bytes: Buffer): void => {
      text += bytes
    }
    const end = (): void => {
      taken.push(text)
      response.end('taken ')
    }
    message.giveBodyTo({ chunk, end })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const answers = await new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const next = [
      'POST /passed HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nunread',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nfgh',
    ]
    socket.write(next.shift() as string)
    socket.on('data', (bytes: Buffer) => {
      text += bytes
      if (/(passed|taken) /.test(String(bytes)) && next.length > 0) socket.write(next.shift() as string)
    })
    socket.on('close', () => resolve(text))
  })
  server.close()
  expect(answers.match(/(passed|taken) /g)).toEqual(['passed ', 'taken ', 'taken '])
  expect(taken).toEqual(['abcde', 'fgh'])
})
