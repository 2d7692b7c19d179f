import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FileSource } from './document-reader.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-reader-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('a file', () => {
  it('is read by batches of few documents where they are large, each with the line behind it', async () => {
    const path = join(folder, 'large.ndjson')
    const text = 'x'.repeat(3 * 2 ** 20)
    const lines = Array.from({ length: 7 }, (_, i) => `{"_id":"${i}","_source":{"t":"${text}"}}\n\n`)
    writeFileSync(path, lines.join(''))
    const source = new FileSource(path, { gzip: false, pageSize: 2_000 })
    const batches: (readonly [number, number])[] = []
    for await (const { documents, position } of source.read(0, undefined, new AbortController().signal))
      batches.push([documents.length, position])
    expect(batches).toEqual([
      [3, 5],
      [3, 11],
      [1, 14],
    ])
  })
})
