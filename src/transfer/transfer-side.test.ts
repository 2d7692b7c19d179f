import { expect, it } from 'vitest'
import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'
import { openSides } from './transfer-side.ts'

it('waits for no server where the other end cannot be opened', async () => {
  let isGivenUp = false
  const silent = {
    request: (_method: string, _path: string, _body: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isGivenUp = true
          reject(signal.reason)
        })
      }),
  } as unknown as DomainClient
  const notes: string[] = []
  const opened = openSides('http://127.0.0.1:1/a', 'http://refusing.example/b', {
    connect: async (_origin, side) => {
      if (side === 'source') return silent
      // Once the other one is asked.
      await new Promise((resolve) => setImmediate(resolve))
      throw new ClientError('configuration', 'no keys')
    },
    onNote: (line) => notes.push(line),
    signal: new AbortController().signal,
  })
  await expect(opened).rejects.toThrow('no keys')
  expect(isGivenUp).toBe(true)
  expect(notes).toEqual([])
})
