import { isObject } from '../is-object.ts'
/** What went wrong, where the server did not say it with an error type of its own. */
export type ClientErrorKind = 'configuration' | 'connection' | 'timeout' | 'response'

/** Codes of connections that will not come about by trying again: TLS that does not fit, certificates that are not trusted. */
const LASTING = /CERT|^SELF_SIGNED|^UNABLE_TO_|^ERR_|^HOSTNAME_MISMATCH$|^INVALID_|^EPROTO$/
/** Said of a write that was refused when it was sent again: what the server complains of may be its own doing. */
export const SENT_BEFORE = '(the answer to its first sending was lost, which may have done it)'
/** Codes of connections over which nothing went. */
const UNSENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/

/**
 * The one error a client throws: the server's refusal, or the reason it could not be asked.
 */
export class ClientError extends Error {
  readonly kind: ClientErrorKind
  /** HTTP status; undefined when no answer came. */
  readonly status: number | undefined
  /** The server's `error.type` (`index_not_found_exception`), or the network's code (`ECONNREFUSED`). */
  readonly type: string | undefined
  /** The server's reason, as text. */
  readonly reason: string
  /** `x-amzn-RequestId` of the answer. */
  readonly requestId: string | undefined
  /** The answer's body: parsed JSON where it was JSON, else text. */
  readonly body: unknown
  /** How long the server asks to be left alone (`Retry-After`), in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    kind: ClientErrorKind,
    reason: string,
    detail: {
      readonly status?: number | undefined
      readonly type?: string | undefined
      readonly requestId?: string | undefined
      readonly body?: unknown
      readonly retryAfterMs?: number | undefined
      readonly cause?: unknown
    } = {},
  ) {
    const head = [detail.status, detail.type].filter((part) => part !== undefined).join(' ')
    const cause = isObject(detail.body) ? causeReason(detail.body['error']) : undefined
    const text = cause === undefined || reason.includes(cause) ? reason : `${reason}: ${cause}`
    super(head === '' ? text : `${head}: ${text}`, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.name = 'ClientError'
    this.kind = kind
    this.status = detail.status
    this.type = detail.type
    this.reason = reason
    this.requestId = detail.requestId
    this.body = detail.body
    this.retryAfterMs = detail.retryAfterMs
  }

  /** True when the same request may well succeed a moment later: 408, 429, 502, 503, 504 or a broken connection. */
  get retryable(): boolean {
    if (this.kind === 'connection') return !LASTING.test(this.type ?? '')
    if (this.kind === 'timeout') return true
    return this.refused || [408, 502, 503, 504].includes(this.status ?? 0)
  }

  /** True when the request was surely not carried out and may be sent again, whatever it does. */
  get refused(): boolean {
    if (this.kind === 'connection') return UNSENT.test(this.type ?? '')
    return this.status === 429 || (this.status === 403 && /throttled/i.test(this.reason))
  }
}

/**
 * Turns an answer of status 300 or more into an error, whoever wrote its body: the engine (`error` object or string),
 * the domain's edge (`Message`, `message`), or a proxy (text). Redirections are not followed: signatures are for one host.
 */
export function errorFromResponse(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): ClientError {
  const body = parseOrText(text)
  const location = headers['location']
  const { type, reason } =
    status < 400 && location !== undefined ? { reason: `the server redirects to ${location}` } : describe(body)
  return new ClientError('response', reason ?? `the server answered ${status}`, {
    status,
    type,
    requestId: headers['x-amzn-requestid'],
    body,
    retryAfterMs: retryAfterMs(headers),
  })
}

/** `Retry-After`, seconds or a date, which is the server's: its own clock says how far off that is. */
function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const asked = headers['retry-after']?.trim() ?? ''
  if (/^\d+$/.test(asked)) return Number(asked) * 1000
  const now = Date.parse(headers['date'] ?? '')
  const ms = Date.parse(asked) - (Number.isNaN(now) ? Date.now() : now)
  return ms > 0 ? ms : undefined
}

function describe(body: unknown): { type?: string; reason?: string } {
  if (typeof body === 'string') {
    const text = plainText(body)
    return text === '' ? {} : { reason: text.slice(0, 500) }
  }
  if (!isObject(body)) return {}
  if (body['found'] === false) return { reason: `no document [${body['_id']}] in [${body['_index']}]` }
  const edge = body['Message'] ?? body['message']
  if (typeof edge === 'string') return { reason: edge }
  const error = body['error']
  if (typeof error === 'string') return { reason: error }
  if (!isObject(error)) return {}
  const root = Array.isArray(error['root_cause']) ? error['root_cause'][0] : undefined
  // A transport in between tells where something went wrong, not what.
  const tells = isObject(root) && typeof root['reason'] === 'string' && root['type'] !== 'remote_transport_exception'
  const reason = tells ? root['reason'] : error['reason']
  return {
    ...(typeof error['type'] === 'string' ? { type: error['type'] } : {}),
    ...(typeof reason === 'string' ? { reason: withIndex(reason, error['index']) } : {}),
  }
}

/** 6.x says «no such index» and names it beside. */
function withIndex(reason: string, index: unknown): string {
  const isNamed = typeof index !== 'string' || reason.includes(`[${index}]`) || reason.includes(`[${index}/`)
  return isNamed ? reason : `${reason} [${index}]`
}

/** What an engine's error was caused by in the end, where it tells. */
export function causeReason(error: unknown): string | undefined {
  let reason: unknown
  while (isObject(error) && isObject(error['caused_by'])) {
    error = error['caused_by']
    reason = (error as Readonly<Record<string, unknown>>)['reason']
  }
  return typeof reason === 'string' ? reason : undefined
}

/** Text of a page that a proxy sends (`<h1>504 Gateway Time-out</h1>`), or of anything else. */
function plainText(body: string): string {
  const page = /^\s*</.test(body)
  return (page ? body.replace(/<(head|style|script)\b.*?<\/\1>|<[^>]*>/gis, ' ').replace(/\s+/g, ' ') : body).trim()
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
