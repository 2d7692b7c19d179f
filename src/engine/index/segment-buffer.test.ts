import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createIndexAnalyzers } from '../analysis/create-index-analyzers.ts'
import { createIndexMapping } from '../mapping/create-index-mapping.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { ParsedDocument } from '../mapping/parsed-document.ts'
import { deferredAnalysis } from './deferred-analysis.ts'
import { DocumentBatchWriter } from './document-batch.ts'
import { parseSource } from './parse-source.ts'
import { SegmentBuffer } from './segment-buffer.ts'
import { SegmentBuilder } from './segment-builder.ts'
import { SegmentThread } from './segment-thread.ts'

const settings = {
  'index.analysis.analyzer.ko.type': 'custom',
  'index.analysis.analyzer.ko.tokenizer': 'standard',
  'index.analysis.analyzer.ko.filter': ['lowercase', 'asciifolding'],
  'index.analysis.normalizer.low.type': 'custom',
  'index.analysis.normalizer.low.filter': ['lowercase'],
}
const properties = {
  text: {
    type: 'text',
    fields: { keyword: { type: 'keyword', ignore_above: 6 }, ko: { type: 'text', analyzer: 'ko' } },
  },
  plain: { type: 'text', norms: false, index_options: 'docs' },
  white: { type: 'text', analyzer: 'whitespace' },
  tag: { type: 'keyword' },
  low: { type: 'keyword', normalizer: 'low', doc_values: false },
  nulled: { type: 'keyword', null_value: 'NULL' },
  flag: { type: 'boolean' },
  long: { type: 'long', fields: { text: { type: 'text' } } },
  lax: { type: 'integer', ignore_malformed: true },
  double: { type: 'double', index: false },
  day: { type: 'date', format: 'yyyy-MM-dd||epoch_millis' },
  address: { type: 'ip' },
  place: { type: 'geo_point' },
  copied: { type: 'keyword', copy_to: 'tag' },
  inner: { properties: { tag: { type: 'keyword' }, deep: { properties: { n: { type: 'integer' } } } } },
  notes: { type: 'nested', properties: { word: { type: 'keyword' }, body: { type: 'text' } } },
  'ключ"\n': { type: 'keyword' },
}
const analyzers = createIndexAnalyzers(settings, { engineVersion: 'Elasticsearch_6.8' })
const mapping = createIndexMapping({
  engineVersion: 'Elasticsearch_6.8',
  analyzers,
  settings,
  mappings: { _doc: { properties }, book: { properties: { tag: properties.tag, text: properties.text } } },
  indexName: 'p',
})

const word = fc.constantFrom(
  'a',
  'Ab',
  'The',
  'fox.',
  '한국어',
  'é',
  '\u{1F600}x',
  'ｱ',
  '"',
  '\\',
  '\n',
  '\ud800',
  'a.b',
)
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '))
const several = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(
    value,
    fc.array(fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }), { maxLength: 4 }),
  )
const long = fc.oneof(
  fc.integer(),
  fc.constantFrom('12', '9007199254740993', '-9223372036854775808', -0, 1.5, 'x', 1e15),
)
const json = fc
  .record(
    {
      text: several(
        fc.oneof(text, fc.boolean(), fc.integer(), fc.constantFrom('x'.repeat(11_000), '가'.repeat(6_000))),
      ),
      plain: text,
      white: several(text),
      tag: several(fc.oneof(word, fc.constant('x'.repeat(40_000)))),
      low: several(word),
      nulled: several(word),
      flag: several(fc.oneof(fc.boolean(), fc.constantFrom('true', '', 'no'))),
      long: several(long),
      lax: several(fc.oneof(fc.integer(), fc.constant('x'))),
      double: several(fc.double({ noNaN: true, noDefaultInfinity: true })),
      day: several(
        fc.oneof(fc.constantFrom('2020-02-29', '2020-02-30', '1999-12-31'), fc.integer({ min: 0, max: 10 ** 12 })),
      ),
      address: fc.constantFrom('10.0.0.1', '::1', 'x'),
      place: fc.constantFrom({ lat: 37.5, lon: 127 }),
      copied: word,
      inner: several(fc.record({ tag: several(word), deep: fc.record({ n: fc.integer() }) }, { requiredKeys: [] })),
      notes: fc.array(fc.record({ word, body: text }), { maxLength: 2 }),
      'ключ"\n': word,
      unknown: fc.integer(),
    },
    { requiredKeys: [] },
  )
  .chain((value) =>
    fc.record({
      text: fc.constantFrom(...[0, 1, '\t'].map((space) => JSON.stringify(value, undefined, space))),
      // A fault or an oddity anywhere.
      cut: fc.option(
        fc.record({
          at: fc.nat(200),
          put: fc.constantFrom('', '0', '.0', 'e1', ' ', '"', '\\u0041', ',', '}', '\u0001', '"tag":"b",'),
        }),
        {
          freq: 3,
        },
      ),
    }),
  )
  .map(({ text: whole, cut }) => (cut === null ? whole : whole.slice(0, cut.at) + cut.put + whole.slice(cut.at)))

const threads = new SegmentThread()
afterAll(() => threads.close())

/** What the plain way makes of a document; undefined: it is refused, or the mapping does not know all of it. */
function parsed(index: IndexMapping, type: string, source: Buffer): ParsedDocument | undefined {
  try {
    const document = index.parse(type, 'id', parseSource(source), source)
    if (document.mappingUpdate !== undefined) return undefined
    new SegmentBuilder().add(0, type, document)
    return document
  } catch {
    return undefined
  }
}

describe('documents on their way to a segment', () => {
  it('make the same segment scanned in batches as parsed and inverted one by one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ json, type: fc.constantFrom('_doc', '_doc', 'book'), cut: fc.boolean() }), {
          maxLength: 8,
        }),
        (all) => {
          const plain = new SegmentBuilder()
          const fast = new SegmentBuilder()
          const writer = new DocumentBatchWriter()
          let seqNo = 0
          for (const { json: text, type, cut } of all) {
            const source = Buffer.from(text)
            const document = parsed(mapping, type, source)
            const scanned = writer.addScanned(
              seqNo,
              type,
              source,
              (sink) => mapping.scan?.(type, source, sink) === true,
            )
            // What is scanned is never what the plain way refuses.
            if (document === undefined) expect(scanned, text).toBe(false)
            else {
              plain.add(seqNo, type, document)
              if (!scanned) writer.add(seqNo, type, document)
              seqNo++
            }
            if (cut) fast.addBatch(writer.take())
          }
          fast.addBatch(writer.take())
          if (seqNo === 0) return
          expect(Buffer.from(fast.finish()).equals(Buffer.from(plain.finish()))).toBe(true)
        },
      ),
      { numRuns: Number(process.env['RUNS'] ?? 300) },
    )
  })

  it('make the same segment in the thread as here', async () => {
    const analysis = deferredAnalysis(settings, analyzers, 'Elasticsearch_6.8')
    expect(analysis).toBeDefined()
    const buffer = new SegmentBuffer(threads, analysis)
    const plain = new SegmentBuilder()
    let seqNo = 0
    for (const text of fc.sample(json, { numRuns: 2_500, seed: 7 })) {
      const source = Buffer.from(text)
      const document = parsed(mapping, '_doc', source)
      if (document === undefined) continue
      plain.add(seqNo, '_doc', document)
      if (!buffer.addSource(seqNo, { type: '_doc', source, routing: undefined }, mapping))
        buffer.add(seqNo, '_doc', document)
      seqNo++
      buffer.ship()
      await buffer.room()
    }
    expect(buffer.isSmall).toBe(false)
    const bytes = Buffer.from(await buffer.finish())
    expect(bytes.equals(Buffer.from(plain.finish()))).toBe(true)
  })

  it('are refused before they are handed over when a term is too long', () => {
    const buffer = new SegmentBuffer(threads, deferredAnalysis(settings, analyzers, 'Elasticsearch_6.8'))
    for (const [field, value] of [
      ['tag', 'x'.repeat(32_767)],
      ['nulled', '가'.repeat(10_923)],
    ] as const) {
      const document = mapping.parse('_doc', 'id', { [field]: value })
      expect(() => buffer.add(0, '_doc', document)).toThrow(`immense term in field="${field}"`)
    }
    expect(buffer.isEmpty).toBe(true)
  })

  it('are analyzed in the thread only where analysis cannot fail and needs no file', () => {
    const deferred = (own: Record<string, string | string[]>) => {
      const all = Object.fromEntries(Object.entries(own).map(([key, value]) => [`index.analysis.${key}`, value]))
      const made = createIndexAnalyzers(all, { engineVersion: 'OpenSearch_2.19' })
      return deferredAnalysis(all, made, 'OpenSearch_2.19')
    }
    const isDeferred = (own: Record<string, string | string[]>) => deferred(own) !== undefined
    expect(isDeferred({})).toBe(true)
    expect(isDeferred({ 'analyzer.a.type': 'english' })).toBe(true)
    expect(isDeferred({ 'analyzer.a.tokenizer': 'seunjeon_tokenizer' })).toBe(true)
    expect(isDeferred({ 'analyzer.a.type': 'pattern', 'analyzer.a.pattern': '(a+)+' })).toBe(false)
    expect(isDeferred({ 'analyzer.a.tokenizer': 't', 'tokenizer.t.type': 'pattern' })).toBe(false)
    expect(isDeferred({ 'analyzer.a.tokenizer': 'pattern' })).toBe(false)
    const lengthening = deferred({ 'analyzer.a.tokenizer': 'standard', 'analyzer.a.filter': ['shingle'] })
    expect(lengthening).toMatchObject({ isChecked: true, multiplies: true })
    const stripping = deferred({ 'analyzer.a.tokenizer': 'standard', 'analyzer.a.char_filter': ['html_strip'] })
    expect(stripping).toMatchObject({ isChecked: true, multiplies: false })
    const synonyms = (count: number) => Array.from({ length: count }, (_, i) => `word${i}, other${i}`)
    const filter = (count: number) => ({ 'filter.s.type': 'synonym', 'filter.s.synonyms': synonyms(count) })
    expect(isDeferred({ 'analyzer.a.tokenizer': 'standard', 'analyzer.a.filter': ['s'], ...filter(10) })).toBe(true)
    expect(isDeferred({ 'analyzer.a.tokenizer': 'standard', 'analyzer.a.filter': ['s'], ...filter(9_000) })).toBe(false)
    const file = { 'index.analysis.filter.s.type': 'stop', 'index.analysis.filter.s.stopwords_path': 'stop.txt' }
    expect(deferredAnalysis(file, analyzers, 'OpenSearch_2.19')).toBeUndefined()
  })

  it('are not found half when the thread ends: the segment fails as a whole', async () => {
    const thread = new SegmentThread()
    const buffer = new SegmentBuffer(thread, deferredAnalysis({}, analyzers, 'Elasticsearch_6.8'))
    const source = Buffer.from(JSON.stringify({ plain: 'word '.repeat(500) }))
    for (let seqNo = 0; seqNo < 900; seqNo++) {
      expect(buffer.addSource(seqNo, { type: '_doc', source, routing: undefined }, mapping)).toBe(true)
      buffer.ship()
      // What it held is gone; a new one is started by the next task.
      if (seqNo === 600) await thread.close()
    }
    await expect(buffer.finish()).rejects.toThrow()
    await thread.close()
  })
})
