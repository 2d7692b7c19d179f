import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'
import { type DocumentKeyForm, documentKey } from '../../digest/document-key.ts'
import { DocumentSetDigest } from '../../digest/document-set-digest.ts'

let domain: Rest
/** What is there at the end, by type and id. */
const documents = new Map<string, { readonly type: string; readonly id: string; readonly source: string }>()

beforeAll(async () => {
  domain = await openRest('Elasticsearch_6.8')
  await ask('PUT', '/i', {
    mappings: { doc: { properties: { n: { type: 'nested' } } } },
    aliases: { a: { filter: { term: { i: 1 } } } },
  })
  for (let i = 0; i < 400; i++) {
    const [type, id] = [i % 5 === 0 ? 'other' : 'doc', `d${i % 250}`]
    const source = `{ "i": ${i}.0, "n": [{"x":1},{"x":${i}}], "낱말": "\\u00e9${i}" }`
    const path = `/i/${type}/${id}${i % 90 === 0 ? '?refresh' : ''}`
    if (i % 7 === 0 && documents.delete(`${type} ${id}`)) await ask('DELETE', path)
    else {
      await ask('PUT', path, source)
      documents.set(`${type} ${id}`, { type, id, source })
    }
  }
})

afterAll(() => domain.close())

describe('GET /<index>/_digest', () => {
  it.each<DocumentKeyForm>(['id', 'type_id', 'index_id'])(
    'is the digest of the documents, keyed by %s',
    async (key) => {
      const expected = new DocumentSetDigest()
      for (const { type, id, source } of documents.values()) {
        expected.add(documentKey(key, { index: 'i', type, id }), Buffer.from(source))
      }
      const { json } = await ask('GET', `/i/_digest?key=${key}`)
      expect(json).toEqual({ count: documents.size, digest: expected.toText(), next: null })
    },
  )

  it('adds up of pages, whatever their size', async () => {
    const { json: whole } = await ask('GET', '/i/_digest')
    for (const size of [1, 7, documents.size - 1, documents.size]) {
      const sum = new DocumentSetDigest()
      for (let after: unknown = -1; after !== null; ) {
        const { json } = await ask('GET', `/i/_digest?size=${size}&after=${after}`)
        expect(json['count']).toBeLessThanOrEqual(size)
        sum.addDigest(DocumentSetDigest.fromText(String(json['digest'])) as DocumentSetDigest)
        after = json['next']
      }
      expect(sum.toText()).toBe(whole['digest'])
      expect(sum.count).toBe(documents.size)
    }
  })

  it.each([
    ['nothing yet', undefined],
    ['a document replaced', ['PUT', '{"n":2}']],
    ['a document deleted', ['DELETE', '']],
  ] as const)('tells of an index of which documents were added, and %s', async (change, call) => {
    const index = change.replaceAll(' ', '-')
    const expected = new DocumentSetDigest()
    for (let i = 0; i < 5; i++) await ask('PUT', `/${index}/doc/${i}`, '{"n":1}')
    if (call !== undefined) await ask(call[0], `/${index}/doc/4`, call[1])
    for (const id of ['0', '1', '2', '3']) expected.add(id, Buffer.from('{"n":1}'))
    if (call?.[0] !== 'DELETE') expected.add('4', Buffer.from(call?.[1] ?? '{"n":1}'))
    expect((await ask('GET', `/${index}/_digest`)).json['digest']).toBe(expected.toText())
  })

  it.each([
    ['/a/_digest', 400],
    ['/*/_digest', 400],
    ['/i/_digest?key=name', 400],
    ['/i/_digest?size=0', 400],
    ['/i/_digest?after=x', 400],
    ['/i/_digest?routing=x', 400],
    ['/none/_digest', 404],
  ])('refuses %s', async (path, status) => {
    expect((await ask('GET', path)).status).toBe(status)
  })

  it('asks whether the caller may read the index', async () => {
    const asked: unknown[] = []
    await askBackend(domain.backend, 'GET', '/i/_digest', '', (indices, api) => asked.push([indices, api]))
    expect(asked).toEqual([[['i'], '_digest']])
  })
})

describe('GET /<index>/_documents', () => {
  const lines = async (path: string) => {
    const { status, body } = await askBackend(domain.backend, 'GET', path, '')
    expect(status).toBe(200)
    const [head, ...rest] = String(body).split('\n')
    return { head: JSON.parse(head as string) as Record<string, unknown>, rest }
  }

  it.each([1, 7, 100, 100_000])('gives every document as lines of a bulk, %i at a time', async (size) => {
    const found = new Map<string, object>()
    const sum = new DocumentSetDigest()
    for (let after: unknown = -1; after !== null; ) {
      const { head, rest } = await lines(`/i/_documents?types=true&key=type_id&size=${size}&after=${after}`)
      expect(head).toMatchObject({ last: 399, count: (rest.length - 1) / 2 })
      expect(head['count']).toBeLessThanOrEqual(size)
      expect(rest.pop()).toBe('')
      for (let i = 0; i < rest.length; i += 2) {
        const { index } = JSON.parse(rest[i] as string) as { index: { _type: string; _id: string; version: number } }
        expect(index).toEqual({
          _type: index._type,
          _id: index._id,
          version: index.version,
          version_type: 'external_gte',
        })
        expect(index.version).toBeGreaterThan(0)
        const { _type: type, _id: id } = index
        found.set(`${type} ${id}`, { type, id, source: rest[i + 1] })
      }
      sum.addDigest(DocumentSetDigest.fromText(String(head['digest'])) as DocumentSetDigest)
      after = head['next']
    }
    expect(found).toEqual(documents)
    expect(sum.toText()).toBe((await ask('GET', '/i/_digest?key=type_id')).json['digest'])
  })

  it('keeps routing, writes sources on one line, and leaves out what is not asked for', async () => {
    await ask('PUT', '/routed/doc/a%22b?routing=r', '{\n"a":\r\n1}')
    const { head, rest } = await lines('/routed/_documents')
    expect(head).toEqual({ count: 1, next: null, last: 0 })
    expect(rest).toEqual([
      '{"index":{"routing":"r","_id":"a\\"b","version":1,"version_type":"external_gte"}}',
      '{ "a":  1}',
      '',
    ])
  })

  it.each([
    ['/a/_documents', 400],
    ['/*/_documents', 400],
    ['/i/_documents?key=name', 400],
    ['/i/_documents?size=0', 400],
    ['/i/_documents?types=perhaps', 400],
    ['/none/_documents', 404],
  ])('refuses %s', async (path, status) => {
    expect((await ask('GET', path)).status).toBe(status)
  })

  it('asks whether the caller may read the index', async () => {
    const asked: unknown[] = []
    await askBackend(domain.backend, 'GET', '/i/_documents', '', (indices, api) => asked.push([indices, api]))
    expect(asked).toEqual([[['i'], '_documents']])
  })
})

describe('records as they are stored', () => {
  /** Enough to learn a dictionary of, some of them before there is one, and some too short to be compressed. */
  const sources = Array.from({ length: 300 }, (_, i) =>
    JSON.stringify({ title: `영화 ${i * 7919}`, text: '라면 영화 그리고 '.repeat(i % 40), n: i }),
  )

  const records = async (index: string) => {
    const { body } = await askBackend(domain.backend, 'GET', `/${index}/_documents?form=records&key=id`, '')
    const bytes = body as Buffer
    const end = bytes.indexOf(0x0a)
    return {
      head: JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, unknown>,
      body: bytes.subarray(end + 1),
    }
  }
  const give = async (index: string, dictionary: unknown, body: Buffer, more = '') => {
    const answer = await askBackend(domain.backend, 'POST', `/${index}/_bulk?records=${dictionary}${more}`, body)
    return { status: answer.status, json: JSON.parse(String(answer.body)) as Record<string, unknown> }
  }
  const dictionaryOf = async (index: string) => (await ask('GET', `/${index}/_dictionary`)).json

  beforeAll(async () => {
    const lines = sources.map((source, i) => `{"index":{"_id":"${i}","routing":"r${i}"}}\n${source}\n`)
    await ask('POST', '/from/doc/_bulk', lines.join(''))
    await ask('PUT', '/from/doc/7', sources[7])
    await ask('DELETE', '/from/doc/8')
    for (const index of ['to', 'other', 'piped']) await ask('PUT', `/${index}`)
  })

  it('come into another index byte for byte, with their versions, and have the same digest there', async () => {
    const { head, body } = await records('from')
    const { id, bytes, code } = await dictionaryOf('from')
    expect(head).toMatchObject({ count: 299, dictionary: id })
    expect((await ask('PUT', '/to/_dictionary', { bytes, code } as object)).json).toEqual({ acknowledged: true, id })
    expect(await dictionaryOf('to')).toEqual({ id, bytes, code })
    expect(await give('to', id, body, '&filter_path=errors')).toEqual({ status: 200, json: { errors: false } })
    for (const i of [0, 7, 150, 299]) {
      const [a, b] = await Promise.all(['from', 'to'].map((index) => ask('GET', `/${index}/doc/${i}`)))
      expect({ ...b?.json, _index: 'from', _seq_no: 0 }).toEqual({ ...a?.json, _seq_no: 0 })
    }
    const digest = (await ask('GET', '/to/_digest?form=records')).json
    expect(digest).toEqual({ count: 299, digest: head['digest'], next: null, dictionary: id })
    expect((await ask('GET', '/to/_digest')).json['digest']).toBe((await ask('GET', '/from/_digest')).json['digest'])
    // Once more: equal versions are written again.
    expect((await give('to', id, body)).json).toMatchObject({ errors: false, items: { length: 299 } })
    await ask('POST', '/to/_refresh')
    expect((await ask('GET', '/to/_count?q=title:영화')).json['count']).toBe(299)
  })

  it('are other records in an index that learned for itself, whatever they say', async () => {
    const { body } = await records('from')
    await ask(
      'POST',
      '/other/doc/_bulk',
      sources.map((_, i) => `{"index":{"_id":"${i}"}}\n${sources[299 - i]}\n`).join(''),
    )
    const { bytes, code, id } = await dictionaryOf('from')
    expect(await ask('PUT', '/other/_dictionary', { bytes, code } as object)).toMatchObject({
      status: 400,
      json: { error: { type: 'resource_already_exists_exception' } },
    })
    expect(await give('other', id, body)).toMatchObject({ status: 400 })
  })

  it('say which of them are refused', async () => {
    const { head, body } = await records('from')
    await ask('PUT', '/to/doc/7?version=90&version_type=external', sources[7])
    const { json } = await give('to', head['dictionary'], body)
    expect(json['errors']).toBe(true)
    const items = json['items'] as { index: { _id: string; status: number } }[]
    expect(items.filter(({ index }) => index.status >= 300)).toMatchObject([{ index: { _id: '7', status: 409 } }])
    expect((await give('to', head['dictionary'], body, '&filter_path=errors')).json).toEqual({ errors: true })
  })

  it.each<[string, (body: Buffer) => Buffer]>([
    ['cut off', (body) => body.subarray(0, -1)],
    ['less than a length', (body) => body.subarray(0, 3)],
    ['damaged', (body) => Buffer.from(body).fill(0x21, 40, 44)],
    ['none', () => Buffer.from([1, 0, 0, 0, 0])],
  ])('are refused as a whole where one is %s', async (_, change) => {
    const { head, body } = await records('from')
    const { json, status } = await give('to', head['dictionary'], change(body))
    expect({ status, type: (json['error'] as { type: string }).type }).toEqual({
      status: 400,
      type: 'illegal_argument_exception',
    })
  })

  it('are refused where they come to too much', async () => {
    const { head } = await records('from')
    const source = Buffer.from(`{"title":"${' '.repeat(65_000)}"}`)
    await ask('PUT', '/from/doc/long?refresh', source.toString())
    const { body } = await records('from')
    let at = 0
    for (let next = 0; next < body.length; next += 4 + body.readUInt32LE(next)) at = next
    const one = body.subarray(at)
    expect(one.length).toBeLessThan(2_000)
    const many = Buffer.concat(Array.from({ length: 1_100 }, () => one))
    const { status, json } = await give('to', head['dictionary'], many)
    expect({ status, reason: (json['error'] as { reason: string }).reason }).toEqual({
      status: 400,
      reason: 'the records are of more than [67108864] bytes',
    })
    await ask('DELETE', '/from/doc/long')
  })

  it('are refused where they would go through a pipeline, or to something else than one index', async () => {
    const { head, body } = await records('from')
    await ask('PUT', '/_ingest/pipeline/p', { processors: [] })
    await ask('PUT', '/piped/_settings', { 'index.default_pipeline': 'p' })
    expect((await give('piped', head['dictionary'], body)).status).toBe(400)
    expect((await give('nowhere', head['dictionary'], body)).status).toBe(400)
    expect((await askBackend(domain.backend, 'POST', `/_bulk?records=${head['dictionary']}`, body)).status).toBe(400)
  })

  it.each([
    ['GET', '/i/_dictionary', {}, 404],
    ['GET', '/none/_dictionary', {}, 404],
    ['PUT', '/none/_dictionary', { bytes: 'YWJj' }, 404],
    ['PUT', '/i/_dictionary', {}, 400],
    ['PUT', '/i/_dictionary', { bytes: '' }, 400],
    ['PUT', '/i/_dictionary', { bytes: Buffer.alloc(65_535).toString('base64') }, 400],
    ['PUT', '/i/_dictionary', { bytes: 'YWJj', code: 'AAAA' }, 400],
    ['PUT', '/i/_dictionary', { bytes: 'YWJj', code: Buffer.alloc(512).toString('base64') }, 400],
    ['GET', '/i/_documents?form=other', {}, 400],
    ['GET', '/i/_digest?form=other', {}, 400],
  ] as const)('%s %s with %j is answered %i', async (method, path, body, status) => {
    expect((await ask(method, path, method === 'GET' ? '' : body)).status).toBe(status)
  })
})

async function ask(method: string, path: string, body: object | string = '') {
  const { status, body: answered } = await askBackend(domain.backend, method, path, body)
  return { status, json: JSON.parse(String(answered)) as Record<string, unknown> }
}
