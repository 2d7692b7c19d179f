import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** What a proxy does to a request: passes it on, refuses it, breaks it off, or passes it on and loses the answer. */
export type Fault = 'pass' | 429 | 413 | 503 | 'reset' | 'lose-answer'

/** A plain HTTP proxy before one server, that does to requests what networks and crowded servers do. */
export interface FaultProxy {
  readonly url: string
  /** How often each fault was done. */
  readonly done: Readonly<Record<string, number>>
  close(): Promise<void>
}

/**
 * Starts a proxy on a free port.
 *
 * @param target  `http://host:port`
 * @param decide  asked for each request, with its body's size
 */
export async function startFaultProxy(
  target: string,
  decide: (request: { readonly method: string; readonly path: string; readonly bytes: number }) => Fault,
): Promise<FaultProxy> {
  const done: Record<string, number> = {}
  const sockets = new Set<Socket>()
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const fault = decide({ method: request.method ?? '', path: request.url ?? '', bytes: body.byteLength })
      done[fault] = (done[fault] ?? 0) + 1
      if (fault === 'reset') request.socket.resetAndDestroy()
      else if (typeof fault === 'number') refuse(response, fault)
      else forward(target, request, body, response, fault === 'lose-answer')
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    done,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(
    status === 413
      ? '{"Message":"Request size exceeded 10485760 bytes"}'
      : `{"error":{"type":"es_rejected_execution_exception","reason":"too busy"},"status":${status}}`,
  )
}

function forward(
  target: string,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  loseAnswer: boolean,
): void {
  const { 'transfer-encoding': _, ...headers } = request.headers
  const outgoing = httpRequest(
    target + request.url,
    { method: request.method ?? 'GET', headers: { ...headers, 'content-length': body.byteLength } },
    (answer) => {
      if (loseAnswer) {
        answer.resume().once('end', () => request.socket.resetAndDestroy())
        return
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    },
  )
  outgoing.once('error', () => request.socket.destroy())
  outgoing.end(body)
}
