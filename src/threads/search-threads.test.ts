import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AbortFlag, Backend, BackendRequest } from '../backend.ts'
import { OverrunError } from '../engine/elsewhere-error.ts'
import { type EmbeddedEngine, openEngine } from '../engine/embedded-engine.ts'
import { SearchCounters } from '../rest/statistics/search-counters.ts'
import { SearchThreads, type SearchThreadsOptions } from './search-threads.ts'
import { ThreadedBackend } from './threaded-backend.ts'

/** A thread that does what the text asked for says. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const counts = { queryTotal: 7, queryTimeMs: 0, fetchTotal: 0, fetchTimeMs: 0, scrollTotal: 0, scrollTimeMs: 0, suggestTotal: 0, suggestTimeMs: 0, cacheHits: 0, cacheMisses: 0 }
parentPort.on('message', ({ kind, id, request }) => {
  if (kind === 'close') return parentPort.close()
  if (kind === 'count') return parentPort.postMessage({ kind: 'counts', id, searches: { byIndex: [['uuid', counts]], byGroup: [] }, scripts: { compilations: 2, evictions: 1 }, trips: [['request', 3]] })
  const answer = (body) => parentPort.postMessage({ kind: 'answer', id, ms: 1, status: 200, headers: {}, body })
  const judge = (index) => {
    const verdict = new Int32Array(workerData.verdicts)
    verdict[0] = 0
    parentPort.postMessage({ kind: 'judge', id, indices: [index], api: '_search', method: 'GET' })
    Atomics.wait(verdict, 0, 0)
    return verdict[0] === 1
  }
  const [asked] = request.query.keys()
  if (asked === 'die') process.exit(7)
  else if (asked === 'fill') for (const kept = []; ; ) kept.push(new Array(1_000).fill(kept.length + 0.5))
  else if (asked === 'throw') throw new Error('a fault')
  else if (asked === 'elsewhere') parentPort.postMessage({ kind: 'elsewhere', id })
  else if (asked === 'secret' || asked === 'public') answer(judge(asked) ? 'what may be seen' : 'what nobody may see')
  else if (asked === 'deaf') for (;;);
  else if (asked === 'endless') {
    const aborted = new Int32Array(workerData.aborts)
    while (Atomics.load(aborted, id % aborted.length) !== id);
    answer('given up')
  } else answer('from the thread')
})
parentPort.postMessage({ kind: 'ready' })
`

let dataDir: string
let engine: EmbeddedEngine
let threads: SearchThreads
let searches: SearchCounters
let backend: Backend
let local: Backend
const logged: string[] = []

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaja-threads-'))
  logged.length = 0
  engine = await openEngine({ dataDir, engineVersion: 'OpenSearch_2.19', log: () => {} })
  searches = new SearchCounters()
  local = {
    handle: async ({ query, segments, signal }) => {
      const { until = 0 } = signal
      if (segments.includes('_mapping') && Number.isFinite(until)) throw new OverrunError('large', signal)
      if (query.has('coming') && Number.isFinite(until)) throw new OverrunError('a step takes long', signal)
      if (query.has('heavy')) {
        while (performance.now() <= until);
        throw new OverrunError('too long', signal)
      }
      return { status: 200, headers: {}, body: 'from here' }
    },
    close: () => engine.close(),
  }
  await startThreads()
})

afterEach(async () => {
  await backend.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function startThreads(differing: Partial<SearchThreadsOptions> = {}): Promise<void> {
  threads = new SearchThreads({ ...options(), ...differing })
  backend = new ThreadedBackend(local, threads, undefined, { worth: 0, worthAlone: 0, mostAlone: 50 })
  threads.start(1)
  await ready()
}

function options() {
  return {
    engine,
    endMs: 10_000,
    heapMb: 32,
    rest: { clusterName: 'c', dataDir, allowExplicitIndex: true },
    searches,
    log: (_level, _fields, message) => logged.push(message),
    file: fileOf(THREAD),
  } satisfies SearchThreadsOptions
}

function fileOf(code: string): URL {
  const head = "import { createRequire } from 'node:module'; const require = createRequire('file:///');"
  return new URL(`data:text/javascript,${encodeURIComponent(head + code)}`)
}

async function ready(): Promise<void> {
  while (threads.stats.threads === 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

function search(asked: string, signal: AbortFlag = { aborted: false }): BackendRequest {
  return {
    method: 'GET',
    segments: ['a', '_search'],
    rawTarget: `/a/_search?${asked}`,
    query: new Map([[asked, '']]),
    headers: {},
    body: Buffer.alloc(0),
    signal,
    authorize: (indices) => {
      if (indices.includes('secret')) throw new Error('denied')
    },
    authorizeDomain: () => {},
  }
}

const bodyOf = async (asked: string) => String((await backend.handle(search(asked))).body)

describe('a search thread', () => {
  it('answers, and sends back what it cannot answer', async () => {
    expect(await bodyOf('anything')).toBe('from the thread')
    expect(await bodyOf('elsewhere')).toBe('from here')
    expect(threads.stats).toEqual({ threads: 1, active: 0, queue: 0, completed: 1 })
  })

  it('asks whether the caller may, and gives no answer that it may not have', async () => {
    expect(await bodyOf('public')).toBe('what may be seen')
    await expect(backend.handle(search('secret'))).rejects.toThrow('denied')
    expect(await bodyOf('anything')).toBe('from the thread')
  })

  it.each(['die', 'throw', 'fill'])(
    'that ends in the middle (%s) is replaced, its search tried nowhere else',
    async (end) => {
      const { status, body } = await backend.handle(search(end))
      expect(status).toBe(429)
      expect(JSON.parse(String(body)).error).toMatchObject({
        type: 'circuit_breaking_exception',
        bytes_wanted: 0,
        bytes_limit: 0,
        durability: 'TRANSIENT',
      })
      expect(logged).toContain('a search thread ended, it is started again')
      expect(await bodyOf('meanwhile')).toBe('from here')
      await ready()
      expect(await bodyOf('anything')).toBe('from the thread')
    },
  )

  it('that ends takes only its own search along, which is tried again in a thread only', async () => {
    const [status, behind] = await Promise.all([
      backend.handle(search('die')).then((answer) => answer.status),
      bodyOf('another'),
    ])
    expect([status, behind]).toEqual([429, 'from the thread'])
    expect((await backend.handle(search('die'))).status).toBe(429)
  })

  it('is told that a client has gone', async () => {
    const signal: AbortFlag = { aborted: false }
    const answer = backend.handle(search('endless', signal))
    await new Promise((resolve) => setTimeout(resolve, 50))
    signal.onAbort?.()
    expect(String((await answer).body)).toBe('given up')
  })

  it('makes what held up the first one, and what has a large body', async () => {
    const plain = new ThreadedBackend(local, threads, undefined)
    const asked = async (request: BackendRequest) => String((await plain.handle(request)).body)
    expect(await asked(search('light'))).toBe('from here')
    expect(await asked(search('heavy'))).toBe('from the thread')
    // Given up at once, before a step that takes long.
    for (let i = 0; i < 3; i++) expect(await asked(search('coming'))).toBe('from the thread')
    expect(await asked({ ...search('large'), body: Buffer.alloc(200_000) })).toBe('from the thread')
  })

  it('that cannot start leaves the search to the first one', async () => {
    await threads.close()
    const file = new URL("data:text/javascript,throw new Error('no memory')")
    threads = new SearchThreads({ ...options(), file })
    const plain = new ThreadedBackend(local, threads, () => threads.startForNow())
    const { body } = await plain.handle({ ...search('large'), body: Buffer.alloc(200_000) })
    expect(String(body)).toBe('from here')
    await threads.close()
  })

  it('that cannot start lets no search hold up the first one for ever', async () => {
    await threads.close()
    const file = new URL("data:text/javascript,throw new Error('no memory')")
    threads = new SearchThreads({ ...options(), file })
    const times = { worth: 1, worthAlone: 2, mostAlone: 50 }
    const plain = new ThreadedBackend(local, threads, () => threads.startForNow(), times)
    const { status, body } = await plain.handle(search('heavy'))
    expect([status, JSON.parse(String(body)).error.type]).toEqual([429, 'rejected_execution_exception'])
    await threads.close()
  })

  it('that searches on for nobody is ended, what others wait for made by the next', async () => {
    await threads.close()
    await startThreads({ endMs: 300 })
    const signal: AbortFlag & { aborted: boolean } = { aborted: false }
    const gone = backend.handle(search('deaf', signal))
    const others = bodyOf('another')
    signal.aborted = true
    signal.onAbort?.()
    expect((await gone).status).toBe(429)
    expect(await others).toBe('from the thread')
    expect(logged).toContain('a search thread ended, it is started again')
  })

  it('is not ended for a search that waits behind another', async () => {
    await threads.close()
    await startThreads({ endMs: 1_000 })
    const signal: AbortFlag = { aborted: false }
    const long = backend.handle(search('endless', signal))
    const gone: AbortFlag & { aborted: boolean } = { aborted: false }
    const queued = backend.handle(search('a', gone))
    await new Promise((resolve) => setTimeout(resolve, 50))
    gone.aborted = true
    gone.onAbort?.()
    await new Promise((resolve) => setTimeout(resolve, 2_300))
    signal.onAbort?.()
    expect(String((await long).body)).toBe('given up')
    await queued
    expect(logged).not.toContain('a search thread ended, it is started again')
  })

  it('gets no more than it can do, the rest is answered here', async () => {
    const signal: AbortFlag = { aborted: false }
    const long = backend.handle(search('endless', signal))
    const waiting = [backend.handle(search('a')), backend.handle(search('b'))]
    const bodies = await Promise.all([bodyOf('c'), bodyOf('d')])
    expect(bodies).toEqual(['from here', 'from here'])
    signal.onAbort?.()
    await Promise.all([long, ...waiting])
  })

  it('keeps no short search waiting behind a long one', async () => {
    // A long one waits for what was written before, a short one does not.
    await engine.caughtUp()
    const signal: AbortFlag = { aborted: false }
    const long = backend.handle({ ...search('endless', signal), body: Buffer.alloc(200_000) })
    expect(await bodyOf('a')).toBe('from here')
    signal.onAbort?.()
    expect(String((await long).body)).toBe('given up')
    expect(await bodyOf('a')).toBe('from the thread')
  })

  it('makes the reads that turn out to be large, and leaves to the first one what it cannot read', async () => {
    const read = async (asked: string) => {
      const { status, body } = await backend.handle({ ...search(asked), segments: ['a', '_mapping'] })
      return status === 200 ? String(body) : status
    }
    expect(await read('large')).toBe('from the thread')
    expect(await read('elsewhere')).toBe('from here')
    expect(await read('die')).toBe(429)
  })

  it('ends when it was started for a load that is over, and hands over what it has counted', async () => {
    await threads.close()
    const { queryTotal } = searches.of('uuid')
    threads = new SearchThreads({ ...options(), idleMs: 500 })
    threads.startForNow()
    await expect.poll(() => searches.of('uuid').queryTotal).toBe(queryTotal + 7)
    await expect.poll(() => threads.stats.threads).toBe(0)
    while (threads.stats.threads === 0) {
      threads.startForNow()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await threads.close()
  })

  it('that is ending for want of work is no thread for a search that comes meanwhile', async () => {
    await threads.close()
    const slow = THREAD.replace('return parentPort.close()', 'return setTimeout(() => parentPort.close(), 1_000)')
    threads = new SearchThreads({ ...options(), idleMs: 200, file: fileOf(slow) })
    const plain = new ThreadedBackend(local, threads, () => threads.startForNow())
    logged.length = 0
    threads.startForNow()
    await expect.poll(() => logged, { timeout: 20_000, interval: 5 }).toContain('a search thread is ready')
    await expect.poll(() => threads.stats.threads, { timeout: 20_000, interval: 5 }).toBe(0)
    const { body } = await plain.handle({ ...search('large'), body: Buffer.alloc(200_000) })
    expect(String(body)).toBe('from the thread')
    await threads.close()
  })
})
