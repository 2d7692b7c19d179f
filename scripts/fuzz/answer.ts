import { setTimeout as sleep } from 'node:timers/promises'
import { comparableWarnings } from '../../test/recorded-calls/comparable-answer.ts'
import { asFarAsTold, PlaceCount } from '../../test/recorded-calls/told-places.ts'
import { json } from './exact-json.ts'
import type { Json } from './grammar.ts'
import type { Call } from './searches.ts'

/** What a server said, without what differs from run to run. */
export interface Answer {
  readonly status: number
  readonly body: Json
  /** As it came, for what the next call needs of it. */
  readonly text?: string
  /** Of what is deprecated, sorted, without where in the body it is. */
  readonly warnings?: readonly string[]
  /** What a wrong method is told to be, sorted: the real server's order is that of the day. */
  readonly allow?: string
}

/** Where two answers part, the real server's first. */
export interface Difference {
  readonly kind: 'answer' | 'status' | 'error type' | 'wording'
  readonly at: string
  readonly real: unknown
  readonly ours: unknown
  /** What is said of faults whose types part, the real server's first. */
  readonly reasons?: readonly unknown[]
}

const VARYING = new Set(
  'took took_millis throttled_millis ingest_took uuid index_uuid creation_date index.uuid index.creation_date timestamp node _node cluster_name _scroll_id pit_id creation_time initial_recovery'.split(
    ' ',
  ),
)

const OWN_FAULTS = new Set([500, 503])

/** Asks a server and takes what it says apart. */
export async function ask(url: string, call: Omit<Call, 'kind'>): Promise<Answer> {
  const { method, path, body } = call
  const lines = typeof body === 'string' && body.endsWith('\n')
  // OpenSearch warns a caller of each thing once.
  const caller = { 'x-opaque-id': `fuzz ${Math.random()}` }
  const init = {
    method,
    headers: caller,
    ...(body === undefined
      ? {}
      : {
          body: typeof body === 'string' ? body : json(body),
          headers: { 'content-type': lines ? 'application/x-ndjson' : 'application/json', ...caller },
        }),
  }
  let response: Response
  let text: string
  let tries = 0
  do {
    if (tries > 0) await sleep(1000)
    try {
      response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(60_000) })
      text = await response.text()
    } catch (cause) {
      throw new Error(`no answer to ${method} ${url}${path} ${json(body ?? '')}`, { cause })
    }
    // A server of little memory takes calls again once it has collected its garbage.
  } while (response.status === 429 && /^\{"error":\{"root_cause":\[\{"type":"circuit_b/.test(text) && ++tries < 30)
  // A fault of the request that the real server takes for its own, or for one of the moment, is the request's here.
  const status = OWN_FAULTS.has(response.status) ? 400 : response.status
  try {
    return {
      status,
      text,
      ...heads(response),
      body: comparable(
        JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (m) => (m.startsWith('"') ? m : `"#${m}"`))),
      ),
    }
  } catch {
    return { status, ...heads(response), body: plain(text) }
  }
}

const heads = ({ headers }: Response): Pick<Answer, 'allow' | 'warnings'> => {
  const methods = headers.get('allow')
  const allow = methods === null ? {} : { allow: methods.split(',').sort().join() }
  return { ...allow, warnings: comparableWarnings(headers.get('warning') ?? '') }
}

/** A table or YAML, its long texts in one line. */
const plain = (text: string): string =>
  text
    .replace(/\\\n +(?:\\(?= ))?/g, '')
    .replace(/^.*(?:uuid|creation_date|took).*\n/gm, '')
    .replace(/@[0-9a-f]{5,8}\b/g, '@*')

const isJavaFrame = (item: Json): boolean => typeof item === 'string' && /^[\w.$/<>]+\(\w+\.java:\d+\)$/.test(item)

function comparable(value: Json, name = ''): Json {
  // Places in the real server's own code, of which only it tells.
  if (Array.isArray(value)) return value.filter((item) => !isJavaFrame(item)).map((item) => comparable(item))
  // Lucene 9 tells the best of several in the order of the day.
  if (typeof value === 'string' && value.includes(' | '))
    return value
      .split(/ \| |(?=[()])|(?<=[()])/)
      .sort()
      .join(' | ')
  if (typeof value === 'string') {
    if (name === '_id' && value.length === 20) return '*'
    return (
      value
        .replace(/[[/][\w-]{20,22}\]/g, '[*]')
        .replace(/\[[\w-]+\]\[127\.0\.0\.1:\d+\]/g, '[*]')
        .replace(/(?<=simulate_(?:index_)?template_)[\w-]{22}/g, '*')
        .replace(/202\d-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*Z/g, '*')
        .replace(/@[0-9a-f]{5,8}\b/g, '@*')
        // Documents have the numbers of the day: where a segment ends depends on it.
        .replace(/(?<=^weight\(.*) in \d+\)(?= \[)/, ' in *)')
        // Where classes come from.
        .replace(/ \(\S+ and \S+ are in .*?\)$/, '')
        // Indices of an alias come in the order of the day.
        .replace(/\[fuzz[^\]]*,[^\]]*/g, (names) => names.slice(1).split(/, ?/).sort().join())
        .replace(/(?<=for open indices \[).*(?=\]$)/, (names) => names.split(', ').sort().join())
        .replace(/(?<=allowed: \[)[^\]]*/, (methods) => methods.split(', ').sort().join())
        .replace(/; line: \d+, column: \d+|at \[Source: [^\n]*|\n at[\s\S]*| at \[?\d+:\d+\]?/g, '')
    )
  }
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => !VARYING.has(key))
  const body: Json = Object.fromEntries(kept.map(([key, member]) => [key, comparable(member, key)]))
  if (/^max (?:of|plus)/.test(body.description)) body.details.sort((a: Json, b: Json) => (json(a) < json(b) ? -1 : 1))
  return typeof body.error === 'object' && body.error?.type !== undefined
    ? { ...body, error: lean(body.error), status: /^#50[03]$/.test(body.status) ? '#400' : body.status }
    : body
}

/** An error as a client reads it: what, why, the first root and the innermost cause. */
function lean(error: Json): Json {
  let cause = error
  while (cause.caused_by) cause = cause.caused_by
  const of = (e: Json): Json => e && { type: e.type, reason: e.reason, line: e.line, col: e.col }
  return { ...of(error), root: of(error.root_cause?.[0]), cause: of(cause) }
}

/** What places of faults the real server told, and ours. */
export const places = new PlaceCount()

/** Where two answers part, if they do; the order of members is none. */
export function compare(real: Answer, ours: Answer): Difference | undefined {
  if (real.status !== ours.status) {
    const what = (answer: Answer): unknown =>
      `${answer.status} ${json(answer.body?.error?.root?.reason ?? answer.body?.error ?? '')}`
    return { kind: 'status', at: 'status', real: what(real), ours: what(ours) }
  }
  if (real.allow !== ours.allow) return { kind: 'answer', at: 'allow', real: real.allow, ours: ours.allow }
  const found = parting(asFarAsTold(real.body, ours.body, places), ours.body, '') ?? warned(real, ours)
  if (found === undefined) return undefined
  const kind = /error/.test(found.at) ? (found.at.endsWith('type') ? 'error type' : 'wording') : 'answer'
  return { kind, ...found }
}

/** The first warning that one of them has. */
function warned(
  { status, warnings: real = [] }: Answer,
  { warnings: ours = [] }: Answer,
): Omit<Difference, 'kind'> | undefined {
  const lacking = real.find((text) => !ours.includes(text))
  const excess = ours.find((text) => !real.includes(text))
  if (lacking === undefined && excess === undefined) return undefined
  return { at: `warning of ${status}`, real: lacking, ours: excess }
}

function parting(real: Json, ours: Json, at: string): Omit<Difference, 'kind'> | undefined {
  if (
    typeof real !== 'object' ||
    typeof ours !== 'object' ||
    real === null ||
    ours === null ||
    Array.isArray(real) !== Array.isArray(ours)
  ) {
    return Object.is(real, ours) ? undefined : { at, real, ours }
  }
  for (const key of new Set([...Object.keys(real), ...Object.keys(ours)])) {
    const found = parting(real[key], ours[key], `${at}.${key}`)
    if (found === undefined) continue
    return key === 'type' && 'reason' in ours ? { ...found, reasons: [real.reason, ours.reason] } : found
  }
  return undefined
}

/** What kind of difference it is, for counting it with others of its kind. */
export function cause(difference: Difference): string {
  const short = (value: unknown): string =>
    String(json(value ?? null))
      .replace(/\d+/g, '9')
      .slice(0, 70)
  return `${difference.at.replace(/\d+/g, '#')} | ${short(difference.real)} | ${short(difference.ours)}`
}
