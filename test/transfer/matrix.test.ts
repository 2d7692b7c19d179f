import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DomainProcess, removeDataDir, startDomain } from '../../scripts/domain-process.ts'
import { Client } from '../../src/client/client.ts'
import { type SignedDomain, startSignedDomain } from '../client/signed-domain.ts'
import { digestOf, fill, makeDocuments, peerUrl } from './open-domain.ts'
import { runTransfer } from './transfer-command.ts'

// Each command is a process of its own: seconds on a busy machine.
const elasticsearch = await peerUrl('elasticsearch')
const opensearch = await peerUrl('opensearch')
/** Real servers are shared: every index made there begins so, and is deleted at the end. */
const PREFIX = `chaja-transfer-${process.pid}`
const DOCUMENTS = makeDocuments(1_500)

let a: DomainProcess
let b: DomainProcess
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-transfer-'))
  a = await startDomain()
  b = await startDomain()
  await fill(a.url, 'source', DOCUMENTS, 'thing')
})

afterAll(async () => {
  for (const url of [elasticsearch, opensearch]) {
    if (url !== undefined) await fetch(`${url}/${PREFIX}*`, { method: 'DELETE' })
  }
  await Promise.all([a?.stop(), b?.stop()])
  for (const domain of [a, b]) if (domain !== undefined) removeDataDir(domain.dataDir)
  rmSync(folder, { recursive: true, force: true })
})

const transfer = async (...args: string[]) => {
  const end = await runTransfer(args, { folder })
  expect(end, end.stderr).toMatchObject({ code: 0 })
  return end.report as NonNullable<typeof end.report>
}

describe('an index moves', () => {
  it('from domain to domain, with settings, mappings, aliases, routing and versions', async () => {
    const client = Client.connect({ host: a.url })
    await client.request('PUT', '/source/_alias/things')
    await client.put('source', 'thing', 'd1', JSON.parse('{"b":1}'))
    const report = await transfer(`${a.url}/source`, `${b.url}/copy`)
    expect(report).toMatchObject({ read: 1_500, written: 1_500, rejected: 0, verification: { equal: true } })
    const source = await digestOf(a.url, 'source')
    expect(await digestOf(b.url, 'copy')).toEqual(source)
    expect(report.verification?.of).toBe('records')

    const other = Client.connect({ host: b.url })
    const { body } = await other.request<Record<string, Record<string, object>>>('GET', '/copy?flat_settings=true')
    expect(body['copy']).toMatchObject({
      aliases: { things: {} },
      mappings: { thing: { properties: { a: { type: 'long' }, text: { type: 'text' } } } },
      settings: { 'index.number_of_shards': '3' },
    })
    const kept = await other.get('copy', 'thing', 'd1')
    expect(kept._version).toBe(2)
    const routed = DOCUMENTS.find((d) => d.routing !== undefined)
    const path = `/copy/thing/${encodeURIComponent(routed?.id ?? '')}?routing=${routed?.routing}`
    const text = await other.request<Uint8Array>('GET', path, undefined, { raw: true })
    expect(new TextDecoder().decode(text.body)).toContain(`"_routing":"${routed?.routing}"`)
    client.close()
    other.close()
  })

  it.each(['backup.ndjson', 'backup.ndjson.gz'])('into %s and back', async (file) => {
    const saved = await transfer(`${a.url}/source`, file)
    const restored = await transfer(file, `${b.url}/from-${file.length}`)
    expect(restored.verification?.sourceDigest).toBe(saved.verification?.sourceDigest)
    expect(await digestOf(b.url, `from-${file.length}`)).toEqual(await digestOf(a.url, 'source'))
    const bytes = readFileSync(join(folder, file))
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
    expect(text.split('\n')).toHaveLength(1 + 1_500 + 1)
    const refused = await runTransfer([`${a.url}/source`, file], { folder })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('is there already')
  })

  it('with several types in it, from domain to domain', async () => {
    const client = Client.connect({ host: a.url })
    await client.createIndex('library', {
      mappings: { book: { properties: { t: { type: 'text' } } }, author: { properties: { n: { type: 'keyword' } } } },
    })
    await client.put('library', 'book', '1', { t: 'one' })
    await client.put('library', 'author', '1', { n: 'One' })
    client.close()
    const report = await transfer(`${a.url}/library`, `${b.url}/library`)
    expect(report).toMatchObject({ written: 2, verification: { equal: true, destinationCount: 2 } })
  })

  it('not when it is only planned', async () => {
    const end = await runTransfer([`${a.url}/source`, `${b.url}/planned`, '--dry-run'], { folder })
    expect(end).toMatchObject({ code: 0, report: { dryRun: true, create: [{ index: 'planned' }] } })
    const client = Client.connect({ host: b.url })
    expect(await client.exists('/planned')).toBe(false)
    client.close()
  })

  it('or its documents, or its mappings alone', async () => {
    await transfer(`${a.url}/source`, `${b.url}/mapped`, '--mappings-only')
    expect(await digestOf(b.url, 'mapped')).toMatchObject({ count: 0 })
    await transfer(`${a.url}/source`, `${b.url}/mapped`, '--documents-only')
    expect(await digestOf(b.url, 'mapped')).toEqual(await digestOf(a.url, 'source'))
  })
})

describe('what is refused', () => {
  it('is told apart by lines where records were sent, and left out of the comparison', async () => {
    const client = Client.connect({ host: b.url })
    await client.createIndex('narrow', { mappings: { thing: { properties: { a: { type: 'byte' } } } } })
    client.close()
    const inside = join(folder, 'narrow')
    mkdirSync(inside)
    const end = await runTransfer([`${a.url}/source`, `${b.url}/narrow`, '--documents-only'], { folder: inside })
    expect(end, end.stderr).toMatchObject({
      code: 3,
      report: { read: 1_500, verification: { equal: true, of: 'documents' } },
    })
    const { written = 0, rejected = 0 } = end.report ?? {}
    expect([written, rejected].every((count) => count > 0)).toBe(true)
    expect(written + rejected).toBe(1_500)
    expect(await digestOf(b.url, 'narrow')).toMatchObject({ count: written })
  })
})

describe('what is not equal', () => {
  it('is named, and ends with 4', async () => {
    const client = Client.connect({ host: b.url })
    await client.put('other', 'thing', 'stranger', { b: 1 })
    client.close()
    const end = await runTransfer([`${a.url}/source`, `${b.url}/other`, '--documents-only'], { folder })
    expect(end.code).toBe(4)
    expect(end.stderr).toContain('extra: stranger')
    expect(end.report).toMatchObject({ verification: { equal: false, sourceCount: 1_500, destinationCount: 1_501 } })
  })

  it('because it was refused is written to a file with the reason, and ends with 3', async () => {
    const client = Client.connect({ host: a.url })
    await client.createIndex('loose', { mappings: { t: { properties: { n: { type: 'keyword' } } } } })
    for (let i = 0; i < 20; i++) await client.put('loose', 't', `n${i}`, { n: i % 5 === 0 ? 'word' : i })
    const other = Client.connect({ host: b.url })
    await other.createIndex('tight', { mappings: { t: { properties: { n: { type: 'integer' } } } } })
    const end = await runTransfer([`${a.url}/loose`, `${b.url}/tight`, '--rejects', 'refused.ndjson'], { folder })
    expect(end, end.stderr).toMatchObject({
      code: 3,
      report: { written: 16, rejected: 4, rejectFile: 'refused.ndjson' },
    })
    expect(end.report?.verification).toMatchObject({ equal: true, sourceCount: 16 })
    const refused = readFileSync(join(folder, 'refused.ndjson'), 'utf8').trim().split('\n')
    expect(refused.map((line) => JSON.parse(line)._id).sort()).toEqual(['n0', 'n10', 'n15', 'n5'])
    expect(JSON.parse(refused[0] as string)).toMatchObject({
      error: { status: 400, type: 'mapper_parsing_exception' },
      _source: { n: 'word' },
    })
    // The file of refused documents can be moved on, once what they ran against is mended.
    await other.createIndex('mended', { mappings: { t: { properties: { n: { type: 'keyword' } } } } })
    const mended = await transfer('refused.ndjson', `${b.url}/mended`)
    expect(mended).toMatchObject({ written: 4 })
    client.close()
    other.close()
  })
})

describe.runIf(elasticsearch !== undefined && opensearch !== undefined)('an index moves beside real servers', () => {
  it('from Elasticsearch 6.8 to a domain to OpenSearch 2.19', async () => {
    await fill(elasticsearch as string, `${PREFIX}-a`, DOCUMENTS, 'thing')
    const first = await transfer(`${elasticsearch}/${PREFIX}-a`, `${a.url}/real`)
    const second = await transfer(`${a.url}/real`, `${opensearch}/${PREFIX}-b`)
    expect(second.changes).toEqual(['type [thing] is dropped: the destination has no types'])
    expect(second.verification?.destinationDigest).toBe(first.verification?.sourceDigest)
    const read = await digestOf(elasticsearch as string, `${PREFIX}-a`)
    expect(await digestOf(a.url, 'real')).toEqual(read)
    expect(await digestOf(opensearch as string, `${PREFIX}-b`)).toEqual(read)
  })

  it('from OpenSearch 2.19 to a domain to Elasticsearch 6.8', async () => {
    await fill(opensearch as string, `${PREFIX}-c`, DOCUMENTS)
    await transfer(`${opensearch}/${PREFIX}-c`, `${a.url}/real-2`)
    await transfer(`${a.url}/real-2`, `${elasticsearch}/${PREFIX}-d`)
    expect(await digestOf(elasticsearch as string, `${PREFIX}-d`)).toEqual(
      await digestOf(opensearch as string, `${PREFIX}-c`),
    )
  })

  it('with several types, to indices of their own or to one with their names in a field', async () => {
    const client = Client.connect({ host: a.url })
    const documents = ['book', 'author', 'Shelf'].flatMap((type) =>
      DOCUMENTS.slice(0, 100).map((d) => ({ ...d, type })),
    )
    const mappings = Object.fromEntries(['book', 'author', 'Shelf'].map((type) => [type, { properties: {} }]))
    await client.createIndex('many', { mappings })
    await client.bulk(
      documents.map((d) => ({ index: { _index: 'many', _type: d.type, _id: d.id }, source: d.source })),
      { refresh: true },
    )
    client.close()
    const split = await transfer(`${a.url}/many`, `${opensearch}/${PREFIX}-m`)
    expect(split).toMatchObject({ written: 300, verification: { equal: true, destinationCount: 300 } })
    for (const type of ['book', 'author', 'shelf'])
      expect(await digestOf(opensearch as string, `${PREFIX}-m-${type}`)).toMatchObject({ count: 100 })
    const field = await transfer(`${a.url}/many`, `${opensearch}/${PREFIX}-f`, '--types', 'field')
    expect(field).toMatchObject({ written: 300, verification: { equal: true } })
    const one = Client.connect({ host: opensearch as string })
    const { body } = await one.request<{ count: number }>('POST', `/${PREFIX}-f/_count`, {
      query: { term: { type: 'Shelf' } },
    })
    expect(body.count).toBe(100)
    one.close()
  })
})

describe('elasticdump', () => {
  const elasticdump = resolve(import.meta.dirname, '../../node_modules/elasticdump/bin/elasticdump')
  let signed: SignedDomain

  beforeAll(async () => {
    signed = await startSignedDomain()
  })

  afterAll(() => signed?.stop())

  it('reads from and writes to a signed domain, and what it moved is equal by digest', async () => {
    const { env, url } = signed
    const loaded = await signed.sh(
      `chaja create-index source @index.json && chaja bulk documents.ndjson --index source --type thing --refresh`,
      { stdin: prepare(signed.folder) },
    )
    expect(loaded, loaded.stderr).toMatchObject({ code: 0 })
    const aws = [
      ['--awsAccessKeyId', env['AWS_ACCESS_KEY']],
      ['--awsSecretAccessKey', env['AWS_SECRET_KEY']],
      ['--awsRegion', env['AWS_REGION']],
      ['--awsService', 'es'],
      // Without it elasticdump signs for *.amazonaws.com alone.
      ['--awsUrlRegex', '.*'],
    ].flat() as string[]
    const dump = (from: string, to: string, ...more: string[]) => {
      const run = spawnSync(
        process.execPath,
        [
          elasticdump,
          `--input=${from}`,
          `--output=${to}`,
          '--type=data',
          '--limit=500',
          '--intervalCap=1000',
          ...more,
          ...aws,
        ],
        { env, cwd: signed.folder, encoding: 'utf8' },
      )
      expect(run.status, run.stdout + run.stderr).toBe(0)
      return run.stdout
    }
    expect(dump(`${url}/source`, 'dump.ndjson', '--support-big-int')).toContain('Total Writes: 300')
    dump('dump.ndjson', `${url}/copy`, '--support-big-int')
    dump(`${url}/source`, `${url}/direct`, '--support-big-int')
    // What elasticdump wrote, compared by our own reading of both.
    for (const copy of ['copy', 'direct']) {
      const end = await runTransfer([`${url}/source`, `${url}/${copy}`, '--documents-only'], {
        folder: signed.folder,
        env,
      })
      expect(end, end.stderr).toMatchObject({ code: 0, report: { verification: { equal: true, sourceCount: 300 } } })
    }
    // Its file goes in as ours does.
    const restored = await runTransfer(['dump.ndjson', `${url}/restored`], { folder: signed.folder, env })
    expect(restored, restored.stderr).toMatchObject({
      code: 0,
      report: { written: 300, verification: { equal: true } },
    })
  })

  /** elasticdump rewrites `1.0` to `1`, so these documents have none. */
  function prepare(folder: string): string {
    const lines = DOCUMENTS.slice(0, 300).map(
      (d) => `{"_id":${JSON.stringify(d.id)},"_source":{"t":"너의 ${d.id.length}","n":${d.id.length}}}`,
    )
    writeFileSync(join(folder, 'documents.ndjson'), `${lines.join('\n')}\n`)
    writeFileSync(join(folder, 'index.json'), '{"settings":{"number_of_shards":2}}')
    return ''
  }
})
