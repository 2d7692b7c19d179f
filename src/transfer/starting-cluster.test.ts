import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'
import { waitWhileStarting } from './starting-cluster.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const health = (
  status: string,
  [active, initializing, unassigned]: readonly [number, number, number],
  fetches = 0,
) => ({
  status,
  active_shards: active,
  initializing_shards: initializing,
  unassigned_shards: unassigned,
  number_of_in_flight_fetch: fetches,
})

/** Waits for [movies] of a cluster that gives these answers, one after the other. */
async function wait(...answers: readonly (object | Error)[]) {
  const asked: string[] = []
  const notes: string[] = []
  const client = {
    request: async (_method: string, path: string) => {
      asked.push(path.replace(/\?.*/, ''))
      const answer = answers[asked.length - 1]
      if (answer instanceof Error) throw answer
      return { status: 200, headers: {}, body: answer }
    },
  } as unknown as DomainClient
  const { signal } = new AbortController()
  const waiting = waitWhileStarting(client, 'movies', {
    name: 'the source',
    onNote: (note) => notes.push(note),
    signal,
  })
  await vi.advanceTimersByTimeAsync(60_000)
  return { waited: await waiting, asked: asked.length, notes }
}

it('asks a healthy cluster once', async () => {
  expect(await wait(health('yellow', [1, 0, 1]))).toEqual({ waited: false, asked: 1, notes: [] })
})

it('waits until a cluster knows its indices and has opened the shards, and says so once', async () => {
  const answers = [
    health('red', [0, 0, 0]),
    ...[health('red', [0, 0, 9]), health('red', [0, 0, 5], 5)],
    ...[health('red', [4, 2, 3]), health('red', [0, 2, 3])],
    health('yellow', [5, 0, 4]),
  ]
  expect(await wait(...answers)).toEqual({
    waited: true,
    asked: 6,
    notes: ['waiting for the source which is starting: it does not know its indices yet'],
  })
})

it('does not wait for shards that are lost, nor for those of others', async () => {
  expect((await wait(health('red', [4, 0, 1]), health('red', [0, 0, 1]))).waited).toBe(false)
  expect((await wait(health('red', [4, 2, 1]), health('green', [4, 0, 0]))).waited).toBe(false)
})

it('does not wait where it may not ask', async () => {
  expect((await wait(new ClientError('response', 'no', { status: 403 }))).waited).toBe(false)
})
