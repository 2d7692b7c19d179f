import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type EmbeddedEngine, openEngine } from '../embedded-engine.ts'
import type { DocumentOperation } from '../index/document-operation.ts'
import { SegmentBuffer } from '../index/segment-buffer.ts'
import type { SegmentReader } from '../index/segment-reader.ts'
import type { FlatSettings, IndexMetadata } from '../metadata/index-metadata.ts'

const root = mkdtempSync(join(tmpdir(), 'chaja-exchange-'))
let folders = 0
let events: string[] = []
let from: EmbeddedEngine
let to: EmbeddedEngine

/** Segments that were made of what was written. */
const made = [vi.spyOn(SegmentBuffer.prototype, 'finish'), vi.spyOn(SegmentBuffer.prototype, 'finishHere')] as const

const SETTINGS = { 'index.refresh_interval': '-1' }
const MAPPINGS = {
  _doc: {
    properties: {
      text: { type: 'text' },
      n: { type: 'long' },
      parts: { type: 'nested', properties: { p: { type: 'long' } } },
    },
  },
} as const

async function open(): Promise<EmbeddedEngine> {
  const dataDir = join(root, String(folders++))
  const log = (_: string, __: object, message: string) => events.push(message)
  return openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log })
}

async function make(settings: FlatSettings = SETTINGS, mappings: IndexMetadata['mappings'] = MAPPINGS): Promise<void> {
  for (const engine of [from, to]) await engine.createIndex('i', { settings, mappings, aliases: {} })
}

beforeEach(async () => {
  events = []
  from = await open()
  to = await open()
})
afterEach(async () => {
  await from.close()
  await to.close()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const COUNT = 200
const source = (i: number) =>
  Buffer.from(
    JSON.stringify({ text: `word${i % 7} and others`, n: COUNT - i, parts: i % 3 === 0 ? [{ p: i }, { p: 0 }] : [] }),
  )
const put = (i: number, more: object = {}) =>
  ({
    kind: 'index',
    type: '_doc',
    id: `d${i}`,
    source: source(i),
    versionType: 'internal',
    ...more,
  }) as DocumentOperation
const remove = (i: number): DocumentOperation => ({
  kind: 'delete',
  type: '_doc',
  id: `d${i}`,
  versionType: 'internal',
})
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

async function fill(numbers: readonly number[] = upTo(COUNT)): Promise<void> {
  await from.write(
    'i',
    numbers.map((i) => put(i)),
    true,
  )
}

/** Gives the destination the only segment of the source, in parts; answers the ids of its documents in their order. */
async function giveSegment(change: (bytes: Buffer) => void = () => {}): Promise<string[]> {
  const [offer, ...more] = from.segments.offers('i')
  expect(more).toEqual([])
  let id = offer?.name as string
  for (let offset = 0; ; ) {
    const part = await from.segments.give('i', id, offset, 10_000)
    if (part === undefined) throw new Error('there is no segment')
    id = part.id
    const bytes = Buffer.from(part.bytes)
    change(bytes)
    to.segments.take('i', 's', { offset, sizeBytes: part.sizeBytes, bytes })
    offset += bytes.length
    if (offset === part.sizeBytes) break
  }
  for (const spy of made) spy.mockClear()
  return idsOf(from)
}

const isLive = ({ liveDocs }: SegmentReader, doc: number): boolean =>
  liveDocs === undefined || ((liveDocs[doc >>> 5] as number) & (1 << (doc & 31))) !== 0

/** Ids of what searches find, by sequence number. */
function idsOf(engine: EmbeddedEngine): string[] {
  const view = engine.searcher('i')
  const found: [number, string][] = []
  for (const segment of view.segments) {
    for (let doc = 0; doc < segment.maxDoc; doc++) {
      if (isLive(segment, doc) && segment.nestedPath(doc) === undefined)
        found.push([segment.seqNo(doc), view.document(segment, doc).id])
    }
  }
  view.release()
  return found.sort(([a], [b]) => a - b).map(([, id]) => id)
}

/** Documents that have a word, as the terms of segments say: a refresh may show the segment before what comes behind it is written. */
function having(engine: EmbeddedEngine, word: string): string[] {
  const view = engine.searcher('i')
  const found: string[] = []
  for (const segment of view.segments) {
    const terms = segment.field('text')?.terms
    const ordinal = terms?.find(Buffer.from(word)) ?? -1
    const cursor = ordinal < 0 ? undefined : terms?.postings(ordinal)
    for (let doc = cursor?.nextDoc() ?? 0; cursor !== undefined && doc < segment.maxDoc; doc = cursor.nextDoc())
      if (isLive(segment, doc)) found.push(view.document(segment, doc).id)
  }
  view.release()
  return found.sort()
}

const numberOf = (id: string): number => Number(id.slice(1))

/** Writes documents that say they are of the segment. */
async function send(ids: readonly string[], first = 0): Promise<void> {
  await to.segments.turn('i', { segment: 's', position: first })
  const operations = ids.map((id, k) => put(numberOf(id), { place: { segment: 's', position: first + k } }))
  for (const result of await to.write('i', operations, false)) expect(result.ok).toBe(true)
}

/** Sees that both sides find the same, and whether it is by the segment that came. */
async function expectSame(isMoved: boolean): Promise<void> {
  await to.refresh('i')
  expect(idsOf(to)).toEqual(idsOf(from))
  for (const word of ['word3', 'others', 'word9']) expect(having(to, word)).toEqual(having(from, word))
  expect(made.every((spy) => spy.mock.calls.length === 0)).toBe(isMoved)
}

describe('a segment that goes before its documents', () => {
  it('is used once all of them have come, in several bulks, which may overtake one another', async () => {
    await make()
    await fill()
    const ids = await giveSegment()
    await Promise.all([send(ids.slice(150), 150), send(ids.slice(80, 150), 80), send(ids.slice(0, 80), 0)])
    await expectSame(true)
    expect(events).toEqual([])
  })

  it('is given without what is deleted of it', async () => {
    await make()
    await fill()
    await from.write('i', [remove(3), remove(4), put(9)], true)
    await from.forceMerge('i', { maxNumSegments: 1, onlyExpungeDeletes: false })
    await from.write('i', [remove(30), remove(COUNT - 1)], true)
    await send(await giveSegment())
    await to.refresh('i')
    expect(idsOf(to)).toEqual(idsOf(from))
    expect(having(to, 'others')).toHaveLength(COUNT - 4)
    expect(made.every((spy) => spy.mock.calls.length === 0)).toBe(true)
  })

  it('stands behind what is there, and deletes reach into it', async () => {
    await make()
    await fill()
    await to.write('i', [put(7), remove(7)], true)
    await send(await giveSegment())
    for (const engine of [from, to]) await engine.write('i', [remove(5), put(6)], true)
    await expectSame(false)
    expect(to.get('i', '_doc', 'd7', { realtime: false })?.seqNo).toBe(9)
  })

  it('keeps an order of its own', async () => {
    const parts = { properties: { p: { type: 'long' } } }
    await make(
      { ...SETTINGS, 'index.sort.field': 'n' },
      { _doc: { properties: { ...MAPPINGS._doc.properties, parts } } },
    )
    await fill()
    await from.write('i', [remove(17)], true)
    await send(await giveSegment())
    await to.refresh('i')
    const inOrder = (engine: EmbeddedEngine) => {
      const view = engine.searcher('i')
      const [segment] = view.segments
      const ids = upTo(segment?.maxDoc ?? 0).map((doc) => view.document(segment as SegmentReader, doc).id)
      view.release()
      return ids
    }
    expect(inOrder(to)).toEqual(
      [...upTo(COUNT)]
        .reverse()
        .filter((i) => i !== 17)
        .map((i) => `d${i}`),
    )
    expect(idsOf(to)).toEqual(idsOf(from))
    expect(made.every((spy) => spy.mock.calls.length === 0)).toBe(true)
  })

  it.each<[string, (ids: readonly string[]) => Promise<unknown>]>([
    ['a document is missing', (ids) => send(ids.slice(0, -1))],
    ['they come in another order', (ids) => send([...ids.slice(1), ids[0] as string])],
    ['one comes twice', (ids) => send([...ids, ids[0] as string])],
    [
      'another is written between them',
      async (ids) => {
        await send(ids.slice(0, 50))
        await to.write('i', [put(COUNT + 1)], false)
        await send(ids.slice(50), 50)
      },
    ],
    [
      'one of them is deleted before the last',
      async (ids) => {
        await send(ids.slice(0, 50))
        await to.write('i', [remove(numberOf(ids[9] as string))], false)
        await send(ids.slice(50), 50)
      },
    ],
    [
      'another takes the place of the last',
      async (ids) => {
        await send(ids.slice(0, -1))
        await to.write('i', [put(COUNT + 1)], false)
      },
    ],
    [
      'one says that it is of another segment',
      async (ids) => {
        await send(ids.slice(0, -1))
        await to.write('i', [put(COUNT + 1, { place: { segment: 'other', position: COUNT - 1 } })], false)
      },
    ],
    [
      'a refresh comes between',
      async (ids) => {
        await send(ids.slice(0, 50))
        await to.refresh('i')
        await send(ids.slice(50), 50)
      },
    ],
    [
      'the mapping changes meanwhile',
      async (ids) => {
        await send(ids.slice(0, 50))
        await to.putMapping(new Map([['i', '_doc']]), { properties: { more: { type: 'keyword' } } })
        await send(ids.slice(50), 50)
      },
    ],
    ['nothing comes', async () => to.segments.turn('i', { segment: 's', position: 0 })],
  ])('is not used where %s', async (_, write) => {
    await make()
    await fill()
    const ids = await giveSegment()
    await write(ids)
    await to.refresh('i')
    const all = new Set<string>()
    for (let i = 0; i <= COUNT + 1; i++)
      if (to.get('i', '_doc', `d${i}`, { realtime: true }) !== undefined) all.add(`d${i}`)
    expect(new Set(idsOf(to))).toEqual(all)
    expect(having(to, 'others')).toEqual([...all].sort())
  })

  it('is not used where its bytes are not those that were given', async () => {
    await make()
    await fill()
    await send(
      await giveSegment((bytes) => {
        bytes[500] = (bytes[500] as number) ^ 1
      }),
    )
    expect(events).toEqual(['a segment that came cannot be used'])
    await expectSame(false)
  })

  it('waits for its documents before it is shown, refreshed and flushed', async () => {
    await make()
    await fill()
    const ids = await giveSegment()
    await to.updateSettings(['i'], { 'index.refresh_interval': '50ms' }, { preserveExisting: false })
    await send(ids.slice(0, 100))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(idsOf(to)).toEqual([])
    await send(ids.slice(100), 100)
    await expectSame(true)
  })

  it('is taken in the order of its bytes, up to its size', async () => {
    await make()
    const take = (offset: number, length: number, sizeBytes = 100) =>
      to.segments.take('i', 's', { offset, sizeBytes, bytes: Buffer.alloc(length) })
    take(0, 60)
    expect(() => take(50, 10)).toThrow('[s] does not go on at [50]')
    expect(() => take(60, 50)).toThrow('parts that are within it')
    expect(() => take(0, 1, 2 ** 40)).toThrow('a segment has at most')
  })
})

describe('what an index inverts by', () => {
  const fingerprints = () => [from.segments.fingerprint('i'), to.segments.fingerprint('i')]

  it('is the same of equal settings and mappings, whatever else differs', async () => {
    await from.createIndex('i', {
      settings: { ...SETTINGS, 'index.number_of_replicas': '2' },
      mappings: MAPPINGS,
      aliases: {},
    })
    await to.createIndex('i', { settings: {}, mappings: { _doc: { properties: {} } }, aliases: {} })
    expect(new Set(fingerprints()).size).toBe(2)
    for (const [name, field] of Object.entries(MAPPINGS._doc.properties).reverse())
      await to.putMapping(new Map([['i', '_doc']]), { properties: { [name]: field } })
    expect(new Set(fingerprints()).size).toBe(1)
  })

  it('is another by other settings of analysis or of fields', async () => {
    await from.createIndex('i', { settings: SETTINGS, mappings: MAPPINGS, aliases: {} })
    const settings = { ...SETTINGS, 'index.mapping.ignore_malformed': 'true' }
    await to.createIndex('i', { settings, mappings: MAPPINGS, aliases: {} })
    expect(new Set(fingerprints()).size).toBe(2)
  })

  it('is not told where files have a say in it', async () => {
    await make({
      ...SETTINGS,
      'index.analysis.filter.f.type': 'pattern_replace',
      'index.analysis.filter.f.pattern': 'a',
    })
    expect(fingerprints()).toEqual([undefined, undefined])
  })

  it('leaves out segments that were made otherwise', async () => {
    await make()
    await fill(upTo(10))
    await from.putMapping(new Map([['i', '_doc']]), { properties: { n: { type: 'long' } } })
    expect(from.segments.offers('i')).toHaveLength(1)
    await from.putMapping(new Map([['i', '_doc']]), {
      properties: { n: { type: 'long', fields: { k: { type: 'keyword' } } } },
    })
    expect(from.segments.offers('i')).toEqual([])
    await from.write('i', [put(11)], true)
    expect(from.segments.offers('i')).toHaveLength(1)
    await from.closeIndices(['i'])
    await from.updateSettings(['i'], { 'index.mapping.ignore_malformed': 'true' }, { preserveExisting: false })
    await from.openIndices(['i'])
    expect(from.segments.offers('i')).toEqual([])
  })
})
