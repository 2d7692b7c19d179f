import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

type Answer = { readonly status: number; readonly json: Record<string, unknown> }

let rest: Rest
let denied: (indices: readonly string[]) => void

beforeEach(async () => {
  denied = () => {}
  rest = await openRest('Elasticsearch_6.8')
  await ask('PUT', '/a', { settings: { refresh_interval: '-1', number_of_shards: 1 } })
  for (let n = 1; n <= 5; n++) await ask('PUT', `/a/_doc/${n}`, { n })
  await ask('POST', '/a/_refresh')
})

afterEach(() => rest.close())

it('ends when all slices have, though one of them fails', async () => {
  await ask('PUT', '/sliced', { settings: { refresh_interval: '-1', number_of_shards: 5 } })
  for (let n = 0; n < 60; n++) await ask('PUT', `/sliced/_doc/${n}`, { n })
  await ask('POST', '/sliced/_refresh')
  const fail = { source: "if (ctx._source.n == 7) throw new Exception('no'); ctx._source.done = true" }
  const path = '/sliced/_update_by_query?slices=2&scroll_size=5&requests_per_second=200'
  const { status } = await ask('POST', path, { script: fail })
  expect(status).toBe(400)
  const changed = async () => {
    await ask('POST', '/sliced/_refresh')
    return (await ask('GET', '/sliced/_count?q=done:true')).json['count']
  }
  const atOnce = await changed()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(await changed()).toBe(atOnce)
  expect(atOnce).toBeGreaterThan(20)
})

describe('delete by query', () => {
  it('deletes what a query finds', async () => {
    const { status, json } = await ask('POST', '/a/_delete_by_query?refresh', { query: { range: { n: { gte: 4 } } } })
    expect(status).toBe(200)
    expect(json).toMatchObject({ total: 2, deleted: 2, batches: 1, version_conflicts: 0, failures: [] })
    expect(await count('a')).toBe(3)
  })

  it('will not delete all without being told so', async () => {
    const { status, json } = await ask('POST', '/a/_delete_by_query')
    expect(status).toBe(400)
    expect(json).toMatchObject({ error: { reason: 'Validation Failed: 1: query is missing;' } })
  })

  it('keeps a document that was changed since the search, and says so', async () => {
    await ask('PUT', '/a/_doc/2', { n: 20 })
    const { status, json } = await ask('POST', '/a/_delete_by_query', { query: { match_all: {} } })
    expect(status).toBe(409)
    expect(json).toMatchObject({ total: 5, deleted: 4, version_conflicts: 1 })
    expect(json['failures']).toMatchObject([
      { index: 'a', id: '2', status: 409, cause: { type: 'version_conflict_engine_exception' } },
    ])
    expect((await ask('GET', '/a/_doc/2')).json).toMatchObject({ found: true, _source: { n: 20 } })
  })

  it('counts such documents and goes on when told to proceed', async () => {
    await ask('PUT', '/a/_doc/2', { n: 20 })
    const { status, json } = await ask('POST', '/a/_delete_by_query?conflicts=proceed&scroll_size=2', {
      query: { match_all: {} },
    })
    expect(status).toBe(200)
    expect(json).toMatchObject({ total: 5, deleted: 4, version_conflicts: 1, batches: 3, failures: [] })
  })

  it('ends after the batch with a failure', async () => {
    await ask('PUT', '/a/_doc/1', { n: 10 })
    const { json } = await ask('POST', '/a/_delete_by_query?scroll_size=2', {
      query: { match_all: {} },
      sort: [{ n: 'asc' }],
    })
    expect(json).toMatchObject({ total: 5, deleted: 1, batches: 1, version_conflicts: 1 })
  })

  it('stops at size', async () => {
    const { json } = await ask('POST', '/a/_delete_by_query?size=2', { query: { match_all: {} } })
    expect(json).toMatchObject({ total: 2, deleted: 2 })
  })

  it('works in slices that together are the whole', async () => {
    const { json } = await ask('POST', '/a/_delete_by_query?slices=3&refresh', { query: { match_all: {} } })
    expect(json).toMatchObject({ total: 5, deleted: 5 })
    expect(json['slices']).toHaveLength(3)
    expect(await count('a')).toBe(0)
  })
})

describe('slices of a call', () => {
  it.each([
    ['1025', 'The number of slices [1025] is too large. It must be less than [1024].'],
    ['2147483647', 'The number of slices [2147483647] is too large.'],
    ['2147483648', '[slices] must be a positive integer or the string "auto", but was [2147483648]'],
    ['0', '[slices] must be a positive integer or the string "auto", but was [0]'],
  ])('are no more than an index allows (%s)', async (slices, reason) => {
    for (const index of ['a', 'none*']) {
      const { status, json } = await ask('POST', `/${index}/_delete_by_query?slices=${slices}`, {
        query: { match_all: {} },
      })
      expect(status).toBe(400)
      expect(JSON.stringify(json)).toContain(JSON.stringify(reason).slice(1, -1))
    }
  })
})

describe('update by query', () => {
  it('indexes documents again with new versions', async () => {
    const { json } = await ask('POST', '/a/_update_by_query', { query: { term: { n: 3 } } })
    expect(json).toMatchObject({ total: 1, updated: 1 })
    expect((await ask('GET', '/a/_doc/3')).json).toMatchObject({ _version: 2, _source: { n: 3 } })
  })

  it('changes, passes over and deletes documents as a script says', async () => {
    const source =
      'if (ctx._source.n == 1) { ctx.op = "noop" } else if (ctx._source.n == 2) { ctx.op = "delete" } else { ctx._source.n *= 10 }'
    await ask('POST', '/_bulk?refresh', bulkOf('scripted', [{ n: 1 }, { n: 2 }, { n: 3 }]))
    const { json } = await ask('POST', '/scripted/_update_by_query?refresh', { script: { source } })
    expect(json).toMatchObject({ total: 3, updated: 1, deleted: 1, noops: 1, failures: [] })
    expect((await ask('GET', '/scripted/_doc/3')).json).toMatchObject({ _source: { n: 30 } })
    const moved = await ask('POST', '/_reindex?refresh', {
      source: { index: 'scripted' },
      dest: { index: 'scripted-a' },
      script: { source: 'ctx._index = "scripted-b"; ctx._id = "x" + ctx._id; ctx._source.remove("n")' },
    })
    expect(moved.json).toMatchObject({ created: 2, failures: [] })
    expect((await ask('GET', '/scripted-b/_doc/x3')).json).toMatchObject({ found: true, _source: {} })
    const refused = await ask('POST', '/scripted/_update_by_query', { script: { source: 'ctx._id = "z"' } })
    expect(refused.json).toMatchObject({ error: { reason: 'Modifying [_id] not allowed' } })
  })
})

describe('reindex', () => {
  it('copies what a query finds, with the parts of it that are asked for', async () => {
    await ask('PUT', '/a/_doc/6', { n: 6, secret: true })
    await ask('POST', '/a/_refresh')
    const { json } = await ask('POST', '/_reindex?refresh', {
      source: { index: 'a', query: { range: { n: { gte: 5 } } }, _source: ['n'] },
      dest: { index: 'b' },
    })
    expect(json).toMatchObject({ total: 2, created: 2, updated: 0, failures: [] })
    expect((await ask('GET', '/b/_doc/6')).json).toMatchObject({ _source: { n: 6 } })
  })

  it('keeps versions when they are external, and then does not step back', async () => {
    await ask('PUT', '/a/_doc/1', { n: 100 })
    await ask('POST', '/a/_refresh')
    const body = { source: { index: 'a' }, dest: { index: 'b', version_type: 'external' } }
    expect((await ask('POST', '/_reindex', body)).json).toMatchObject({ created: 5 })
    expect((await ask('GET', '/b/_doc/1')).json).toMatchObject({ _version: 2 })
    const { status, json } = await ask('POST', '/_reindex', { ...body, conflicts: 'proceed' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ created: 0, updated: 0, version_conflicts: 5, failures: [] })
  })

  it('does not write into what it reads', async () => {
    const { json } = await ask('POST', '/_reindex', { source: { index: 'a' }, dest: { index: 'a' } })
    expect(json).toMatchObject({
      error: { reason: 'Validation Failed: 1: reindex cannot write into an index its reading from [a];' },
    })
  })

  it('asks the policy about source and destination before anything is written', async () => {
    const asked: string[] = []
    denied = (indices) => asked.push(...indices)
    await ask('POST', '/_reindex', { source: { index: 'a*' }, dest: { index: 'b' } })
    expect(asked).toContain('a')
    expect(asked).toContain('b')
  })
})

describe('a by-query call as a task', () => {
  it('can be watched, made faster, and leaves its result', async () => {
    const { json } = await ask('POST', '/_reindex?wait_for_completion=false&requests_per_second=1', {
      source: { index: 'a', size: 1 },
      dest: { index: 'b' },
    })
    const task = String(json['task'])
    await until(async () => Number(status(await ask('GET', `/_tasks/${task}`))['created']) === 1)
    expect((await ask('GET', '/_tasks?actions=*reindex&detailed')).json).toMatchObject({ nodes: expect.anything() })
    await ask('POST', `/_reindex/${task}/_rethrottle?requests_per_second=-1`)
    const done = await ask('GET', `/_tasks/${task}?wait_for_completion=true&timeout=10s`)
    expect(done.json).toMatchObject({ completed: true, response: { total: 5, created: 5, failures: [] } })
  })

  it('tells what was wrong with the names it was given', async () => {
    const { json } = await ask('POST', '/_reindex?wait_for_completion=false', {
      source: { index: 'nowhere' },
      dest: { index: 'b' },
    })
    const { json: left } = await ask('GET', `/_tasks/${json['task']}`)
    expect(left).toMatchObject({
      completed: true,
      task: { status: { total: 0, throttled_until_millis: 0 }, description: 'reindex from [nowhere] to [b]' },
      error: { type: 'index_not_found_exception', index: 'nowhere' },
    })
  })

  it('tells by its task of what cannot be begun', async () => {
    for (const [path, body, type] of [
      ['/_reindex', { source: { index: 'gone' }, dest: { index: 'b' } }, 'index_not_found_exception'],
      ['/_reindex', { source: { index: 'a' }, dest: { index: 'a' } }, 'action_request_validation_exception'],
      ['/gone/_update_by_query', {}, 'index_not_found_exception'],
      ['/gone/_delete_by_query', { query: { match_all: {} } }, 'index_not_found_exception'],
      ['/a/_update_by_query', { query: { match_all: {} }, scroll_size: 20_000 }, 'search_phase_execution_exception'],
    ] as const) {
      const { scroll_size: size, ...rest } = body as { readonly scroll_size?: number }
      const sized = size === undefined ? '' : `&scroll_size=${size}`
      const { json } = await ask('POST', `${path}?wait_for_completion=false${sized}`, rest)
      const task = await ask('GET', `/_tasks/${json['task']}?wait_for_completion=true&timeout=10s`)
      expect(task.json).toMatchObject({ completed: true, error: { type } })
      expect(task.json['error']).not.toHaveProperty('root_cause')
    }
  })

  it('can be cancelled', async () => {
    const { json } = await ask(
      'POST',
      '/a/_delete_by_query?wait_for_completion=false&requests_per_second=1&scroll_size=1',
      {
        query: { match_all: {} },
      },
    )
    const task = String(json['task'])
    await until(async () => Number(status(await ask('GET', `/_tasks/${task}`))['deleted']) === 1)
    await ask('POST', `/_tasks/${task}/_cancel`)
    const { json: left } = await ask('GET', `/_tasks/${task}?wait_for_completion=true&timeout=10s`)
    expect(left).toMatchObject({ completed: true, response: { total: 5, deleted: 1, canceled: 'by user request' } })
  })
})

async function ask(method: string, target: string, body?: object | string): Promise<Answer> {
  const answer = await askBackend(rest.backend, method, target, body, (indices) => denied(indices))
  return { status: answer.status, json: JSON.parse(String(answer.body)) }
}

async function count(index: string): Promise<number> {
  return Number((await ask('GET', `/${index}/_count`)).json['count'])
}

function status({ json }: Answer): Record<string, unknown> {
  return (json['task'] as { status: Record<string, unknown> }).status
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10))
}

function bulkOf(index: string, docs: readonly object[]): string {
  return docs
    .map(
      (doc, i) =>
        `${JSON.stringify({ index: { _index: index, _type: '_doc', _id: String(i + 1) } })}\n${JSON.stringify(doc)}\n`,
    )
    .join('')
}
