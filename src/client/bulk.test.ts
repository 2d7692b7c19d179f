import { describe, expect, it } from 'vitest'
import { type BulkAnswer, type BulkItem, sendBulk } from './bulk.ts'
import { ClientError } from './client-error.ts'

const item = (id: number, size = 1): BulkItem => ({
  _index: 'i',
  _type: 't',
  _id: String(id),
  _source: { v: 'x'.repeat(size) },
})
const many = (n: number) => Array.from({ length: n }, (_, i) => item(i))

/** A server that answers each body by a function of its ids. */
function server(answer: (ids: readonly string[], call: number) => BulkAnswer) {
  const calls: string[][] = []
  return {
    calls,
    send: async (body: Uint8Array) => {
      const lines = new TextDecoder().decode(body).trimEnd().split('\n')
      const ids = lines
        .filter((_, i) => i % 2 === 0)
        .map((l) => (JSON.parse(l) as { index: { _id: string } }).index._id)
      calls.push(ids)
      return answer(ids, calls.length)
    },
  }
}

const ok = (ids: readonly string[]): BulkAnswer => ({
  items: ids.map((_id) => ({ index: { _id, status: 201, result: 'created' } })),
})

describe('sendBulk', () => {
  it('splits by count and by bytes', async () => {
    const byCount = server(ok)
    await sendBulk(many(7), byCount.send, { maxCount: 3 })
    expect(byCount.calls.map((c) => c.length)).toEqual([3, 3, 1])

    const byBytes = server(ok)
    await sendBulk([item(1, 850), item(2, 850), item(3, 10)], byBytes.send, { maxBytes: 1_000 })
    expect(byBytes.calls).toEqual([['1'], ['2', '3']])
  })

  it('takes an async iterable', async () => {
    const s = server(ok)
    const summary = await sendBulk(
      (async function* () {
        yield* many(3)
      })(),
      s.send,
    )
    expect(summary).toMatchObject({ total: 3, succeeded: 3, failed: 0, requests: 1 })
  })

  it('sends items refused with 429 again, and those alone', async () => {
    const s = server((ids, call) => ({
      items: ids.map((_id) =>
        call === 1 && _id === '1'
          ? { index: { _id, status: 429, error: { type: 'es_rejected_execution_exception', reason: 'full' } } }
          : { index: { _id, status: 201, result: 'created' } },
      ),
    }))
    const summary = await sendBulk(many(3), s.send)
    expect(s.calls).toEqual([['0', '1', '2'], ['1']])
    expect(summary).toMatchObject({ succeeded: 3, failed: 0, retries: 1 })
  })

  it('halves a request that is too large, down to the one document that is', async () => {
    const s = server((ids) => {
      if (ids.includes('2')) throw new ClientError('response', 'Request size exceeded 10 bytes', { status: 413 })
      return ok(ids)
    })
    const summary = await sendBulk(many(4), s.send)
    expect(summary).toMatchObject({ succeeded: 3, failed: 1 })
    expect(summary.failures[0]).toMatchObject({ id: '2', status: 413 })
  })

  it('reports each failed item with its place in the input', async () => {
    const s = server((ids) => ({
      items: ids.map((_id) =>
        _id === '1'
          ? { index: { _id, status: 400, error: { type: 'mapper_parsing_exception', reason: 'no' } } }
          : { index: { _id, status: 201, result: 'created' } },
      ),
    }))
    const summary = await sendBulk(many(3), s.send)
    expect(summary.failures).toMatchObject([
      { position: 1, id: '1', status: 400, error: { type: 'mapper_parsing_exception', reason: 'no' } },
    ])
  })

  it('gives up with the error when the server stays away', async () => {
    const send = async () => {
      throw new ClientError('connection', 'refused', { type: 'ECONNREFUSED' })
    }
    await expect(sendBulk(many(1), send, { maxRetries: 1 })).rejects.toThrow('refused')
  })

  it('refuses an answer whose items do not fit the operations', async () => {
    await expect(sendBulk(many(2), async () => ({ items: [] }))).rejects.toThrow('0 items for 2 operations')
  })
})
