import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { ClientError } from '../client/client-error.ts'
import { withoutPassword } from '../client/endpoint.ts'

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
    if (text === '-') throw wrong(text, 'a run that goes on, and compares, reads twice: name a file')
    if (!/\.(ndjson|jsonl?)(\.gz)?$/i.test(text)) {
      const host =
        /^[\w.-]+(:\d+)?\/./.test(text) && !existsSync(dirname(text)) ? ' (a host begins with its scheme)' : ''
      throw wrong(text, `expected https://<host>/<index>, or a file that ends in .ndjson or .ndjson.gz${host}`)
    }
    return { kind: 'file', path: text, gzip: /\.gz$/i.test(text) }
  }
  if (!URL.canParse(text) || !isEncoded(text)) throw wrong(text, 'it is no URL')
  const url = new URL(text)
  const segments = url.pathname.split('/').filter((s) => s !== '')
  const index = segments.at(-1)
  if (index === undefined) throw wrong(text, 'it names no index: expected https://<host>/<index>')
  if (/^:\d+$/.test(index) || /:\d+$/.test(decodeURIComponent(index))) {
    throw wrong(text, 'the port belongs behind the host: https://<host>:<port>/<index>')
  }
  const name = decodeURIComponent(index)
  if (name.startsWith('_')) throw wrong(text, `[${name}] is no index: expected https://<host>/<index>`)
  if (url.search !== '' || url.hash !== '')
    throw wrong(text, `nothing may stand behind the index (${url.search || url.hash})`)
  const base = segments
    .slice(0, -1)
    .map((s) => `/${s}`)
    .join('')
  const user = url.username === '' ? '' : `${url.username}:${url.password}@`
  return { kind: 'index', origin: `${url.protocol}//${user}${url.host}${base}`, index: name }
}

/** Whether what is percent-encoded is text. */
function isEncoded(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

const wrong = (text: string, why: string) =>
  new ClientError('configuration', `[${withoutPassword(text)}] cannot be transferred: ${why}`)
