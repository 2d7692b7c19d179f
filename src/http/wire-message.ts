import { IncomingMessage } from 'node:http'

const HEADERS = Symbol('headers')

/**
 * A request whose `headers` leave out what signs it (`authorization`, `x-amz-*`): that is the door's business, and nothing
 * behind the door ever holds a credential. Several headers of one name are joined by `, `, or by a line feed where there must be
 * one alone; `rawHeaders` has all as sent.
 */
export class WireMessage extends IncomingMessage {}

Object.defineProperty(WireMessage.prototype, 'headers', {
  configurable: true,
  get(this: IncomingMessage & { [HEADERS]?: Readonly<Record<string, string>> }): Readonly<Record<string, string>> {
    // Asked several times a request, by node too.
    this[HEADERS] ??= readHeaders(this.rawHeaders)
    return this[HEADERS]
  },
})

/** Headers of which there is to be one. */
const SINGLE: ReadonlySet<string> = new Set(['content-type', 'x-opaque-id'])

function readHeaders(rawHeaders: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase()
    if (name === 'authorization' || name.startsWith('x-amz-')) continue
    const value = rawHeaders[i + 1] as string
    const known = headers[name]
    if (known === undefined) headers[name] = value
    // Of what is accepted the real servers see the first.
    else if (name !== 'accept') headers[name] = known + (SINGLE.has(name) ? '\n' : ', ') + value
  }
  return headers
}
