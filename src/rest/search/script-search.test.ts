import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// What 7.x answers differently from what script-recorded.test.ts has, and what a domain of our own promises of scripts.

let rest: Rest

interface Answer {
  readonly hits: {
    readonly total: { readonly value: number }
    readonly hits: readonly { readonly _id: string; readonly _score: number; readonly fields?: object }[]
  }
  readonly aggregations: { readonly a: { readonly value: unknown } }
  readonly timed_out: boolean
  readonly error: {
    readonly root_cause: readonly { readonly type: string; readonly reason: string }[]
    readonly failed_shards: readonly [{ readonly reason: { readonly caused_by: { readonly reason: string } } }]
  }
}

async function search(body: object): Promise<Answer> {
  const { body: text } = await askBackend(rest.backend, 'POST', '/s/_search', JSON.stringify(body))
  return JSON.parse(String(text)) as Answer
}

beforeAll(async () => {
  rest = await openRest('OpenSearch_2.19')
  const properties = { n: { type: 'long' }, k: { type: 'keyword' }, d: { type: 'date' } }
  await askBackend(rest.backend, 'PUT', '/s', JSON.stringify({ mappings: { properties } }))
  const documents = [{ n: 1, k: 'a', d: '2020-01-02' }, { n: 5, k: 'b' }, { k: 'c' }]
  const lines = documents.flatMap((document, i) => [
    JSON.stringify({ index: { _index: 's', _id: String(i) } }),
    JSON.stringify(document),
  ])
  await askBackend(rest.backend, 'POST', '/_bulk?refresh=true', `${lines.join('\n')}\n`)
})

afterAll(() => rest.close())

describe('scripts of 7.x', () => {
  it('fail for the value of a document that has none', async () => {
    const { error } = await search({ query: { script: { script: "doc['n'].value > 0" } } })
    expect(error.root_cause[0]).toMatchObject({ type: 'script_exception', reason: 'runtime error' })
    expect(error.failed_shards[0].reason.caused_by.reason).toBe(
      "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document is missing a field!",
    )
  })

  it('score by themselves in script_score', async () => {
    const { hits } = await search({
      query: {
        script_score: { query: { exists: { field: 'n' } }, script: { source: "doc['n'].value * 2" }, boost: 3 },
      },
    })
    expect(hits.hits.map(({ _id, _score }) => [_id, _score])).toEqual([
      ['1', 30],
      ['0', 6],
    ])
  })

  it('leave out what scores below min_score', async () => {
    const { hits } = await search({
      query: {
        script_score: { query: { exists: { field: 'n' } }, script: { source: "doc['n'].value" }, min_score: 2 },
      },
    })
    expect(hits.hits.map(({ _id }) => _id)).toEqual(['1'])
  })

  it('must not score below 0', async () => {
    const query = { match_all: {} }
    const asQuery = await search({ query: { script_score: { query, script: { source: '-1' } } } })
    expect(asQuery.error.root_cause[0]?.reason).toBe(
      'script_score script returned an invalid score [-1.0] for doc [0]. Must be a non-negative score!',
    )
    const asFunction = await search({ query: { function_score: { query, script_score: { script: '-1' } } } })
    expect(asFunction.error.root_cause[0]?.reason).toBe(
      'script score function must not produce negative scores, but got: [-1.0]',
    )
  })

  it('require all four steps of a scripted metric but the first', async () => {
    const { error } = await search({ aggs: { a: { scripted_metric: { map_script: 'state.x = 1' } } } })
    expect(error.root_cause[0]?.reason).toBe('[combineScript] must not be null: [a]')
  })
})

describe('a script', () => {
  it('is not asked of documents that other conditions rule out', async () => {
    const script = { script: { script: "doc['n'].value > 1" } }
    const guard = { exists: { field: 'n' } }
    for (const query of [{ bool: { filter: [script, guard] } }, { bool: { must: [guard], filter: [script] } }]) {
      expect((await search({ query })).hits.hits.map(({ _id }) => _id)).toEqual(['1'])
    }
    expect((await search({ query: guard, post_filter: script })).hits.hits.map(({ _id }) => _id)).toEqual(['1'])
  })

  it('tells 1.0 among its parameters from 1', async () => {
    const ask = async (json: string): Promise<string> => {
      const body = `{"size":1,"script_fields":{"x":{"script":{"source":"3 / params.p","params":{"p":${json}}}}}}`
      return String((await askBackend(rest.backend, 'POST', '/s/_search?filter_path=**.fields', body)).body)
    }
    expect(await ask('2')).toContain('{"x":[1]}')
    expect(await ask('2.0')).toContain('{"x":[1.5]}')
  })

  it('ends with the time of its search', async () => {
    const loop = 'long x = 0; for (int i = 0; i < 90000; ++i) { x += i } return x < 0'
    const many = Array.from({ length: 3_000 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i}}\n`).join('')
    await askBackend(rest.backend, 'POST', '/many/_bulk?refresh=true', many)
    const started = performance.now()
    const body = JSON.stringify({ timeout: '50ms', query: { script: { script: loop } } })
    const { body: text } = await askBackend(rest.backend, 'POST', '/many/_search', body)
    expect(String(text)).toContain('"timed_out":true')
    expect(performance.now() - started).toBeLessThan(5_000)
    const script = 'long x = 0; for (int i = 0; i < 900; ++i) { x += i } return x'
    const aggs = { s: { sum: { script } }, g: { global: {}, aggs: { s: { sum: { script } } } } }
    const { status, body: partly } = await askBackend(
      rest.backend,
      'POST',
      '/many/_search',
      JSON.stringify({ timeout: '1ms', size: 0, aggs }),
    )
    expect(status).toBe(200)
    expect(String(partly)).toContain('"timed_out":true')
  })

  it('gives an aggregation its values', async () => {
    const { aggregations } = await search({
      size: 0,
      aggs: { a: { sum: { script: "doc['n'].size() == 0 ? 0 : doc['n'].value" } } },
    })
    expect(aggregations.a.value).toBe(6)
  })
})

describe('a script that reads sources', () => {
  it('sees of them what the mapping lets be seen', async () => {
    const mappings = { _source: { excludes: ['secret', '*.hidden'] }, properties: { n: { type: 'long' } } }
    await askBackend(rest.backend, 'PUT', '/kept', JSON.stringify({ mappings }))
    const document = '{"n":1,"x":1.0,"secret":"s","o":{"hidden":1,"seen":2}}'
    await askBackend(rest.backend, 'PUT', '/kept/_doc/1?refresh=true', document)
    const { body } = await askBackend(
      rest.backend,
      'POST',
      '/kept/_search?filter_path=**.fields',
      '{"script_fields":{"s":{"script":"params._source"}}}',
    )
    expect(String(body)).toContain('{"s":[{"x":1.0,"n":1,"o":{"seen":2}}]}')
  })
})
