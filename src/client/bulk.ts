import { isObject } from '../is-object.ts'
import { pause, retryDelayMs } from './backoff.ts'
import { ClientError, causeReason, SENT_BEFORE } from './client-error.ts'
import { jsonOf } from './json-of.ts'
import { StoppableItems } from './stoppable-items.ts'

/** A document to store, in the interface's form: it replaces one of the same index, type and id. */
export interface BulkItem<T = Record<string, unknown>> {
  readonly _index: string
  /** Left out for servers without types. */
  readonly _type?: string | undefined
  /** Left out: the client makes one, so that a request sent again after a lost answer stores nothing twice. */
  readonly _id?: string | undefined
  readonly _source: T
  readonly routing?: string | undefined
}

/** What addresses a document in an operation. */
export interface BulkTarget {
  readonly _index: string
  readonly _type?: string | undefined
  readonly _id?: string | undefined
  readonly routing?: string | undefined
  /** As text where it goes beyond 2^53. */
  readonly version?: number | string | undefined
  readonly version_type?: 'internal' | 'external' | 'external_gte' | undefined
  readonly if_seq_no?: number | undefined
  readonly if_primary_term?: number | undefined
  readonly retry_on_conflict?: number | undefined
}

/** What an operation does. */
export const BULK_ACTIONS = ['index', 'create', 'update', 'delete'] as const

/** One line (or pair of lines) of a bulk request. A document given as a string is sent as it is: it must be JSON. */
export type BulkOperation<T = Record<string, unknown>> =
  | { readonly index: BulkTarget; readonly source: T | string }
  | { readonly create: BulkTarget; readonly source: T | string }
  | { readonly update: BulkTarget; readonly body: object | string }
  | { readonly delete: BulkTarget }

/** How a bulk call splits and repeats. */
export interface BulkOptions {
  /** Largest request, in bytes before compression (8 MiB: below the smallest limit of the cloud service, 10 MiB). */
  readonly maxBytes?: number
  /** Most operations in a request (5,000). */
  readonly maxCount?: number
  /** Requests under way at once (2). */
  readonly concurrency?: number
  /** How often a refused or lost part is sent again (5). */
  readonly maxRetries?: number
  readonly refresh?: boolean | 'wait_for'
  readonly signal?: AbortSignal
  /** Called as each operation's fate is known; not in order. */
  readonly onOutcome?: (outcome: BulkOutcome) => void
}

/** What became of one operation. */
export interface BulkOutcome {
  /** Its place in the input, from 0. */
  readonly position: number
  readonly action: (typeof BULK_ACTIONS)[number]
  readonly index: string
  readonly type: string | undefined
  /** Undefined when the server never answered for an operation without an id. */
  readonly id: string | undefined
  /** HTTP status of the item; 0 when no answer came. */
  readonly status: number
  /** `created`, `updated`, `deleted`, `not_found`, `noop`; undefined when it failed. */
  readonly result: string | undefined
  readonly error: { readonly type: string; readonly reason: string } | undefined
  /** How often it was sent again. */
  readonly retries: number
}

/** A bulk call's sum. */
export interface BulkSummary {
  readonly total: number
  readonly succeeded: number
  readonly failed: number
  readonly retries: number
  readonly bytes: number
  readonly requests: number
  /** The operations that failed, at most the first 1,000; `onOutcome` sees them all. */
  readonly failures: readonly BulkOutcome[]
}

/** Sends one bulk body and answers the parsed answer; throws ClientError. */
export type BulkSender = (
  body: Uint8Array,
  options: { readonly refresh?: boolean | 'wait_for'; readonly signal?: AbortSignal },
) => Promise<BulkAnswer>

/** The part of a bulk answer that is read; or only how many items it has, when every one of them succeeded. */
export type BulkAnswer =
  | {
      readonly items: readonly Readonly<
        Record<
          string,
          {
            readonly _id?: string
            readonly status: number
            readonly result?: string
            readonly error?: { readonly type?: string; readonly reason?: string } | string
          }
        >
      >[]
    }
  | { readonly succeeded: number }

/** An operation as it goes over the wire. */
export interface BulkLine {
  /** Its place in the input, from 0. */
  readonly position: number
  readonly action: BulkOutcome['action']
  readonly target: BulkTarget
  /** Memory that holds the line, or the pair of lines, each with its line break: from `start` to `end`, exclusive. */
  readonly memory: Uint8Array
  readonly start: number
  readonly end: number
  /** The id is of the client's making. */
  readonly ownId?: boolean
  /** Carried out twice it does something else (a scripted update): not sent again when it may have been carried out. */
  readonly once?: boolean
}

const encoder = new TextEncoder()
const FAILURES_KEPT = 1_000

/**
 * Sends any number of operations: cut into requests by bytes and count, a few at a time, so that an endless input
 * needs bounded memory. Items refused with 429 or 503, whole requests refused so, and broken connections are repeated
 * with backoff; a request refused as too large (413) is halved. What would do something else the second time (a scripted
 * update) is not repeated when its answer was lost, but reported as failed with the type `outcome_unknown`.
 */
export function sendBulk<T>(
  items: Iterable<BulkItem<T> | BulkOperation<T>> | AsyncIterable<BulkItem<T> | BulkOperation<T>>,
  send: BulkSender,
  options: BulkOptions = {},
): Promise<BulkSummary> {
  return sendBulkLines(encodeAll(items), send, options)
}

async function* encodeAll<T>(
  items: Iterable<BulkItem<T> | BulkOperation<T>> | AsyncIterable<BulkItem<T> | BulkOperation<T>>,
): AsyncGenerator<BulkLine, void, undefined> {
  // Which nothing checks for callers in JavaScript.
  if (items == null || typeof items === 'string' || !(Symbol.iterator in items || Symbol.asyncIterator in items))
    throw new ClientError('configuration', 'a bulk call takes operations in an array, or another iterable')
  let position = 0
  for await (const item of items) yield encode(item, position++)
}

/**
 * {@link sendBulk} for operations that are encoded already. When the sender answers only that all have succeeded,
 * `onOutcome` is not called for them.
 */
export async function sendBulkLines(
  lines: Iterable<BulkLine> | AsyncIterable<BulkLine>,
  send: BulkSender,
  options: BulkOptions = {},
): Promise<BulkSummary> {
  const { maxBytes = 8 * 1024 * 1024, maxCount = 5_000, concurrency = 2 } = options
  for (const [name, value] of Object.entries({ maxBytes, maxCount, concurrency }))
    if (!(value >= 1)) throw new ClientError('configuration', `${name} must be a number from 1 on, not [${value}]`)
  const run = new BulkRun(send, options)
  const underWay = new Set<Promise<void>>()
  let batch: BulkLine[] = []
  let batchBytes = 0
  let total = 0
  // The first failure that is the whole run's (not an item's) ends it; what is under way is waited for.
  let failure: { readonly error: unknown } | undefined
  const slow = Symbol.iterator in lines ? undefined : new StoppableItems(lines)
  const onAbort = () => slow?.stop(options.signal?.reason)

  const flush = async () => {
    if (batch.length === 0) return
    const full = batch
    batch = []
    batchBytes = 0
    while (underWay.size >= concurrency) await Promise.race(underWay)
    throwIfFailed()
    const request: Promise<void> = run
      .send(full)
      .catch((error: unknown) => {
        failure ??= { error }
        slow?.stop(error)
      })
      .finally(() => underWay.delete(request))
    underWay.add(request)
  }
  const throwIfFailed = () => {
    if (failure !== undefined) throw failure.error
  }

  const isFull = (line: BulkLine) =>
    batch.length >= maxCount || (batch.length > 0 && batchBytes + line.end - line.start > maxBytes)
  const add = (line: BulkLine) => {
    options.signal?.throwIfAborted()
    throwIfFailed()
    batch.push(line)
    batchBytes += line.end - line.start
    total++
  }

  try {
    if (slow === undefined) {
      // Without a turn of the microtask queue for every line.
      for (const line of lines as Iterable<BulkLine>) {
        if (isFull(line)) await flush()
        add(line)
      }
    } else {
      options.signal?.addEventListener('abort', onAbort)
      for await (const line of slow) {
        if (isFull(line)) await flush()
        add(line)
      }
    }
    await flush()
  } finally {
    options.signal?.removeEventListener('abort', onAbort)
    await Promise.all(underWay)
  }
  throwIfFailed()
  return run.summary(total)
}

/** One call's state: sends parts, repeats what was refused for the moment, counts. */
class BulkRun {
  readonly #send: BulkSender
  readonly #options: BulkOptions
  readonly #failures: BulkOutcome[] = []
  /** How often a line was sent again, for those that were. */
  readonly #again = new Map<BulkLine, number>()
  /** Lines whose answer was lost. */
  readonly #lost = new WeakSet<BulkLine>()
  #succeeded = 0
  #failed = 0
  #retries = 0
  #bytes = 0
  #requests = 0

  constructor(send: BulkSender, options: BulkOptions) {
    this.#send = send
    this.#options = options
  }

  summary(total: number): BulkSummary {
    return {
      total,
      succeeded: this.#succeeded,
      failed: this.#failed,
      retries: this.#retries,
      bytes: this.#bytes,
      requests: this.#requests,
      failures: this.#failures,
    }
  }

  async send(lines: readonly BulkLine[]): Promise<void> {
    const maxRetries = this.#options.maxRetries ?? 5
    let pending = lines
    for (let attempt = 0; pending.length > 0; attempt++) {
      const body = join(pending)
      this.#requests++
      this.#bytes += body.byteLength
      let refused: readonly BulkLine[]
      let asked: { readonly retryAfterMs: number | undefined } = { retryAfterMs: undefined }
      try {
        refused = this.#settle(pending, await this.#send(body, this.#options), attempt < maxRetries)
      } catch (error) {
        if (!(error instanceof ClientError)) throw error
        if (error.status === 413 && pending.length > 1) {
          const middle = pending.length >> 1
          await this.send(pending.slice(0, middle))
          await this.send(pending.slice(middle))
          return
        }
        if (error.status === 413)
          return this.#report(pending[0] as BulkLine, error.status, undefined, {
            type: error.type ?? 'request_too_large',
            reason: error.reason,
          })
        if (!error.retryable || attempt >= maxRetries) throw error
        refused = error.refused ? pending : this.#withoutUnknown(pending, error)
        if (!error.refused) for (const line of refused) this.#lost.add(line)
        asked = error
      }
      for (const line of refused) this.#again.set(line, (this.#again.get(line) ?? 0) + 1)
      this.#retries += refused.length
      pending = refused
      if (pending.length > 0) await pause(retryDelayMs(asked, attempt), this.#options.signal)
    }
  }

  /** After a lost answer: reports what must not be sent again, answers the rest. */
  #withoutUnknown(lines: readonly BulkLine[], { status, message }: ClientError): readonly BulkLine[] {
    return lines.filter((line) => {
      if (!line.once) return true
      const reason = `it may or may not have been carried out: ${message}`
      this.#report(line, status ?? 0, undefined, { type: 'outcome_unknown', reason })
      return false
    })
  }

  /** Reports every item's fate; answers those to send again. */
  #settle(lines: readonly BulkLine[], answer: BulkAnswer, mayRetry: boolean): BulkLine[] {
    if (typeof answer !== 'object' || answer === null)
      throw new ClientError('response', `the answer is none of a bulk request: ${String(answer).slice(0, 200)}`)
    const answered = 'succeeded' in answer ? answer.succeeded : answer.items?.length
    if (answered !== lines.length)
      throw new ClientError('response', `the bulk answer has ${answered} items for ${lines.length} operations`)
    if ('succeeded' in answer) {
      this.#succeeded += answered
      return []
    }
    const again: BulkLine[] = []
    for (const [i, line] of lines.entries()) {
      const item = Object.values(answer.items[i] ?? {})[0]
      const status = item?.status
      if (typeof status !== 'number')
        throw new ClientError('response', `the bulk answer does not tell what became of operation ${line.position}`)
      if (mayRetry && (status === 429 || status === 503)) again.push(line)
      // Nobody else makes such an id: it was stored the first time, and the answer lost.
      else if (status === 409 && line.ownId && this.#again.has(line))
        this.#report(line, 201, { _id: line.target._id as string, result: 'created' }, undefined)
      else this.#report(line, status, item, errorOf(item?.error, status === 409 && this.#lost.has(line)))
    }
    return again
  }

  #report(
    line: BulkLine,
    status: number,
    item: { readonly _id?: string; readonly result?: string } | undefined,
    error: BulkOutcome['error'],
  ): void {
    // Deleting what is not there answers 404 without an error: that is an outcome, not a failure.
    const outcome: BulkOutcome = {
      position: line.position,
      action: line.action,
      index: line.target._index,
      type: line.target._type,
      id: item?._id ?? line.target._id,
      status,
      result: error === undefined ? item?.result : undefined,
      error,
      retries: this.#again.get(line) ?? 0,
    }
    if (error === undefined) this.#succeeded++
    else {
      this.#failed++
      if (this.#failures.length < FAILURES_KEPT) this.#failures.push(outcome)
    }
    this.#options.onOutcome?.(outcome)
  }
}

function errorOf(
  error: { readonly type?: string; readonly reason?: string } | string | undefined,
  sentBefore: boolean,
): BulkOutcome['error'] {
  if (error === undefined) return undefined
  if (typeof error === 'string') return { type: 'exception', reason: error }
  const said = [error.reason, causeReason(error)].filter((part) => part !== undefined).join(': ')
  const reason = sentBefore ? `${said} ${SENT_BEFORE}` : said
  return { type: error.type ?? 'exception', reason }
}

function encode<T>(item: BulkItem<T> | BulkOperation<T>, position: number): BulkLine {
  const { action, target: given, payload } = parts(item, position)
  // A pair without its second line would take that from the next operation.
  if (payload === undefined && action !== 'delete')
    throw new ClientError('configuration', `operation ${position} (${action}) has no document`)
  const document =
    payload === undefined
      ? undefined
      : typeof payload === 'string'
        ? onOneLine(payload)
        : jsonOf(payload, `the document of operation ${position}`)
  const ownId = given._id === undefined && (action === 'index' || action === 'create')
  const target = ownId ? { ...given, _id: makeId() } : given
  const once = action === 'update' && target.if_seq_no === undefined && isScripted(payload)
  const head = JSON.stringify({ [action]: target })
  const text = document === undefined ? `${head}\n` : `${head}\n${document}\n`
  const memory = encoder.encode(text)
  return { position, action, target, memory, start: 0, end: memory.byteLength, ownId, once }
}

/** JSON text without line breaks, which end an operation: within JSON they stand between tokens only. */
function onOneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]+/g, ' ') : json
}

function isScripted(body: unknown): boolean {
  return typeof body === 'string' ? body.includes('"script"') : 'script' in (body as object)
}

/** An id as servers make them: 20 characters, 120 random bits. */
function makeId(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(15))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

function parts<T>(
  item: BulkItem<T> | BulkOperation<T>,
  position: number,
): { action: BulkOutcome['action']; target: BulkTarget; payload: unknown } {
  if (!isOperation(item))
    throw new ClientError(
      'configuration',
      `operation ${position} is neither {_index, _type, _id, _source} nor one of ${BULK_ACTIONS.join(', ')}`,
    )
  if ('_source' in item) {
    const { _source, ...target } = item
    return { action: 'index', target, payload: _source }
  }
  if ('index' in item) return { action: 'index', target: item.index, payload: item.source }
  if ('create' in item) return { action: 'create', target: item.create, payload: item.source }
  if ('update' in item) return { action: 'update', target: item.update, payload: item.body }
  return { action: 'delete', target: item.delete, payload: undefined }
}

/** Whether it is what its type says, which nothing checks for callers in JavaScript. */
function isOperation(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  return '_source' in item || BULK_ACTIONS.some((action) => isObject((item as Record<string, unknown>)[action]))
}

function join(lines: readonly BulkLine[]): Uint8Array {
  const [first] = lines
  const last = lines.at(-1)
  // Lines that follow each other in one memory are a body already.
  const follow = (line: BulkLine, i: number) =>
    i === 0 || (line.memory === lines[i - 1]?.memory && line.start === lines[i - 1]?.end)
  if (first !== undefined && last !== undefined && lines.every(follow))
    return first.memory.subarray(first.start, last.end)
  const body = new Uint8Array(lines.reduce((sum, line) => sum + line.end - line.start, 0))
  let at = 0
  for (const { memory, start, end } of lines) {
    body.set(memory.subarray(start, end), at)
    at += end - start
  }
  return body
}
