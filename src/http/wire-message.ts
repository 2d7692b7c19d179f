import { IncomingMessage } from 'node:http'

const HEADERS = Symbol('headers')

/** What a request's body is given to, piece by piece as it comes off the connection. */
export interface BodySink {
  chunk(bytes: Buffer): void
  end(): void
}

/**
 * A request whose `headers` leave out what signs it (`authorization`, `x-amz-*`): that is the door's business, and nothing
 * behind the door ever holds a credential. Several headers of one name are joined by `, `, or by a line feed where there must be
 * one alone; `rawHeaders` has all as sent.
 *
 * Its body does not go through a stream, which would cost a request more than its signature does: the parser's pieces go to a sink as they
 * come, or nowhere. So it never holds the connection back, and the sink must take what comes.
 */
export class WireMessage extends IncomingMessage {
  #sink: BodySink | undefined

  /** Gives what comes from now on to `sink`; without one it is passed over. Events of streams but `close` do not come. */
  giveBodyTo(sink: BodySink | undefined): void {
    this.#sink = sink
  }

  /** What node's parser calls, with null at the end. */
  override push(chunk: Buffer | null): boolean {
    if (chunk === null) this.#sink?.end()
    else this.#sink?.chunk(chunk)
    return true
  }

  /** What node does with a body nobody read, once it is answered. */
  _dump(): void {}
}

Object.defineProperties(WireMessage.prototype, {
  headers: {
    configurable: true,
    get(this: IncomingMessage & { [HEADERS]?: Readonly<Record<string, string>> }): Readonly<Record<string, string>> {
      // Asked several times a request, by node too.
      this[HEADERS] ??= readHeaders(this.rawHeaders)
      return this[HEADERS]
    },
  },
  /** Node lets go of a request that has ended; of another it would wait for the stream's end. */
  readableEnded: {
    configurable: true,
    get(this: IncomingMessage): boolean {
      return this.complete
    },
  },
})

/** Headers of which there is to be one. */
const SINGLE: ReadonlySet<string> = new Set(['content-type', 'x-opaque-id'])

/** Headers by name, and nothing that objects have by birth: `Object.create(null)` is kept in a hash table, which takes longer to fill and to be asked. */
class Headers {
  [name: string]: string
}
Object.setPrototypeOf(Headers.prototype, null)
Reflect.deleteProperty(Headers.prototype, 'constructor')

function readHeaders(rawHeaders: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = lowerCase(rawHeaders[i] as string)
    if (name === 'authorization' || name.startsWith('x-amz-')) continue
    const value = rawHeaders[i + 1] as string
    const known = headers[name]
    if (known === undefined) headers[name] = value
    // Of what is accepted the real servers see the first.
    else if (name !== 'accept') headers[name] = known + (SINGLE.has(name) ? '\n' : ', ') + value
  }
  return headers
}

/** In lower case by as they are sent: clients say the same few, and what was the name of a member once need not be looked for among all texts. */
const lowerCased = new Map<string, string>()
const MOST_NAMES = 256
const LONGEST_NAME = 64

function lowerCase(name: string): string {
  const known = lowerCased.get(name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  if (lowerCased.size < MOST_NAMES && name.length <= LONGEST_NAME) lowerCased.set(name, lower)
  return lower
}
