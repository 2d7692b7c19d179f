import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import type { Backend } from '../../backend.ts'
import { openEngine } from '../../engine/embedded-engine.ts'
import { createRestBackend } from '../rest-backend.ts'

type Answer = { readonly status: number; readonly text: string; readonly json: Record<string, unknown> }

let dataDir: string
let backend: Backend

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaja-update-script-'))
  const engine = await openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log: () => {} })
  backend = createRestBackend(engine, {
    log: () => {},
    publishAddress: () => '127.0.0.1:9200',
    clusterName: 'test',
    dataDir,
  })
})

afterAll(async () => {
  await backend.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function ask(
  method: string,
  target: string,
  body?: object | string,
  judge: (indices: readonly string[]) => void = () => {},
): Promise<Answer> {
  const answer = await askBackend(backend, method, target, body, judge)
  const text = String(answer.body)
  return { status: answer.status, text, json: JSON.parse(text) }
}

const update = (id: string, body: object): Promise<Answer> => ask('POST', `/a/_doc/${id}/_update`, body)

/** The reasons of an error and of what caused it. */
function reasons({ json }: Answer): unknown[] {
  const found: unknown[] = []
  let error = json['error'] as Record<string, unknown> | undefined
  for (; error !== undefined; error = error['caused_by'] as Record<string, unknown> | undefined)
    found.push(error['reason'])
  return found
}

describe('an update with a script', () => {
  it('changes the source and leaves the digits of what it does not touch', async () => {
    await ask('PUT', '/a/_doc/1', '{"n":1,"big":9007199254740993,"d":1.0,"e":0.1,"l":[1,2.0]}')
    const answer = await update('1', { script: { source: 'ctx._source.n += params.by', params: { by: 4 } } })
    expect(answer.json).toMatchObject({ result: 'updated', _version: 2 })
    expect((await ask('GET', '/a/_doc/1')).text).toContain('{"n":5,"big":9007199254740993,"d":1.0,"e":0.1,"l":[1,2.0]}')
  })

  it('deletes, does nothing, or puts a document as the script says', async () => {
    await ask('PUT', '/a/_doc/2', { n: 1 })
    expect((await update('2', { script: 'ctx.op = "none"' })).json).toMatchObject({ result: 'noop', _version: 1 })
    expect((await update('2', { script: 'ctx.op = "delete"' })).json).toMatchObject({ result: 'deleted' })
    expect((await update('2', { script: 'ctx._source.n = 1' })).status).toBe(404)
    const upsert = { n: 1 }
    expect((await update('3', { script: 'ctx._source.n = 9', upsert })).json).toMatchObject({ result: 'created' })
    expect((await ask('GET', '/a/_doc/3')).json).toMatchObject({ _source: { n: 1 } })
    const scripted = { script: 'ctx._source.n = 9', upsert, scripted_upsert: true }
    expect((await update('4', scripted)).json).toMatchObject({ result: 'created' })
    expect((await ask('GET', '/a/_doc/4')).json).toMatchObject({ _source: { n: 9 } })
    const refused = { script: 'ctx.op = "none"', upsert, scripted_upsert: true }
    expect((await update('5', refused)).json).toMatchObject({ result: 'noop' })
  })

  it('sees what names the document', async () => {
    await ask('PUT', '/a/_doc/6?routing=r', { n: 1 })
    const script =
      'ctx._source.k = ctx._index + "/" + ctx._type + "/" + ctx._id + "/" + ctx._version + "/" + ctx._routing + "/" + ctx.op'
    await ask('POST', '/a/_doc/6/_update?routing=r', { script })
    expect((await ask('GET', '/a/_doc/6?routing=r')).json).toMatchObject({ _source: { k: 'a/_doc/6/1/r/index' } })
  })

  it('runs stored scripts', async () => {
    const source = 'ctx._source.tags.add(params.tag)'
    await ask('PUT', '/_scripts/add-tag', { script: { lang: 'painless', source } })
    await ask('PUT', '/a/_doc/7', { tags: ['a'] })
    expect((await update('7', { script: { id: 'add-tag', params: { tag: 'b' } } })).status).toBe(200)
    expect((await ask('GET', '/a/_doc/7')).json).toMatchObject({ _source: { tags: ['a', 'b'] } })
    expect(reasons(await update('7', { script: { id: 'none' } }))).toEqual([
      'failed to execute script',
      'unable to find script [none] in cluster state',
    ])
  })

  it.each([
    [
      { script: { source: 'ctx._source.isbn = ' } },
      ['failed to execute script', 'compile error', 'unexpected end of script.', null],
    ],
    [{ script: { lang: 'groovy', source: '1' } }, ['failed to execute script', 'script_lang not supported [groovy]']],
    [{ script: 'ctx._source.self = ctx._source' }, ['Iterable object is self-referencing itself']],
    [
      // The same ones in one another: little to make, without end to write.
      { script: 'def m = 1; for (int i = 0; i < 60; i++) m = ["a": m, "b": m]; ctx._source.m = m' },
      ['a script may not leave more than [134217728] bytes of texts and collections'],
    ],
    [
      { script: 'def m = "ten bytes "; for (int i = 0; i < 60; i++) m = [m, m]; ctx._source.m = m' },
      ['a script may not leave more than [134217728] bytes of texts and collections'],
    ],
    [{ script: 'x', doc: {} }, ["Validation Failed: 1: can't provide both script and doc;"]],
    [{ script: {} }, ['must specify either [source] for an inline script or [id] for a stored script']],
    [
      { script: 'ctx._source.c = (char)"a"' },
      ['cannot write xcontent for unknown value of type class java.lang.Character'],
    ],
  ])('says what is wrong with %j', async (body, expected) => {
    await ask('PUT', '/a/_doc/8', { n: 1 })
    const answer = await update('8', body)
    expect(answer.status).toBe(400)
    expect(reasons(answer)).toEqual(expected)
    expect((await ask('GET', '/a/_doc/8')).json).toMatchObject({ _source: { n: 1 } })
  })

  it('stands in bulks', async () => {
    await ask('PUT', '/a/_doc/9', { n: 1 })
    const lines = [
      { update: { _index: 'a', _type: '_doc', _id: '9' } },
      { script: { source: 'ctx._source.n++' } },
      { update: { _index: 'a', _type: '_doc', _id: '9' } },
      { script: { source: 'ctx._source.n++' } },
      { update: { _index: 'a', _type: '_doc', _id: '9' } },
      { script: { source: 'ctx.x.y' } },
    ]
    const { json } = await ask('POST', '/_bulk', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
    expect(json).toMatchObject({
      errors: true,
      items: [{ update: { status: 200 } }, { update: { status: 200 } }, { update: { status: 400 } }],
    })
    expect((await ask('GET', '/a/_doc/9')).json).toMatchObject({ _source: { n: 3 } })
  })
})

describe('a reindex with a script', () => {
  it('is judged for the index that the script sends documents to', async () => {
    await ask('PUT', '/src/_doc/1?refresh', { n: 1 })
    const asked = new Set<string>()
    const body = { source: { index: 'src' }, dest: { index: 'dst' }, script: { source: 'ctx._index = "elsewhere"' } }
    await ask('POST', '/_reindex', body, (indices) => {
      for (const index of indices) asked.add(index)
    })
    expect([...asked]).toContain('elsewhere')
  })
})

describe('the painless test endpoint', () => {
  it('runs a script with nothing but parameters', async () => {
    const script = { source: 'params.a / params.b', params: { a: 1, b: 4.0 } }
    expect((await ask('POST', '/_scripts/painless/_execute', { script })).json).toEqual({ result: '0' })
    const sum = { source: 'params.a + 0.5', params: { a: 1 } }
    expect((await ask('POST', '/_scripts/painless/_execute', { script: sum })).json).toEqual({ result: '1.5' })
    expect((await ask('POST', '/_scripts/painless/_execute', {})).json).toMatchObject({
      error: { reason: 'Required [script]' },
    })
  })
})
