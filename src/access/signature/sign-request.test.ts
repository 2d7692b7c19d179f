import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHash } from './node-hash.ts'
import { presignRequest, signRequest } from './sign-request.ts'
import { webCryptoHash } from './web-crypto-hash.ts'

interface Vector {
  readonly name: string
  readonly form: 'header' | 'query'
  readonly request: {
    readonly method: string
    readonly target: string
    readonly headers: [string, string][]
    readonly body: string
  }
  readonly credentials: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken?: string
  }
  readonly date: string
  readonly region: string
  readonly service: string
  readonly expiresSeconds?: number
  readonly expected: { readonly signature: string }
}

const file = join(import.meta.dirname, '../../../shared/security/sigv4-es-vectors.json')
const vectors: Vector[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).vectors : []

function dateOf(text: string): Date {
  return new Date(text.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z'))
}

describe.skipIf(vectors.length === 0)('signing for a domain (needs ../shared/security)', () => {
  for (const hash of [nodeHash, webCryptoHash]) {
    it(`makes the signatures of the es vectors with ${hash === nodeHash ? 'node:crypto' : 'WebCrypto'}`, async () => {
      for (const vector of vectors) {
        const headers = Object.fromEntries(vector.request.headers)
        const request = { ...vector.request, headers }
        const options = { region: vector.region, service: vector.service, date: dateOf(vector.date), hash }
        if (vector.form === 'header') {
          const signed = await signRequest(request, vector.credentials, options)
          expect(signed['authorization'], vector.name).toContain(`Signature=${vector.expected.signature}`)
        } else {
          const target = await presignRequest(request, vector.credentials, {
            ...options,
            expiresSeconds: vector.expiresSeconds ?? 300,
          })
          expect(target, vector.name).toContain(`X-Amz-Signature=${vector.expected.signature}`)
        }
      }
    })
  }
})
