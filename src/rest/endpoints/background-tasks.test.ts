import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest('OpenSearch_2.19')
  await rest.ask('PUT', '/a', { settings: { number_of_shards: 2, 'index.blocks.write': true } })
})
afterAll(() => rest.close())

/** What becomes of a request that nobody waits for. */
async function outcome(method: string, path: string, body?: object) {
  const { status, json } = await rest.ask(method, `${path}?wait_for_completion=false`, body)
  expect(status).toBe(200)
  const { task: id } = json as { readonly task: string }
  const told = (await rest.ask('GET', `/_tasks/${id}?wait_for_completion=true`)).json as {
    readonly task: { readonly cancellable: boolean }
  }
  expect(told.task.cancellable).toBe(false)
  return told
}

it.each([
  ['PUT', '/a/_clone/b', undefined, 'resize', 'clone from [a] to [b]', { acknowledged: true, index: 'b' }],
  ['PUT', '/a/_shrink/c', undefined, 'resize', 'shrink from [a] to [c]', { acknowledged: true, index: 'c' }],
  ['POST', '/a,b/_open', undefined, 'open', 'open indices [a, b]', { acknowledged: true }],
  [
    'POST',
    '/_forcemerge',
    undefined,
    'forcemerge',
    'Force-merge indices [], maxSegments[-1], onlyExpungeDeletes[false], flush[true], primaryOnly[false]',
    { _shards: { failed: 0 } },
  ],
])('does %s %s while nobody waits', async (method, path, body, action, description, response) => {
  const told = await outcome(method, path, body)
  const task = { action: `indices:admin/${action}`, description }
  expect(told).toMatchObject({ task, completed: true, response })
})

it('keeps the fault of what nobody waits for', async () => {
  expect(await outcome('PUT', '/missing/_clone/d')).toMatchObject({
    task: { description: 'clone from [missing] to [d]' },
    error: { type: 'index_not_found_exception', reason: 'no such index [missing]' },
  })
})
