import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { sendResponse } from './send-response.ts'

it('ends the connection where a compressed answer cannot be sent, and nothing else', async () => {
  const body = 'x'.repeat(64 * 1024)
  const server = createServer((_request, response) => {
    const answer = { status: 200, headers: { 'x-name': '한' }, body }
    sendResponse(response, answer, body.length, { acceptEncoding: 'gzip', compressFromBytes: 1 })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await expect(fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).rejects.toThrow('fetch failed')
  server.close()
})
