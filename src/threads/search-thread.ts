import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { parentPort, workerData } from 'node:worker_threads'
import { type AbortFlag, type BackendRequest, type BackendResponse, bytesOf } from '../backend.ts'
import { ElsewhereError } from '../engine/elsewhere-error.ts'
import type { EngineLog } from '../engine/engine.ts'
import { lowerPriority } from '../engine/lower-priority.ts'
import { ReplicaEngine } from '../engine/replica/replica-engine.ts'
import { takeScriptCounts } from '../engine/script/script-counts.ts'
import { createRestBackend } from '../rest/rest-backend.ts'
import { SearchCounters } from '../rest/statistics/search-counters.ts'
import { Trips } from '../rest/statistics/trips.ts'
import { AbortBoard } from './abort-board.ts'
import { RemoteJudge } from './remote-judge.ts'
import type { FromThread, HandedRequest, ThreadSetup, ToThread } from './thread-messages.ts'
import { Verdicts } from './verdicts.ts'

/* A thread that searches: the REST layer over a replica of the engine, one request after the other. */

const { rest, publishAddress, replica: replicaOptions, aborts, verdicts: verdictCell } = workerData as ThreadSetup
const post = (message: FromThread, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer)
const log: EngineLog = (level, fields, message) => post({ kind: 'log', level, fields, message })

/** Answers from this size on are handed over; smaller ones are copied, which is quicker. */
const HANDED_OVER_BYTES = 64 * 1024

lowerPriority()
const board = new AbortBoard(aborts)
const verdicts = new Verdicts(verdictCell)
const replica = new ReplicaEngine(replicaOptions)
const searches = new SearchCounters()
const trips = new Trips()
const backend = createRestBackend(replica, {
  ...rest,
  log,
  publishAddress: () => publishAddress,
  searches,
  trips,
  endpoints: new Set([
    'count',
    'explain',
    'field_caps',
    'get',
    'get_source',
    'indices.analyze',
    'indices.get_mapping',
    'indices.validate_query',
    'ingest.simulate',
    'mget',
    'msearch',
    'msearch_template',
    'mtermvectors',
    'rank_eval',
    'search',
    'search_template',
    'termvectors',
  ]),
})

parentPort?.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'request':
      return void answer(message.id, message.request)
    case 'count':
      return post({
        kind: 'counts',
        id: message.id,
        searches: searches.take(),
        scripts: takeScriptCounts(),
        trips: trips.take(),
      })
    case 'close':
      return void close()
  }
})
post({ kind: 'ready' })

/** Whether the client of a request has gone, as the board says. */
class BoardFlag implements AbortFlag {
  readonly #id: number

  constructor(id: number) {
    this.#id = id
  }

  get aborted(): boolean {
    return board.isAborted(this.#id)
  }
}

async function answer(id: number, request: HandedRequest): Promise<void> {
  const started = performance.now()
  const judge = new RemoteJudge(request, (question) => verdicts.await(() => post({ kind: 'judge', id, ...question })))
  try {
    replica.sync(request.isCaughtUp)
    const { body } = request
    const handed: BackendRequest = {
      ...request,
      body: Buffer.from(body.buffer, body.byteOffset, body.length),
      signal: new BoardFlag(id),
      authorize: (indices, api, method) => judge.authorize(indices, api, method),
      authorizeDomain: () => judge.authorizeDomain(),
    }
    const { status, headers, body: answered } = await backend.handle(handed)
    const ms = performance.now() - started
    const content = await portable(answered)
    const transfer = content.length < HANDED_OVER_BYTES || typeof content === 'string' ? [] : [content.buffer]
    post({ kind: 'answer', id, ms, status, headers, body: content }, transfer)
  } catch (error) {
    if (!(error instanceof ElsewhereError)) log('error', { error: String(error) }, 'a search thread failed')
    post({ kind: 'elsewhere', id })
  }
}

/** A body of its own: a buffer may be a small part of a large one, which would go along; a long text would be copied and encoded by the first thread. */
async function portable(body: BackendResponse['body']): Promise<string | Uint8Array<ArrayBuffer>> {
  if (typeof body === 'string' && body.length < HANDED_OVER_BYTES) return body
  const whole = body instanceof Readable ? await buffer(body) : bytesOf(body)
  return new Uint8Array(whole)
}

async function close(): Promise<void> {
  // Closes the replica too.
  await backend.close()
  parentPort?.close()
}
