import { urlDecode } from '../access/signature/url-decode.ts'

const EMPTY: ReadonlyMap<string, string> = new Map()

/**
 * Reads a query string as the real servers do: pairs end at `&` or `;`, a later duplicate wins, a key without `=` has
 * the value `''`, and of `=x` the `x` is the key. What stands behind a `#` is no part of it.
 *
 * @throws {UrlDecodeError} for an escape that is none
 * @source asked of Elasticsearch 6.8.23 and OpenSearch 2.19.3
 */
export function parseQuery(rawQuery: string): ReadonlyMap<string, string> {
  if (rawQuery === '') return EMPTY
  const parameters = new Map<string, string>()
  for (const pair of rawQuery.replace(/#.*/, '').split(/[&;]/)) {
    // A `=` without a name before it is dropped.
    const text = pair.charCodeAt(0) === 0x3d ? pair.replace(/^=+/, '') : pair
    const at = text.indexOf('=')
    if (at >= 0) parameters.set(urlDecode(text.slice(0, at), true), urlDecode(text.slice(at + 1), true))
    else if (text !== '') parameters.set(urlDecode(text, true), '')
  }
  return parameters
}
