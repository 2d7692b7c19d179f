import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

/** A certificate and its private key, PEM. */
export interface PemPair {
  readonly cert: string
  readonly key: string
}

/** How long, and with which kind of key. */
export interface CertificateTerms {
  readonly notBefore: Date
  readonly notAfter: Date
  readonly algorithm: { readonly name: 'ECDSA'; readonly namedCurve: string; readonly hash: string }
}

/** Makes a self-signed certificate authority that may sign leaves only. */
export async function makeAuthority(commonName: string, terms: CertificateTerms): Promise<PemPair> {
  const keys = await webcrypto.subtle.generateKey(terms.algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: serialNumber(),
      name: `CN=${escapeName(commonName)}`,
      notBefore: terms.notBefore,
      notAfter: terms.notAfter,
      signingAlgorithm: terms.algorithm,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  )
  return { cert: `${certificate.toString('pem')}\n`, key: await privatePem(keys.privateKey) }
}

/** Makes a server certificate for names and addresses; its PEM holds the authority's behind it. */
export async function makeLeaf(
  authority: PemPair,
  terms: CertificateTerms & { readonly names: readonly string[] },
): Promise<PemPair> {
  const issuer = new x509.X509Certificate(authority.cert)
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    x509.PemConverter.decodeFirst(authority.key),
    terms.algorithm,
    false,
    ['sign'],
  )
  const keys = await webcrypto.subtle.generateKey(terms.algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: serialNumber(),
      subject: `CN=${escapeName(terms.names[0] ?? 'localhost')}`,
      issuer: issuer.subject,
      notBefore: terms.notBefore,
      notAfter: terms.notAfter,
      signingAlgorithm: terms.algorithm,
      publicKey: keys.publicKey,
      signingKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          terms.names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
        ),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
        await x509.AuthorityKeyIdentifierExtension.create(issuer, false, webcrypto),
      ],
    },
    webcrypto,
  )
  return { cert: `${certificate.toString('pem')}\n${authority.cert}`, key: await privatePem(keys.privateKey) }
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = await webcrypto.subtle.exportKey('pkcs8', key)
  return `${x509.PemConverter.encode(bytes, 'PRIVATE KEY')}\n`
}

/** Sixteen random bytes, positive. */
function serialNumber(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16))
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x40
  return Buffer.from(bytes).toString('hex')
}

function escapeName(text: string): string {
  return text.replace(/[\\,+"<>;=#]/g, '\\$&')
}
