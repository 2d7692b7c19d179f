import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AUTHORITY_FILE, isPair, localCertificate } from './local-authority.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-01-15T12:00:00Z')
let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'chaja-tls-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const authority = () => readFileSync(join(dataDir, AUTHORITY_FILE), 'utf8')

describe('the local certificate', () => {
  it('is made once, for the names it is reached by, under an authority that signs nothing but leaves', async () => {
    const first = await localCertificate(dataDir, ['search.example.com', '192.0.2.7'], NOW)
    const leaf = new X509Certificate(first.cert)
    const root = new X509Certificate(authority())
    expect(leaf.verify(root.publicKey)).toBe(true)
    expect(root.ca).toBe(true)
    expect(leaf.ca).toBe(false)
    for (const name of ['localhost', 'search.example.com']) expect(leaf.checkHost(name)).toBeDefined()
    for (const address of ['127.0.0.1', '::1', '192.0.2.7']) expect(leaf.checkIP(address)).toBeDefined()
    expect(leaf.checkHost('elsewhere.example.com')).toBeUndefined()
    expect(Date.parse(leaf.validTo) - NOW).toBeLessThanOrEqual(398 * DAY_MS)
    for (const file of ['ca.key', 'leaf.key']) expect(statSync(join(dataDir, 'tls', file)).mode & 0o777).toBe(0o600)
    expect(await localCertificate(dataDir, ['search.example.com', '192.0.2.7'], NOW + 300 * DAY_MS)).toEqual(first)
  })

  it('is renewed a month before it ends, under the same authority', async () => {
    const first = await localCertificate(dataDir, [], NOW)
    const trusted = authority()
    const later = NOW + 370 * DAY_MS
    const renewed = await localCertificate(dataDir, [], later)
    expect(renewed.cert).not.toBe(first.cert)
    expect(authority()).toBe(trusted)
    const leaf = new X509Certificate(renewed.cert)
    expect(leaf.verify(new X509Certificate(trusted).publicKey)).toBe(true)
    expect(Date.parse(leaf.validTo)).toBeGreaterThan(later + 300 * DAY_MS)
  })

  it('is made anew for a further name', async () => {
    const first = await localCertificate(dataDir, [], NOW)
    const second = await localCertificate(dataDir, ['books.example.com'], NOW)
    expect(second.cert).not.toBe(first.cert)
    expect(new X509Certificate(second.cert).checkHost('books.example.com')).toBe('books.example.com')
  })

  it('is made anew when the process ended between the writing of its key and its own', async () => {
    await localCertificate(dataDir, [], NOW)
    const path = join(dataDir, 'tls', 'leaf.pem')
    const old = readFileSync(path)
    await localCertificate(dataDir, [], NOW + 370 * DAY_MS)
    writeFileSync(path, old)
    expect(() => createSecureContext({ cert: old, key: readFileSync(join(dataDir, 'tls', 'leaf.key')) })).toThrow()
    createSecureContext(await localCertificate(dataDir, [], NOW))
  })

  /** A damage that leaves the key one that can be read, and the public key in it what it was. */
  const damageKey = (name: string): void => {
    const path = join(dataDir, 'tls', name)
    const der = createPrivateKey(readFileSync(path)).export({ format: 'der', type: 'pkcs8' })
    // A byte of the private number: behind the heads of the structures it is in.
    der[50] = (der[50] as number) ^ 4
    const pem = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'pem', type: 'pkcs8' })
    writeFileSync(path, pem)
  }

  it('is made anew when its key is damaged where it does not show', async () => {
    const first = await localCertificate(dataDir, [], NOW)
    damageKey('leaf.key')
    const second = await localCertificate(dataDir, [], NOW)
    expect(second.cert).not.toBe(first.cert)
    expect(isPair(second)).toBe(true)
  })

  it('is signed by no key that is not the authority’s', async () => {
    await localCertificate(dataDir, [], NOW)
    damageKey('ca.key')
    await expect(localCertificate(dataDir, ['books.example.com'], NOW)).rejects.toThrow(
      'ca.key is not the key of ca.pem',
    )
  })

  it('names the file that cannot be read', async () => {
    await localCertificate(dataDir, [], NOW)
    const path = join(dataDir, 'tls', 'leaf.pem')
    rmSync(path)
    mkdirSync(path)
    await expect(localCertificate(dataDir, [], NOW)).rejects.toMatchObject({ code: 'EISDIR', path })
  })

  it('gets a new authority when the old one is about to end', async () => {
    await localCertificate(dataDir, [], NOW)
    const old = authority()
    const renewed = await localCertificate(dataDir, [], NOW + 3640 * DAY_MS)
    expect(authority()).not.toBe(old)
    expect(new X509Certificate(renewed.cert).verify(new X509Certificate(authority()).publicKey)).toBe(true)
  })
})
