import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DomainClient } from '../client/domain-client.ts'
import { FileSource, IndexSource } from './document-reader.ts'

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

it('reads an index past the search pipeline that it has, which may leave out documents, by pages that it allows', async () => {
  const asked: string[] = []
  const sizes: (number | undefined)[] = []
  const client = {
    request: async (
      _method: string,
      path: string,
      search: { size?: number } | undefined,
      options: { raw?: boolean } = {},
    ) => {
      asked.push(path)
      sizes.push(search?.size)
      const settings = {
        'index.number_of_shards': '1',
        'index.max_result_window': '3',
        'index.search.default_pipeline': 'few',
      }
      if (path.includes('_settings')) return { body: { movies: { settings } } }
      const hits = [{ _index: 'movies', _id: '1', _version: 1, _source: {}, sort: [0] }]
      const body = { timed_out: false, _shards: { total: 1, failed: 0 }, hits: { hits } }
      return { body: options.raw ? Buffer.from(JSON.stringify(body)) : body }
    },
  } as unknown as DomainClient
  const server = { distribution: 'opensearch', version: '2.19.3', major: 2, typed: false, multiType: false } as const
  const source = new IndexSource(client, 'movies', { ...server, seqNoOrder: true }, { pageSize: 10 })
  expect(await source.parts()).toEqual([0])
  for await (const { count } of source.read(0, undefined, new AbortController().signal)) expect(count).toBe(1)
  const searches = asked.filter((path) => path.startsWith('/movies/_search?')).slice(1)
  expect(new Set(searches)).toEqual(new Set(['/movies/_search?preference=_shards:0&search_pipeline=_none']))
  expect(sizes).toEqual([undefined, 0, 1, 3, 1])
})
