import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { createRestBackend } from '../rest-backend.ts'

interface Recorded {
  readonly cases: readonly {
    readonly body: object
    readonly verbose?: boolean
    readonly status: number
    readonly answer: object
  }[]
}

function recordedIn(file: string): Recorded {
  return JSON.parse(readFileSync(new URL(`vectors/${file}`, import.meta.url), 'utf8')) as Recorded
}

const recorded = [...recordedIn('elasticsearch-6.8.json').cases, ...recordedIn('generated-6.8.json').cases]

const dataDir = mkdtempSync(join(tmpdir(), 'chaja-ingest-'))
let backend: Backend

async function open(): Promise<void> {
  const log = (): void => {}
  const engine = await openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log })
  backend = createRestBackend(engine, {
    log,
    publishAddress: () => '127.0.0.1:9200',
    clusterName: 'ingest',
    dataDir,
  })
}

async function ask(method: string, path: string, body?: object | string): Promise<{ status: number; json: never }> {
  const answer = await askBackend(backend, method, path, body)
  const json = String(answer.body).replace(/"timestamp":"[^"]*"/g, '"timestamp":"#"')
  return { status: answer.status, json: JSON.parse(json) as never }
}

beforeAll(open)

afterAll(async () => {
  await backend.close()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('a simulated pipeline', () => {
  it.each(recorded.map((one) => [JSON.stringify(one.body).slice(0, 150), one] as const))(
    'answers %s as the real server does',
    async (_, { body, verbose, status, answer }) => {
      const own = await ask('POST', `/_ingest/pipeline/_simulate${verbose ? '?verbose' : ''}`, body)
      // What the real server takes for its own fault is the request's here.
      expect(own.json).toEqual(status === 500 ? { ...(answer as object), status: 400 } : answer)
      expect(own.status).toBe(status === 500 ? 400 : status)
    },
  )

  it.each([
    ['x', "('true', 'false' or 'null')"],
    ['no', "'null', 'true', 'false' or NaN"],
  ])('tells of the word %s that it is no JSON', async (word, expected) => {
    const docs = [{ _source: { s: word } }]
    const { json } = await ask('POST', '/_ingest/pipeline/_simulate', {
      pipeline: { processors: [{ json: { field: 's' } }] },
      docs,
    })
    expect(JSON.stringify(json)).toContain(`Unrecognized token '${word}': was expecting ${expected}`)
  })

  it('reads formats, zones and locales of dates', async () => {
    const simulate = async (processor: object, source: object) => {
      const docs = [{ _source: source }]
      const { json } = await ask('POST', '/_ingest/pipeline/_simulate', { pipeline: { processors: [processor] }, docs })
      return (json as { docs: [{ doc: { _source: Record<string, unknown> } }] }).docs[0].doc._source['@timestamp']
    }
    const date = { field: 'x', formats: ['yyyy/MM/dd HH:mm'], timezone: 'Asia/Seoul' }
    expect(await simulate({ date }, { x: '2020/03/04 05:06' })).toBe('2020-03-04T05:06:00.000+09:00')
  })
})

describe('a script in a pipeline', () => {
  it.each([
    ['LocalDate.of(2016, 2, 29).lengthOfMonth()', 29],
    ["LocalDate.parse('2015-03-04').plusWeeks(1).toString()", '2015-03-11'],
    ['LocalDate.of(2015, 2, 30)', "Invalid date 'FEBRUARY 30'"],
    ['LocalDate.of(2015, 2, 29)', "Invalid date 'February 29' as '2015' is not a leap year"],
    ["ZonedDateTime.of(2015, 4, 31, 0, 0, 0, 0, ZoneId.of('UTC'))", "Invalid date 'APRIL 31'"],
  ])('knows the calendar: %s', async (source, answer) => {
    const processors = [{ script: { source: `ctx.r = ${source}` } }]
    const { json } = await ask('POST', '/_ingest/pipeline/_simulate', {
      pipeline: { processors },
      docs: [{ _source: {} }],
    })
    const [first] = (json as { docs: readonly [{ doc?: { _source: { r: unknown } }; error?: { reason: string } }] })
      .docs
    if (first.doc !== undefined) expect(first.doc._source.r).toBe(answer)
    else expect(first.error?.reason).toContain(`DateTimeException[${answer}]`)
  })
})

describe('a stored pipeline', () => {
  const pipeline = { description: 'first', processors: [{ set: { field: 'x', value: 1 } }], version: 3 }

  it('is kept as it was put, also over a restart, and removed by name or pattern', async () => {
    expect(await ask('PUT', '/_ingest/pipeline/one', pipeline)).toEqual({ status: 200, json: { acknowledged: true } })
    await backend.close()
    await open()
    expect((await ask('GET', '/_ingest/pipeline/o*')).json).toEqual({ one: pipeline })
    expect((await ask('GET', '/_ingest/pipeline/none')).status).toBe(404)
    expect((await ask('DELETE', '/_ingest/pipeline/none')).status).toBe(404)
    expect((await ask('DELETE', '/_ingest/pipeline/o*')).status).toBe(200)
    expect((await ask('GET', '/_ingest/pipeline/one')).status).toBe(404)
  })

  it('is refused when it cannot be read', async () => {
    const { status, json } = await ask('PUT', '/_ingest/pipeline/bad', { processors: [{ nope: {} }] })
    expect(status).toBe(400)
    expect((json as { error: { reason: string } }).error.reason).toBe('No processor type exists with name [nope]')
    const attachment = await ask('PUT', '/_ingest/pipeline/bad', { processors: [{ attachment: { field: 'a' } }] })
    expect((attachment.json as { error: { reason: string } }).error.reason).toBe(
      'processor [attachment] is not supported by this domain',
    )
  })

  it('changes documents that are written through it, drops them, or sends them elsewhere', async () => {
    await ask('PUT', '/_ingest/pipeline/one', pipeline)
    await ask('PUT', '/_ingest/pipeline/drop', { processors: [{ drop: {} }] })
    await ask('PUT', '/_ingest/pipeline/fail', { processors: [{ fail: { message: 'bad {{s}}' } }] })
    await ask('PUT', '/_ingest/pipeline/move', {
      processors: [{ set: { field: '_index', value: 'there' } }, { set: { field: '_id', value: 'moved' } }],
    })
    expect((await ask('PUT', '/docs/_doc/1?pipeline=one', { s: 'a' })).status).toBe(201)
    expect((await ask('GET', '/docs/_doc/1')).json).toMatchObject({ _source: { s: 'a', x: 1 } })
    expect((await ask('PUT', '/docs/_doc/2?pipeline=drop', { s: 'a' })).json).toEqual({
      _index: 'docs',
      _type: '_doc',
      _id: '2',
      _version: -3,
      result: 'noop',
      _shards: { total: 0, successful: 0, failed: 0 },
    })
    expect((await ask('GET', '/docs/_doc/2')).status).toBe(404)
    expect((await ask('PUT', '/docs/_doc/3?pipeline=move', { s: 'a' })).json).toMatchObject({
      _index: 'there',
      _id: 'moved',
    })
    expect((await ask('PUT', '/docs/_doc/4?pipeline=none', { s: 'a' })).json).toMatchObject({
      error: { type: 'illegal_argument_exception', reason: 'pipeline with id [none] does not exist' },
    })
    expect((await ask('PUT', '/docs/_doc/5?pipeline=fail', { s: 'a' })).json).toMatchObject({
      status: 500,
      error: { header: { processor_type: 'fail' }, caused_by: { caused_by: { reason: 'bad a' } } },
    })
  })

  it('has a say in each item of a bulk', async () => {
    const lines = [
      { index: { _index: 'docs', _type: '_doc', _id: '10' } },
      { s: 'a' },
      { index: { _index: 'docs', _type: '_doc', _id: '11', pipeline: 'fail' } },
      { s: 'a' },
      { index: { _index: 'docs', _type: '_doc', _id: '12', pipeline: 'drop' } },
      { s: 'a' },
      { index: { _index: 'docs', _type: '_doc', _id: '13', pipeline: 'none' } },
      { s: 'a' },
      { index: { _index: 'docs', _type: '_doc', _id: '14', pipeline: '_none' } },
      { s: 'a' },
      { delete: { _index: 'docs', _type: '_doc', _id: '10' } },
    ]
    const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
    const { json } = await ask('POST', '/_bulk?pipeline=one', body)
    const { items } = json as { items: Record<string, { status: number; result?: string }>[] }
    expect(items.map((item) => Object.values(item)[0]?.status)).toEqual([201, 500, 200, 400, 201, 200])
    expect(items[2]).toMatchObject({ index: { _id: '12', _version: -3, result: 'noop' } })
    expect((await ask('GET', '/docs/_doc/14')).json).toMatchObject({ _source: { s: 'a' } })
  })

  it('is the one of the index where none is named', async () => {
    await ask('PUT', '/own', { settings: { 'index.default_pipeline': 'one' } })
    await ask('PUT', '/own/_doc/1', { s: 'a' })
    await ask('PUT', '/own/_doc/2?pipeline=_none', { s: 'a' })
    await ask('POST', '/own/_doc/_bulk', '{"index":{"_id":"3"}}\n{"s":"b"}\n')
    expect((await ask('GET', '/own/_doc/1')).json).toMatchObject({ _source: { s: 'a', x: 1 } })
    expect((await ask('GET', '/own/_doc/2')).json).toMatchObject({ _source: { s: 'a' } })
    expect((await ask('GET', '/own/_doc/3')).json).toMatchObject({ _source: { s: 'b', x: 1 } })
    expect((await ask('POST', '/own/_doc/1/_update', { doc: { t: 1 } })).status).toBe(200)
  })

  it('changes what is reindexed and updated by query', async () => {
    await ask('PUT', '/from/_doc/1?refresh=true', { s: 'a' })
    const reindex = { source: { index: 'from' }, dest: { index: 'to', pipeline: 'one' } }
    expect((await ask('POST', '/_reindex?refresh=true', reindex)).json).toMatchObject({ created: 1, failures: [] })
    expect((await ask('GET', '/to/_doc/1')).json).toMatchObject({ _source: { s: 'a', x: 1 } })
    expect((await ask('POST', '/from/_update_by_query?pipeline=one')).json).toMatchObject({ updated: 1, failures: [] })
    expect((await ask('GET', '/from/_doc/1')).json).toMatchObject({ _source: { s: 'a', x: 1 } })
    const missing = { source: { index: 'from' }, dest: { index: 'to', pipeline: 'none' } }
    expect((await ask('POST', '/_reindex', missing)).json).toMatchObject({
      created: 0,
      failures: [{ status: 400, cause: { reason: 'pipeline with id [none] does not exist' } }],
    })
  })

  it('is given up where it would not end, whatever it ignores', async () => {
    for (let i = 0; i < 8; i++) {
      const last = { set: { field: 'x', value: 1 } }
      const processors = Array(10).fill(i === 7 ? last : { pipeline: { name: `times-${i + 1}`, ignore_failure: true } })
      await ask('PUT', `/_ingest/pipeline/times-${i}`, { processors })
    }
    const runs = await ask('PUT', '/own/_doc/4?pipeline=times-0', { s: 'a' })
    expect(runs.status).toBe(400)
    expect(JSON.stringify(runs.json)).toContain(
      'a document takes more than [1000000] runs of processors in its pipelines',
    )
    const doubled = Array(40).fill({ set: { field: 's', value: '{{s}}{{s}}', ignore_failure: true } })
    await ask('PUT', '/_ingest/pipeline/doubles', { processors: doubled })
    const texts = await ask(
      'POST',
      '/_bulk',
      '{"index":{"_index":"own","_type":"_doc","_id":"5","pipeline":"doubles"}}\n{"s":"ab"}\n',
    )
    expect(texts.status).toBe(200)
    expect(JSON.stringify(texts.json)).toContain(
      'a document takes texts of more than [134217728] characters in its pipelines',
    )
  })
})
