import { describe, expect, it } from 'vitest'
import type { DomainClient } from '../client/domain-client.ts'
import { DocumentSetDigest } from '../digest/document-set-digest.ts'
import { ReadyBatch } from './ready-batch.ts'
import { ReadySource } from './ready-source.ts'
import { RecordBatch } from './record-batch.ts'

const LINES =
  '{"index":{"_type":"t","routing":"r","_id":"1","version":9223372036854775807,"version_type":"external_gte"}}\n{"a":1.0}\n' +
  '{"index":{"_id":"\\"version\\":7","version":2,"version_type":"external_gte"}}\n{}\n'

const batch = (count: number, lines = LINES) =>
  new ReadyBatch({ count }, Buffer.from(lines), { index: 'to', position: 3 })

describe('ReadyBatch', () => {
  it('tells its documents one by one', () => {
    expect(batch(2).documents.map((d) => ({ ...d, source: d.source.toString() }))).toEqual([
      { index: 'to', type: 't', id: '1', routing: 'r', version: '9223372036854775807', source: '{"a":1.0}' },
      { index: 'to', type: undefined, id: '"version":7', routing: undefined, version: '2', source: '{}' },
    ])
  })

  it.each([
    ['fewer documents than it says', 3, LINES],
    ['more of them', 1, LINES],
    ['half a document', 2, LINES.slice(0, -1)],
  ])('refuses %s', (_, count, lines) => {
    expect(() => batch(count, lines).bulkLines()).toThrow('the source answered')
  })
})

describe('ReadySource', () => {
  const source = (pages: readonly (object | string)[], key?: 'id', dictionary?: string) => {
    const asked: string[] = []
    const client = {
      request: async (_: string, path: string) => {
        asked.push(path)
        const page = pages[asked.length - 1] as object | string
        return { body: Buffer.from(typeof page === 'string' ? page : `${JSON.stringify(page)}\n`) }
      },
    } as unknown as DomainClient
    return {
      asked,
      source: new ReadySource(client, 'i', { pageSize: 5, destination: 'to', typed: false, key, dictionary }),
    }
  }
  const signal = new AbortController().signal

  it('reads what was there at first, what was written since, and not what is written from then on', async () => {
    const pages = [
      { count: 0, next: 4, last: 8 },
      { count: 0, next: 9, last: 11 },
      { count: 0, next: 10, last: 13 },
      { count: 0, next: 11, last: 15 },
    ]
    const { source: read, asked } = source(pages)
    for await (const _ of read.read(0, 2, signal)) throw new Error('there are no documents')
    expect(asked.map((path) => /after=(-?\d+)/.exec(path)?.[1])).toEqual(['2', '4', '9', '10'])
  })

  it('reads records again as lines, all of them though their pages are shorter', async () => {
    const line = (id: number) => `{"index":{"_id":"${id}","version":1,"version_type":"external_gte"}}\n{}\n`
    const head = (count: number, next: number | null) => `${JSON.stringify({ count, next, last: 9 })}\n`
    const records = Buffer.concat([1, 2, 3].flatMap((length) => [Buffer.from([length, 0, 0, 0]), Buffer.alloc(length)]))
    const packed = `${JSON.stringify({ count: 3, next: 6, last: 9, dictionary: 'd' })}\n${records.toString('latin1')}`
    const rest = [`${head(2, 5)}${line(1)}${line(2)}`, `${head(1, 6)}${line(3)}`, head(0, null)]
    const { source: read, asked } = source([packed, ...rest], undefined, 'd')
    const batches = read.read(0, 3, signal)
    const { value: batch } = await batches.next()
    if (!(batch instanceof RecordBatch)) throw new Error('these are no records')
    expect(batch.bulkLines().map(({ start, end }) => end - start)).toEqual([5, 6, 7])
    const lines = await batch.asLines(signal)
    expect(lines.documents.map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(lines.bulkLines()).toHaveLength(3)
    // From then on lines are asked for.
    expect((await batches.next()).done).toBe(true)
    const asks = (after: number, size: number, form = '') => `/i/_documents?after=${after}&size=${size}${form}`
    expect(asked).toEqual([asks(3, 5, '&form=records'), asks(3, 3), asks(5, 3), asks(6, 5)])
  })

  it.each([
    ['the answer of another server', '{"hits":{}}\n', undefined],
    ['no digest', { count: 0, next: null, last: 1 }, 'id'],
    ['a digest of fewer documents', { count: 1, next: null, last: 1, digest: new DocumentSetDigest().toText() }, 'id'],
  ] as const)('is not there where it gets %s', async (_, page, key) => {
    expect(await source([page], key).source.isThere(signal)).toBe(false)
  })
})
