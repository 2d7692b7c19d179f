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
  // Several stay several, which the cluster refuses.
  return header
    ?.replaceAll('\n', ', ')
    .replace(
      /application\/vnd\.(?:elasticsearch|opensearch)\+(json|x-ndjson|yaml|smile|cbor)\s*;\s*compatible-with=\d+/g,
      'application/$1',
    )
}

/** Path and query as they go over the wire: what was judged, encoded anew, so that it has one reading only. */
export function callTarget({ segments, query }: ClusterCall): string {
  let target = ''
  for (const segment of segments) target += `/${encodeURIComponent(segment)}`
  let before = '?'
  for (const [name, value] of query) {
    target += `${before}${encodeURIComponent(name)}=${encodeURIComponent(value)}`
    before = '&'
  }
  return target === '' || target.startsWith('?') ? `/${target}` : target
}

/** Whether a body is JSON, or lines of it. */
export function isJson({ contentType }: ClusterCall): boolean {
  return contentType !== undefined && /^application\/(?:json|x-ndjson)\s*(?:;\s*charset=utf-8\s*)?$/i.test(contentType)
}
