import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIndexAnalyzers } from '../../src/engine/analysis/create-index-analyzers.ts'
import type { DocumentOrder } from '../../src/engine/index/document-order.ts'
import { SegmentBuilder } from '../../src/engine/index/segment-builder.ts'
import { mergeSegments } from '../../src/engine/index/segment-merger.ts'
import { LiveSegment, StoredSegment } from '../../src/engine/index/stored-segment.ts'
import { createIndexMapping } from '../../src/engine/mapping/create-index-mapping.ts'
import type { ParsedDocument } from '../../src/engine/mapping/parsed-document.ts'
import { dumpSegment } from './dump-segment.ts'

const properties = {
  text: { type: 'text' },
  plain: { type: 'text', norms: false, index_options: 'docs' },
  freqs: { type: 'text', index_options: 'freqs' },
  tag: { type: 'keyword' },
  normed: { type: 'keyword', norms: true, index_options: 'freqs', doc_values: false },
  flag: { type: 'boolean' },
  long: { type: 'long' },
  byte: { type: 'byte' },
  double: { type: 'double', index: false },
  points: { type: 'integer', doc_values: false },
  floats: { type: 'float', doc_values: false },
  day: { type: 'date' },
  address: { type: 'ip' },
  raw: { type: 'binary', doc_values: true },
  place: { type: 'geo_point' },
  notes: { type: 'nested', properties: { word: { type: 'keyword' }, body: { type: 'text' } } },
}

const mapping = createIndexMapping({
  engineVersion: 'Elasticsearch_6.8',
  analyzers: createIndexAnalyzers({}, { engineVersion: 'Elasticsearch_6.8' }),
  settings: {},
  mappings: { _doc: { properties }, book: { properties: { tag: properties.tag, text: properties.text } } },
  indexName: 'p',
})

const word = fc.constantFrom('a', 'b', 'ab', 'the', 'fox', '한국어', 'é', '\u{1F600}x', 'ｱ', 'zz')
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))
const several = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.array(value, { maxLength: 4 }))
/** As text where JSON would lose the sign. */
const signed = (value: number) => (Object.is(value, -0) ? '-0.0' : value)
const long = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer(),
  fc.constantFrom('9007199254740993', '-9223372036854775808', '9223372036854775807', '5'),
)

const source = fc.record(
  {
    text: several(text),
    plain: text,
    freqs: several(text),
    tag: several(word),
    normed: several(word),
    flag: fc.boolean(),
    long: several(long),
    byte: fc.integer({ min: -128, max: 127 }),
    double: several(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, -0)).map(signed)),
    points: several(fc.integer({ min: -5, max: 5 })),
    floats: several(fc.constantFrom(0, -0, 1.5, -1).map(signed)),
    day: fc.integer({ min: 0, max: 4_102_444_800_000 }),
    address: fc.constantFrom('10.0.0.1', '192.168.0.1', '::1', '2001:db8::ff'),
    raw: fc.constantFrom('aGVsbG8=', 'AA==', ''),
    place: fc.constantFrom({ lat: 37.5, lon: 127 }, { lat: -1, lon: 2 }),
    notes: fc.array(fc.record({ word, body: text }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
)

const document = fc.record({
  type: fc.constantFrom('_doc', '_doc', 'book'),
  source,
  gap: fc.integer({ min: 1, max: 3 }),
  deleted: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  /** True where the document begins a new segment. */
  cut: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
})

interface Written {
  readonly seqNo: number
  readonly type: string
  readonly source: Record<string, unknown>
  readonly deleted: boolean
  readonly cut: boolean
}

function number(list: readonly { gap: number; type: string; source: object; deleted: boolean; cut: boolean }[]) {
  let seqNo = 0
  return list.map((d): Written => {
    seqNo += d.gap
    const book = d.source as Record<string, unknown>
    const pruned = d.type === 'book' ? { tag: book['tag'] ?? 'x', text: book['text'] ?? '' } : book
    return { seqNo, type: d.type, source: pruned, deleted: d.deleted, cut: d.cut }
  })
}

function build(documents: readonly Written[]): StoredSegment {
  const builder = new SegmentBuilder()
  for (const { seqNo, type, source } of documents) {
    const raw = Buffer.from(JSON.stringify(source))
    builder.add(seqNo, type, mapping.parse(type, String(seqNo), JSON.parse(raw.toString()), raw))
  }
  return new StoredSegment(builder.finish())
}

function segmentsOf(documents: readonly Written[]): LiveSegment[] {
  const groups: Written[][] = []
  for (const d of documents) {
    if (groups.length === 0 || d.cut) groups.push([])
    groups.at(-1)?.push(d)
  }
  return groups.map((group, i) => {
    const stored = build(group)
    const dead = group.filter((d) => d.deleted).map((d) => stored.docOfSeqNo(d.seqNo))
    const segment = new LiveSegment(`_${i}`, stored, undefined)
    return dead.length === 0 ? segment : segment.without(dead)
  })
}

/** Merged, documents are what they are when the live ones are built at once. */
function checkMerge(documents: readonly Written[]): void {
  const live = documents.filter((d) => !d.deleted)
  const merged = mergeSegments(segmentsOf(documents))
  if (live.length === 0) {
    expect(merged).toBeUndefined()
    return
  }
  const found = dumpSegment(new LiveSegment('m', new StoredSegment(merged as SharedArrayBuffer), undefined))
  expect(found).toEqual(dumpSegment(new LiveSegment('b', build(live), undefined)))
}

/** Documents by the least or the greatest of their values, one key after the other. */
function inOrder(documents: readonly Written[], order: DocumentOrder): Written[] {
  const keysOf = ({ seqNo, type, source }: Written) => {
    const { fields } = mapping.parse(type, String(seqNo), source).documents[0] as ParsedDocument['documents'][number]
    return order.map(({ path, takesMost }) => {
      const values = fields.filter((f) => f.field.path === path).map(({ value }) => value as number | bigint | string)
      return values.sort(compareValues).at(takesMost ? -1 : 0)
    })
  }
  return documents
    .map((document) => ({ document, keys: keysOf(document) }))
    .sort((a, b) => {
      for (const [i, { isDescending, missingFirst }] of order.entries()) {
        const [left, right] = [a.keys[i], b.keys[i]]
        if (left === undefined && right === undefined) continue
        if (left === undefined || right === undefined) return (left === undefined) === missingFirst ? -1 : 1
        const difference = compareValues(left, right)
        if (difference !== 0) return isDescending ? -difference : difference
      }
      return 0
    })
    .map(({ document }) => document)
}

type SortValue = number | bigint | string

function compareValues(a: SortValue, b: SortValue): number {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string))
  if (a < (b as number)) return -1
  return a > (b as number) ? 1 : Number(Object.is(b, -0)) - Number(Object.is(a, -0))
}

describe('a merged segment', () => {
  it('is what the live documents make when they are built at once', () => {
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 40 }), (list) => checkMerge(number(list))),
      { numRuns: 150 },
    )
  })

  it('is so, too, where terms have many blocks', () => {
    const frequent = fc.record({
      type: fc.constant('_doc'),
      source: fc.record({ text, tag: word, points: fc.integer({ min: 0, max: 3 }) }),
      gap: fc.constant(1),
      deleted: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      cut: fc.integer({ min: 0, max: 199 }).map((n) => n === 0),
    })
    fc.assert(
      fc.property(fc.array(frequent, { minLength: 400, maxLength: 900, size: 'max' }), fc.boolean(), (list, isWhole) =>
        checkMerge(number(list.map((d) => (isWhole ? { ...d, deleted: false } : d)))),
      ),
      { numRuns: 10 },
    )
  })

  it('is in the order that is asked for, each document with all that is its own', () => {
    const key = fc.record({
      path: fc.constantFrom('long', 'double', 'tag', 'flag', 'day', 'address', 'byte'),
      isDescending: fc.boolean(),
      takesMost: fc.boolean(),
      missingFirst: fc.boolean(),
    })
    const keys = fc.array(key, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 40 }), keys, (list, order) => {
        const documents = number(list.map((d) => ({ ...d, source: { ...d.source, notes: [] } })))
        const live = documents.filter((d) => !d.deleted)
        const merged = mergeSegments(segmentsOf(documents), order)
        if (live.length === 0) {
          expect(merged).toBeUndefined()
          return
        }
        const stored = new StoredSegment(merged as SharedArrayBuffer)
        const found = dumpSegment(new LiveSegment('m', stored, undefined))
        expect(found).toEqual(dumpSegment(new LiveSegment('b', build(inOrder(live, order)), undefined)))
        const at = new Map(Array.from({ length: stored.maxDoc }, (_, doc) => [stored.seqNo(doc), doc]))
        for (const { seqNo } of documents) expect(stored.docOfSeqNo(seqNo)).toBe(at.get(seqNo) ?? -1)
      }),
      { numRuns: 150 },
    )
  })

  it('keeps the order of documents and finds them by sequence number', () => {
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 30 }), (list) => {
        const documents = number(list)
        const stored = build(documents)
        const wanted = new Set(documents.map((d) => d.seqNo))
        for (let seqNo = 0; seqNo <= (documents.at(-1) as Written).seqNo + 2; seqNo++) {
          const doc = stored.docOfSeqNo(seqNo)
          if (!wanted.has(seqNo)) expect(doc).toBe(-1)
          else {
            expect(stored.seqNo(doc)).toBe(seqNo)
            expect(stored.nestedPath(doc)).toBeUndefined()
          }
        }
        const segment = new LiveSegment('s', stored, undefined)
        expect(segment.numDocs).toBe(documents.length)
        const dead = documents.filter((d) => d.deleted).map((d) => stored.docOfSeqNo(d.seqNo))
        const bits = [...(segment.without(dead).liveDocs ?? [])].flatMap((word, i) =>
          Array.from({ length: 32 }, (_, b) => i * 32 + b).filter((doc) => word & (1 << (doc & 31))),
        )
        if (dead.length > 0) expect(Math.max(-1, ...bits)).toBeLessThan(stored.maxDoc)
        expect(segment.without([...dead, ...dead]).numDocs).toBe(documents.length - dead.length)
        expect(segment.without(dead).numDocs).toBe(new LiveSegment('t', stored, segment.without(dead).liveDocs).numDocs)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a built segment', () => {
  it('holds the values, terms and positions that its documents hold', () => {
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 20 }), (list) => {
        const documents = number(list).filter((d) => d.type === '_doc')
        if (documents.length === 0) return
        const { docs, fields } = dumpSegment(new LiveSegment('b', build(documents), undefined))
        const parsed = documents.flatMap((d) => {
          const raw = JSON.stringify(d.source)
          return mapping.parse('_doc', '1', JSON.parse(raw), raw).documents
        })
        expect(docs.map((d) => d.nestedPath)).toEqual(parsed.map((d) => d.nestedPath))
        for (const path of ['long', 'double', 'tag', 'text', 'notes.body', 'points']) {
          const terms: { term: string; doc: number; positions: number[] }[] = []
          const column: { doc: number; values: string[] }[] = []
          for (const [doc, { fields: values }] of parsed.entries()) {
            const own = values.filter((f) => f.field.path === path)
            const numbers = own.map((f) => f.value).filter((v) => typeof v !== 'string') as number[]
            if (numbers.length > 0) column.push({ doc, values: numbers.sort(compare).map(String) })
            let position = -1
            for (const [i, { field, value }] of own.entries()) {
              if (field.kind !== 'text') {
                if (typeof value === 'string') terms.push({ term: utf8(value), doc, positions: [] })
                continue
              }
              if (i > 0) position += 100
              const tokens = field.analyzer.analyze(value as string)
              for (let t = 0; t < tokens.length; t++) {
                position += tokens.positionIncrements[t] as number
                terms.push({ term: utf8(tokens.terms[t] as string), doc, positions: [position] })
              }
            }
          }
          const field = fields[path] as { terms?: TermDump[]; column?: unknown; points?: PointDump[] } | undefined
          if (column.length > 0 && path !== 'points') expect(field?.column).toEqual(column)
          if (path === 'points') {
            expect(field?.points ?? []).toEqual(
              column
                .flatMap((c) => c.values.map((value) => ({ value, doc: c.doc })))
                .sort((a, b) => Number(a.value) - Number(b.value) || a.doc - b.doc),
            )
          }
          expect(field?.terms ?? []).toEqual(gather(terms))
        }
      }),
      { numRuns: 100 },
    )
  })
})

interface PointDump {
  readonly value: string
  readonly doc: number
}
interface TermDump {
  readonly term: string
  readonly postings: { readonly doc: number; freq: number; readonly positions: number[] }[]
}

const compare = (a: number | bigint, b: number | bigint) => (a < b ? -1 : a > b ? 1 : 0)
const utf8 = (text: string) => Buffer.from(text).toString('latin1')

/** Occurrences by term in byte order, then document. */
function gather(occurrences: readonly { term: string; doc: number; positions: number[] }[]): TermDump[] {
  const terms = new Map<string, TermDump>()
  for (const { term, doc, positions } of occurrences) {
    let entry = terms.get(term)
    if (entry === undefined) {
      entry = { term, postings: [] }
      terms.set(term, entry)
    }
    const last = entry.postings.at(-1)
    if (last?.doc !== doc) entry.postings.push({ doc, freq: 1, positions: [...positions] })
    else if (positions.length > 0) {
      last.freq++
      last.positions.push(...positions)
    }
  }
  return [...terms.values()].sort((a, b) => (a.term < b.term ? -1 : 1))
}

describe('a term dictionary', () => {
  it('is in UTF-8 order and finds terms and the next ones as a scan does', () => {
    const any = fc.string({ unit: 'binary', minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        fc.uniqueArray(any, { minLength: 1, maxLength: 60 }),
        fc.array(any, { maxLength: 20 }),
        (tags, asked) => {
          const builder = new SegmentBuilder()
          builder.add(1, '_doc', mapping.parse('_doc', '1', { tag: tags }))
          const terms = new StoredSegment(builder.finish()).field('tag')?.terms
          if (terms === undefined) throw new Error('no terms')
          const sorted = tags.map((t) => Buffer.from(t)).sort(Buffer.compare)
          expect(terms.size).toBe(sorted.length)
          for (let i = 0; i < sorted.length; i++) {
            expect(Buffer.compare(terms.term(i), sorted[i] as Buffer)).toBe(0)
            expect(terms.termText(i)).toBe((sorted[i] as Buffer).toString())
          }
          for (const text of [...asked, ...tags]) {
            const bytes = Buffer.from(text)
            const at = sorted.findIndex((t) => Buffer.compare(t, bytes) >= 0)
            expect(terms.ceiling(bytes)).toBe(at === -1 ? sorted.length : at)
            expect(terms.find(bytes)).toBe(sorted.findIndex((t) => t.equals(bytes)))
          }
        },
      ),
    )
  })
})
