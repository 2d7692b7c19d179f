import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DomainProcess, removeDataDir, startDomain } from '../../scripts/domain-process.ts'
import { readAdminKey } from '../../src/access/open-access.ts'
import { nodeHash } from '../../src/access/signature/node-hash.ts'
import { presignRequest, type SigningCredentials, signRequest } from '../../src/access/signature/sign-request.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const PASSWORD = 'correct horse'

const clock = join(mkdtempSync(join(tmpdir(), 'chaja-clock-')), 'ahead')
const preload = new URL('set-clock.mjs', import.meta.url)
let domain: DomainProcess
let admin: SigningCredentials
let ahead = 0

const env = { ...process.env, NODE_OPTIONS: `--import ${preload}`, CHAJA_CLOCK: clock }

/** Sets the domain's clock, so far ahead of this process's. */
async function set(ms: number): Promise<void> {
  const isSame = ms === ahead
  ahead = ms
  writeFileSync(clock, String(ms))
  if (!isSame)
    await expect.poll(() => readFileSync(`${clock}.read`, 'utf8'), { timeout: 10_000, interval: 5 }).toBe(`${ms}`)
}

beforeAll(async () => {
  writeFileSync(clock, '0')
  domain = await startDomain({ secure: true, args: ['--http', '--engine-version', 'OpenSearch_2.19'], env })
  admin = readAdminKey(domain.dataDir) as SigningCredentials
})
beforeEach(() => set(0))
afterAll(async () => {
  await domain.stop()
  removeDataDir(domain.dataDir)
  rmSync(fileURLToPath(new URL('.', `file://${clock}`)), { recursive: true, force: true })
})

const host = () => new URL(domain.url).host
const signing = (date: Date) => ({ region: 'us-east-1', hash: nodeHash, date })

/** Asks, signed by the domain's own clock unless it is said. */
async function ask(
  method: string,
  target: string,
  body?: object,
  { credentials = admin, at = Date.now() + ahead }: { credentials?: SigningCredentials; at?: number } = {},
) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = { host: host(), ...(text === undefined ? {} : { 'content-type': 'application/json' }) }
  const signed = await signRequest({ method, target, headers, body: text }, credentials, signing(new Date(at)))
  const answer = await fetch(`${domain.url}${target}`, {
    method,
    headers: signed,
    ...(text === undefined ? {} : { body: text }),
  })
  return { status: answer.status, json: JSON.parse((await answer.text()) || 'null') }
}

const pool = async (call: string, form: object) => {
  const answer = await fetch(`${domain.url}/-/pool/${call}`, { method: 'POST', body: JSON.stringify(form) })
  return { status: answer.status, json: JSON.parse(await answer.text()) }
}

async function signedIn(name: string): Promise<SigningCredentials> {
  await pool('sign-up', { Username: name, Password: PASSWORD })
  const { json } = await pool('sign-in', { Username: name, Password: PASSWORD })
  const { AccessKeyId, SecretKey, SessionToken } = json.Credentials
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretKey, sessionToken: SessionToken }
}

describe('a clock that is set', () => {
  it('moves the five minutes that signatures hold', async () => {
    for (const step of [0, DAY, -DAY, 400 * DAY]) {
      await set(step)
      const now = Date.now() + step
      for (const [off, message] of [
        [0, undefined],
        [-298 * SECOND, undefined],
        [298 * SECOND, undefined],
        [-302 * SECOND, 'Signature expired'],
        [302 * SECOND, 'Signature not yet current'],
      ] as const) {
        const { status, json } = await ask('GET', '/', undefined, { at: now + off })
        expect([status, json.message?.slice(0, message?.length ?? 0)]).toEqual(
          message ? [403, message] : [200, undefined],
        )
      }
    }
  })

  it('moves how long a presigned request holds', async () => {
    const options = { ...signing(new Date()), expiresSeconds: 60 }
    const target = await presignRequest({ method: 'GET', target: '/', headers: { host: host() } }, admin, options)
    const status = async () => (await fetch(`${domain.url}${target}`)).status
    const found: number[] = []
    for (const step of [0, 55 * SECOND, 62 * SECOND, DAY, -4 * MINUTE, -6 * MINUTE, 0]) {
      await set(step)
      found.push(await status())
    }
    expect(found).toEqual([200, 200, 403, 403, 200, 403, 200])
  })

  it('ends sessions on time, and does not lose those that hold again when it is set back', async () => {
    const credentials = await signedIn('timely')
    const found: (string | undefined)[] = []
    for (const step of [0, HOUR - 5 * SECOND, HOUR + SECOND, 30 * DAY, -DAY, 0]) {
      await set(step)
      const { json } = await ask('GET', '/', undefined, { credentials })
      // Whoever is known is told that the policy does not let them in.
      found.push(json.Message?.includes('assumed-role/chaja-pool/timely') ? 'known' : json.message)
    }
    const expired = 'The security token included in the request is expired'
    expect(found).toEqual(['known', 'known', expired, expired, 'known', 'known'])
  })

  it('gives nobody who guesses further attempts, and keeps nobody else out', async () => {
    await signedIn('guessed')
    const guess = async () => (await pool('sign-in', { Username: 'guessed', Password: 'wrong guess' })).status
    for (let i = 0; i < 10; i++) expect(await guess()).toBe(400)
    for (const step of [0, DAY, -DAY, 30 * DAY]) {
      await set(step)
      expect(await guess()).toBe(429)
      expect((await pool('sign-up', { Username: `later${step}`, Password: PASSWORD })).status).toBe(200)
    }
  })

  it('neither ends scrolls and points in time nor keeps them', async () => {
    for (let i = 0; i < 3; i++) await ask('PUT', `/kept/_doc/${i}?refresh=true`, { n: i })
    const scroll = async (keep: string) =>
      (await ask('POST', `/kept/_search?scroll=${keep}`, { size: 1 })).json._scroll_id
    const next = async (scroll_id: string) => (await ask('POST', '/_search/scroll', { scroll_id, scroll: '1m' })).status
    const point = async (keep: string) =>
      (await ask('POST', `/kept/_search/point_in_time?keep_alive=${keep}`)).json.pit_id as string
    const search = async (id: string) => (await ask('POST', '/_search', { pit: { id } })).status
    const [long, short, longPoint, shortPoint] = [
      await scroll('1m'),
      await scroll('1s'),
      await point('1m'),
      await point('1s'),
    ]
    await set(30 * DAY)
    expect([await next(long), await search(longPoint)]).toEqual([200, 200])
    await set(-30 * DAY)
    expect([await next(long), await search(longPoint)]).toEqual([200, 200])
    await sleep(3 * SECOND)
    expect([await next(short), await search(shortPoint)]).toEqual([404, 404])
  })

  it('changes neither the order of writes nor their durability', async () => {
    const numbers: number[] = []
    for (const [i, step] of [0, DAY, -DAY, 400 * DAY, -400 * DAY, 0].entries()) {
      await set(step)
      numbers.push((await ask('PUT', `/ordered/_doc/${i}?refresh=true`, { n: i })).json._seq_no)
      const { took, hits } = (await ask('POST', '/ordered/_search', {})).json
      expect([took >= 0, hits.total.value]).toEqual([true, i + 1])
    }
    expect(numbers).toEqual([0, 1, 2, 3, 4, 5])
    await domain.stop('SIGKILL')
    ahead = -400 * DAY
    writeFileSync(clock, String(ahead))
    const args = ['--http', '--engine-version', 'OpenSearch_2.19']
    domain = await startDomain({ dataDir: domain.dataDir, secure: true, args, env })
    const { hits } = (await ask('POST', '/ordered/_search', { sort: ['_doc'] })).json
    expect(hits.hits.map(({ _id }: { _id: string }) => _id)).toEqual(['0', '1', '2', '3', '4', '5'])
  })
})

it('renews the certificate as soon as a clock that was set asks for it, under the same authority', async () => {
  await set(0)
  const secure = await startDomain({ secure: true, env })
  try {
    const file = (name: string) => readFileSync(join(secure.dataDir, 'tls', name), 'utf8')
    const authority = file('ca.pem')
    const issuer = new X509Certificate(authority)
    for (const step of [375 * DAY, 0, -400 * DAY]) {
      await set(step)
      const holds = () => {
        const leaf = new X509Certificate(file('leaf.pem'))
        const now = Date.now() + step
        const isValid = (one: X509Certificate) => Date.parse(one.validFrom) <= now && now < Date.parse(one.validTo)
        return leaf.verify(issuer.publicKey) && isValid(leaf) && isValid(issuer)
      }
      await expect.poll(holds, { timeout: 10_000 }).toBe(true)
    }
    expect(file('ca.pem')).toBe(authority)
  } finally {
    await secure.stop()
    removeDataDir(secure.dataDir)
  }
})
