import { expect, it } from 'vitest'
import type { AccessKey } from '../identity/access-key.ts'
import { EMPTY_SHA256 } from './canonical-request.ts'
import { nodeHash } from './node-hash.ts'
import { signRequest } from './sign-request.ts'
import { SignatureVerifier } from './verify-signature.ts'

const OPTIONS = { region: 'us-east-1', service: 'es', strict: true, explain: false, endpoints: [], now: Date.now }
const KEY = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' }

it('takes no request whose key was taken back while its body came', async () => {
  const key: AccessKey = { ...KEY, caller: { kind: 'user', arn: 'arn:aws:iam::111122223333:user/alice' } } as AccessKey
  const keys = new Map([[key.accessKeyId, key]])
  const verifier = new SignatureVerifier(OPTIONS, (id) => keys.get(id))
  const headers = await signRequest({ method: 'GET', target: '/', headers: { host: 'books' } }, KEY, {
    region: 'us-east-1',
    hash: nodeHash,
  })
  const request = { method: 'GET', rawPath: '/', rawQuery: '', rawHeaders: Object.entries(headers).flat() }
  const begin = () => verifier.begin(request as Parameters<typeof verifier.begin>[0])
  expect(begin()?.finish(EMPTY_SHA256).key).toBe(key)
  const pending = begin()
  keys.clear()
  expect(() => pending?.finish(EMPTY_SHA256)).toThrow('unknown access key')
})
