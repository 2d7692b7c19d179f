import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DamagedIdentityError } from './damaged-identity.ts'
import { Identities } from './identities.ts'
import { IdentityStore, type IdentityTable } from './identity-store.ts'
import { openIdentities } from './open-identities.ts'

let dataDir: string
let store: IdentityStore
let identities: Identities

const openAgain = () => {
  const opened = openIdentities(dataDir)
  store = opened.store
  identities = new Identities(store, opened.box, '111122223333')
}
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaja-identities-'))
  openAgain()
})
afterEach(async () => {
  await store.close()
  rmSync(dataDir, { recursive: true, force: true })
})

it('keeps nothing of what broke off in the middle', () => {
  identities.addUser('alice')
  const { accessKeyId } = identities.addKey('alice')
  const { revision } = store
  expect(() =>
    store.atomically(() => {
      identities.removeUser('alice')
      identities.addRole('reader')
      throw new Error('the end')
    }),
  ).toThrow('the end')
  expect(store.revision).toBe(revision)
  expect(identities.findKey(accessKeyId)?.caller.arn).toBe('arn:aws:iam::111122223333:user/alice')
  expect(store.get('role', 'reader')).toBeUndefined()
})

it('leaves a name to nobody with keys or sessions of who was called so', () => {
  identities.addUser('alice')
  identities.addRole('reader')
  const key = identities.rotateKey(identities.addKey('alice').accessKeyId)
  const session = { roleName: 'reader', sessionName: 'x', durationSeconds: 60, nowMs: Date.now() }
  const opened = identities.openSession(session)
  identities.removeUser('alice')
  identities.removeRole('reader')
  identities.addUser('alice')
  identities.addRole('reader')
  expect([...store.list('key'), ...store.list('session')]).toEqual([])
  for (const { accessKeyId } of [key, opened]) expect(identities.findKey(accessKeyId)).toBeUndefined()
})

/** Changes the file behind the store's back. */
async function behindItsBack(change: (db: ReturnType<typeof open<string, string>>) => void): Promise<void> {
  await store.close()
  const db = open<string, string>({ path: store.path, encoding: 'string' })
  change(db)
  await db.close()
}

describe('a record that is not as it was written', () => {
  const names = { user: 'alice', role: 'reader', key: '', session: '', person: 'mina' }
  beforeEach(() => {
    for (const name of ['alice', 'bob']) identities.addUser(name)
    for (const name of ['reader', 'writer']) identities.addRole(name)
    const options = { sessionName: 'x', durationSeconds: 60, nowMs: 0 }
    names.key = identities.addKey('alice').accessKeyId
    names.session = identities.openSession({ ...options, roleName: 'reader', person: 'mina' }).accessKeyId
    const createdAt = new Date(0).toISOString()
    const person = { passwordHash: '', identityId: '', confirmed: true, enabled: true, createdAt }
    for (const name of ['mina', 'minb']) store.put('person', name, { ...person, name })
  })

  it.each<[IdentityTable, string]>([
    ['user', 'user [alice] is damaged on disk: chaja user remove alice, then add it and its keys again'],
    ['role', 'role [reader] is damaged on disk'],
    ['key', '] (of user [alice], as far as it can be read) is damaged on disk'],
    ['session', '] (of role [reader], as far as it can be read) is damaged on disk: sign in again'],
    ['person', 'person of the pool [mina] is damaged on disk: chaja pool remove mina, then add them again'],
  ])('is told (%s), counts for nothing, keeps its name and no other from working', async (table, message) => {
    const other = identities.addKey('bob')
    const key = `${table}/${names[table]}`
    await behindItsBack((db) => db.putSync(key, (db.get(key) as string).replace(/ive":true|"createdAt|"exp/, 'X')))
    openAgain()
    expect(store.damaged().map((error) => error.message)).toEqual([expect.stringContaining(message)])
    expect(() => store.get(table, names[table])).toThrow(message)
    expect(store.has(table, names[table])).toBe(true)
    expect([...store.list(table)].map((record) => JSON.stringify(record))).not.toContain(names[table])
    expect(new Map(store.entries(table)).get(names[table])).toBeInstanceOf(DamagedIdentityError)
    expect(identities.findKey(other.accessKeyId)?.secretAccessKey).toBe(other.secretAccessKey)
    if (table === 'user') expect(() => identities.addUser('alice')).toThrow('exists already')
    if (table === 'key' || table === 'user') expect(() => identities.findKey(names.key)).toThrow(message)
    if (table === 'session' || table === 'role') expect(() => identities.findKey(names.session)).toThrow(message)
    if (table === 'session') identities.closeSessions(() => false)
    else store.remove(table, names[table])
    expect(store.damaged()).toEqual([])
    await store.close()
    openAgain()
  })

  it.each<[string, (db: ReturnType<typeof open<string, string>>) => void, RegExp]>([
    ['is gone', (db) => db.removeSync('user/bob'), /entries are missing/],
    ['was there earlier', (db) => db.putSync('role/old', db.get('role/reader') as string), /entries are missing/],
    ['is filed under another name', (db) => rename(db, 'person/mina', 'person/minc'), /entries are missing/],
    ['says how many there are', (db) => db.putSync('meta/entries', '{}'), /which entries there are cannot be read/],
    ['says the format', (db) => db.removeSync('meta/format'), /does not say its format/],
    ['says the format otherwise', (db) => db.putSync('meta/format', '1'), /does not say its format/],
  ])('keeps the store from being opened when it %s', async (_how, change, message) => {
    await behindItsBack(change)
    const bytes = readFileSync(store.path)
    expect(() => openIdentities(dataDir)).toThrow(message)
    expect(readFileSync(store.path).equals(bytes)).toBe(true)
  })

  it('keeps the store from being opened when it is as it was earlier', async () => {
    const before = await new Promise<string>((resolve) => {
      void behindItsBack((db) => resolve(db.get('user/alice') as string))
    })
    openAgain()
    identities.attachPolicy('user', 'alice', 'none', JSON.stringify({ Version: '2012-10-17', Statement: DENIAL }))
    await behindItsBack((db) => db.putSync('user/alice', before))
    expect(() => openIdentities(dataDir)).toThrow('come from an earlier time')
  })
})

const DENIAL = { Effect: 'Deny', Action: 'es:*', Resource: '*' }

function rename(db: ReturnType<typeof open<string, string>>, from: string, to: string): void {
  db.putSync(to, db.get(from) as string)
  db.removeSync(from)
}

describe('identities as they were earlier', () => {
  it('are not taken, unless it is said', async () => {
    identities.addUser('alice')
    const { accessKeyId } = identities.addKey('alice')
    await store.close()
    const older = readFileSync(store.path)
    openAgain()
    identities.removeKey(accessKeyId)
    await store.close()
    writeFileSync(store.path, older)
    expect(() => openIdentities(dataDir)).toThrow(/is an older copy: .* keys that were removed since would work again/)
    rmSync(join(dataDir, 'access', 'revision'))
    openAgain()
    expect(identities.findKey(accessKeyId)).toBeDefined()
  })
})

describe('the key of all secrets', () => {
  it.each([
    ['is missing', (path: string) => rmSync(path), /secret.key is missing/],
    ['is none', (path: string) => writeFileSync(path, 'no key\n'), /secret.key is damaged: it holds no key/],
    [
      'is a folder',
      (path: string) => {
        rmSync(path)
        mkdirSync(path)
      },
      /cannot read \S+secret.key: it is a folder/,
    ],
    [
      'is another',
      (path: string) => writeFileSync(path, Buffer.alloc(32).toString('base64')),
      /secret.key is not the key that the secrets in \S+identities.mdb are sealed with/,
    ],
  ])('is not made anew when it %s', async (_how, damage, message) => {
    const path = join(dataDir, 'access', 'secret.key')
    identities.addUser('alice')
    identities.addKey('alice')
    await store.close()
    damage(path)
    const told = (): unknown =>
      statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : existsSync(path)
    const before = told()
    expect(() => openIdentities(dataDir)).toThrow(message)
    expect(told()).toBe(before)
  })
})

describe('a store without checksums (format 1)', () => {
  /** What an earlier version left. */
  async function asFormat1(): Promise<void> {
    await behindItsBack((db) => {
      for (const { key, value } of [...db.getRange({})]) db.putSync(key, value.slice(value.indexOf(' ') + 1))
      for (const key of ['meta/entries', 'meta/sealed']) db.removeSync(key)
      db.putSync('meta/format', '1')
      db.putSync('meta/revision', '17')
    })
    rmSync(join(dataDir, 'access', 'revision'))
  }

  it('gets them when it is opened, and keeps all there is', async () => {
    identities.addUser('alice')
    identities.addRole('reader')
    const key = identities.addKey('alice')
    store.policy = '{"Version":"2012-10-17","Statement":[]}'
    await asFormat1()
    openAgain()
    expect(identities.findKey(key.accessKeyId)?.secretAccessKey).toBe(key.secretAccessKey)
    expect([...store.list('role')].map(({ name }) => name)).toEqual(['reader'])
    expect(store.policy).toBe('{"Version":"2012-10-17","Statement":[]}')
    expect(store.revision).toBeGreaterThan(17)
    await behindItsBack((db) => {
      expect(db.get('meta/format')).toBe('2')
      expect(db.get('user/alice')).toMatch(/^[0-9a-f]{16} \{"name":"alice"/)
      expect(db.get('meta/revision')).toBeUndefined()
    })
    openAgain()
  })

  it('takes what cannot be read for damaged, and a key that opens none of its secrets for another', async () => {
    identities.addUser('alice')
    identities.addUser('bob')
    const key = identities.addKey('bob')
    await asFormat1()
    const db = open<string, string>({ path: store.path, encoding: 'string' })
    db.putSync('user/alice', '{"name":"alice')
    await db.close()
    const copy = mkdtempSync(join(tmpdir(), 'chaja-identities-'))
    cpSync(dataDir, copy, { recursive: true })
    openAgain()
    expect(store.damaged().map(({ key: damaged }) => damaged)).toEqual(['user/alice'])
    expect(identities.findKey(key.accessKeyId)).toBeDefined()
    rmSync(join(copy, 'access', 'secret.key'))
    expect(() => openIdentities(copy)).toThrow('secret.key is missing')
    rmSync(copy, { recursive: true, force: true })
  })

  it('is refused when a newer version wrote it', async () => {
    await behindItsBack((db) => db.putSync('meta/format', '3'))
    expect(() => new IdentityStore(dataDir)).toThrow('have format 3, written by a newer chaja')
  })
})

it('gives no session of a role that is gone when it is written down', () => {
  identities.addRole('reader')
  const session = { roleName: 'reader', sessionName: 'x', durationSeconds: 60, nowMs: Date.now() }
  identities.removeRole('reader')
  expect(() => identities.openSession(session)).toThrow('no role [reader]')
  expect([...store.list('session')]).toEqual([])
})
