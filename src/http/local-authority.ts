import { createPrivateKey, X509Certificate as NodeCertificate, sign, verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { writeWhole } from '../write-whole.ts'

/** A certificate to serve with. */
export interface TlsMaterial {
  /** PEM, leaf first. */
  readonly cert: string
  /** PEM. */
  readonly key: string
}

/** The authority's certificate within a data directory: what clients have to trust. */
export const AUTHORITY_FILE = join('tls', 'ca.pem')

const DAY_MS = 86_400_000
const AUTHORITY_DAYS = 3650
/** Long ago: it is trusted once and for all, on a clock that was wrong when it was made, too. */
const AUTHORITY_FROM = new Date('2020-01-01')
/** Apple's and the browsers' ceiling for a leaf is 398 days. */
const LEAF_DAYS = 397
/** A leaf is renewed this long before it ends. */
const RENEW_BEFORE_MS = 30 * DAY_MS
const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/**
 * The certificate of a domain that was given none: signed by an authority of its own, both made once in the data
 * directory (keys mode 0600), the leaf again when it is about to end or lacks a name.
 *
 * @param names  host names and addresses the domain is reached by, beside localhost, the loopbacks and this machine's name
 */
export async function localCertificate(
  dataDir: string,
  names: readonly string[],
  nowMs = Date.now(),
): Promise<TlsMaterial> {
  const folder = join(dataDir, 'tls')
  makeFolder(folder, 0o700)
  const wanted = [...new Set(['localhost', '127.0.0.1', '::1', hostname(), ...names])].filter(isName)
  const authority = join(dataDir, AUTHORITY_FILE)
  const paths = { caKey: join(folder, 'ca.key'), cert: join(folder, 'leaf.pem'), key: join(folder, 'leaf.key') }
  if (existsSync(authority) && existsSync(paths.cert) && existsSync(paths.key)) {
    const material = { cert: textOf(paths.cert), key: textOf(paths.key) }
    if (isUsable(material.cert, textOf(authority), wanted, nowMs) && isPair(material)) return material
  }
  // Loaded only when one is made: a start with a certificate does not pay for it.
  const x509 = await import('./x509.ts')
  if (!existsSync(authority) || !existsSync(paths.caKey) || endsSoon(textOf(authority), nowMs)) {
    const made = await x509.makeAuthority(`chaja local authority (${hostname()})`, {
      notBefore: AUTHORITY_FROM,
      notAfter: new Date(nowMs + AUTHORITY_DAYS * DAY_MS),
      algorithm: KEY_ALGORITHM,
    })
    writeWhole(paths.caKey, made.key, 0o600)
    writeWhole(authority, made.cert, 0o644)
  }
  const issuer = { cert: textOf(authority), key: textOf(paths.caKey) }
  if (!isPair(issuer)) throw new Error(`ca.key is not the key of ca.pem, or damaged`)
  const issuerEnds = Date.parse(new NodeCertificate(issuer.cert).validTo)
  const leaf = await x509.makeLeaf(issuer, {
    names: wanted,
    notBefore: new Date(nowMs - DAY_MS),
    notAfter: new Date(Math.min(nowMs + LEAF_DAYS * DAY_MS, issuerEnds)),
    algorithm: KEY_ALGORITHM,
  })
  writeWhole(paths.key, leaf.key, 0o600)
  writeWhole(paths.cert, leaf.cert, 0o644)
  return leaf
}

/**
 * Whether a key is a certificate's: it is not when the process ended between the writing of the one and the other, or when it is
 * damaged where it does not show. A private key may hold the public one too, whose likeness says nothing of the rest: it has to sign.
 *
 * @param cert  one, or a chain that begins with it
 * @throws {Error} for what is no key
 */
export function isPair({ cert, key }: TlsMaterial): boolean {
  const text = Buffer.from('signed to see whether key and certificate belong together')
  return verify(undefined, text, new NodeCertificate(cert).publicKey, sign(undefined, text, createPrivateKey(key)))
}

/** A file's text. @throws {Error} that names it */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw Object.assign(error as Error, { path })
  }
}

/** Does the leaf hold for a while, under this authority, for all these names? */
function isUsable(leafPem: string, authorityPem: string, names: readonly string[], nowMs: number): boolean {
  try {
    const leaf = new NodeCertificate(leafPem)
    const authority = new NodeCertificate(authorityPem)
    return (
      leaf.verify(authority.publicKey) &&
      !isDue(leafPem, nowMs) &&
      !endsSoon(authorityPem, nowMs) &&
      names.every((name) => (isIP(name) === 0 ? leaf.checkHost(name) : leaf.checkIP(name)) !== undefined)
    )
  } catch {
    return false
  }
}

/** Whether a certificate ends soon, or was made by a clock that has been set back since. */
export function isDue(pem: string, nowMs = Date.now()): boolean {
  return endsSoon(pem, nowMs) || Date.parse(new NodeCertificate(pem).validFrom) > nowMs
}

function endsSoon(pem: string, nowMs: number): boolean {
  return Date.parse(new NodeCertificate(pem).validTo) - nowMs < RENEW_BEFORE_MS
}

function isName(name: string): boolean {
  return isIP(name) !== 0 || /^(?:\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(name)
}
