import { spawnSync } from 'node:child_process'
import { cpSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DomainProcess, mainPath, startDomain } from '../../scripts/domain-process.ts'
import { Identities, type IssuedKey } from '../../src/access/identity/identities.ts'
import { openIdentities } from '../../src/access/identity/open-identities.ts'
import { readAdminKey } from '../../src/access/open-access.ts'
import { nodeHash } from '../../src/access/signature/node-hash.ts'
import { type SigningCredentials, signRequest } from '../../src/access/signature/sign-request.ts'
import { damageFile } from './damage-files.ts'
import { seededRandom } from './seeded-random.ts'

const root = mkdtempSync(join(tmpdir(), 'chaja-access-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const intact = join(root, 'intact')
const older = join(root, 'older')

const statement = (Effect: string, Action: string, rest: object = {}) => ({ Effect, Action, Resource: '*', ...rest })
const policy = (...Statement: object[]) => JSON.stringify({ Version: '2012-10-17', Statement })
/** Whoever signs may read. */
const READ = statement('Allow', 'es:ESHttpGet', {
  Principal: '*',
  Condition: { StringLike: { 'aws:PrincipalArn': 'arn:*' } },
})

/** Who must be refused, whatever is damaged; each has been let in once, or would be if something were forgotten. */
const refused: Record<string, SigningCredentials | undefined> = { 'an unsigned caller': undefined }
/** Who is let in where nothing is damaged. */
const allowed: Record<string, SigningCredentials> = {}

const copy = (from: string, to: string) =>
  cpSync(from, to, { recursive: true, filter: (path) => !lstatSync(path).isSocket() })

async function change(act: (identities: Identities, store: ReturnType<typeof openIdentities>['store']) => void) {
  const { store, box } = openIdentities(intact)
  act(new Identities(store, box, '000000000000'), store)
  await store.close()
}

beforeAll(async () => {
  const domain = await startDomain({ dataDir: intact, secure: true })
  expect(await domain.stop()).toBe(0)
  writeFileSync(join(intact, 'chaja.json'), JSON.stringify({ domainName: 'chaja', sigv4: 'strict' }))
  writeFileSync(join(intact, 'policy.json'), policy(READ))
  const shown: Record<string, IssuedKey> = {}
  await change((identities, store) => {
    store.policy = policy(READ)
    for (const name of ['kept', 'removed', 'rotated', 'off', 'denied', 'gone']) {
      identities.addUser(name)
      shown[name] = identities.addKey(name)
      for (let i = 0; i < 20; i++) identities.addKey(name)
    }
    identities.addRole('reader')
    const session = { roleName: 'reader', sessionName: 'x', durationSeconds: 3600, nowMs: Date.now() }
    refused['a session that was ended'] = identities.openSession(session)
    identities.addRole('left')
    refused['a session of a role that was removed'] = identities.openSession({ ...session, roleName: 'left' })
    allowed['a session'] = identities.openSession(session)
  })
  copy(intact, older)
  await change((identities) => {
    const key = (name: string) => shown[name] as IssuedKey
    identities.removeKey(key('removed').accessKeyId)
    identities.rotateKey(key('rotated').accessKeyId)
    identities.setKeyActive(key('off').accessKeyId, false)
    identities.attachPolicy('user', 'denied', 'nothing', policy(statement('Deny', 'es:*')))
    identities.removeUser('gone')
    identities.addUser('gone')
    identities.removeRole('left')
    identities.closeSession((refused['a session that was ended'] as SigningCredentials).sessionToken as string)
  })
  for (const name of ['removed', 'rotated', 'off', 'denied', 'gone']) refused[`the key of ${name}`] = shown[name]
  allowed['a key'] = shown['kept'] as IssuedKey
  allowed['the administrator'] = readAdminKey(intact) as IssuedKey
})

async function status(domain: DomainProcess, credentials: SigningCredentials | undefined): Promise<number> {
  const request = { method: 'GET', target: '/', headers: { host: new URL(domain.url).host } }
  const signed = { region: 'us-east-1', hash: nodeHash }
  const headers = credentials === undefined ? {} : await signRequest(request, credentials, signed)
  return (await fetch(domain.url, { headers })).status
}

/** What a start says to who runs it: lines of the log apart. */
const said = (error: Error) =>
  error.message
    .slice(error.message.indexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'))

it('lets nobody in who must not, and says what is wrong', { timeout: 600_000 }, async () => {
  const seed = Number(process.env['CHAJA_SEED'] ?? Date.now() % 1_000_000)
  const random = seededRandom(seed)
  const whole = await startDomain({ dataDir: intact, secure: true, args: ['--http'] })
  for (const [who, credentials] of Object.entries(allowed)) expect(await status(whole, credentials), who).toBe(200)
  for (const [who, credentials] of Object.entries(refused)) expect(await status(whole, credentials), who).toBe(403)
  await whole.stop()
  const identities = ['access/identities.mdb', 'access/secret.key', 'access/revision', 'access/admin.json']
  const files = [
    identities,
    identities,
    ['tls/ca.pem', 'tls/ca.key', 'tls/leaf.pem', 'tls/leaf.key'],
    ['policy.json', 'chaja.json'],
  ]
  for (let left = Number(process.env['CHAJA_CASES'] ?? '12'); left > 0; left--) {
    const dataDir = mkdtempSync(join(root, 'd-'))
    copy(intact, dataDir)
    const among = files[left % files.length] as string[]
    const what = damageFile(dataDir, among, older, random)
    const context = `seed ${seed}: ${what}`
    const { signal, stderr } = spawnSync(process.execPath, [mainPath, 'key', 'list', '--data', dataDir])
    expect(signal, context).toBeNull()
    expect(String(stderr), context).toMatch(/^(chaja: \S.*\n)?$/)
    const isConfigured = among.includes('policy.json')
    const args = [
      ...(among.includes('tls/ca.pem') ? [] : ['--http']),
      ...(isConfigured ? ['--policy', join(dataDir, 'policy.json'), '--config', join(dataDir, 'chaja.json')] : []),
    ]
    try {
      const domain = await startDomain({ dataDir, secure: true, args })
      // What is configured is taken at its word, and a certificate lets nobody in.
      if (!isConfigured && args.includes('--http'))
        for (const [who, credentials] of Object.entries(refused))
          expect(await status(domain, credentials), `${context}: ${who}`).toBe(403)
      expect(await domain.stop(), context).toBe(0)
    } catch (error) {
      if (!(error as Error).message.startsWith('chaja serve exited')) throw error
      expect(said(error as Error), context).toEqual([expect.stringMatching(/^chaja serve: \S/)])
      expect((error as Error).message, context).not.toMatch(/\n\s+at |"stack"/)
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
})
