import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'
import { openSides, schemaOf } from './transfer-side.ts'

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

it.each([
  ['{"chaja_index":{', 'Expected property name'],
  ['{"chaja_index":5}', 'expected {"chaja_index":{"settings"'],
  ['{"chaja_index":{"settings":[]}}', 'settings is no object'],
  ['{"chaja_index":{"mappings":{"_doc":5}}}', 'the mapping of [_doc] is no object'],
])('names what is wrong with the head of a file: %s', async (head, why) => {
  const folder = mkdtempSync(join(tmpdir(), 'chaja-head-'))
  const path = join(folder, 'a.ndjson')
  writeFileSync(path, `${head}\n`)
  const location = { kind: 'file', path, gzip: false } as const
  const schema = schemaOf({ location, client: undefined, server: undefined })
  await expect(schema).rejects.toThrow(`line 1 of ${path} does not say what the index is made of: ${why}`)
  rmSync(folder, { recursive: true })
})
