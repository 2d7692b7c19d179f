import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import type { AbortFlag } from '../backend.ts'
import { ServiceError } from '../errors.ts'
import type { ClusterNode } from './cluster-node.ts'

/** How a cluster is reached. */
export interface ClusterClientOptions {
  readonly nodes: readonly ClusterNode[]
  /** Authorities to trust instead of those Node knows, PEM; verification is never off. */
  readonly ca: string | undefined
  /** A node that says nothing for so long is given up; nodes asked one after the other have it together. */
  readonly timeoutMs: number
  readonly log: ClusterLog
}

/** Where the cluster's side reports. */
export type ClusterLog = (level: 'debug' | 'info' | 'warn' | 'error', fields: object, message: string) => void

/** What goes to the cluster. */
export interface ClusterRequest {
  readonly method: string
  /** Encoded, with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Buffer | string
  /** Of the client that waits for the answer; absent for what the domain asks by itself. */
  readonly signal?: AbortFlag
}

/** What comes back: the body is still on its way. */
export type ClusterAnswer = IncomingMessage

const CONNECT_TIMEOUT_MS = 5_000
const NO_CONNECTION = `no connection within ${CONNECT_TIMEOUT_MS} ms`

const MAX_HEADER_BYTES = 256 * 1024

/**
 * Bodies from this size on are sent once the node says that it takes them. One that refuses and closes while it is sent a body loses
 * its answer: a write that fails ends the connection, whatever is still to be read from it.
 */
const ASKED_FIRST_BYTES = 2 ** 20

/** A node that does not know of asking first is silent: so long is waited for it. */
const ASK_FIRST_MS = 1_000

/** Status of a server that does not know of it either. */
const EXPECTATION_FAILED = 417

/** Connections kept to each node; more are opened when more requests are under way. */
const MAX_FREE_SOCKETS = 64

/** Idle connections are given up before what stands between usually does. */
const IDLE_SOCKET_MS = 30_000

/** A node that failed is asked last for so long: it is back soon, or costs whoever finds out that it is not. */
const AVOID_MS = 2_000
const AVOID_SILENT_MS = 30_000

/** Nobody waits for the answer any more. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** A node failed. */
class NodeFailure extends Error {
  readonly node: ClusterNode
  /** Whether the node may have begun with the request. */
  readonly wasSent: boolean
  /** Whether a connection that was kept turned out to be closed. */
  readonly wasKept: boolean
  readonly code: string

  constructor(node: ClusterNode, cause: NodeJS.ErrnoException, wasSent: boolean, wasKept: boolean) {
    super(cause.message, { cause })
    this.node = node
    this.wasSent = wasSent
    this.code = cause.code ?? cause.message
    this.wasKept = wasKept && (this.code === 'ECONNRESET' || this.code === 'EPIPE')
  }
}

/**
 * Sends requests to a cluster, over connections that are kept.
 *
 * A node that cannot be reached is passed over; what a node may have begun with is asked again elsewhere only if it reads.
 */
export class ClusterClient {
  readonly #options: ClusterClientOptions
  readonly #httpAgent: HttpAgent
  readonly #httpsAgent: HttpsAgent
  readonly #avoidUntil = new Map<ClusterNode, number>()
  /** Nodes that do not answer whether they take a body. */
  readonly #unasked = new Set<ClusterNode>()
  #turn = 0

  constructor(options: ClusterClientOptions) {
    this.#options = options
    const kept = {
      keepAlive: true,
      maxFreeSockets: MAX_FREE_SOCKETS,
      timeout: IDLE_SOCKET_MS,
      scheduling: 'lifo' as const,
    }
    this.#httpAgent = new HttpAgent(kept)
    this.#httpsAgent = new HttpsAgent({ ...kept, ...(options.ca === undefined ? {} : { ca: options.ca }) })
  }

  /**
   * Asks the cluster; the answer's body has to be read or destroyed.
   *
   * @throws {ServiceError} 503 when no node answers
   * @throws {ClientGone}
   */
  async send(request: ClusterRequest): Promise<ClusterAnswer> {
    const failures: NodeFailure[] = []
    const nodes = this.#nodesInTurn()
    const end = performance.now() + this.#options.timeoutMs
    for (let node = nodes.shift(); node !== undefined; node = nodes.shift()) {
      try {
        const answer = await this.#ask(node, request, end - performance.now())
        this.#avoidUntil.delete(node)
        return answer
      } catch (error) {
        if (!(error instanceof NodeFailure)) throw error
        failures.push(error)
        this.#logFailure(error, request)
        const isReading = request.method === 'GET' || request.method === 'HEAD'
        if ((error.wasSent && !isReading) || performance.now() >= end) break
        // A kept connection may have been closed at the very moment: that says nothing of the node.
        if (error.wasKept) nodes.unshift(node)
        else this.#avoid(node, error.code === NO_CONNECTION ? AVOID_SILENT_MS : AVOID_MS)
      }
    }
    throw unavailable(failures)
  }

  /** Asks the cluster for JSON. @returns the status and what was answered; undefined for an answer without a body */
  async json(method: string, path: string, body?: object): Promise<{ status: number; json: unknown }> {
    const answer = await this.send({
      method,
      path,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? '' : JSON.stringify(body),
    })
    const text = (await readAnswer(answer)).toString()
    try {
      return { status: answer.statusCode as number, json: text === '' ? undefined : (JSON.parse(text) as unknown) }
    } catch (cause) {
      throw new ServiceError('no_node_available_exception', 'the cluster answered the domain with what is no JSON', {
        cause: new ServiceError('json_parse_exception', (cause as Error).message),
      })
    }
  }

  close(): void {
    this.#httpAgent.destroy()
    this.#httpsAgent.destroy()
  }

  /** Once for all requests that find a node gone. */
  #logFailure({ node, message }: NodeFailure, { method }: ClusterRequest): void {
    const isKnown = this.#isAvoided(node)
    this.#options.log(isKnown ? 'debug' : 'warn', { node: node.origin, method, error: message }, 'a node failed')
  }

  #avoid(node: ClusterNode, ms: number): void {
    this.#avoidUntil.set(node, performance.now() + ms)
  }

  #isAvoided(node: ClusterNode): boolean {
    return (this.#avoidUntil.get(node) ?? 0) > performance.now()
  }

  /** Every node once, each beginning in turn, those that failed just now at the end. */
  #nodesInTurn(): ClusterNode[] {
    const { nodes } = this.#options
    const start = this.#turn++ % nodes.length
    const turned = [...nodes.slice(start), ...nodes.slice(0, start)]
    if (this.#avoidUntil.size === 0) return turned
    const reachable = turned.filter((node) => !this.#isAvoided(node))
    const avoided = turned.filter((node) => !reachable.includes(node))
    const [first] = reachable
    // Whether it is back one request finds out, while the others pass it over.
    if (first !== undefined && this.#avoidUntil.has(first)) this.#avoid(first, CONNECT_TIMEOUT_MS)
    return [...reachable, ...avoided]
  }

  /** @param silentMs  how long it may be silent before it answers */
  #ask(node: ClusterNode, asked: ClusterRequest, silentMs: number): Promise<ClusterAnswer> {
    const { method, path, headers, body, signal } = asked
    if (signal?.aborted === true) return Promise.reject(new ClientGone())
    const { timeoutMs } = this.#options
    return new Promise((resolve, reject) => {
      const length = Buffer.byteLength(body)
      const asksFirst = length >= ASKED_FIRST_BYTES && !this.#unasked.has(node)
      const request = (node.isSecure ? requestHttps : requestHttp)({
        agent: node.isSecure ? this.#httpsAgent : this.#httpAgent,
        host: node.host,
        port: node.port,
        method,
        path: node.basePath + path,
        // Warnings of deprecations come as headers.
        maxHeaderSize: MAX_HEADER_BYTES,
        headers: {
          ...headers,
          ...(node.authorization === undefined ? {} : { authorization: node.authorization }),
          ...(length > 0 || method === 'POST' || method === 'PUT' ? { 'content-length': length } : {}),
          ...(asksFirst ? { expect: '100-continue' } : {}),
        },
      })
      let isConnected = false
      let waiting = setTimeout(() => request.destroy(new Error(NO_CONNECTION)), CONNECT_TIMEOUT_MS)
      const onConnected = () => {
        clearTimeout(waiting)
        isConnected = true
        if (!asksFirst) return
        waiting = setTimeout(() => {
          this.#unasked.add(node)
          request.end(body)
        }, ASK_FIRST_MS)
      }
      request.on('socket', (socket: Socket) => {
        if (request.reusedSocket) onConnected()
        else socket.once(node.isSecure ? 'secureConnect' : 'connect', onConnected)
      })
      request.once('continue', () => {
        clearTimeout(waiting)
        if (!request.writableEnded) request.end(body)
      })
      let answer: ClusterAnswer | undefined
      request.setTimeout(silentMs)
      request.on('timeout', () => {
        // What is there has not been read yet: it is the client that takes its time.
        if (answer !== undefined && answer.readableLength > 0) answer.socket.setTimeout(timeoutMs)
        else (answer ?? request).destroy(new Error(`silent for ${Math.ceil(silentMs)} ms`))
      })
      request.on('error', (error) => {
        clearTimeout(waiting)
        if (signal?.aborted === true) reject(new ClientGone())
        else reject(new NodeFailure(node, error, isConnected, request.reusedSocket))
      })
      request.once('response', (response) => {
        clearTimeout(waiting)
        answer = response
        answer.socket.setTimeout(timeoutMs)
        // The connection is of no more use where the node may still wait for the body.
        if (!request.writableEnded) response.once('close', () => request.destroy())
        if (asksFirst && response.statusCode === EXPECTATION_FAILED) {
          this.#unasked.add(node)
          response.destroy()
          resolve(this.#ask(node, asked, silentMs))
        } else resolve(response)
      })
      // Without an answer where the node would speak another protocol.
      request.once('close', () => {
        clearTimeout(waiting)
        if (answer === undefined)
          reject(new NodeFailure(node, new Error('closed without an answer'), isConnected, false))
      })
      if (signal !== undefined) signal.onAbort = () => request.destroy()
      if (!asksFirst) request.end(body)
    })
  }
}

/** The whole body of an answer. @throws {ServiceError} when it breaks off */
export async function readAnswer(answer: ClusterAnswer): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of answer) chunks.push(chunk as Buffer)
  } catch (cause) {
    throw new ServiceError('no_node_available_exception', `the cluster's answer broke off: ${(cause as Error).message}`)
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

function unavailable(failures: readonly NodeFailure[]): ServiceError {
  const last = failures.at(-1)
  const list = failures.map(({ node, code }) => `${node.origin}: ${code}`).join(', ')
  if (last?.wasSent === true) {
    return new ServiceError(
      'no_node_available_exception',
      `the connection to the cluster broke while it had the request, which may have been carried out: [${list}]`,
    )
  }
  return new ServiceError(
    'no_node_available_exception',
    `None of the configured nodes of the cluster are available: [${list}]`,
  )
}
