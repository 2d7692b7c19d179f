import { parentPort, workerData } from 'node:worker_threads'
import type { AccessDoor } from '../access/access-door.ts'
import type { Door } from '../access/door.ts'
import { openDoor } from '../access/open-access.ts'
import { accessOptions, httpOptions, restOptions } from '../domain-options.ts'
import { ReplicaEngine } from '../engine/replica/replica-engine.ts'
import { type EdgeRoute, healthRoute, POOL_PREFIX } from '../http/edge-routes.ts'
import { type HttpLog, HttpServer } from '../http/http-server.ts'
import { createRestBackend } from '../rest/rest-backend.ts'
import { SearchCounters } from '../rest/statistics/search-counters.ts'
import { balanceConnections } from './balance-connections.ts'
import { type PostToWriter, READ_ENDPOINTS, ReaderBackend } from './reader-backend.ts'
import type { ReaderSetup, ToReader } from './reader-messages.ts'
import { ThreadBoard } from './thread-board.ts'

/* A thread that listens beside the writer and answers reads: the whole way of a request, over a replica of the engine. */

const {
  config,
  publishAddress,
  replica: replicaOptions,
  listenFd,
  tls,
  ticketKeys,
  inFlight,
  board: shared,
  place,
} = workerData as ReaderSetup
const post: PostToWriter = (message, transfer = []) => parentPort?.postMessage(message, transfer)
const log: HttpLog = (level, fields, message) => post({ kind: 'log', level, fields, message })

const board = new ThreadBoard(shared)
const replica = new ReplicaEngine(replicaOptions)
const searches = new SearchCounters()
const access = openDoor(accessOptions(config, log))
const local = createRestBackend(replica, {
  ...restOptions(config, log, () => publishAddress),
  searches,
  endpoints: READ_ENDPOINTS,
})
const backend = new ReaderBackend(replica, local, post)
const edgeRoutes = new Map<string, EdgeRoute>()
if (config.health) edgeRoutes.set(...healthRoute())
if (config.pool) edgeRoutes.set(POOL_PREFIX, (request) => backend.edge(request))
const http = new HttpServer({
  ...httpOptions(config, log),
  backend,
  door: forgetful(access.door, board),
  tls:
    tls === undefined
      ? undefined
      : { ...tls, ...(ticketKeys === undefined ? {} : { ticketKeys: Buffer.from(ticketKeys) }) },
  edgeRoutes,
  inFlight,
})
await http.listenAlong(listenFd)
const stopBalancing = balanceConnections(http, board, place)

parentPort?.on('message', (message: ToReader) => {
  switch (message.kind) {
    case 'answer':
      return backend.answered(message.id, message.answer)
    case 'tls':
      return http.setTls(message.tls)
    case 'count':
      return post({ kind: 'counts', id: message.id, searches: searches.take(), gets: replica.takeGets() })
    case 'close':
      return void close(message.graceMs)
  }
})
post({ kind: 'ready' })

async function close(graceMs: number): Promise<void> {
  stopBalancing()
  await http.close(graceMs)
  // Closes the replica too.
  await local.close()
  await access.close()
  parentPort?.close()
}

/** The door, which forgets what it remembers as soon as credentials are taken back in another thread. */
function forgetful(door: AccessDoor, { revocations }: ThreadBoard): Door {
  let known = revocations
  return {
    admit(request) {
      if (board.revocations !== known) {
        known = board.revocations
        door.forget()
      }
      return door.admit(request)
    },
  }
}
