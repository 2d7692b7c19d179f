import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../scripts/chromium.ts'
import { mainPath } from '../../scripts/domain-process.ts'
import { type BrowserPage, keyHashOf, openPage, type Route } from './browser-page.ts'
import { type SignedDomain, startSignedDomain } from './signed-domain.ts'

const chromium = findChromium()
if (chromium === undefined)
  console.log('skipped: there is no browser here; npx tsx scripts/chromium.ts fetches one, CHAJA_CHROMIUM names one')

const dist = dirname(dirname(mainPath))
const PAGE = '/page-of-the-test/'

/** The package's files as it ships them, at the domain's own origin: a page there may ask it without further leave. */
const route: Route = ({ pathname }) => {
  if (!pathname.startsWith(PAGE)) return undefined
  const file = pathname.slice(PAGE.length)
  if (file === '') return { contentType: 'text/html', body: '<!doctype html><title>test</title>' }
  return { contentType: 'text/javascript', body: readFileSync(join(dist, file), 'utf8') }
}

describe.runIf(chromium !== undefined)('the client in a browser', () => {
  let domain: SignedDomain
  let page: BrowserPage

  beforeAll(async () => {
    domain = await startSignedDomain()
    const authority = readFileSync(domain.env['NODE_EXTRA_CA_CERTS'] as string)
    page = await openPage(chromium as NonNullable<typeof chromium>, {
      url: `${domain.url}${PAGE}`,
      route,
      trusted: [await keyHashOf(domain.url, authority)],
    })
  })

  afterAll(async () => {
    await page?.close()
    await domain?.stop()
  })

  /** Runs lines in the page, with `client` at hand. */
  function run<T>(lines: string, secret = domain.env['AWS_SECRET_KEY']): Promise<T> {
    const credentials = { accessKeyId: domain.env['AWS_ACCESS_KEY'], secretAccessKey: secret }
    return page.evaluate<T>(`(async () => {
      const { Client, ClientError, totalHits } = await import('${PAGE}client/browser.js')
      const client = Client.connect({
        host: location.origin,
        region: ${JSON.stringify(domain.env['AWS_REGION'])},
        credentials: ${secret === undefined ? 'undefined' : `async () => (${JSON.stringify(credentials)})`},
      })
      ${lines}
    })()`)
  }

  const refusal = `try { await client.search({}); return 'answered' } catch (e) {
    return { client: e instanceof ClientError, kind: e.kind, status: e.status }
  }`

  it('runs where only WebCrypto signs', async () => {
    expect(await page.evaluate('[isSecureContext, typeof crypto.subtle, typeof process]')).toEqual([
      true,
      'object',
      'undefined',
    ])
  })

  it('stores, reads, finds and removes documents with odd ids, signed', async () => {
    const found = await run(`
      const id = "문서/1 ?#%+ '()*!~"
      await client.createIndex('films', { mappings: { film: { properties: { title: { type: 'text' } } } } })
      const put = await client.put('films', 'film', id, { title: '너의 이름은 café', n: 1 })
      await client.request('POST', '/films/_refresh')
      const get = await client.get('films', 'film', id)
      const answer = await client.search({ query: { match: { title: '이름은' } } }, { index: 'films' })
      const query = await client.request('GET', '/films/_search?q=' + encodeURIComponent('title:café') + '&size=5')
      const gone = await client.delete('films', 'film', id)
      return [put.result, get._source.title, totalHits(answer), totalHits(query.body), gone.result]
    `)
    expect(found).toEqual(['created', '너의 이름은 café', 1, 1, 'deleted'])
  })

  it('sends documents in bulk, in several requests, and walks them by a scroll', async () => {
    const sent = await run(`
      const items = Array.from({ length: 2500 }, (_, i) => (
        { _index: 'many', _type: 'd', _id: 'd' + i, _source: { i, text: '낱말 '.repeat(i % 20) } }
      ))
      const { succeeded, failed, requests } = await client.bulk(items, { maxCount: 1000, refresh: true })
      const seen = new Set()
      for await (const hit of client.scroll({ size: 500 }, { index: 'many' })) seen.add(hit._id)
      return { succeeded, failed, requests, seen: seen.size }
    `)
    expect(sent).toEqual({ succeeded: 2500, failed: 0, requests: 3, seen: 2500 })
  })

  it('is refused with a wrong key, and without one', async () => {
    expect(await run(refusal, 'not the secret')).toEqual({ client: true, kind: 'response', status: 403 })
    const unsigned = await page.evaluate(`(async () => {
      const { Client, ClientError } = await import('${PAGE}client/browser.js')
      const client = Client.connect({ host: location.origin })
      ${refusal}
    })()`)
    expect(unsigned).toEqual({ client: true, kind: 'response', status: 403 })
  })
})
