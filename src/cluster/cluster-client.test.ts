import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { ClusterClient } from './cluster-client.ts'
import { parseClusterNode } from './cluster-node.ts'

const ended: (() => void)[] = []
afterEach(() => {
  for (const end of ended.splice(0)) end()
})

/** Answers everything with `{}`. */
async function startNode(port = 0): Promise<Server> {
  const server = createServer((_request, response) => response.end('{}'))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  ended.push(() => server.close().closeAllConnections())
  return server
}

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
})
