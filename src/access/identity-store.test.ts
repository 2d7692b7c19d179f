import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Identities } from './identities.ts'
import { IdentityStore } from './identity-store.ts'
import { SecretBox } from './secret-box.ts'

let dataDir: string
let store: IdentityStore
let identities: Identities

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaja-identities-'))
  store = new IdentityStore(dataDir)
  identities = new Identities(store, SecretBox.open(join(dataDir, 'access')), '111122223333')
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
