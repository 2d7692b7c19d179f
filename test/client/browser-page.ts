import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { connect } from 'node:tls'
import type { Chromium } from '../../scripts/chromium.ts'

/** What a browser is told to answer a request with; undefined: let it go to the server. */
export type Route = (url: URL) => { readonly contentType: string; readonly body: string } | undefined

/** A page in a real browser, spoken to over its debugging pipe. */
export interface BrowserPage {
  /** Runs an expression in the page and answers what it, awaited, comes to (as JSON does). */
  evaluate<T>(expression: string): Promise<T>
  close(): Promise<void>
}

interface Answer {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly requestId: string; readonly request: { readonly url: string } }
  readonly result?: Record<string, unknown>
  readonly error?: { readonly message: string }
}

/**
 * Opens a page.
 *
 * @param route    answers some requests in the server's place, so that a page of ours stands at its origin
 * @param trusted  certificates to take, by the hash of their keys: see {@link keyHashOf}
 */
export async function openPage(
  chromium: Chromium,
  options: { readonly url: string; readonly route: Route; readonly trusted: readonly string[] },
): Promise<BrowserPage> {
  const folder = mkdtempSync(join(tmpdir(), 'chaja-browser-'))
  const flags = [
    '--headless=shell',
    // Tests run as root in containers, where a browser cannot have its sandbox.
    '--no-sandbox',
    '--no-zygote',
    '--single-process',
    '--in-process-gpu',
    '--disable-gpu',
    '--disable-software-rasterizer',
    '--disable-dev-shm-usage',
    '--no-proxy-server',
    `--user-data-dir=${folder}`,
    `--ignore-certificate-errors-spki-list=${options.trusted.join(',')}`,
    '--remote-debugging-pipe',
    'about:blank',
  ]
  const libraries = chromium.libraries === undefined ? {} : { LD_LIBRARY_PATH: chromium.libraries }
  const child = spawn(chromium.path, flags, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...libraries },
  })
  const pipe = new DebuggingPipe(child)
  const { targetId } = await pipe.call('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await pipe.call('Target.attachToTarget', { targetId, flatten: true })
  const call = (method: string, params: object = {}) => pipe.call(method, params, sessionId as string)
  pipe.onPaused = ({ requestId, request }) => {
    const answer = options.route(new URL(request.url))
    if (answer === undefined) return void call('Fetch.continueRequest', { requestId })
    void call('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'content-type', value: answer.contentType }],
      body: Buffer.from(answer.body).toString('base64'),
    })
  }
  await call('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  await call('Page.enable')
  const loaded = pipe.once('Page.loadEventFired')
  await call('Page.navigate', { url: options.url })
  await loaded
  return {
    async evaluate<T>(expression: string): Promise<T> {
      const { result, exceptionDetails } = (await call('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      })) as { result: { value: T }; exceptionDetails?: { exception?: { description?: string } } }
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'it threw')
      return result.value
    },
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Base64 of SHA-256 of the public key that a TLS server shows. */
export function keyHashOf(url: string, authority: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ca: authority }, () => {
      const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' })
      socket.destroy()
      if (key === undefined) reject(new Error(`${url} shows no certificate`))
      else resolve(createHash('sha256').update(key).digest('base64'))
    })
    socket.once('error', reject)
  })
}

/** Chromium's debugging protocol over file descriptors 3 and 4: JSON, each message ended by NUL. */
class DebuggingPipe {
  onPaused: (params: NonNullable<Answer['params']>) => void = () => {}
  readonly #out: Writable
  readonly #pending = new Map<number, { resolve(result: Record<string, unknown>): void; reject(error: Error): void }>()
  readonly #awaited = new Map<string, () => void>()
  #id = 0

  constructor(child: ChildProcess) {
    this.#out = child.stdio[3] as Writable
    let begun = ''
    ;(child.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const messages = (begun + chunk).split('\0')
      begun = messages.pop() as string
      for (const message of messages) this.#take(JSON.parse(message) as Answer)
    })
    const failAll = (error: Error) => {
      for (const { reject } of this.#pending.values()) reject(error)
    }
    child.once('error', failAll)
    child.once('exit', (code, signal) => failAll(new Error(`the browser ended (${signal ?? code})`)))
    this.#out.on('error', () => {})
  }

  call(method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> {
    const id = ++this.#id
    this.#out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }))
  }

  once(event: string): Promise<void> {
    return new Promise((resolve) => this.#awaited.set(event, resolve))
  }

  #take(message: Answer): void {
    if (message.method === 'Fetch.requestPaused' && message.params !== undefined) this.onPaused(message.params)
    if (message.method !== undefined) this.#awaited.get(message.method)?.()
    const call = this.#pending.get(message.id ?? -1)
    this.#pending.delete(message.id ?? -1)
    if (message.error !== undefined) call?.reject(new Error(message.error.message))
    else call?.resolve(message.result ?? {})
  }
}
