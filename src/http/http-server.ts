import { constants } from 'node:crypto'
import { createServer as createHttpServer, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import { AccessDenial } from '../access/access-denial.ts'
import type { Door, Entry } from '../access/door.ts'
import { networkOf } from '../access/policy/ip-range.ts'
import type { CanonicalPath } from '../access/signature/canonical-path.ts'
import { EMPTY_SHA256 } from '../access/signature/canonical-request.ts'
import { nodeHash } from '../access/signature/node-hash.ts'
import type { Backend, BackendResponse } from '../backend.ts'
import type { WireStats } from '../wire-stats.ts'
import { AnswerQueue } from './answer-queue.ts'
import type { BrowserGuard } from './browser-guard.ts'
import type { ConnectionLimit } from './connection-limit.ts'
import { EDGE_PREFIX, type EdgeRoute, findEdgeRoute, MAX_EDGE_BODY_BYTES } from './edge-routes.ts'
import type { HttpDialect } from './http-dialect.ts'
import type { HttpLimits } from './http-limits.ts'
import { InFlightBytes } from './in-flight-bytes.ts'
import { inflateBody } from './inflate-body.ts'
import { answerParserError } from './parser-error.ts'
import { bodyTooLarge, ConnectionLost, receiveBody } from './receive-body.ts'
import { bodyLength, checkFraming, METHODS, methodRefusal, readPath, readQuery } from './request-head.ts'
import { bodySize, sendResponse } from './send-response.ts'
import { UntakenAnswers } from './untaken-answers.ts'
import { UnverifiedBytes } from './unverified-bytes.ts'
import { WireError } from './wire-error.ts'
import { WireMessage } from './wire-message.ts'
import { WireRequest } from './wire-request.ts'
import { withoutSignature } from './without-signature.ts'

/** Where the server reports; message lowercase, values as fields. */
export type HttpLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  fields: Readonly<Record<string, unknown>>,
  message: string,
) => void

/** How to serve. */
export interface HttpServerOptions {
  readonly backend: Backend
  readonly door: Door
  readonly limits: HttpLimits
  readonly dialect: HttpDialect
  /** Absent: plain HTTP. */
  readonly tls?: SecureContextOptions | undefined
  /** Paths under `/-/`: answered before the door, unsigned. */
  readonly edgeRoutes: ReadonlyMap<string, EdgeRoute>
  /** Whose address a request counts under: the peer's, or what a trusted proxy says. */
  readonly sourceIp: (peer: string, forwardedFor: string | undefined) => string
  /** Absent: pages in browsers are as good as any caller. */
  readonly browserGuard?: BrowserGuard | undefined
  /** Absent: as many connections are taken as come. */
  readonly connections?: ConnectionLimit | undefined
  readonly log: HttpLog
  /** One line a request; refusals and errors are logged anyway. */
  readonly accessLog: boolean
}

const JSON_HEADERS: Readonly<Record<string, string>> = { 'content-type': 'application/json; charset=UTF-8' }
const EMPTY_BODY = Buffer.alloc(0)

/** Bodies that anybody may send, to paths of the domain itself and with OPTIONS, at a time: they keep out none of those who are let in. */
const MAX_FREE_BYTES = 16 * 1024 * 1024

/** How much of the room for bodies one key, or one address, may have before a signature is verified. */
const UNVERIFIED_SHARE = 0.75

/** Requests that wait behind earlier ones of their connections, all together: the real servers' `http.pipelining.max_events`. */
const MAX_PIPELINED = 10_000

/** That connections are refused is told once in this time. */
const TELL_REFUSED_MS = 60_000

/** A refused body up to this size is read off the connection, so that it can be kept; beyond, the connection is closed. */
const DRAIN_BYTES = 1024 * 1024

/**
 * The domain's listener: bytes to requests within limits, through the door, to the backend, and answers back to bytes.
 *
 * node:http directly, because a signature needs path, headers and body exactly as received.
 */
export class HttpServer {
  readonly #options: HttpServerOptions
  readonly #server: Server<typeof WireMessage> | HttpsServer<typeof WireMessage>
  readonly #inFlight: InFlightBytes
  readonly #unverified: UnverifiedBytes
  /** The same of bodies that anybody may send, and their limits. */
  readonly #freeInFlight: InFlightBytes
  readonly #freeLimits: HttpLimits
  readonly #answers = new AnswerQueue()
  readonly #untaken: UntakenAnswers
  readonly #exchanges = new Set<ServerResponse>()
  /** Those that came while their connection had not got an earlier answer. */
  readonly #pipelined = new Set<ServerResponse>()
  /** Who sent what is under way, for the access log alone. */
  readonly #entries = new WeakMap<ServerResponse, Entry>()
  /** Connections on which it is not sure where a request ends: nothing more is taken from them. */
  readonly #misframed = new WeakSet<Socket>()
  #closing = false
  #open = 0
  #opened = 0

  constructor(options: HttpServerOptions) {
    this.#options = options
    const { limits } = options
    this.#inFlight = new InFlightBytes(limits.maxInFlightBytes, options.dialect)
    const shareBytes = Math.floor(limits.maxInFlightBytes * UNVERIFIED_SHARE)
    this.#unverified = new UnverifiedBytes(this.#inFlight, shareBytes, options.dialect)
    this.#freeLimits = { ...limits, maxBodyBytes: MAX_EDGE_BODY_BYTES }
    this.#freeInFlight = new InFlightBytes(MAX_FREE_BYTES, options.dialect)
    this.#untaken = new UntakenAnswers(limits, options.dialect, (bytes, ms) =>
      options.log('warn', { bytes, ms }, 'an answer that was not taken was given up, to make room for another'),
    )
    const settings = {
      // Both limits together stop the parser, which counts the ends of lines too; which was broken is told apart afterwards.
      maxHeaderSize: limits.maxLineBytes + 2 * limits.maxHeaderBytes,
      IncomingMessage: WireMessage,
      insecureHTTPParser: false,
      joinDuplicateHeaders: true,
      requireHostHeader: false,
      noDelay: true,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs),
    }
    this.#server =
      options.tls === undefined
        ? createHttpServer(settings)
        : createHttpsServer({
            ...settings,
            ...secureContext(options.tls),
            ALPNProtocols: ['http/1.1'],
            handshakeTimeout: limits.headersTimeoutMs,
          })
    this.#server.maxHeadersCount = 0
    if (options.connections !== undefined) this.#limitConnections(options.connections)
    this.#server
      .on(options.tls === undefined ? 'connection' : 'secureConnection', (socket) => this.#connected(socket as Socket))
      .on('request', (request, response) => this.#handle(request, response))
      .on('checkContinue', (request, response) => this.#handle(request, response, true))
      .on('checkExpectation', (_request, response: ServerResponse) =>
        response.writeHead(417, { 'content-length': 0 }).end(),
      )
      .on('connect', (request, socket) => this.#refuseSocket(socket as Socket, methodRefusal(request)))
      .on('clientError', (error, socket) => this.#onClientError(error, socket as Socket))
  }

  #limitConnections({ connections, files }: ConnectionLimit): void {
    let told = Number.NEGATIVE_INFINITY
    this.#server.maxConnections = connections
    this.#server.on('drop', () => {
      const now = performance.now()
      if (now - told < TELL_REFUSED_MS) return
      told = now
      this.#options.log(
        'warn',
        { connections, openFiles: files },
        'connections are refused, since the process may have too few files open: raise the limit (ulimit -n)',
      )
    })
  }

  get stats(): WireStats {
    return {
      open: this.#open,
      opened: this.#opened,
      heldBytes: this.#inFlight.usedBytes,
      mostHeldBytes: this.#inFlight.limitBytes,
      refused: this.#inFlight.refused,
      mostBodyBytes: this.#options.limits.maxBodyBytes,
    }
  }

  /** Starts listening. @returns the address, with the port that was picked when 0 was asked for */
  listen(port: number, host: string): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ port, host, backlog: 1024 }, () => {
        this.#server.off('error', reject)
        resolve(this.#server.address() as AddressInfo)
      })
    })
  }

  /** Takes a renewed certificate for connections to come. */
  setTls(tls: SecureContextOptions): void {
    if ('setSecureContext' in this.#server) this.#server.setSecureContext(secureContext(tls))
  }

  /** Refuses new connections, finishes what is under way within the time given, then cuts the rest. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeIdleConnections()
    for (const response of this.#exchanges) if (!response.headersSent) response.setHeader('connection', 'close')
    const timer = setTimeout(() => this.#server.closeAllConnections(), graceMs)
    await closed
    clearTimeout(timer)
  }

  #connected(socket: Socket): void {
    this.#open++
    this.#opened++
    socket.once('close', () => {
      this.#open--
      this.#endPipelined(socket)
    })
    this.#expectBytes(socket)
  }

  /** Node tells no end of an answer that its connection has not come to. */
  #endPipelined(socket: Socket): void {
    for (const response of this.#pipelined) {
      if (response.req.socket !== socket || response.socket !== null) continue
      response.destroy()
      response.emit('close')
    }
  }

  /** Ends a connection that says nothing: node counts the time of headers from their first byte on. */
  #expectBytes(socket: Socket): void {
    const look = () => {
      if (socket.bytesRead === 0) socket.destroy()
    }
    setTimeout(look, this.#options.limits.headersTimeoutMs).unref()
  }

  #handle(message: WireMessage, response: ServerResponse, expectsContinue = false): void {
    if (this.#misframed.has(message.socket)) return
    this.#exchanges.add(response)
    response.on('close', () => {
      this.#exchanges.delete(response)
      this.#pipelined.delete(response)
      this.#untaken.release(response)
    })
    if (response.socket === null) {
      this.#pipelined.add(response)
      if (this.#pipelined.size > MAX_PIPELINED) {
        message.socket.destroy()
        return
      }
    }
    if (this.#closing) response.setHeader('connection', 'close')
    if (this.#options.accessLog) this.#logWhenDone(message, response)
    try {
      this.#receive(message, response, expectsContinue)
    } catch (error) {
      this.#fail(message, response, error)
    }
  }

  #receive(message: WireMessage, response: ServerResponse, expectsContinue: boolean): void {
    const { limits, dialect, door } = this.#options
    const method = message.method as string
    const target = message.url as string
    try {
      checkFraming(message, limits, dialect)
    } catch (error) {
      // What follows on the connection may be a part of this request to somebody else who reads it.
      this.#misframed.add(message.socket)
      response.setHeader('connection', 'close')
      throw error
    }
    const at = target.indexOf('?')
    const rawPath = at < 0 ? target : target.slice(0, at)
    const length = bodyLength(message)
    if (rawPath.startsWith(EDGE_PREFIX)) {
      this.#receiveForEdge(message, response, rawPath, length, expectsContinue)
      return
    }
    if (!METHODS.has(method)) throw methodRefusal(message)
    const rawQuery = at < 0 ? '' : target.slice(at + 1)
    const path = readPath(rawPath, dialect)
    const query = readQuery(rawQuery)
    // Nobody is asked who sends it.
    const isFree = method === 'OPTIONS'
    const bodyLimits = isFree ? this.#freeLimits : limits
    const inFlight = isFree ? this.#freeInFlight : this.#inFlight
    if (length !== undefined && length > bodyLimits.maxBodyBytes) throw bodyTooLarge(bodyLimits.maxBodyBytes)
    const sourceIp = this.#options.sourceIp(
      message.socket.remoteAddress ?? '',
      message.headers['x-forwarded-for'] as string,
    )
    const entry = door.admit({
      method,
      rawPath,
      rawQuery,
      path,
      rawHeaders: message.rawHeaders,
      sourceIp,
      secure: this.#options.tls !== undefined,
    })
    if (this.#options.accessLog) this.#entries.set(response, entry)
    // A signature is over the Host, and no page has a key.
    if (entry.claimedKey === undefined) this.#options.browserGuard?.check(message)
    if (expectsContinue) response.writeContinue()
    if (length === 0) {
      entry.enter(EMPTY_SHA256)
      this.#dispatch(
        message,
        response,
        new WireRequest({ message, segments: path.segments, query, body: EMPTY_BODY, entry }),
        0,
        inFlight,
      )
      return
    }
    const { claimedKey } = entry
    const unverified =
      claimedKey === undefined || isFree
        ? undefined
        : this.#unverified.open([`key ${claimedKey}`, `address ${networkOf(sourceIp)}`])
    const hash = claimedKey === undefined ? undefined : nodeHash.sha256Hex
    receiveBody(message, { limits: bodyLimits, inFlight: unverified ?? inFlight, length, hash }, (error, body) => {
      unverified?.settle()
      if (body === undefined) return this.#fail(message, response, error)
      this.#enter(message, response, { path, query, entry, inFlight }, body.bytes, body.sha256)
    })
  }

  #enter(
    message: WireMessage,
    response: ServerResponse,
    head: {
      readonly path: CanonicalPath
      readonly query: ReadonlyMap<string, string>
      readonly entry: Entry
      readonly inFlight: InFlightBytes
    },
    bytes: Buffer,
    sha256: string,
  ): void {
    const { path, query, entry, inFlight } = head
    let held = bytes.length
    const dispatch = (body: Buffer) => {
      const request = new WireRequest({ message, segments: path.segments, query, body, entry })
      this.#dispatch(message, response, request, held, inFlight)
    }
    const fail = (error: unknown) => {
      inFlight.release(held)
      this.#fail(message, response, error)
    }
    try {
      entry.enter(sha256)
      const body = inflateBody(bytes, message.headers['content-encoding']?.toLowerCase(), this.#options.limits)
      if (body === bytes) dispatch(bytes)
      else if (Buffer.isBuffer(body)) dispatch(body)
      else {
        body
          .then((inflated) => {
            inFlight.add(inflated.length)
            held += inflated.length
            dispatch(inflated)
          })
          .catch(fail)
      }
    } catch (error) {
      fail(error)
    }
  }

  /** Asks the backend; `held` bytes of the body are released when its answer is there. */
  #dispatch(
    message: WireMessage,
    response: ServerResponse,
    request: WireRequest,
    held: number,
    inFlight: InFlightBytes,
  ): void {
    const onClose = () => {
      if (!response.writableFinished) request.abort()
    }
    response.on('close', onClose)
    // It went while its body was inflated.
    if (response.destroyed) request.abort()
    this.#answers.flushIfLate()
    this.#options.backend.handle(request).then(
      (answer) => {
        inFlight.release(held)
        this.#answers.push(() => this.#send(message, response, answer))
      },
      (error: unknown) => {
        inFlight.release(held)
        this.#fail(message, response, error)
      },
    )
  }

  #receiveForEdge(
    message: WireMessage,
    response: ServerResponse,
    path: string,
    length: number | undefined,
    expectsContinue: boolean,
  ): void {
    const route = findEdgeRoute(this.#options.edgeRoutes, path)
    if (route === undefined) throw WireError.edge(404, `no such path of the domain: ${path}`)
    if (message.method !== 'GET') this.#options.browserGuard?.check(message)
    if (length !== undefined && length > MAX_EDGE_BODY_BYTES) throw bodyTooLarge(MAX_EDGE_BODY_BYTES)
    const answer = async (body: Buffer) => {
      const { method = '', headers, socket } = message
      const sourceIp = this.#options.sourceIp(socket.remoteAddress ?? '', headers['x-forwarded-for'] as string)
      try {
        const edgeHeaders = headers as Readonly<Record<string, string | undefined>>
        this.#send(message, response, await route({ method, path, headers: edgeHeaders, body, sourceIp }))
      } catch (error) {
        this.#fail(message, response, error)
      }
    }
    if (length === 0) {
      void answer(EMPTY_BODY)
      return
    }
    if (expectsContinue) response.writeContinue()
    const inFlight = this.#freeInFlight
    receiveBody(message, { limits: this.#freeLimits, inFlight, length, hash: undefined }, (error, body) => {
      if (body === undefined) return this.#fail(message, response, error)
      inFlight.release(body.bytes.length)
      void answer(body.bytes)
    })
  }

  #send(message: WireMessage, response: ServerResponse, answer: BackendResponse): void {
    if (response.destroyed) return
    try {
      const size = bodySize(answer.body)
      this.#untaken.hold(response, size)
      sendResponse(response, answer, size, {
        acceptEncoding: message.headers['accept-encoding'] as string | undefined,
        compressFromBytes: this.#options.limits.compressFromBytes,
      })
      // What a client does not take off the connection is held in memory; node ends the wait when the answer is gone.
      if (response.writableLength > 0 || !response.writableEnded) this.#cutOffWhenIdle(response)
    } catch (error) {
      if (error instanceof WireError) {
        this.#fail(message, response, error)
        return
      }
      this.#options.log('error', { err: error, path: withoutSignature(message.url) }, 'answer could not be sent')
      response.destroy()
    }
  }

  /** Ends a connection that takes nothing of an answer; one whose answer is still being made takes what there is. */
  #cutOffWhenIdle(response: ServerResponse): void {
    response.setTimeout(this.#options.limits.sendIdleTimeoutMs, () => {
      if (response.writableLength > 0) response.destroy()
    })
  }

  /** Answers an error; a body still on its way is drained when it is small, else the connection ends. */
  #fail(message: WireMessage, response: ServerResponse, error: unknown): void {
    if (error instanceof ConnectionLost || response.destroyed || response.headersSent) {
      response.destroy()
      return
    }
    const answer = this.#errorAnswer(message, error)
    const headers: Record<string, string | string[]> = { ...answer.headers }
    if (!message.complete) {
      const declared = bodyLength(message)
      const { socket } = message
      if (answer.status === 408 || declared === undefined || declared > DRAIN_BYTES) {
        headers['connection'] = 'close'
        // Closing with bytes unread would reset the connection and take the answer with it.
        response.once('finish', () => setTimeout(() => socket.destroy(), 1000).unref())
      } else {
        // A body that is still to be drained has as long as one that is read, all of it together.
        const late = () => {
          if (!message.complete) socket.destroy()
        }
        setTimeout(late, this.#options.limits.bodyIdleTimeoutMs).unref()
      }
    }
    this.#send(message, response, { ...answer, headers })
  }

  #errorAnswer(message: WireMessage, error: unknown): BackendResponse {
    const { log } = this.#options
    const request = {
      method: message.method,
      path: withoutSignature(message.url),
      sourceIp: message.socket.remoteAddress,
    }
    if (error instanceof AccessDenial) {
      const requestId = crypto.randomUUID()
      log('warn', { ...request, requestId, status: error.status, ...error.fields }, `denied: ${error.message}`)
      return {
        status: error.status,
        headers: { 'content-type': 'application/json', 'x-amzn-requestid': requestId },
        body: error.body,
      }
    }
    if (error instanceof WireError) {
      log('info', { ...request, status: error.status }, `refused: ${error.message}`)
      return { status: error.status, headers: JSON_HEADERS, body: error.body }
    }
    log('error', { ...request, status: 500, err: error }, 'request failed')
    const internal = WireError.of(500, 'exception', 'internal error')
    return { status: 500, headers: JSON_HEADERS, body: internal.body }
  }

  #onClientError(error: Error, socket: Socket): void {
    const answer = answerParserError(error, this.#options.limits, this.#options.dialect)
    if (answer === undefined || !socket.writable) {
      socket.destroy()
      return
    }
    // Told once: the parser complains again of whatever comes.
    if (this.#misframed.has(socket)) return
    this.#misframed.add(socket)
    const refuse = () => {
      if (!socket.writable) {
        socket.destroy()
        return
      }
      this.#options.log('info', { sourceIp: socket.remoteAddress, status: answer.status }, `refused: ${answer.message}`)
      this.#refuseSocket(socket, answer)
    }
    // A request whose own body is at fault has not been answered yet; what was asked before it is answered first.
    const others = [...this.#exchanges].filter((response) => response.req.socket === socket)
    if (others.some((response) => response.headersSent && !response.req.complete)) {
      socket.destroy()
      return
    }
    const before = others.findLast((response) => response.req.complete)
    if (before === undefined) refuse()
    else before.once('close', refuse)
  }

  #refuseSocket(socket: Socket, error: WireError): void {
    const phrase =
      error.status === 408 ? 'Request Timeout' : error.status === 405 ? 'Method Not Allowed' : 'Bad Request'
    socket.on('error', () => socket.destroy())
    socket.resume()
    socket.end(
      `HTTP/1.1 ${error.status} ${phrase}\r\ncontent-type: application/json; charset=UTF-8\r\n` +
        `content-length: ${Buffer.byteLength(error.body)}\r\nconnection: close\r\n\r\n${error.body}`,
    )
    setTimeout(() => socket.destroy(), 1000).unref()
  }

  #logWhenDone(message: WireMessage, response: ServerResponse): void {
    const started = performance.now()
    response.once('close', () => {
      const ms = Math.round((performance.now() - started) * 100) / 100
      const { method, url: path, socket } = message
      this.#options.log(
        'info',
        {
          method,
          path: withoutSignature(path),
          status: response.statusCode,
          ms,
          sourceIp: socket.remoteAddress,
          ...this.#entries.get(response)?.logFields,
        },
        'request',
      )
    })
  }
}

/** TLS as it is spoken here: none that is broken, and no second handshake, which costs the server more than the client. */
function secureContext(tls: SecureContextOptions): SecureContextOptions {
  return { ...tls, minVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_RENEGOTIATION }
}
