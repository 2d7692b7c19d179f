import { decodeLoosely } from '../../decode-loosely.ts'
import { awsEncode } from './aws-encode.ts'

/**
 * How a signer read the query it signed. All are HMACs over the same bytes of the wire, so taking any is as safe as one.
 *
 * - `strict`: each pair decoded and encoded again (the specification)
 * - `plus-as-space`: the same with `+` decoded to a blank (smithy, requests-aws4auth)
 * - `raw`: pairs as sent, only sorted (botocore, opensearch-py)
 * - `form`: encoded as a form, a blank as `+` (opensearch-py when the wire has `%20`)
 *
 * @source measured with eight signers, see test/security/live-signers.test.ts
 */
export type QueryReading = 'strict' | 'plus-as-space' | 'raw' | 'form'

/** Every reading, the specification's first. */
export const QUERY_READINGS: readonly QueryReading[] = ['strict', 'plus-as-space', 'raw', 'form']

/**
 * The canonical query string of a raw query.
 *
 * @param rawQuery  what follows `?` on the wire, or `''`
 * @param without   keys to leave out (`X-Amz-Signature` of a presigned request), as they are read: not percent-encoded, or
 *                  a parameter written otherwise would be neither the signature nor signed
 */
export function canonicalQuery(
  rawQuery: string,
  reading: QueryReading = 'strict',
  without: readonly string[] = [],
): string {
  if (rawQuery === '') return ''
  const pairs: { readonly key: string; readonly value: string }[] = []
  for (const part of rawQuery.split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    const key = at < 0 ? part : part.slice(0, at)
    if (without.length > 0 && without.includes(key)) continue
    pairs.push({ key: recode(key, reading), value: recode(at < 0 ? '' : part.slice(at + 1), reading) })
  }
  pairs.sort((a, b) => compare(a.key, b.key) || compare(a.value, b.value))
  let text = ''
  for (const { key, value } of pairs) text += text === '' ? `${key}=${value}` : `&${key}=${value}`
  return text
}

/** A broken escape stays as it is: the request is refused later, on its own account. */
function recode(text: string, reading: QueryReading): string {
  switch (reading) {
    case 'strict':
      return awsEncode(decodeLoosely(text))
    case 'plus-as-space':
      return awsEncode(decodeLoosely(text.replaceAll('+', '%20')))
    case 'raw':
      return text
    case 'form':
      return awsEncode(decodeLoosely(text.replaceAll('+', '%20'))).replaceAll('%20', '+')
  }
}

// Canonical parts are ASCII, where comparing UTF-16 code units is comparing bytes.
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
