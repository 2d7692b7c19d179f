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

  it('fails with a request that failed while the input was waited for', async () => {
    const send = async () => {
      throw new ClientError('response', 'not permitted', { status: 403 })
    }
    const slow = async function* () {
      yield item(1)
      yield item(2)
      await new Promise((resolve) => setTimeout(resolve, 20))
      yield item(3)
    }
    await expect(sendBulk(slow(), send, { maxCount: 1, concurrency: 4 })).rejects.toThrow('not permitted')
    let taken = 0
    const endless = async function* () {
      for (;;) {
        yield item(taken++)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    await expect(sendBulk(endless(), send, { maxCount: 1 })).rejects.toThrow('not permitted')
    expect(taken).toBeLessThan(10)
  })

  it('ends with what the input throws, closes an input it leaves, and waits for what is under way', async () => {
    let settled = 0
    const send = async (body: Uint8Array) => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      settled++
      return server(ok).send(body)
    }
    const torn = async function* () {
      yield* many(3)
      throw new Error('torn')
    }
    await expect(sendBulk(torn(), send, { maxCount: 1 })).rejects.toThrow('torn')
    expect(settled).toBe(2)

    const stop = new AbortController()
    let closed = false
    const left = async function* () {
      try {
        for (let i = 0; ; i++) {
          if (i === 5) stop.abort(new Error('enough'))
          yield item(i)
        }
      } finally {
        closed = true
      }
    }
    await expect(sendBulk(left(), send, { maxCount: 1, signal: stop.signal })).rejects.toThrow('enough')
    expect(closed).toBe(true)
  })

  it('takes no more of the input than the requests under way need', async () => {
    let taken = 0
    let answered = 0
    const counted = async function* () {
      for (; taken < 100; taken++) yield item(taken)
    }
    const slow = async (body: Uint8Array) => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      expect(taken - answered).toBeLessThanOrEqual(3 * 5 + 1)
      const { items } = (await server(ok).send(body)) as { items: unknown[] }
      answered += items.length
      return server(ok).send(body)
    }
    await sendBulk(counted(), slow, { maxCount: 5, concurrency: 2 })
    expect(answered).toBe(100)
  })

  it('gives ids to what has none, so that a lost answer stores nothing twice', async () => {
    const stored = new Set<string>()
    let calls = 0
    const send = async (body: Uint8Array): Promise<BulkAnswer> => {
      const ids = new TextDecoder()
        .decode(body)
        .trimEnd()
        .split('\n')
        .filter((_, i) => i % 2 === 0)
        .map((line) => Object.values(JSON.parse(line) as Record<string, { _id: string }>)[0]?._id as string)
      const items = ids.map((_id) => {
        const conflict = stored.has(_id)
        stored.add(_id)
        return { create: conflict ? { _id, status: 409, error: { type: 'conflict' } } : { _id, status: 201 } }
      })
      if (++calls === 1) throw new ClientError('connection', 'reset', { type: 'ECONNRESET' })
      return { items }
    }
    const lines = [1, 2].map((n) => ({ create: { _index: 'i' }, source: { n } }))
    expect(await sendBulk(lines, send)).toMatchObject({ succeeded: 2, failed: 0 })
    expect([...stored]).toEqual([expect.stringMatching(/^[\w-]{20}$/), expect.stringMatching(/^[\w-]{20}$/)])
    // An id of the caller's own may have been taken by somebody else.
    const own = await sendBulk([{ create: { _index: 'i', _id: [...stored][0] }, source: {} }], send)
    expect(own.failures[0]?.status).toBe(409)
  })

  it('says of a conflict that an earlier sending, whose answer was lost, may have made it', async () => {
    const sendTwice = (first: ClientError) => {
      let call = 0
      return sendBulk([{ create: { _index: 'i', _id: '1' }, source: {} }], async () => {
        if (call++ === 0) throw first
        return { items: [{ create: { _id: '1', status: 409, error: { type: 'conflict', reason: 'exists' } } }] }
      })
    }
    const lost = await sendTwice(new ClientError('connection', 'reset', { type: 'ECONNRESET' }))
    expect(lost.failures[0]?.error?.reason).toBe(
      'exists (the answer to its first sending was lost, which may have done it)',
    )
    const refused = await sendTwice(new ClientError('response', 'busy', { status: 429 }))
    expect(refused.failures[0]?.error?.reason).toBe('exists')
  })

  it('does not repeat a scripted update whose answer was lost', async () => {
    const updates = [
      { update: { _index: 'i', _id: '1' }, body: { script: 'ctx._source.n++' } },
      { update: { _index: 'i', _id: '2' }, body: { doc: { n: 1 } } },
      { update: { _index: 'i', _id: '3', if_seq_no: 1, if_primary_term: 1 }, body: { script: 'ctx._source.n++' } },
    ]
    const run = (first: ClientError) => {
      const bodies: string[] = []
      const send = async (body: Uint8Array): Promise<BulkAnswer> => {
        bodies.push(new TextDecoder().decode(body))
        if (bodies.length === 1) throw first
        return {
          items:
            bodies
              .at(-1)
              ?.match(/"update"/g)
              ?.map(() => ({ update: { status: 200 } })) ?? [],
        }
      }
      return sendBulk(updates, send).then((summary) => ({ summary, bodies }))
    }
    const lost = await run(new ClientError('connection', 'reset', { type: 'ECONNRESET' }))
    expect(lost.summary).toMatchObject({ succeeded: 2, failed: 1 })
    expect(lost.summary.failures[0]).toMatchObject({ id: '1', status: 0, error: { type: 'outcome_unknown' } })
    expect(lost.bodies[1]?.match(/"update"/g)).toHaveLength(2)
    for (const never of [
      new ClientError('connection', 'refused', { type: 'ECONNREFUSED' }),
      new ClientError('response', 'busy', { status: 429 }),
    ])
      expect((await run(never)).summary).toMatchObject({ succeeded: 3, failed: 0 })
  })

  it('tells what a failure was caused by', async () => {
    const caused_by = { type: 'e', reason: 'wrapped', caused_by: { type: 'n', reason: 'For input string: "x"' } }
    const error = { type: 'mapper_parsing_exception', reason: 'failed to parse field [n]', caused_by }
    const summary = await sendBulk(many(1), async () => ({ items: [{ index: { status: 400, error } }] }))
    expect(summary.failures[0]?.error?.reason).toBe('failed to parse field [n]: For input string: "x"')
  })

  it('keeps pairs of lines together: a document may have line breaks, and is never missing', async () => {
    const bodies: string[] = []
    const send = async (body: Uint8Array) => {
      bodies.push(new TextDecoder().decode(body))
      return { succeeded: bodies.at(-1)?.match(/"index"/g)?.length ?? 0 }
    }
    const index = { _index: 'i', _id: '1' }
    await sendBulk([{ index, source: '{\r\n "a": 1\n}' }], send)
    expect(bodies).toEqual(['{"index":{"_index":"i","_id":"1"}}\n{  "a": 1 }\n'])
    for (const [wrong, words] of [
      [{ index, source: undefined }, 'operation 1 (index) has no document'],
      [{ _index: 'i', _source: undefined }, 'operation 1 (index) has no document'],
      [{ update: index }, 'operation 1 (update) has no document'],
      [{ _index: 'i', source: {} }, 'operation 1 is neither'],
      [null, 'operation 1 is neither'],
    ] as const)
      await expect(sendBulk([item(0), wrong as unknown as BulkItem], send)).rejects.toThrow(words)
  })

  it('ends when it is aborted, or a request fails, while its source stands still', async () => {
    let closed = 0
    async function* standing() {
      try {
        yield item(0)
        yield item(1)
        await new Promise(() => {})
      } finally {
        closed++
      }
    }
    const abortion = new AbortController()
    const aborted = sendBulk(standing(), server(ok).send, { signal: abortion.signal })
    setTimeout(() => abortion.abort(new Error('enough')), 5)
    await expect(aborted).rejects.toThrow('enough')
    const refuse = async () => {
      throw new ClientError('response', 'no', { status: 403 })
    }
    await expect(sendBulk(standing(), refuse, { maxCount: 1 })).rejects.toThrow('403: no')
    // Once the source moves, and this one does not.
    expect(closed).toBe(0)
    async function* broken() {
      yield item(0)
      throw new Error('the source broke')
    }
    await expect(sendBulk(broken(), server(ok).send)).rejects.toThrow('the source broke')
  })

  it('closes its source before it rejects, where that waits for it', async () => {
    let closed = false
    function* items() {
      try {
        for (;;) yield { _index: 'i' } as BulkItem
      } finally {
        closed = true
      }
    }
    await expect(sendBulk(items(), server(ok).send)).rejects.toThrow('operation 0 is neither')
    expect(closed).toBe(true)
  })

  it('says of a document that has no JSON which it is, and that it is given no operations', async () => {
    const documents = [{ n: 1 }, { n: 1n }] as unknown as BulkItem['_source'][]
    const items = documents.map((_source) => ({ _index: 'i', _source }))
    await expect(sendBulk(items, server(ok).send)).rejects.toMatchObject({
      kind: 'configuration',
      reason: 'the document of operation 1 cannot be written as JSON: Do not know how to serialize a BigInt',
    })
    for (const none of [undefined, null, {}, 'text'])
      await expect(sendBulk(none as unknown as BulkItem[], server(ok).send)).rejects.toThrow('takes operations')
  })

  it('refuses settings with which nothing would ever be sent', async () => {
    for (const options of [{ concurrency: 0 }, { maxBytes: Number.NaN }, { maxCount: -1 }])
      await expect(sendBulk(many(1), server(ok).send, options)).rejects.toThrow('must be a number from 1 on')
  })

  it('refuses an answer that is none of a bulk request', async () => {
    const page = async () => '<html>Welcome</html>' as unknown as BulkAnswer
    await expect(sendBulk(many(1), page)).rejects.toThrow('none of a bulk request: <html>Welcome')
    for (const silent of [{}, null, { index: {} }]) {
      const send = async () => ({ items: [{ index: { status: 201 } }, silent] }) as unknown as BulkAnswer
      await expect(sendBulk(many(2), send)).rejects.toThrow('does not tell what became of operation 1')
    }
  })
})
