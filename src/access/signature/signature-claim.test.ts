import { describe, expect, it } from 'vitest'
import { readSignatureClaim, SignatureClaimReader } from './signature-claim.ts'

const SIGNATURE = 'ab'.repeat(32)
const PREFIX =
  'AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20260115/us-east-1/es/aws4_request, SignedHeaders=host;x-amz-date, Signature='
const USUAL = { authorization: PREFIX + SIGNATURE, 'x-amz-date': '20260115T120000Z' }

/** What reading answers or throws. */
function outcome(read: () => unknown): unknown {
  try {
    return { claim: read() }
  } catch (error) {
    return { refused: (error as { body?: string }).body }
  }
}

describe('a reader that remembers', () => {
  it.each([
    ['the same again', {}, ''],
    ['another second', { 'x-amz-date': '20260115T120001Z' }, ''],
    ['another day than the scope says', { 'x-amz-date': '20260116T120000Z' }, ''],
    ['a date that is none', { 'x-amz-date': '20260115T256000Z' }, ''],
    ['no date', { 'x-amz-date': undefined }, ''],
    ['Date in place of X-Amz-Date', { 'x-amz-date': undefined, date: 'Thu, 15 Jan 2026 12:00:00 GMT' }, ''],
    ['another signature', { authorization: PREFIX + 'cd'.repeat(32) }, ''],
    ['a short signature', { authorization: PREFIX + SIGNATURE.slice(1) }, ''],
    ['no signature', { authorization: PREFIX }, ''],
    ['something behind the signature', { authorization: `${PREFIX}${SIGNATURE}, x` }, ''],
    ['another key', { authorization: (PREFIX + SIGNATURE).replace('EXAMPLE', 'ANOTHER') }, ''],
    ['another service', { authorization: (PREFIX + SIGNATURE).replace('/es/', '/s3/') }, ''],
    ['host not signed', { authorization: (PREFIX + SIGNATURE).replace('host;', '') }, ''],
    ['a token', { 'x-amz-security-token': 'token' }, ''],
    ['a signature in the query too', {}, 'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=0'],
    ['Basic', { authorization: 'Basic YTpi' }, ''],
    ['nothing', { authorization: undefined }, ''],
    ['64 characters', { authorization: 'x'.repeat(64) }, ''],
  ] as const)('reads %s as one that does not', (_, changes, query) => {
    const headers: Readonly<Record<string, string | undefined>> = { ...USUAL, ...changes }
    const reader = new SignatureClaimReader()
    const usual = (name: string) => (USUAL as Readonly<Record<string, string>>)[name]
    const header = (name: string) => headers[name]
    const expected = outcome(() => readSignatureClaim(header, query))
    // After nothing, after the usual, and once more.
    expect(outcome(() => reader.read(header, query))).toEqual(expected)
    reader.read(usual, '')
    expect(outcome(() => reader.read(header, query))).toEqual(expected)
    expect(outcome(() => reader.read(header, query))).toEqual(expected)
    expect(outcome(() => reader.read(usual, ''))).toEqual({ claim: readSignatureClaim(usual, '') })
  })
})
