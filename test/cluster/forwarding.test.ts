import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { readAdminKey } from '../../src/access/open-access.ts'
import { readConfig } from '../../src/config.ts'
import { AUTHORITY_FILE, localCertificate } from '../../src/http/local-authority.ts'
import { answerJson, FakeCluster, type FakeClusterOptions } from './fake-cluster.ts'
import { type ServedCluster, serveCluster } from './served-cluster.ts'

const aws4 = createRequire(import.meta.url)('aws4') as {
  sign(request: object, credentials: object | undefined): { path: string; headers: Record<string, string> }
}

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function served(
  options: FakeClusterOptions = {},
  domainOptions: Parameters<typeof serveCluster>[1] = {},
): Promise<{ cluster: FakeCluster; domain: ServedCluster }> {
  const cluster = await FakeCluster.start(options)
  stops.push(() => cluster.stop())
  const domain = await serveCluster([cluster.url], domainOptions)
  stops.push(() => domain.stop())
  return { cluster, domain }
}

describe('a domain in front of a cluster', () => {
  it('forwards method, path, query and body, and what the cluster answers', async () => {
    const { cluster, domain } = await served({
      handle: (_seen, response) => {
        response.writeHead(418, {
          'content-type': 'text/plain',
          'x-thing': 'yes',
          'set-cookie': 'a=b',
          warning: '299 w',
        })
        response.end('as it came')
        return true
      },
    })
    const answer = await domain.ask('POST', '/%EC%B1%85/_doc/a%2Fb%20c?refresh&pretty=true', { 제목: '책' })
    expect(cluster.seen).toMatchObject([
      { method: 'POST', url: '/%EC%B1%85/_doc/a%2Fb%20c?refresh=&pretty=true', body: '{"제목":"책"}' },
    ])
    expect(answer).toMatchObject({ status: 418, text: 'as it came' })
    expect(answer.headers.get('x-thing')).toBe('yes')
    expect(answer.headers.get('warning')).toBe('299 w')
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  it('passes the headers that matter and none of the caller', async () => {
    const { cluster, domain } = await served()
    const answer = await domain.ask('GET', '/a/_search', undefined, {
      accept: 'application/vnd.elasticsearch+json; compatible-with=8',
      'x-opaque-id': 'mine',
      'x-amz-date': 'x',
      cookie: 'session=1',
      'x-forwarded-for': '1.2.3.4',
    })
    const [seen] = cluster.seen
    expect(Object.keys(seen?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'x-opaque-id',
    ])
    expect(seen?.headers.accept).toBe('application/json')
    expect(answer.headers.get('x-opaque-id')).toBe('mine')
  })

  it('sends a target as it came, which the cluster quotes, unless it has a second reading', async () => {
    const { cluster, domain } = await served()
    const asked = async (target: string) => {
      await domain.ask('GET', target)
      return cluster.seen.at(-1)?.url
    }
    for (const target of [
      '/a,b/_search?pretty&q=t:[1+TO+2]',
      '/a%2Fb/_doc/c%20d?h=x%2Cy',
      '/?human',
      '/a:b/_count',
      '/_cat/?h=x',
    ]) {
      expect(await asked(target)).toBe(target)
    }
    expect(await asked('/a//b/')).toBe('/a/b')
    expect(await asked('/a/_doc/b+c')).toBe('/a/_doc/b%2Bc')
    expect(await asked('/a/_search?size=1&size=2')).toBe('/a/_search?size=2')
    expect(await asked('/a/_search?size=1;from=2')).toBe('/a/_search?size=1&from=2')
    expect(await asked('/a/_search?q=%ff')).toBe('/a/_search?q=%EF%BF%BD')
  })

  it('passes Content-Type without a body too, and headers that should be there once as often as they came', async () => {
    const { cluster, domain } = await served()
    await domain.ask('POST', '/a/_search', undefined, { 'content-type': 'application/yaml' })
    expect(cluster.seen[0]?.headers['content-type']).toBe('application/yaml')
    await new Promise((resolve) => {
      const headers = { 'x-opaque-id': ['one', 'two'], 'content-type': ['application/json', 'application/yaml'] }
      requestHttp(`${domain.url}/a/_search`, { method: 'POST', headers }, (response) =>
        response.resume().once('end', resolve),
      ).end('{}')
    })
    expect(cluster.seen[1]?.rawHeaders.filter((text) => /^(?:one|two|application\/.*)$/.test(text))).toEqual([
      'application/json',
      'application/yaml',
      'one',
      'two',
    ])
  })

  it('passes several warnings as the lines they came in', async () => {
    const warnings = ['299 a "one, two"', '299 a "three"']
    const { domain } = await served({
      handle: (_seen, response) => {
        response.setHeader('warning', warnings)
        answerJson(response, 200, {})
        return true
      },
    })
    const { headersDistinct } = await new Promise<IncomingMessage>((resolve) => {
      requestHttp(`${domain.url}/a/_search`, (response) => resolve(response.resume())).end()
    })
    expect(headersDistinct['warning']).toEqual(warnings)
  })

  it('takes the credentials of the cluster from its URL', async () => {
    const cluster = await FakeCluster.start()
    stops.push(() => cluster.stop())
    const domain = await serveCluster([cluster.url.replace('//', '//me:p%40ss@')])
    stops.push(() => domain.stop())
    await domain.ask('GET', '/a/_search')
    expect(cluster.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`)
  })

  it('says so when the cluster does not take its credentials', async () => {
    const { domain } = await served({
      handle: (_seen, response) => {
        answerJson(response, 401, {})
        return true
      },
    })
    const answer = await domain.ask('GET', '/a/_search')
    expect(answer.status).toBe(503)
    expect(answer.json.error.reason).toBe('the cluster does not take the credentials the domain has for it')
  })

  it('verifies the certificate of the cluster', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'chaja-authority-'))
    const cluster = await FakeCluster.start({ tls: await localCertificate(folder, []) })
    stops.push(
      () => cluster.stop(),
      async () => rmSync(folder, { recursive: true }),
    )
    const trusting = await serveCluster([cluster.url], { flags: { clusterCa: join(folder, AUTHORITY_FILE) } })
    const doubting = await serveCluster([cluster.url])
    stops.push(
      () => trusting.stop(),
      () => doubting.stop(),
    )
    expect((await trusting.ask('GET', '/a/_search')).status).toBe(200)
    const refused = await doubting.ask('GET', '/a/_search')
    expect(refused.status).toBe(503)
    expect(refused.json.error.reason).toMatch(/UNABLE_TO_|SELF_SIGNED/)
    expect(cluster.seen).toHaveLength(1)
  })

  it('lets signed requests in, and nothing of a signature out', async () => {
    const { cluster, domain } = await served({}, { signed: true })
    expect((await domain.ask('GET', '/a/_search')).status).toBe(403)
    const { host } = new URL(domain.url)
    const key = readAdminKey(domain.dataDir)
    const { headers, path } = aws4.sign({ host, path: '/a/_search?q=x', service: 'es', region: 'us-east-1' }, key)
    expect((await fetch(`http://${host}${path}`, { headers })).status).toBe(200)
    const presigned = aws4.sign(
      { host, path: '/a/_search?q=y', service: 'es', region: 'us-east-1', signQuery: true },
      key,
    )
    expect((await fetch(`http://${host}${presigned.path}`)).status).toBe(200)
    expect(cluster.seen.map(({ url }) => url)).toEqual(['/a/_search?q=x', '/a/_search?q=y'])
    expect(cluster.seen[0]?.headers.authorization).toBeUndefined()
  })

  it('is of a data directory that no other domain has open', async () => {
    const { domain } = await served()
    const second = serveCluster([domain.url], { flags: { data: domain.dataDir } })
    await expect(second).rejects.toThrow('is open in another chaja process')
  })

  it('refuses indices in bodies where that is not allowed', async () => {
    const { cluster, domain } = await served({}, { flags: { allowExplicitIndex: false } })
    const bulk = (index: object) => domain.ask('POST', '/a/_bulk', `${JSON.stringify({ index })}\n{}\n`)
    expect((await bulk({ _id: '1' })).status).toBe(200)
    expect((await bulk({ _index: 'b' })).json.error.reason).toBe('explicit index in bulk is not allowed')
    expect(cluster.seen).toHaveLength(1)
  })

  it('never shows a password', () => {
    expect(() => readConfig({ cluster: 'ftp://me:secret@host' }, {})).toThrow(/^--cluster: every node is named by/)
  })

  it('inflates what came compressed, and passes compressed answers as they are', async () => {
    const packed = gzipSync('{"big":true}')
    const { cluster, domain } = await served({
      handle: (_seen, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' }).end(packed)
        return true
      },
    })
    const response = await fetch(`${domain.url}/a/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync('{"query":{}}'),
    })
    expect(await response.json()).toEqual({ big: true })
    expect(cluster.seen[0]).toMatchObject({ body: '{"query":{}}' })
  })

  it('answers HEAD with the length and no body', async () => {
    const { domain } = await served({
      handle: (_seen, response) => {
        response.writeHead(200, { 'content-length': 123 }).end()
        return true
      },
    })
    const answer = await domain.ask('HEAD', '/a')
    expect([answer.status, answer.headers.get('content-length'), answer.text]).toEqual([200, '123', ''])
  })

  it('streams long answers, and breaks off where the cluster does', async () => {
    const part = 'x'.repeat(100_000)
    const { domain } = await served({
      handle: (seen, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        response.write(part)
        if (seen.url === '/broken') setTimeout(() => response.destroy(), 20)
        else response.end(part)
        return true
      },
    })
    expect((await domain.ask('GET', '/whole')).text).toHaveLength(200_000)
    await expect(domain.ask('GET', '/broken')).rejects.toThrow()
  })

  it('passes on what the cluster refuses for the moment, and when to come again', async () => {
    const { domain } = await served({
      handle: (seen, response) => {
        response.writeHead(seen.url === '/busy' ? 429 : 503, { 'retry-after': '7', 'content-type': 'text/html' })
        response.end('<html>')
        return true
      },
    })
    for (const [path, status] of [
      ['/busy', 429],
      ['/down', 503],
    ] as const) {
      const answer = await domain.ask('GET', path)
      expect([answer.status, answer.text, answer.headers.get('retry-after')]).toEqual([status, '<html>', '7'])
    }
  })

  it('does not send callers where something before the cluster sends it', async () => {
    for (const status of [301, 302, 307, 308]) {
      const { domain } = await served({
        handle: (_seen, response) => {
          response.writeHead(status, { location: 'http://inside.example/' }).end()
          return true
        },
      })
      for (const [method, path] of [
        ['GET', '/a/_search'],
        ['PUT', '/a/_doc/1'],
      ] as const) {
        const answer = await domain.ask(method, path, method === 'PUT' ? {} : undefined)
        expect(answer.status).toBe(503)
        expect(answer.headers.get('location')).toBeNull()
        expect(answer.text).not.toContain('inside')
      }
    }
  })

  it.each(['OpenSearch_2.19', 'Elasticsearch_6.8'])(
    'answers 503 to what the cluster breaks off or garbles, as %s',
    async (engineVersion) => {
      const { domain } = await served(
        {
          handle: (seen, response) => {
            if (seen.url.includes('broken')) {
              response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
              response.write('{"count":')
              setTimeout(() => response.destroy(), 10)
            } else if (seen.url.includes('silent')) response.socket?.destroy()
            else response.writeHead(200, { 'content-type': 'application/json' }).end('{"count":')
            return true
          },
        },
        { engineVersion },
      )
      for (const path of ['/broken/_count', '/silent/_count', '/broken/_search', '/broken/_mapping']) {
        const { status, json } = await domain.ask('GET', path)
        expect([path, status, json?.error?.type]).toEqual([path, 503, 'no_node_available_exception'])
      }
      if (engineVersion !== 'Elasticsearch_6.8') return
      const { status, json } = await domain.ask('GET', '/garbled/_mapping')
      expect([status, json?.error?.type]).toEqual([503, 'no_node_available_exception'])
    },
  )

  it('lets go of a request whose client has gone', async () => {
    let gone: () => void = () => {}
    const wentAway = new Promise<void>((resolve) => {
      gone = resolve
    })
    let began: () => void = () => {}
    const hasBegun = new Promise<void>((resolve) => {
      began = resolve
    })
    const { domain } = await served({
      handle: (_seen, response) => {
        response.once('close', gone)
        began()
        return true
      },
    })
    const request = requestHttp(`${domain.url}/a/_search`)
    request.on('error', () => {}).end()
    await hasBegun
    request.destroy()
    await wentAway
  })

  it('waits for no answer of a node that would speak another protocol', async () => {
    const cluster = await FakeCluster.start({
      handle: (_seen, _response, request) => {
        request.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
        return true
      },
    })
    const domain = await serveCluster([cluster.url])
    expect((await domain.ask('PUT', '/books/_doc/1', {})).status).toBe(503)
    await domain.stop()
    await cluster.stop()
  })

  it('gives a silent node up', async () => {
    const { domain } = await served({ handle: () => true }, { flags: { clusterTimeout: 1 } })
    const answer = await domain.ask('POST', '/a/_search', {})
    expect(answer.status).toBe(503)
    expect(answer.json.error.reason).toMatch(/broke while it had the request.*silent for 1000 ms/)
  })

  it('says how long the cluster said nothing in the middle of an answer', async () => {
    const { domain } = await served(
      {
        handle: (_seen, response) => {
          response.writeHead(200, { 'content-length': 100 }).write('half')
          return true
        },
      },
      { flags: { clusterTimeout: 1 } },
    )
    const answer = await domain.ask('GET', '/a/_search')
    expect(answer.status).toBe(503)
    expect(answer.json.error.reason).toBe("the cluster's answer broke off: silent for 1000 ms")
  })

  it('waits for a client that reads slowly', async () => {
    const length = 24 * 1024 * 1024
    const { domain } = await served(
      {
        handle: (_seen, response) => {
          response.writeHead(200, { 'content-type': 'text/plain', 'content-length': length })
          response.end(Buffer.alloc(length, 'x'))
          return true
        },
      },
      { flags: { clusterTimeout: 1 } },
    )
    const received = await new Promise<number>((resolve, reject) => {
      const request = requestHttp(`${domain.url}/a/_search`, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          if (bytes === 0) {
            response.pause()
            setTimeout(() => response.resume(), 2_500)
          }
          bytes += chunk.length
        })
        response.once('end', () => resolve(bytes)).once('error', reject)
      })
      request.once('error', reject).end()
    })
    expect(received).toBe(length)
  })

  it('starts without its cluster, answers 503 and serves it once it is there', async () => {
    const first = await FakeCluster.start()
    const { port, url } = first
    await first.stop()
    const domain = await serveCluster([url])
    stops.push(() => domain.stop())
    const answer = await domain.ask('GET', '/a/_search')
    expect(answer.json).toMatchObject({
      error: {
        type: 'no_node_available_exception',
        reason: `None of the configured nodes of the cluster are available: [${url}: ECONNREFUSED]`,
      },
      status: 503,
    })
    expect((await domain.ask('GET', '/-/health')).status).toBe(200)
    const later = await FakeCluster.start({}, port)
    stops.push(() => later.stop())
    expect((await domain.ask('GET', '/a/_search')).status).toBe(200)
  })

  it('passes over a node that is not there', async () => {
    const gone = await FakeCluster.start()
    await gone.stop()
    const cluster = await FakeCluster.start()
    stops.push(() => cluster.stop())
    const domain = await serveCluster([gone.url, cluster.url])
    stops.push(() => domain.stop())
    for (let i = 0; i < 4; i++) expect((await domain.ask('PUT', `/a/_doc/${i}`, {})).status).toBe(200)
    expect(cluster.seen).toHaveLength(4)
  })

  it('asks again elsewhere what only reads, and nothing that a node may have begun with', async () => {
    const asked: string[] = []
    const dying: FakeClusterOptions = {
      handle: (seen, response) => {
        asked.push(seen.method)
        response.destroy()
        return true
      },
    }
    const one = await FakeCluster.start(dying)
    const two = await FakeCluster.start(dying)
    stops.push(
      () => one.stop(),
      () => two.stop(),
    )
    const domain = await serveCluster([one.url, two.url])
    stops.push(() => domain.stop())
    await sleep(50)
    expect((await domain.ask('POST', '/a/_doc', {})).status).toBe(503)
    expect(asked).toEqual(['POST'])
    expect((await domain.ask('GET', '/a/_doc/1')).status).toBe(503)
    expect(asked.filter((method) => method === 'GET').length).toBeGreaterThanOrEqual(2)
  })

  it('does not serve an old cluster in the words of a later one', async () => {
    const { domain } = await served({ version: { number: '6.8.23' } }, { engineVersion: 'OpenSearch_2.19' })
    const answer = await domain.ask('GET', '/')
    expect(answer.json.error.reason).toMatch(/served with --engine-version Elasticsearch_6.8 only/)
  })

  it('gives the Elasticsearch dialects the header their clients look for', async () => {
    const { domain } = await served({}, { engineVersion: 'Elasticsearch_7.10' })
    expect((await domain.ask('GET', '/_cat/nodes')).headers.get('x-elastic-product')).toBe('Elasticsearch')
  })
})
