import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'
import { createIndexAnalyzers } from '../analysis/create-index-analyzers.ts'
import { createIndexMapping } from '../mapping/create-index-mapping.ts'
import { DocumentThread, type ReadingRequest } from './document-thread.ts'
import { LARGE_BYTES } from './index-writer.ts'

const PADDING = 'x '.repeat(LARGE_BYTES / 2)

/** A document large enough for the thread, with these members. */
const large = (members: object): object => ({ ...members, padding: PADDING })

let rest: Rest
beforeAll(async () => {
  rest = await openRest('OpenSearch_2.19')
})
afterAll(() => rest.close())
afterEach(() => rest.ask('DELETE', '/*'))

const withoutPadding = ({ padding: _, ...members }: Record<string, unknown>) => members

describe('a large document', () => {
  it('is indexed as a small one of the same members is', async () => {
    const mappings = {
      properties: {
        padding: { type: 'text', index: false },
        nested: { type: 'nested' },
        joined: { type: 'join', relations: { a: 'b' } },
        flat: { type: 'flat_object' },
        lax: { type: 'integer', ignore_malformed: true },
      },
    }
    const members = {
      number: [1.5, 2.5],
      long: 9007199254740992,
      text: ['one Two', 'żółw', '\ud800'],
      nested: [{ a: 1 }, { a: [2, 3], b: 'x' }],
      joined: 'a',
      flat: { x: 'y' },
      lax: 'none',
      date: '2026-01-02',
      flag: [true, false],
    }
    for (const [index, document] of [
      ['small', { ...members, padding: 'x x' }],
      ['large', large(members)],
    ] as const) {
      await rest.ask('PUT', `/${index}`, { mappings })
      const written = await rest.ask('PUT', `/${index}/_doc/1?routing=r&refresh=true`, document)
      expect(written).toMatchObject({ status: 201, json: { _version: 1, _seq_no: 0 } })
    }
    const mappingOf = async (index: string) => (await rest.ask('GET', `/${index}/_mapping`)).json[index as never]
    expect(await mappingOf('large')).toEqual(await mappingOf('small'))
    const found = async (index: string, query: object) => {
      const { json: answer } = await rest.ask('POST', `/${index}/_search`, {
        query,
        _source: false,
        docvalue_fields: ['number', 'long', 'text.keyword', 'date', 'flag'],
      })
      const { hits } = answer as { hits: { hits: { fields?: object; _routing?: string }[] } }
      return hits.hits.map(({ fields, _routing }) => ({ fields, _routing }))
    }
    for (const query of [
      { match: { text: 'two żółw' } },
      { term: { number: 2.5 } },
      { nested: { path: 'nested', query: { term: { 'nested.a': 3 } } } },
      { term: { flat: 'y' } },
      { term: { joined: 'a' } },
      { term: { _routing: 'r' } },
      { term: { _ignored: 'lax' } },
    ]) {
      const inLarge = await found('large', query)
      expect(inLarge).toHaveLength(1)
      expect(inLarge).toEqual(await found('small', query))
    }
  })

  it('is refused as a small one is', async () => {
    await rest.ask('PUT', '/i', {
      settings: { 'index.mapping.total_fields.limit': 3 },
      mappings: { properties: { n: { type: 'integer' } } },
    })
    for (const members of [{ n: 'none' }, { n: { a: 1 } }, { a: 1, b: 1, c: 1, d: 1 }]) {
      const refused = await rest.ask('PUT', '/i/_doc/1', large(members))
      expect(refused.status).toBe(400)
      expect(refused.json).toEqual((await rest.ask('PUT', '/i/_doc/1', members)).json)
    }
  })

  it('keeps its place among the writes of a bulk', async () => {
    const lines = [
      { index: { _id: '1' } },
      { n: 1 },
      { index: { _id: '1' } },
      large({ n: 2 }),
      { delete: { _id: '1' } },
      { create: { _id: '1' } },
      large({ n: 3 }),
      { create: { _id: '1' } },
      large({ n: 4 }),
      { index: {} },
      large({ n: 5 }),
      { update: { _id: '1' } },
      { doc: { n: 6 } },
      { update: { _id: '1' } },
      { doc: { n: 6 } },
    ]
    const { json } = await rest.ask('POST', '/i/_bulk', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const items = (json as { items: Record<string, Record<string, unknown>>[] }).items.map(
      (item) => Object.values(item)[0],
    )
    expect(items).toMatchObject([
      { _version: 1, _seq_no: 0 },
      { _version: 2, _seq_no: 1 },
      { _version: 3, _seq_no: 2 },
      { _version: 4, _seq_no: 3 },
      { status: 409 },
      { _version: 1, _seq_no: 4 },
      { _version: 5, _seq_no: 5, result: 'updated' },
      { result: 'noop', _version: 5 },
    ])
    const stored = await rest.ask('GET', '/i/_doc/1')
    expect(withoutPadding((stored.json as { _source: Record<string, unknown> })._source)).toEqual({ n: 6 })
  })

  it('is read by the mapping of its turn', async () => {
    await rest.ask('PUT', '/i')
    const written = rest.ask('PUT', '/i/_doc/1', large({ n: 1 }))
    // Written while the other one is read: what it makes of the field stands.
    expect(await rest.ask('PUT', '/i/_doc/2', { n: 'text' })).toMatchObject({ json: { _seq_no: 0 } })
    expect(await written).toMatchObject({ status: 201, json: { _seq_no: 1 } })
    const { json } = await rest.ask('GET', '/i/_mapping/field/n')
    expect(json).toMatchObject({ i: { mappings: { n: { mapping: { n: { type: 'text' } } } } } })
  })

  it('is made by an update, once, and read then', async () => {
    const source = 'ctx._source.n = (ctx._source.n ?: 0) + 1; ctx._source.padding = params.padding'
    const scripted = { script: { source, params: { padding: PADDING } } }
    const made = [
      await rest.ask('POST', '/i/_update/1', { ...scripted, upsert: large({ n: 1 }) }),
      await rest.ask('POST', '/i/_update/1', scripted),
      await rest.ask('POST', '/i/_update/2', { doc: large({ n: 1 }), doc_as_upsert: true }),
      await rest.ask('POST', '/i/_update/2', { doc: large({ n: 2 }) }),
      await rest.ask('POST', '/i/_update/2', { doc: large({ n: 2 }) }),
      await rest.ask('POST', '/i/_update/2', { doc: large({ n: { a: 1 } }) }),
    ]
    expect(made.map(({ json }) => (json as { result?: string }).result)).toEqual([
      'created',
      'updated',
      'created',
      'updated',
      'noop',
      undefined,
    ])
    for (const id of [1, 2]) {
      expect(await rest.ask('GET', `/i/_doc/${id}?_source=n`)).toMatchObject({
        json: { _version: 2, _source: { n: 2 } },
      })
    }
  })

  it('is changed as it is at its turn', async () => {
    await rest.ask('PUT', '/i/_doc/1', large({ n: 1 }))
    const updated = rest.ask('POST', '/i/_update/1', { doc: { m: 1 } })
    await rest.ask('PUT', '/i/_doc/1', { n: 2 })
    expect(await updated).toMatchObject({ status: 200, json: { _version: 3 } })
    expect(await rest.ask('GET', '/i/_doc/1')).toMatchObject({ json: { _source: { n: 2, m: 1 } } })
  })
})

describe('the thread that takes large documents apart', () => {
  const analyzers = createIndexAnalyzers({}, { engineVersion: 'OpenSearch_2.19' })
  const options = { engineVersion: 'OpenSearch_2.19' as const, settings: {}, mappings: { _doc: {} } }
  const mapping = createIndexMapping({ ...options, analyzers })
  const request = (source: string): ReadingRequest => ({
    mapping,
    portable: () => ({
      ...options,
      analysis: { engineVersion: 'OpenSearch_2.19', settings: {}, isChecked: false, multiplies: false },
      dictionaries: [],
    }),
    type: '_doc',
    id: '1',
    routing: undefined,
    source: Buffer.from(source),
    change: undefined,
  })

  it('ends alone where a document takes more memory than it may have, and reads the next', async () => {
    const thread = new DocumentThread({ heapMb: 24 })
    const portable = (): never => {
      throw new Error('not to be said in a message')
    }
    const outcomes = await Promise.all([
      thread.read({ ...request('{"n":1}'), portable }),
      thread.read(request(`{"o":[${'{"a":"b"},'.repeat(300_000)}{}]}`)),
      thread.read(request('{"n":1}')),
    ])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['here', 'tooLarge', 'read'])
    await thread.close()
  }, 60_000)

  it('leaves a document to who asks where the thread cannot run', async () => {
    const thread = new DocumentThread({ file: new URL('./no-such-thread.mjs', import.meta.url) })
    expect(await thread.read(request('{"n":1}'))).toEqual({ kind: 'here' })
    await thread.close()
  })
})
