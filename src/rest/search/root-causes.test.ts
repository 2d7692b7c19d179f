import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// Answers are those of Elasticsearch 6.8.23, but for the wording of what could not be created.

const UNREADABLE = {
  type: 'parse_exception',
  reason: 'failed to parse date field [abc] with format [strict_date_optional_time||epoch_millis]',
}
const WITH_CAUSE = {
  ...UNREADABLE,
  caused_by: { type: 'illegal_argument_exception', reason: 'Parse failure at index [0] of [abc]' },
}
const failed = (reason: object) => ({
  type: 'search_phase_execution_exception',
  reason: 'all shards failed',
  phase: 'query',
  grouped: true,
  failed_shards: [{ shard: 0, index: 'z', node: 'chaja', reason }],
})

describe('root causes of failed searches', () => {
  let rest: Rest

  async function ask(method: string, path: string, body: object): Promise<{ status: number; json: never }> {
    const answer = await askBackend(rest.backend, method, path, body)
    return { status: answer.status, json: JSON.parse(String(answer.body)) as never }
  }

  const search = (query: object): Promise<{ status: number; json: never }> => ask('POST', '/z/_search', { query })

  beforeEach(async () => {
    rest = await openRest('Elasticsearch_6.8')
    const properties = {
      d: { type: 'date' },
      n: { type: 'integer' },
      k: { type: 'keyword' },
      b: { type: 'boolean' },
    }
    await ask('PUT', '/z', { mappings: { _doc: { properties } } })
  })

  afterEach(() => rest.close())

  it('are a range of unreadable dates itself', async () => {
    const error = { root_cause: [UNREADABLE], ...failed(WITH_CAUSE) }
    const range = { range: { d: { gte: 'abc' } } }
    expect(await search(range)).toEqual({ status: 400, json: { status: 400, error } })
    expect(await search({ bool: { filter: [range] } })).toEqual({ status: 400, json: { status: 400, error } })
    expect((await ask('POST', '/z/_count', { query: range })).json).toEqual({ status: 400, error })
  })

  it('are the unreadable date below what could not be created', async () => {
    const error = {
      root_cause: [UNREADABLE],
      ...failed(
        expect.objectContaining({ type: 'query_shard_exception', index: 'z', caused_by: WITH_CAUSE }) as object,
      ),
      caused_by: WITH_CAUSE,
    }
    expect(await search({ term: { d: 'abc' } })).toEqual({ status: 400, json: { status: 400, error } })
    expect(await search({ match: { d: 'abc' } })).toEqual({ status: 400, json: { status: 400, error } })
  })

  it('are not errors of Java or Lucene below', async () => {
    const { error } = (await search({ term: { n: 'abc' } })).json as { error: object }
    expect(error).toMatchObject({ root_cause: [{ type: 'query_shard_exception', index: 'z' }] })
    expect(error).not.toHaveProperty('caused_by')
    const query = (await search({ query_string: { query: 'd:(' } })).json as { error: object }
    const reason = 'Failed to parse query [d:(]'
    expect(query.error).toMatchObject({ root_cause: [{ type: 'query_shard_exception', reason, index: 'z' }] })
    const wildcard = { query_string: { query: '*a', allow_leading_wildcard: false } }
    const leading = (await search(wildcard)).json as { error: object }
    expect(leading.error).toMatchObject({
      root_cause: [{ type: 'query_shard_exception', reason: 'Failed to parse query [*a]', index: 'z' }],
    })
    expect(leading.error).not.toHaveProperty('caused_by')
  })

  it('are the fields that a decay does not take', async () => {
    const number = (field: string) =>
      search({ function_score: { functions: [{ gauss: { [field]: { origin: 1, scale: 2 } } }] } })
    expect(await number('n')).toMatchObject({ status: 200 })
    for (const field of ['k', 'b']) {
      expect(await number(field)).toMatchObject({
        status: 400,
        json: { error: { root_cause: [{ type: 'parsing_exception' }] } },
      })
    }
  })

  it('are the fields that a decay does not know', async () => {
    const gauss = { nope: { origin: 1, scale: 2 } }
    const { json } = await search({ function_score: { functions: [{ gauss }] } })
    const reason = { type: 'parsing_exception', reason: 'unknown field [nope]', line: 1, col: 0 }
    expect(json).toEqual({ status: 400, error: { root_cause: [reason], ...failed(reason) } })
  })
})
