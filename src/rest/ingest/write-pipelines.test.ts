import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import { createRestBackend } from '../rest-backend.ts'

const PIPELINES = {
  def: { set: { field: 'def', value: '{{_id}}/{{_index}}' } },
  fin: { set: { field: 'fin', value: 'd={{def}}' } },
  move: { set: { field: '_index', value: 'moved' } },
  drop: { drop: {} },
  fail: { fail: { message: 'no' } },
}

function domain(engineVersion: EngineVersion) {
  const dataDir = mkdtempSync(join(tmpdir(), 'chaja-pipelines-'))
  let backend: Backend
  const ask = async (
    method: string,
    path: string,
    body?: object | string,
  ): Promise<{ status: number; json: never }> => {
    const answer = await askBackend(backend, method, path, body)
    return { status: answer.status, json: JSON.parse(String(answer.body)) as never }
  }
  beforeAll(async () => {
    const log = (): void => {}
    const engine = await openEngine({ dataDir, engineVersion, log })
    backend = createRestBackend(engine, {
      log,
      publishAddress: () => '127.0.0.1:9200',
      clusterName: 'ingest',
      dataDir,
    })
    for (const [id, processor] of Object.entries(PIPELINES))
      await ask('PUT', `/_ingest/pipeline/${id}`, { processors: [processor] })
  })
  afterAll(async () => {
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return {
    ask,
    source: async (path: string) => ((await ask('GET', path)).json as { _source?: object })._source,
    make: (name: string, settings: object) => ask('PUT', `/${name}`, { settings }),
  }
}

// Answers of Elasticsearch 6.8.23.
describe('an update of an index with a default pipeline (6.8)', () => {
  const { ask, make, source } = domain('Elasticsearch_6.8')

  it('sends what is to be put where there is nothing through it', async () => {
    await make('a', { 'index.default_pipeline': 'def' })
    const first = await ask('POST', '/a/_doc/1/_update', { doc: { a: 1 }, upsert: { u: 1 } })
    expect(first).toMatchObject({ status: 201, json: { result: 'created', _version: 1 } })
    expect(await source('/a/_doc/1')).toEqual({ def: '1/a', u: 1 })
    await ask('POST', '/a/_doc/2/_update', { doc: { a: 2 }, doc_as_upsert: true })
    expect(await source('/a/_doc/2')).toEqual({ a: 2, def: '2/a' })
  })

  it('sends the merged document through it, and shows it as it was before', async () => {
    await ask('PUT', '/a/_doc/3?pipeline=_none', { a: 1 })
    const update = await ask('POST', '/a/_doc/3/_update?_source=true', { doc: { a: 2 } })
    expect(update.json).toMatchObject({ result: 'updated', _version: 2, get: { found: true } })
    expect((update.json as { get: { _source: object } }).get._source).toEqual({ a: 2 })
    expect(await source('/a/_doc/3')).toEqual({ a: 2, def: '3/a' })
  })

  it('leaves a document alone that does not change', async () => {
    const { json } = await ask('POST', '/a/_doc/3/_update?_source=true', { doc: { a: 2 } })
    expect(json).toMatchObject({ result: 'noop', _version: 2, get: { _source: { a: 2, def: '3/a' } } })
  })

  it('does not find a document that is not there', async () => {
    const { status, json } = await ask('POST', '/a/_doc/4/_update', { doc: { a: 2 } })
    expect(status).toBe(404)
    expect(json).toMatchObject({ error: { type: 'document_missing_exception', reason: '[_doc][4]: document missing' } })
  })

  it('puts a document elsewhere, but does not move one', async () => {
    await make('m', { 'index.default_pipeline': 'move' })
    const put = await ask('POST', '/m/_doc/1/_update', { doc: { a: 1 }, upsert: { u: 1 } })
    expect(put.json).toMatchObject({ _index: 'moved', result: 'created' })
    await ask('PUT', '/m/_doc/2?pipeline=_none', { a: 1 })
    const moved = await ask('POST', '/m/_doc/2/_update', { doc: { a: 2 } })
    expect(moved).toMatchObject({
      status: 409,
      json: {
        error: {
          index: 'moved',
          reason: '[_doc][2]: version conflict, required seqNo [0], primary term [1]. but no document was found',
        },
      },
    })
    expect(await source('/m/_doc/2')).toEqual({ a: 1 })
  })

  it('tells what fails', async () => {
    await make('f', { 'index.default_pipeline': 'fail' })
    const failed = await ask('POST', '/f/_doc/1/_update', { doc: { a: 1 }, upsert: { u: 1 } })
    expect(failed).toMatchObject({ status: 500, json: { error: { header: { processor_type: 'fail' } } } })
    await make('x', { 'index.default_pipeline': 'missing' })
    const missing = await ask('POST', '/x/_doc/1/_update', { doc: { a: 1 }, upsert: { u: 1 } })
    expect(missing).toMatchObject({
      status: 400,
      json: { error: { reason: 'pipeline with id [missing] does not exist' } },
    })
  })

  it('is in a bulk an update of what the pipeline makes of the part alone', async () => {
    const update = (id: string, body: object, more = {}): string =>
      `${JSON.stringify({ update: { _index: 'a', _type: '_doc', _id: id, ...more } })}\n${JSON.stringify(body)}\n`
    const { json } = await ask(
      'POST',
      '/_bulk',
      update('10', { doc: { b: 1 }, doc_as_upsert: true }) +
        update('10', { doc: { b: 2 } }) +
        update('11', { doc: { b: 2 }, upsert: { z: 1 } }) +
        update('12', { doc: { b: 2 }, upsert: { z: 1 } }, { pipeline: 'fin' }),
    )
    expect(json).toMatchObject({
      errors: false,
      items: [
        { update: { result: 'created', _version: 1 } },
        { update: { result: 'updated', _version: 2 } },
        { update: { result: 'created' } },
        { update: { result: 'created' } },
      ],
    })
    expect(await source('/a/_doc/10')).toEqual({ b: 2, def: '/' })
    expect(await source('/a/_doc/11')).toEqual({ def: '/', z: 1 })
    expect(await source('/a/_doc/12')).toEqual({ def: '/', z: 1 })
  })

  it('goes through the pipeline that a template gives the index it makes', async () => {
    await ask('PUT', '/_template/t', { index_patterns: ['t*'], settings: { 'index.default_pipeline': 'def' } })
    await ask('PUT', '/t1/_doc/1', { a: 1 })
    expect(await source('/t1/_doc/1')).toEqual({ a: 1, def: '1/t1' })
    await ask('POST', '/t2/_doc/1/_update', { doc: { a: 1 }, doc_as_upsert: true })
    expect(await source('/t2/_doc/1')).toEqual({ a: 1, def: '1/t2' })
    await ask('POST', '/_bulk', '{"index":{"_index":"t3","_type":"_doc","_id":"1"}}\n{"a":1}\n')
    expect(await source('/t3/_doc/1')).toEqual({ a: 1, def: '1/t3' })
  })

  it('runs scripts, and processors on the condition that a script holds', async () => {
    const processors = [
      { script: { source: 'ctx.n = ctx.n + params.by; ctx.big += 1; ctx.d = ctx.d', params: { by: 2 } } },
      { set: { if: 'ctx.n == 3', field: 'x', value: 'y' } },
      { set: { if: 'ctx.n == 4', field: 'z', value: 'y' } },
    ]
    expect((await ask('PUT', '/_ingest/pipeline/cond', { processors })).status).toBe(200)
    await ask('PUT', '/s/_doc/1?pipeline=cond', '{"n":1,"big":9007199254740993,"d":1.0}')
    expect(JSON.stringify(await source('/s/_doc/1'))).toContain('"x":"y"')
    const { json } = await ask('PUT', '/s/_doc/2?pipeline=cond', { a: 1 })
    expect(json).toMatchObject({
      error: {
        type: 'exception',
        caused_by: { type: 'illegal_argument_exception', caused_by: { type: 'script_exception' } },
      },
    })
  })
})

describe('a final pipeline (OpenSearch 2.19)', () => {
  const { ask, make, source } = domain('OpenSearch_2.19')

  it('runs last and cannot be left out', async () => {
    await make('f', { 'index.final_pipeline': 'fin' })
    await ask('PUT', '/f/_doc/1', { a: 1 })
    expect(await source('/f/_doc/1')).toEqual({ a: 1, fin: 'd=' })
    await ask('PUT', '/f/_doc/2?pipeline=_none', { a: 1 })
    expect(await source('/f/_doc/2')).toEqual({ a: 1, fin: 'd=' })
    await ask('PUT', '/f/_doc/3?pipeline=def', { a: 1 })
    expect(await source('/f/_doc/3')).toEqual({ a: 1, def: '3/f', fin: 'd=3/f' })
    await ask('POST', '/f/_update/4', { doc: { a: 1 }, doc_as_upsert: true })
    await ask('POST', '/f/_update/4', { doc: { a: 2, def: 'x' } })
    expect(await source('/f/_doc/4')).toEqual({ a: 2, def: 'x', fin: 'd=x' })
    await ask('POST', '/_bulk', '{"index":{"_index":"f","_id":"5"}}\n{"a":1}\n')
    expect(await source('/f/_doc/5')).toEqual({ a: 1, fin: 'd=' })
  })

  it('is the one of the index that the first pipeline chose', async () => {
    await make('moved', { 'index.final_pipeline': 'fin', 'index.default_pipeline': 'def' })
    await make('m', { 'index.final_pipeline': 'drop' })
    await ask('PUT', '/m/_doc/1?pipeline=move', { a: 1 })
    expect(await source('/moved/_doc/1')).toEqual({ a: 1, fin: 'd=' })
    expect(await ask('PUT', '/m/_doc/2', { a: 1 })).toMatchObject({ status: 200, json: { result: 'noop' } })
  })

  it('may not change the index', async () => {
    await make('n', { 'index.final_pipeline': 'move' })
    expect(await ask('PUT', '/n/_doc/1', { a: 1 })).toMatchObject({
      status: 500,
      json: {
        error: { type: 'illegal_state_exception', reason: "final pipeline [move] can't change the target index" },
      },
    })
  })

  // OpenSearch 2.19.3 answers so without the module of processors.
  it('has to be there', async () => {
    await make('x', { 'index.final_pipeline': 'missing' })
    expect(await ask('PUT', '/x/_doc/1', { a: 1 })).toMatchObject({
      status: 400,
      json: { error: { type: 'illegal_argument_exception', reason: 'pipeline with id [missing] does not exist' } },
    })
    const lines = '{"update":{"_index":"x","_id":"10"}}\n{"doc":{"b":1},"doc_as_upsert":true}\n'
    expect((await ask('POST', '/_bulk', lines)).json).toMatchObject({
      errors: true,
      items: [{ index: { _index: 'x', _id: null, status: 400, error: { type: 'illegal_argument_exception' } } }],
    })
  })

  it('comes from composable templates and through aliases too', async () => {
    await ask('PUT', '/_index_template/t', {
      index_patterns: ['t*'],
      template: { settings: { 'index.default_pipeline': 'def', 'index.final_pipeline': 'fin' } },
    })
    await ask('PUT', '/t1/_doc/1', { a: 1 })
    expect(await source('/t1/_doc/1')).toEqual({ a: 1, def: '1/t1', fin: 'd=1/t1' })
    await ask('PUT', '/b', { settings: { 'index.default_pipeline': 'def' }, aliases: { alias: {} } })
    await ask('PUT', '/alias/_doc/1', { a: 1 })
    expect(await source('/b/_doc/1')).toEqual({ a: 1, def: '1/alias' })
  })
})
