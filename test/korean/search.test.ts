import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Backend } from '../../src/backend.ts'
import { type EmbeddedEngine, openEngine } from '../../src/engine/embedded-engine.ts'
import { createRestBackend } from '../../src/rest/rest-backend.ts'

const reviewsFile = join(import.meta.dirname, '../../../shared/bench/data/nsmc-100k.ndjson.gz')
const hasReviews = existsSync(reviewsFile)
if (!hasReviews) console.warn(`skipping the search of 20,000 reviews: ${reviewsFile} is absent`)

let dataDir: string
let engine: EmbeddedEngine
let backend: Backend

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaja-korean-'))
  mkdirSync(join(dataDir, 'config'))
  engine = await openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log: () => {} })
  backend = createRestBackend(engine, {
    log: () => {},
    publishAddress: () => '127.0.0.1:9200',
    clusterName: 'korean',
    dataDir,
  })
})
afterAll(async () => {
  await backend.close()
  await engine.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** What the tests look at of any answer. */
interface Answer {
  readonly errors: boolean
  readonly hits: { readonly hits: readonly { readonly _id: string }[] }
  readonly tokens: readonly { readonly token: string }[]
  readonly detail: { readonly tokenizer: { readonly tokens: readonly object[] } }
  readonly error: { readonly type: string; readonly reason: string }
}

async function call(method: string, target: string, body?: unknown): Promise<{ status: number; json: Answer }> {
  const [path, query = ''] = target.split('?') as [string, string?]
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
  const { status, body: answer } = await backend.handle({
    method,
    segments: path.split('/').filter((segment) => segment !== ''),
    rawTarget: target,
    query: new Map(new URLSearchParams(query)),
    headers: { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' },
    body: Buffer.from(text),
    signal: new AbortController().signal,
    authorize: () => {},
    authorizeDomain: () => {},
  })
  return { status, json: JSON.parse(String(answer)) as Answer }
}

/** The body of the interface's example: a custom analyzer on the Korean tokenizer, without eojeols, with own words. */
function indexBody(tokenizer: object): object {
  return {
    settings: {
      index: {
        analysis: {
          analyzer: { korean: { type: 'custom', tokenizer: 'korean_tokenizer' } },
          tokenizer: { korean_tokenizer: { type: 'seunjeon_tokenizer', index_eojeol: false, ...tokenizer } },
        },
      },
    },
    mappings: {
      review: { date_detection: false, properties: { text: { type: 'text', analyzer: 'korean' } } },
    },
  }
}

async function put(index: string, texts: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(texts).flatMap(([id, text]) => [
    JSON.stringify({ index: { _index: index, _type: 'review', _id: id } }),
    JSON.stringify({ text }),
  ])
  const { json } = await call('POST', '/_bulk?refresh=true', `${lines.join('\n')}\n`)
  expect(json.errors).toBe(false)
}

async function find(index: string, text: string): Promise<string[]> {
  const body = { query: { match: { text: { query: text, operator: 'and' } } }, size: 10_000 }
  const { status, json } = await call('GET', `/${index}/_search`, body)
  expect(status).toBe(200)
  return json.hits.hits.map((hit) => hit._id).sort()
}

describe('an index with a Korean analyzer', () => {
  it('finds nouns whatever particle follows them, and user words as one', async () => {
    const created = await call('PUT', '/reviews', indexBody({ user_words: ['버카충,-100', '낄끼+빠빠,-100'] }))
    expect(created).toEqual({
      status: 200,
      json: { acknowledged: true, shards_acknowledged: true, index: 'reviews' },
    })
    await put('reviews', {
      at: '학교에서 만난 사람',
      from: '그는 학교를 떠났다',
      to: '학교로 가는 길',
      other: '회사에서 만난 사람',
      card: '편의점에서 버카충을 했다',
      halves: '버스 카드 충전',
      compound: '낄끼빠빠를 모르는 배우',
    })
    expect(await find('reviews', '학교')).toEqual(['at', 'from', 'to'])
    expect(await find('reviews', '학교에서')).toEqual(['at', 'from', 'to'])
    expect(await find('reviews', '학교의 사람들')).toEqual(['at'])
    expect(await find('reviews', '버카충')).toEqual(['card'])
    expect(await find('reviews', '빠빠')).toEqual(['compound'])
  })

  it('shows in _analyze what it indexes, with parts of speech', async () => {
    const { json } = await call('GET', '/reviews/_analyze', { field: 'text', text: '버카충을 했다' })
    expect(json.tokens.map((t) => t.token)).toEqual(['버카충/N', '하/V'])
    const explained = await call('GET', '/reviews/_analyze', { analyzer: 'korean', text: '낄끼빠빠', explain: true })
    expect(explained.json.detail.tokenizer.tokens[0]).toMatchObject({
      token: '낄끼/N',
      start_offset: 0,
      end_offset: 2,
      type: 'N',
      position: 0,
      leftPOS: 'NNG(General Noun)',
      posType: 'MORPHEME',
    })
  })

  it('is refused with the option, the word or the tag that is wrong', async () => {
    for (const [tokenizer, named] of [
      [{ index_eojoel: false }, '[index_eojoel]'],
      [{ user_words: ['덕후', '버카충,1,2'] }, '[버카충,1,2]'],
      [{ index_poses: ['N', 'NNG'] }, '[NNG]'],
    ] as const) {
      const { status, json } = await call('PUT', '/refused', indexBody(tokenizer))
      expect(status).toBe(400)
      expect(json.error.type).toBe('illegal_argument_exception')
      expect(json.error.reason).toContain(named)
    }
    expect((await call('GET', '/refused')).status).toBe(404)
  })

  it('keeps its analysis: later changes of the settings are refused', async () => {
    const { status, json } = await call('PUT', '/reviews/_settings', {
      'index.analysis.tokenizer.korean_tokenizer.index_eojeol': true,
    })
    expect(status).toBe(400)
    expect(json.error.reason).toContain('index.analysis.tokenizer.korean_tokenizer.index_eojeol')
  })

  it('takes up a changed user dictionary when told to', async () => {
    const file = join(dataDir, 'config', 'words.csv')
    writeFileSync(file, '버카충,-500\n')
    expect((await call('PUT', '/filed', indexBody({ user_dict_path: 'words.csv' }))).status).toBe(200)
    const analyzed = async () => {
      const { json } = await call('GET', '/filed/_analyze', { field: 'text', text: '핵노잼을' })
      return json.tokens.map((t) => t.token)
    }
    expect(await analyzed()).not.toEqual(['핵노잼/N'])
    writeFileSync(file, '버카충,-500\n핵노잼,-5000\n')
    expect(engine.reloadSearchAnalyzers('filed')).toEqual(['korean'])
    expect(engine.reloadSearchAnalyzers('reviews')).toEqual([])
    expect(await analyzed()).toEqual(['핵노잼/N'])
    writeFileSync(file, '버카충,1,2\n')
    expect(() => engine.reloadSearchAnalyzers('filed')).toThrow('[버카충,1,2]')
    expect(await analyzed()).toEqual(['핵노잼/N'])
  })
})

describe.skipIf(!hasReviews)('20,000 film reviews', () => {
  const reviews: Record<string, string> = {}

  beforeAll(async () => {
    const lines = gunzipSync(readFileSync(reviewsFile)).toString('utf8').split('\n', 20_000)
    for (const line of lines) {
      const { id, review } = JSON.parse(line) as { id: string; review: string }
      reviews[id] = review
    }
    await call('PUT', '/nsmc', indexBody({ user_words: ['꿀잼', '핵노잼,-2000', '한국+영화'] }))
    await put('nsmc', reviews)
  })

  it('are found by exactly the texts whose tokens hold all of the query’s', async () => {
    const analyzer = engine.mapping('nsmc').analyzers.analyzer('korean')!
    const tokens = (text: string): string[] => {
      const analyzed = analyzer.analyze(text)
      return analyzed.terms.slice(0, analyzed.length)
    }
    const tokensById = Object.entries(reviews).map(([id, text]) => [id, new Set(tokens(text))] as const)
    for (const query of ['영화', '배우', '연기', '꿀잼', '핵노잼', '한국영화', '재미있는 스토리', '감독의 연출']) {
      const wanted = tokens(query)
      const expected = tokensById.filter(([, has]) => wanted.every((token) => has.has(token))).map(([id]) => id)
      expect(expected.length, query).toBeGreaterThan(0)
      expect(await find('nsmc', query), query).toEqual(expected.sort())
    }
  })

  it('hold the noun with its particles, where a plain search for the word alone would not', async () => {
    const found = new Set(await find('nsmc', '배우'))
    const withParticle = Object.entries(reviews).filter(([, text]) =>
      /(^|\s)배우(들)?(가|는|의|도|를)(\s|$)/.test(text),
    )
    expect(withParticle.length).toBeGreaterThan(50)
    const missed = withParticle.filter(([id]) => !found.has(id))
    expect(missed.length / withParticle.length).toBeLessThan(0.05)
  })
})
