import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FileSource } from './document-reader.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-reader-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('a file', () => {
  it.each([
    ['compressed', gzipSync('{"_id":"1","_source":{}}'), 'it is compressed: let the name of the file end in .gz'],
    ['utf-16', Buffer.from('\ufeff{"_id":"1","_source":{}}', 'utf16le'), 'it is UTF-16, not UTF-8'],
    ['array', Buffer.from('[{"_id":"1","_source":{}}]'), 'it is an array: expected one document a line'],
    ['bulk', Buffer.from('{"index":{"_id":"1"}}\n{}'), 'it is a bulk request: chaja bulk takes it'],
    ['other', Buffer.from('{"index":1}'), 'a document without _id (chaja bulk --index takes such)'],
  ])('of another form (%s) is said to be that', async (name, bytes, why) => {
    const path = join(folder, `${name}.ndjson`)
    writeFileSync(path, bytes)
    const source = new FileSource(path, { gzip: false, pageSize: 10 })
    await expect(source.read(0, undefined, new AbortController().signal).next()).rejects.toThrow(
      `line 1 of ${path} is no document: ${why}`,
    )
  })

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
