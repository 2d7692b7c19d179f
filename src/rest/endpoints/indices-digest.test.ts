import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { type DocumentKeyForm, documentKey } from '../../digest/document-key.ts'
import { DocumentSetDigest } from '../../digest/document-set-digest.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { createRestBackend } from '../rest-backend.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'chaja-digest-'))
let backend: Backend
/** What is there at the end, by type and id. */
const documents = new Map<string, { readonly type: string; readonly id: string; readonly source: string }>()

beforeAll(async () => {
  const engine = await openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log: () => {} })
  const options = { log: () => {}, publishAddress: () => '', clusterName: 'test', dataDir }
  backend = createRestBackend(engine, options)
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

afterAll(async () => {
  await backend.close()
  rmSync(dataDir, { recursive: true, force: true })
})

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
    await askBackend(backend, 'GET', '/i/_digest', '', (indices, api) => asked.push([indices, api]))
    expect(asked).toEqual([[['i'], '_digest']])
  })
})

describe('GET /<index>/_documents', () => {
  const lines = async (path: string) => {
    const { status, body } = await askBackend(backend, 'GET', path, '')
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
    await askBackend(backend, 'GET', '/i/_documents', '', (indices, api) => asked.push([indices, api]))
    expect(asked).toEqual([[['i'], '_documents']])
  })
})

async function ask(method: string, path: string, body: object | string = '') {
  const { status, body: answered } = await askBackend(backend, method, path, body)
  return { status, json: JSON.parse(String(answered)) as Record<string, unknown> }
}
