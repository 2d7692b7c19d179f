import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentLine, readDocumentLine, readHitPage } from './transfer-document.ts'

const hit = fc.record(
  {
    _index: fc.constantFrom('movies', '영화'),
    _type: fc.constantFrom('doc', 'other'),
    _id: fc.string({ unit: 'binary', minLength: 1 }),
    _version: fc.nat(),
    _score: fc.constant(null),
    _routing: fc.string({ minLength: 1 }),
    // Names of a hit's own members inside a document are not the hit's.
    _source: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('_id', 'sort', '_source', 'hits')), fc.jsonValue()),
    highlight: fc.constant({ _id: ['<em>x</em>'] }),
  },
  { requiredKeys: ['_index', '_id', '_source'] },
)

describe('readHitPage', () => {
  it('finds what a parser finds', () => {
    const page = fc.record({
      _scroll_id: fc.option(fc.base64String(), { nil: undefined }),
      took: fc.nat(),
      timed_out: fc.boolean(),
      failed: fc.nat({ max: 3 }),
      hits: fc.array(hit, { maxLength: 6 }),
      indent: fc.constantFrom(undefined, 1),
    })
    fc.assert(
      fc.property(page, ({ _scroll_id, took, timed_out, failed, hits, indent }) => {
        const numbered = hits.map((h, i) => ({ ...h, sort: [10 * i] }))
        const text = JSON.stringify(
          {
            _scroll_id,
            took,
            timed_out,
            _shards: { total: 5, failed, failures: [{ hits: { hits: [] } }] },
            hits: { total: 3, max_score: null, hits: numbered },
            aggregations: { hits: [] },
          },
          null,
          indent,
        )
        const read = readHitPage(Buffer.from(text))
        const parsed = JSON.parse(text) as { hits: { hits: Record<string, unknown>[] } }
        expect(read).toMatchObject({
          lastSort: hits.length === 0 ? undefined : 10 * (hits.length - 1),
          rising: true,
          failedShards: failed,
          timedOut: timed_out,
          bytes: Buffer.byteLength(text),
        })
        expect(read.scrollId).toBe(_scroll_id)
        expect(
          read.documents.map(({ index, type, id, routing, version, source }) => ({
            index,
            type,
            id,
            routing,
            version,
            source: JSON.parse(source.toString()),
          })),
        ).toEqual(
          parsed.hits.hits.map((h) => ({
            index: h['_index'],
            type: h['_type'],
            id: h['_id'],
            routing: h['_routing'],
            version: h['_version']?.toString(),
            source: h['_source'],
          })),
        )
        for (const { source } of read.documents) expect(source.includes(10)).toBe(false)
      }),
    )
  })

  it('hands out the very bytes of a source', () => {
    const source = '{"b":1.0,"a":9007199254740993,"t":"\\u00e9 é"}'
    const text = `{"hits":{"hits":[{"_index":"i","_id":"1","_source":${source},"sort":[7]}]}}`
    const page = readHitPage(Buffer.from(text))
    expect(page.documents[0]?.source.toString()).toBe(source)
    expect(page.lastSort).toBe(7)
  })

  it('tells sort values that do not rise', () => {
    const hits = [3, 3].map((n) => `{"_id":"${n}","_source":{},"sort":[${n}]}`)
    expect(readHitPage(Buffer.from(`{"hits":{"hits":[${hits}]}}`)).rising).toBe(false)
  })

  it('refuses what is no search answer, or half of one', () => {
    for (const text of ['{"took":1}', '{"hits":{}}', '{"hits":{"hits":[{"_id":"1"}]}}', '{"hits":{"hits":[{"_id":"1"'])
      expect(() => readHitPage(Buffer.from(text)), text).toThrow(SyntaxError)
  })
})

describe('a line of a file', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(hit, (h) => {
        const document = readDocumentLine(Buffer.from(JSON.stringify(h)))
        expect(readDocumentLine(documentLine(document))).toEqual(document)
        expect(JSON.parse(documentLine(document).toString())).toMatchObject(
          // As JSON has it, which knows no -0.
          JSON.parse(JSON.stringify({ _id: h._id, _source: h._source })),
        )
      }),
    )
  })

  it('keeps every digit of a version, and takes for none what is none', () => {
    const line = (version: string) => Buffer.from(`{"_index":"i","_id":"1","_version":${version},"_source":{}}`)
    for (const version of ['0', '9007199254740993', '9223372036854775806'])
      expect(documentLine(readDocumentLine(line(version))).equals(line(version))).toBe(true)
    for (const version of ['"x"', '1.5', 'null', '[]'])
      expect(readDocumentLine(line(version)).version, version).toBeUndefined()
  })

  it('may name an id by a number, and the routing by its old name', () => {
    expect(readDocumentLine(Buffer.from('{"_id":12,"_routing":null,"routing":"r","_source":{}}'))).toMatchObject({
      id: '12',
      routing: 'r',
    })
  })
})
