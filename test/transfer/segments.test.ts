import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeDataDir } from '../../scripts/domain-process.ts'
import { Client } from '../../src/client/client.ts'
import type { DomainClient, SearchAnswer } from '../../src/client/domain-client.ts'
import { transferWithInterruptions } from './interruptions.ts'
import { RestartableDomain } from './open-domain.ts'
import { runTransfer } from './transfer-command.ts'

const COUNT = 3_000
const TYPE = 'film'
const WORDS = 'sea ship storm harbour 바다 배 폭풍 항구 night day north south wind wave sail anchor captain crew'.split(
  ' ',
)

/** Words, each as often as its place says. */
const text = (i: number): string =>
  Array.from({ length: 20 + (i % 40) }, (_, k) => WORDS[(i * 7 + k * k) % WORDS.length]).join(' ')

const document = (i: number) => ({
  title: text(i),
  plot: `${text(i + 1)} ${text(i * 3)}`,
  year: 1900 + (i % 120),
  genre: [`g${i % 5}`, `g${i % 3}`],
  place: { lat: (i % 90) - 45, lon: i % 180 },
  cast: Array.from({ length: i % 4 }, (_, k) => ({ name: `actor ${i + k}`, age: 20 + k })),
})

const MAPPING = {
  properties: {
    title: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 100 } } },
    plot: { type: 'text', analyzer: 'edges' },
    year: { type: 'integer' },
    genre: { type: 'keyword' },
    place: { type: 'geo_point' },
    cast: { type: 'nested', properties: { name: { type: 'text' }, age: { type: 'integer' } } },
  },
}
const ANALYSIS = {
  filter: { cut: { type: 'edge_ngram', min_gram: 2, max_gram: 5 } },
  analyzer: { edges: { tokenizer: 'standard', filter: ['lowercase', 'cut'] } },
}

const SEARCHES: readonly object[] = [
  { query: { match: { title: 'storm harbour' } } },
  { query: { match_phrase: { title: '바다 배' } }, highlight: { fields: { title: {} } } },
  { query: { match: { plot: 'anch' } }, sort: ['year', '_doc'] },
  { query: { nested: { path: 'cast', query: { match: { 'cast.name': '17' } }, inner_hits: {} } } },
  { query: { match_all: {} }, sort: [{ 'title.raw': 'desc' }, '_doc'] },
  { size: 0, aggs: { genres: { terms: { field: 'genre' } }, years: { histogram: { field: 'year', interval: 10 } } } },
  { query: { geo_distance: { distance: '900km', place: { lat: 3, lon: 7 } } } },
  { query: { exists: { field: 'title.raw' } } },
]

let source: RestartableDomain
let destination: RestartableDomain
let from: DomainClient
let to: DomainClient
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-segments-'))
  source = await RestartableDomain.start()
  destination = await RestartableDomain.start()
  from = Client.connect({ host: source.url })
  to = Client.connect({ host: destination.url })
})

afterAll(async () => {
  from?.close()
  to?.close()
  for (const domain of [source, destination]) {
    await domain?.stop()
    if (domain !== undefined) removeDataDir(domain.dataDir)
  }
  rmSync(folder, { recursive: true, force: true })
})

async function make(index: string, settings: object = {}, client = from): Promise<void> {
  await client.createIndex(index, {
    settings: { number_of_shards: 1, number_of_replicas: 0, analysis: ANALYSIS, ...settings },
    mappings: { [TYPE]: MAPPING },
  })
}

async function fill(index: string, range: { readonly from: number; readonly to: number }): Promise<void> {
  const items = Array.from({ length: range.to - range.from }, (_, k) => {
    const i = range.from + k
    const routing = i % 10 === 0 ? { routing: `r${i % 3}` } : {}
    return { _index: index, _type: TYPE, _id: `문서 ${i}`, _source: document(i), ...routing }
  })
  expect(await from.bulk(items, { refresh: true })).toMatchObject({ failed: 0 })
}

const move = async (index: string, ...flags: string[]) => {
  const args = [`${source.url}/${index}`, `${destination.url}/${index}`, ...flags]
  const { code, report, stderr } = await runTransfer(args, { folder })
  expect(code, stderr).toBe(0)
  return report
}

async function answers(client: DomainClient, index: string): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (const body of SEARCHES) {
    const { took, ...answer } = await client.search({ ...body, version: true }, { index })
    found.push(answer)
  }
  return found
}

const totals = async (client: DomainClient, index: string) =>
  (await answers(client, index)).map((answer) => (answer as SearchAnswer<unknown>).hits.total)

/** Documents and sizes of an index' segments. */
async function segmentsOf(client: DomainClient, index: string): Promise<readonly [number, number][]> {
  const path = `/_cat/segments/${index}?format=json&bytes=b&h=docs.count,docs.deleted,size`
  const { body } = await client.request<Record<string, string>[]>('GET', path)
  return body.map((segment) => [Number(segment['docs.count']), Number(segment['size'])])
}

/** Sees that the destination has the source's segments, and not others made of the same documents. */
async function expectMoved(index: string): Promise<void> {
  const [given, taken] = [await segmentsOf(from, index), await segmentsOf(to, index)]
  expect(taken.map(([docs]) => docs)).toEqual(given.map(([docs]) => docs))
  for (const [i, [, bytes]] of taken.entries()) expect(Math.abs(bytes - (given[i]?.[1] ?? 0))).toBeLessThan(64)
}

describe('chaja transfer between domains that invert alike', () => {
  it('moves segments with their documents', async () => {
    await make('whole')
    for (let at = 0; at < COUNT; at += 1_000) await fill('whole', { from: at, to: at + 1_000 })
    await move('whole')
    await expectMoved('whole')
    expect(await answers(to, 'whole')).toEqual(await answers(from, 'whole'))
    await destination.kill()
    await destination.restart()
    expect(await answers(to, 'whole')).toEqual(await answers(from, 'whole'))
  })

  it('moves what is left of segments', async () => {
    await make('changed')
    await fill('changed', { from: 0, to: COUNT })
    await fill('changed', { from: 100, to: 300 })
    for (const i of [11, 12, 2_000, COUNT - 1]) await from.delete('changed', TYPE, `문서 ${i}`)
    await from.request('POST', '/changed/_refresh')
    await move('changed', '--max-bytes', '20000')
    // Their deleted documents, which the source's scores still count, stay behind.
    await from.request('POST', '/changed/_forcemerge?max_num_segments=1')
    await to.request('POST', '/changed/_forcemerge?max_num_segments=1')
    const [found, expected] = [await answers(to, 'changed'), await answers(from, 'changed')]
    expect(found).toEqual(expected)
  })

  it('inverts documents anew where the destination does so otherwise', async () => {
    await make('other')
    await fill('other', { from: 0, to: 500 })
    await make('other', { 'index.mapping.ignore_malformed': true }, to)
    await move('other')
    expect(await answers(to, 'other')).toEqual(await answers(from, 'other'))
  })

  it('inverts anew what was inverted before the mapping changed', async () => {
    await make('grown')
    await fill('grown', { from: 0, to: 500 })
    const year = { type: 'integer', fields: { text: { type: 'keyword' } } }
    await from.request('PUT', `/grown/_mapping/${TYPE}`, { properties: { year } })
    await move('grown')
    const body = { size: 0, query: { term: { 'year.text': '1907' } } }
    expect((await to.search(body, { index: 'grown' })).hits.total).toBe(5)
  })

  it('ends with the same when it is interrupted anywhere', async () => {
    await make('cut')
    await fill('cut', { from: 0, to: COUNT })
    let round = 0
    const random = () => [0.9, 0.35, 0.1, 0.6, 0.2, 0.8][round++ % 6] as number
    const args = [`${source.url}/cut`, `${destination.url}/cut`]
    const options = { folder, file: undefined, wholeMs: 1_500, random, signals: ['SIGKILL', 'SIGINT'] as const }
    const { end } = await transferWithInterruptions(args, options)
    // It may have been told to end after its last step.
    expect(end.report).toMatchObject({ verification: { equal: true } })
    expect(await totals(to, 'cut')).toEqual(await totals(from, 'cut'))
  })
})
