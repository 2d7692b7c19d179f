import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { ClusterClient, readAnswer } from './cluster-client.ts'
import { parseClusterNode } from './cluster-node.ts'

const ended: (() => void)[] = []
afterEach(() => {
  for (const end of ended.splice(0)) end()
})

/** Answers everything with `{}`, unless it is told otherwise. */
async function startNode(
  port = 0,
  listener: RequestListener = (_request, response) => response.end('{}'),
): Promise<Server> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  ended.push(() => server.close().closeAllConnections())
  return server
}

/** A node of its own protocol. */
async function startSocketNode(handle: (socket: Socket, head: string) => void): Promise<Server> {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.once('data', (data) => handle(socket, String(data)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ended.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return server as Server
}

function clientOf(servers: readonly Server[], timeoutMs = 10_000): ClusterClient {
  const nodes = servers.map((server) => parseClusterNode(urlOf(server)))
  const client = new ClusterClient({ nodes, ca: undefined, timeoutMs, log: () => {} })
  ended.push(() => client.close())
  return client
}

const BULK = { method: 'POST', path: '/_bulk', headers: {}, body: Buffer.alloc(8 * 1024 * 1024, 'x') }

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

describe('a client of a cluster', () => {
  it('has one request find out whether a node is back that was gone, and asks it in turn once it is', async () => {
    const gone = await startNode()
    const goneUrl = urlOf(gone)
    await new Promise((resolve) => gone.close(resolve))
    const nodes = [goneUrl, urlOf(await startNode())].map(parseClusterNode)
    const failed: string[] = []
    const log = (_level: string, fields: object) => failed.push((fields as { node: string }).node)
    const client = new ClusterClient({ nodes, ca: undefined, timeoutMs: 10_000, log })
    ended.push(() => client.close())
    const askAll = () => Promise.all(Array.from({ length: 10 }, () => client.json('GET', '/x')))
    await client.json('GET', '/x')
    await client.json('GET', '/x')
    expect(failed).toEqual([goneUrl])
    await sleep(2_100)
    await askAll()
    expect(failed).toEqual([goneUrl, goneUrl])
    let asked = 0
    const back = await startNode(Number(new URL(goneUrl).port))
    back.on('request', () => asked++)
    await sleep(2_100)
    await askAll()
    expect([asked, failed.length]).toEqual([1, 2])
    await askAll()
    expect([asked, failed.length]).toEqual([6, 2])
  })

  it('waits for nodes that say nothing as long as for one, however many there are', async () => {
    const silent = () => startNode(0, () => {})
    const client = clientOf([await silent(), await silent(), await silent()], 600)
    const began = performance.now()
    await expect(client.json('GET', '/x')).rejects.toThrow('silent for 600 ms')
    // One after the other would be 1,800.
    expect(performance.now() - began).toBeLessThan(1_700)
  })

  it('asks the next node for what is left when one broke the connection', async () => {
    const breaking = await startNode(0, (request) => setTimeout(() => request.socket.destroy(), 400))
    const client = clientOf([breaking, await startNode(0, () => {})], 2_000)
    const told = await client.json('GET', '/x').catch(String)
    expect(Number(/silent for (\d+) ms/.exec(String(told))?.[1])).toBeLessThanOrEqual(1_600)
  })

  it('passes on what a node answers to a large body without reading it', async () => {
    const refusing = await startSocketNode((socket) => {
      socket.pause()
      socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 5\r\n\r\nlarge', () => socket.destroy())
    })
    const client = clientOf([refusing])
    for (let i = 0; i < 10; i++) {
      const answer = await client.send(BULK)
      expect([answer.statusCode, String(await readAnswer(answer))]).toEqual([413, 'large'])
    }
  })

  it('sends no large body to a node before that takes it, unless it does not know of being asked', async () => {
    const heads: string[] = []
    const knowing = await startNode(0, async (request, response) =>
      response.end(String((await buffer(request)).length)),
    )
    knowing.on('checkContinue', async (request, response) => {
      heads.push(request.headers.expect as string)
      response.writeContinue()
      response.end(String((await buffer(request)).length))
    })
    expect(String(await readAnswer(await clientOf([knowing]).send(BULK)))).toBe(String(BULK.body.length))
    expect(heads).toEqual(['100-continue'])

    let asked = 0
    const unknowing = await startNode(0)
    unknowing.on('checkContinue', async (request, response) => {
      asked++
      response.end(String((await buffer(request)).length))
    })
    unknowing.removeAllListeners('request').on('request', async (request, response) => {
      response.end(String((await buffer(request)).length))
    })
    const client = clientOf([unknowing])
    for (let i = 0; i < 2; i++) expect(String(await readAnswer(await client.send(BULK)))).toBe(String(BULK.body.length))
    expect(asked).toBe(1)
  })

  it('sends a large body at once to a node that refuses to be asked first', async () => {
    let asked = 0
    const refusing = await startNode(0, async (request, response) =>
      response.end(String((await buffer(request)).length)),
    )
    refusing.on('checkContinue', (_request, response) => {
      asked++
      response.writeHead(417).end()
    })
    const client = clientOf([refusing])
    for (let i = 0; i < 2; i++) {
      expect(String(await readAnswer(await client.send(BULK)))).toBe(String(BULK.body.length))
    }
    expect(asked).toBe(1)
  })
})
