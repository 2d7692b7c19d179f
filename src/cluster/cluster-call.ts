import type { BackendRequest } from '../backend.ts'
import { ServiceError } from '../errors.ts'

/** A request on its way to the cluster: what it says, apart from who sent it. */
export interface ClusterCall {
  readonly method: string
  /** Decoded, none empty. */
  readonly segments: readonly string[]
  /** Decoded. */
  readonly query: ReadonlyMap<string, string>
  /** `Content-Type`, in the cluster's words; undefined when there is none. */
  readonly contentType: string | undefined
  readonly body: Buffer
}

/** What a request says. @throws {ServiceError} for a path that another server on the way may read otherwise */
export function readCall({ method, segments, query, headers, body }: BackendRequest): ClusterCall {
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    throw new ServiceError(
      'illegal_argument_exception',
      'a path with the segments . or .. is not forwarded to a cluster',
    )
  }
  return { method, segments, query, contentType: plainMediaType(headers['content-type']), body }
}

/** Media types of later clients (`application/vnd.elasticsearch+json; compatible-with=8`) in the words all versions know. */
export function plainMediaType(header: string | undefined): string | undefined {
  return header?.replace(
    /application\/vnd\.(?:elasticsearch|opensearch)\+(json|x-ndjson|yaml|smile|cbor)\s*;\s*compatible-with=\d+/g,
    'application/$1',
  )
}

const PLAIN = String.raw`(?:[\w.~!$'()*,:@-]|%[0-7][\dA-F])`
const PAIR = String.raw`(?:[\w.~!$'()*,:@/?[\]-]|%[0-7][\dA-F])+(?:=(?:[\w.~!$'()*,:@/?[\]+-]|%[0-7][\dA-F])*)?`

/** A target that every version reads alike: no empty segments but the last, no `+` in the path, no bytes that may be no UTF-8. */
const ONE_READING = new RegExp(String.raw`^(?:\/|(?:\/${PLAIN}+)+\/?)(?:\?${PAIR}(?:&${PAIR})*)?$`, 'i')

/**
 * Path and query as they go over the wire: what was judged. As they were received where nothing of them was changed and they have
 * one reading only, since the cluster quotes them in its faults; else encoded anew, so that they have.
 */
export function callTarget(call: ClusterCall, received: BackendRequest): string {
  const { segments, query } = call
  const { rawTarget } = received
  const isAsReceived = segments === received.segments && query === received.query
  if (isAsReceived && ONE_READING.test(rawTarget) && countPairs(rawTarget) === query.size) return rawTarget
  let target = ''
  for (const segment of segments) target += `/${encodeURIComponent(segment)}`
  let before = '?'
  for (const [name, value] of query) {
    target += `${before}${encodeURIComponent(name)}=${encodeURIComponent(value)}`
    before = '&'
  }
  return target === '' || target.startsWith('?') ? `/${target}` : target
}

/** Pairs of a target's query: more than it has parameters where one comes twice, is empty, or signs the request. */
function countPairs(target: string): number {
  const at = target.indexOf('?')
  return at < 0 ? 0 : target.slice(at + 1).split('&').length
}

/** Whether a body is JSON, or lines of it. */
export function isJson({ contentType }: ClusterCall): boolean {
  return contentType !== undefined && /^application\/(?:json|x-ndjson)\s*(?:;\s*charset=utf-8\s*)?$/i.test(contentType)
}
