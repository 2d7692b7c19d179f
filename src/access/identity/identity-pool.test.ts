import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Identities } from './identities.ts'
import { IdentityPool } from './identity-pool.ts'
import type { PersonRecord } from './identity-records.ts'
import { IdentityStore } from './identity-store.ts'
import { answerPool } from './pool-api.ts'
import { SecretBox } from './secret-box.ts'

const PASSWORD = 'correct horse'
let dataDir: string
let store: IdentityStore
let free: number
let pool: IdentityPool
let revoked: number

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaja-pool-'))
  free = 2 ** 30
  store = new IdentityStore(dataDir, () => free)
  const identities = new Identities(store, SecretBox.open(join(dataDir, 'access')), '111122223333')
  identities.addRole('pool')
  revoked = 0
  pool = new IdentityPool(store, identities, {
    region: 'us-east-1',
    signUp: 'open',
    roleName: 'pool',
    sessionSeconds: 3600,
    now: Date.now,
    onRevoked: () => revoked++,
  })
  await pool.addPerson('mina', PASSWORD, true)
})
afterEach(async () => {
  await store.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const person = () => store.get('person', 'mina') as PersonRecord
const sessions = () => [...store.list('session')].length

describe('somebody in the pool', () => {
  it('gets no session of a role that is gone, and is told so', async () => {
    new Identities(store, SecretBox.open(join(dataDir, 'access')), '111122223333').removeRole('pool')
    await expect(pool.signIn('mina', PASSWORD, '192.0.2.1')).rejects.toMatchObject({
      status: 400,
      type: 'InvalidIdentityPoolConfigurationException',
    })
    expect(sessions()).toBe(0)
  })

  it.each([
    ['shut out', () => pool.setPerson('mina', { enabled: false })],
    ['removed', () => pool.removePerson('mina')],
    ['given another password', () => store.put('person', 'mina', { ...person(), passwordHash: '' })],
  ] as const)('who is %s while the password is looked at gets no session', async (_what, change) => {
    const signingIn = pool.signIn('mina', PASSWORD, '192.0.2.1')
    change()
    await expect(signingIn).rejects.toThrow('Incorrect username or password.')
    expect(sessions()).toBe(0)
  })

  it('who is removed or shut out while a password is set stays so', async () => {
    const setting = pool.setPassword('mina', 'battery staple')
    pool.setPerson('mina', { enabled: false })
    await setting
    expect(store.get('person', 'mina')?.enabled).toBe(false)
    const again = pool.setPassword('mina', PASSWORD)
    pool.removePerson('mina')
    await expect(again).rejects.toThrow('nobody called [mina]')
    expect(store.get('person', 'mina')).toBeUndefined()
  })

  it('signs out by their own token alone, everywhere when asked', async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => pool.signIn('mina', PASSWORD, '192.0.2.1')))
    const token = one?.session.sessionToken as string
    for (const other of ['', 'x', token.slice(0, 20), `${token} `, token.replace(/.$/, '')]) pool.signOut(other, true)
    expect([sessions(), revoked]).toEqual([3, 0])
    pool.signOut(token, false)
    pool.signOut(token, true)
    expect([sessions(), revoked]).toEqual([2, 1])
    pool.signOut(two?.session.sessionToken as string, true)
    expect([sessions(), revoked]).toEqual([0, 2])
    expect(three?.session.accessKeyId).toBe(three?.session.sessionToken.slice(0, 20))
  })
})

it('counts the attempts of a network of IPv6 together, of addresses of IPv4 apart', async () => {
  const signUp = (peer: string) => pool.signUp('x1', 'short', peer).catch((error: { type: string }) => error.type)
  for (let i = 0; i < 20; i++) {
    expect(await signUp(`2001:db8::${i}`)).toBe('InvalidPasswordException')
    expect(await signUp(`192.0.2.${i}`)).toBe('InvalidPasswordException')
  }
  expect(await signUp('2001:db8::ffff:1')).toBe('TooManyRequestsException')
  expect(await signUp('2001:db8:0:1::1')).toBe('InvalidPasswordException')
  expect(await signUp('192.0.2.20')).toBe('InvalidPasswordException')
})

it('says that the disk is full, changes nothing, and goes on when there is space', async () => {
  const call = async (name: string, form: object) => {
    const body = Buffer.from(JSON.stringify({ Username: 'mina', Password: PASSWORD, ...form }))
    const request = { method: 'POST', path: `/-/pool/${name}`, body, sourceIp: '192.0.2.1' }
    const answer = await answerPool(pool, request)
    return { status: answer.status, json: JSON.parse(answer.body) }
  }
  const { json } = await call('sign-in', {})
  const SessionToken = json.Credentials.SessionToken
  const before = [...store.entries('session'), ...store.entries('person')]
  free = 2 ** 17
  for (const [name, form] of [
    ['sign-up', { Username: 'bora' }] as const,
    ['sign-in', {}],
    ['sign-out', { SessionToken }],
  ])
    expect(await call(name as string, form as object)).toEqual({
      status: 503,
      json: { __type: 'ServiceUnavailableException', message: 'Nothing can be changed now: the disk is full' },
    })
  expect(() => pool.removePerson('mina')).toThrow(/^cannot change \S+identities.mdb: the disk is full$/)
  expect([...store.entries('session'), ...store.entries('person')]).toEqual(before)
  expect(revoked).toBe(0)
  free = 2 ** 19
  expect((await call('sign-in', {})).status).toBe(503)
  expect((await call('sign-out', { SessionToken })).status).toBe(200)
  expect(sessions()).toBe(0)
})
