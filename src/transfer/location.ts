import { ClientError } from '../client/client-error.ts'

/** One end of a transfer. */
export type Location =
  | { readonly kind: 'index'; readonly origin: string; readonly index: string }
  | { readonly kind: 'file'; readonly path: string; readonly gzip: boolean }

/**
 * Reads an end as people type it: `https://<host>/<index>`, or the path of an NDJSON file (`.gz`: compressed).
 *
 * @throws {ClientError} kind `configuration`, saying what is wrong with it
 */
export function parseLocation(text: string): Location {
  if (!/^https?:\/\//i.test(text)) {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw wrong(text, 'only https:// and http:// can be read')
    if (!/\.(ndjson|jsonl?)(\.gz)?$/i.test(text)) {
      throw wrong(text, 'expected https://<host>/<index>, or a file that ends in .ndjson or .ndjson.gz')
    }
    return { kind: 'file', path: text, gzip: /\.gz$/i.test(text) }
  }
  const url = new URL(text)
  const segments = url.pathname.split('/').filter((s) => s !== '')
  const index = segments.at(-1)
  if (index === undefined) throw wrong(text, 'it names no index: expected https://<host>/<index>')
  if (/^:\d+$/.test(index) || /:\d+$/.test(decodeURIComponent(index))) {
    throw wrong(text, 'the port belongs behind the host: https://<host>:<port>/<index>')
  }
  const base = segments
    .slice(0, -1)
    .map((s) => `/${s}`)
    .join('')
  return { kind: 'index', origin: `${url.protocol}//${url.host}${base}`, index: decodeURIComponent(index) }
}

const wrong = (text: string, why: string) => new ClientError('configuration', `[${text}] cannot be transferred: ${why}`)
