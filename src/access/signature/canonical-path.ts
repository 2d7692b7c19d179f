import { urlDecode } from './url-decode.ts'

/** A request's path as the router takes it and the policy judges it. */
export interface CanonicalPath {
  /** Decoded once, empty ones dropped; `.` and `..` are names like any other, as in the real server. */
  readonly segments: readonly string[]
  /**
   * `segments` joined by `/`, slashes inside them like those between: what follows `domain/<name>/` in the resource the policy is asked
   * about.
   */
  readonly resource: string
  /**
   * The same with slashes *inside* a segment left as `%2F`, where there are any. An id `a/b` and a path `a/b` look alike
   * in `resource`; the policy has to allow both readings.
   */
  readonly guardedResource: string | undefined
  /**
   * True when the path as sent holds `.` or `..` segments: a signature covers the path with these resolved, the
   * router would take them as they are, so a signed one has two readings and is refused.
   */
  readonly hasDotSegments: boolean
}

/**
 * Reads a request's path: the one function behind what is signed, judged and routed.
 *
 * @param rawPath      as received, without the query
 * @param plusIsBlank  whether `+` stands for a blank, as up to 6.x; true by default, which is what a policy is tried on
 * @throws {UrlDecodeError} for an escape that is none
 */
export function canonicalPath(rawPath: string, plusIsBlank = true): CanonicalPath {
  const segments: string[] = []
  let hasDotSegments = false
  let hasInnerSlash = false
  for (const raw of rawPath.split('/')) {
    if (raw === '') continue
    if (raw === '.' || raw === '..') hasDotSegments = true
    const segment = urlDecode(raw, plusIsBlank)
    if (segment.includes('/')) hasInnerSlash = true
    segments.push(segment)
  }
  return {
    segments,
    resource: hasInnerSlash
      ? segments.flatMap((s) => s.split('/').filter((part) => part !== '')).join('/')
      : segments.join('/'),
    guardedResource: hasInnerSlash ? segments.map((s) => s.replaceAll('/', '%2F')).join('/') : undefined,
    hasDotSegments,
  }
}
