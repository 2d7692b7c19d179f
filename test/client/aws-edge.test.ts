import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type DomainProcess, mainPath, removeDataDir, startDomain } from '../../scripts/domain-process.ts'
import { Client } from '../../src/client/client.ts'
import type { TransferReport } from '../../src/transfer/transfer.ts'
import { digestOf, fill, makeDocuments } from '../transfer/open-domain.ts'
import { type AwsEdge, startAwsEdge, type Trouble } from './aws-edge.ts'
import type { Ended } from './signed-domain.ts'

let edge: AwsEdge
let plain: DomainProcess
let folder: string
let client: Client
const KEYS = { accessKeyId: 'AKIDEDGE', secretAccessKey: 'se+cr/et=' }

beforeAll(async () => {
  edge = await startAwsEdge()
  plain = await startDomain()
  folder = mkdtempSync(join(tmpdir(), 'chaja-edge-'))
  edge.keys.set(KEYS.accessKeyId, { secret: KEYS.secretAccessKey })
  client = connect()
})

afterEach(() => {
  edge.trouble = () => 'none'
  edge.clockMs = 0
})

afterAll(async () => {
  client?.close()
  await edge?.stop()
  await plain?.stop()
  removeDataDir(plain.dataDir)
  rmSync(folder, { recursive: true, force: true })
})

const connect = (credentials: Parameters<typeof Client.connect>[0]['credentials'] = KEYS) =>
  Client.connect({ host: edge.host, region: edge.region, ca: readFileSync(edge.ca, 'utf8'), credentials })

/** Runs a line of shell with the edge in its environment. */
function sh(line: string, env: NodeJS.ProcessEnv = {}, stdin = ''): Promise<Ended> {
  const script = `chaja() { "${process.execPath}" "${mainPath}" "$@"; }\n${line}`
  const own = {
    PATH: process.env['PATH'],
    HOME: folder,
    AWS_ES_HOST: edge.host,
    AWS_ACCESS_KEY: KEYS.accessKeyId,
    AWS_SECRET_KEY: KEYS.secretAccessKey,
    AWS_REGION: edge.region,
    AWS_CA_BUNDLE: edge.ca,
  }
  const child = spawn('bash', ['-c', script], { cwd: folder, env: { ...own, ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  child.stdin.end(stdin)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}

/** Every so many permitted requests one goes wrong, each time in another way. */
function storm(every: number, kinds: readonly Trouble[]): AwsEdge['trouble'] {
  let requests = 0
  return () => (++requests % every === 0 ? (kinds[(requests / every) % kinds.length] as Trouble) : 'none')
}
const ALL: readonly Trouble[] = [
  'throttle-429',
  'gateway-timeout',
  'throttle-403',
  'unavailable',
  'reset',
  'lose-answer',
]

describe('the client before the edge of a cloud domain', () => {
  it('signs whatever ids, names, paths and bodies there are', async () => {
    const ids = [
      'a/b',
      '#',
      '?q=1&r',
      '%',
      '%2F',
      'a+b',
      '*',
      'a b',
      '한글',
      '📚',
      '.',
      '..',
      "!'()",
      '~',
      'a,b',
      '&=;:@$',
      '\\',
      '|{}^`"<>',
      '‮x',
    ]
    for (const id of ids) {
      await client.put('edge', 't', id, { id, text: '너의 이름은' })
      expect((await client.get('edge', 't', id))._source).toEqual({ id, text: '너의 이름은' })
    }
    await client.request('POST', '/edge/_refresh')
    const paths = [
      '/edge/_search?q=한글 a+b&size=1',
      '/ed*,e*ge/_search?filter_path=hits.total,took',
      '/_cat/indices?v&h=index',
      '//edge//_count',
      '/edge/_search?q=id:*&sort=_id&_source=',
    ]
    for (const path of paths) expect((await client.request('GET', path)).status).toBe(200)
    expect((await client.request<{ count: number }>('GET', '/edge/_count')).body.count).toBe(ids.length)
    expect(await client.delete('edge', 't', '..')).toMatchObject({ result: 'deleted' })
    expect(await client.exists('/edge')).toBe(true)
  })

  it('tells its refusals apart', async () => {
    const wrong = connect({ ...KEYS, secretAccessKey: 'other' })
    await expect(wrong.request('GET', '/')).rejects.toMatchObject({
      status: 403,
      reason: /signature we calculated/,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    await expect(client.request('GET', '/_cluster/state')).rejects.toMatchObject({
      status: 401,
      reason: /is not allowed/,
    })
    const unsigned = Client.connect({ host: edge.host, ca: readFileSync(edge.ca, 'utf8') })
    await expect(unsigned.request('DELETE', '/edge')).rejects.toThrow(
      'User: anonymous is not authorized to perform: es:ESHttpDelete',
    )
    for (const c of [wrong, unsigned]) c.close()
  })

  it('halves what is too large, down to the one document that is, though the answer comes before the request is read', async () => {
    const big = (mebibytes: number) => ({ text: 'x'.repeat(mebibytes * 1_048_576) })
    const documents = [3, 3, 3, 3, 11, 1].map((m, i) => ({ _index: 'big', _type: 't', _id: `${i}`, _source: big(m) }))
    const summary = await client.bulk(documents, { maxBytes: 64 * 1_048_576 })
    expect(summary).toMatchObject({ total: 6, succeeded: 5, failed: 1 })
    expect(summary.failures[0]).toMatchObject({
      id: '4',
      status: 413,
      error: { reason: /Request size exceeded 10485760 bytes/ },
    })
  })

  it('comes through storms, each document once', async () => {
    edge.trouble = storm(3, ALL)
    const documents = function* () {
      for (let i = 0; i < 2_000; i++)
        yield { _index: 'storm', _type: 't', ...(i % 2 ? {} : { _id: `${i}` }), _source: { i } }
    }
    const summary = await client.bulk(documents(), { maxCount: 50, maxRetries: 20 })
    expect(summary).toMatchObject({ total: 2_000, succeeded: 2_000, failed: 0 })
    edge.trouble = () => 'none'
    await client.request('POST', '/storm/_refresh')
    const found = await client.search(
      { size: 0, aggs: { i: { cardinality: { field: 'i', precision_threshold: 10_000 } } } },
      { index: 'storm' },
    )
    expect(found).toMatchObject({ hits: { total: 2_000 }, aggregations: { i: { value: 2_000 } } })
  })

  it("goes on by the edge's clock when its own is wrong", async () => {
    for (const hours of [-3, 3]) {
      edge.clockMs = hours * 3_600_000
      const skewed = connect()
      expect((await skewed.request('GET', '/')).status).toBe(200)
      expect((await skewed.request('POST', '/edge/t', { a: 1 })).status).toBe(201)
      skewed.close()
    }
  })
})

describe('the commands before the edge of a cloud domain', () => {
  it('do what they do elsewhere', async () => {
    const steps = [
      `chaja create-index shell '{"mappings":{"t":{"date_detection":false}}}'`,
      `chaja put shell t '가/나 #1' '{"title":"너의 이름은","n":9007199254740993}' --refresh`,
      `chaja get shell t '가/나 #1' --source`,
      `chaja search --index shell '{"query":{"match":{"title":"이름은"}}}'`,
      'chaja bulk - --refresh',
      'chaja request GET "/_cat/count/shell?h=count&format=json"',
      `chaja analyze 'Quick foxes' --analyzer standard`,
      'chaja health',
      `chaja delete shell t '가/나 #1'`,
    ]
    const ended = await sh(
      `set -e\n${steps.join('\n')}`,
      {},
      '{"index":{"_index":"shell","_type":"t","_id":"b"}}\n{"a":1}\n',
    )
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout.match(/"n":9007199254740993/g)).toHaveLength(2)
    for (const line of ended.stdout.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  })

  it('say what is wrong and what to do', async () => {
    for (const [env, code, words] of [
      [{ AWS_REGION: 'us-east-1' }, 5, "not 'us-east-1'. \n(sign for the domain's own region"],
      [{ AWS_SESSION_TOKEN: 'old' }, 5, 'security token included in the request is invalid\n(the access key'],
      [{ AWS_CA_BUNDLE: '' }, 1, 'name the authority that signed its certificate by --ca'],
      [{ AWS_CA_BUNDLE: '', NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 1, 'certificate'],
    ] as const) {
      const ended = await sh('chaja health', env)
      expect(ended.code, ended.stderr).toBe(code)
      expect(ended.stderr).toContain(words)
    }
  })
})

describe('transfers from and to the edge of a cloud domain', () => {
  const report = ({ stdout }: Ended) => JSON.parse(stdout) as TransferReport

  it('move an index there and back through storms, equal by digest', async () => {
    await fill(plain.url, 'films', makeDocuments(2_000), 'film')
    const expected = await digestOf(plain.url, 'films')
    edge.trouble = storm(7, ALL)
    const there = await sh(`chaja transfer ${plain.url}/films https://${edge.host}/films --json --max-bytes 200000`)
    expect(there, there.stderr).toMatchObject({ code: 0 })
    expect(report(there)).toMatchObject({
      written: 2_000,
      rejected: 0,
      verification: { equal: true, sourceDigest: expected.hex },
    })
    const file = await sh(`chaja transfer https://${edge.host}/films films.ndjson.gz --json --batch 100`)
    expect(file, file.stderr).toMatchObject({ code: 0 })
    const back = await sh(`chaja transfer https://${edge.host}/films ${plain.url}/back --json --batch 100`)
    expect(back, back.stderr).toMatchObject({ code: 0 })
    expect(report(back).verification).toMatchObject({ equal: true })
    expect(await digestOf(plain.url, 'back')).toEqual(expected)
    for (const kind of ALL) expect(edge.seen[kind], kind).toBeGreaterThan(0)
  })

  it('take new keys in the middle, when the old ones end before their time', async () => {
    await fill(plain.url, 'long', makeDocuments(1_000), 'film')
    // A profile whose tool writes new keys each time it is asked.
    writeFileSync(
      join(folder, 'new-keys.sh'),
      `n=$(($(cat turn 2>/dev/null || echo 0) + 1)); echo $n > turn
echo '{"Version":1,"AccessKeyId":"ASIA'$n'","SecretAccessKey":"s","SessionToken":"t'$n'","Expiration":"2099-01-01T00:00:00Z"}'`,
    )
    writeFileSync(join(folder, 'config'), `[profile fresh]\ncredential_process = sh ${join(folder, 'new-keys.sh')}\n`)
    for (let n = 1; n <= 9; n++) edge.keys.set(`ASIA${n}`, { secret: 's', token: `t${n}` })
    let bulks = 0
    edge.trouble = ({ path }) => {
      if (path.endsWith('/_bulk') && ++bulks % 4 === 0) {
        const session = edge.keys.get(`ASIA${readFileSync(join(folder, 'turn'), 'utf8').trim()}`)
        if (session !== undefined) session.ended = true
      }
      return 'none'
    }
    const ended = await sh(
      `chaja transfer ${plain.url}/long https://${edge.host}/long --to-profile fresh --to-region ${edge.region} --json --batch 100 --max-bytes 100000`,
      { AWS_CONFIG_FILE: join(folder, 'config'), AWS_ACCESS_KEY: '', AWS_SECRET_KEY: '' },
    )
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    expect(report(ended)).toMatchObject({ written: 1_000, verification: { equal: true } })
    expect(Number(readFileSync(join(folder, 'turn'), 'utf8'))).toBeGreaterThan(2)
  })
})
