import type { BackendRequest } from '../backend.ts'

/** Last segments of paths that search, or take as long as that. */
const SEARCHES: ReadonlySet<string> = new Set(['_search', '_count', '_msearch', '_analyze', '_rank_eval'])

/** Whether a path ends in one of them, or in templates for them. */
function isSearch(segments: readonly string[]): boolean {
  const last = segments.at(-1) as string
  if (last !== 'template') return SEARCHES.has(last)
  return segments.at(-2) === '_search' || segments.at(-2) === '_msearch'
}

/** Segments of paths, last or before the last, of reads that may turn out to be large. */
const READS: ReadonlySet<string> = new Set(
  '_explain _field_caps _mapping _mappings _mget _mtermvectors _simulate _source _termvector _termvectors _validate'.split(
    ' ',
  ),
)

/** Whether a request only reads, and may have to be made in a thread: which, shows once what it reads is found. */
export function mayBeLargeRead({ method, segments, query }: BackendRequest): boolean {
  const { length } = segments
  if (method === 'POST') return isRead(segments) && !isMapping(segments)
  if (method !== 'GET') return false
  // Documents: as they are they are short work.
  return isRead(segments) || (query.size > 0 && length > 1 && (segments[length - 2] === '_doc' || isTypedId(segments)))
}

const isRead = (segments: readonly string[]): boolean =>
  READS.has(segments.at(-1) as string) || READS.has(segments.at(-2) as string)

/** It is put there. */
const isMapping = (segments: readonly string[]): boolean => segments.some((segment) => segment.startsWith('_mapping'))

const isTypedId = (segments: readonly string[]): boolean =>
  segments.length === 3 && !(segments[0] as string).startsWith('_') && !(segments[1] as string).startsWith('_')

/** Of longer bodies the beginning tells enough. */
const LOOKED_AT_BYTES = 8 * 1024

/**
 * What searches of one kind have in common: path, parameters, and the body without its texts and numbers (of a number,
 * its length stays: ten hits are not ten thousand). They cost about the same.
 *
 * @returns a hash, 32 bits; undefined for what is no search, or one that other requests are to go on with
 */
export function requestShape({ segments, query, body }: BackendRequest): number | undefined {
  if (segments.length === 0 || !isSearch(segments) || query.has('scroll')) return undefined
  let hash = 0x811c9dc5
  for (const segment of segments) hash = hashText(hash, segment)
  for (const name of query.keys()) hash = hashText(hash, name)
  return hashBody(hash, body)
}

function hashBody(seed: number, body: Uint8Array): number {
  let hash = seed
  const end = Math.min(body.length, LOOKED_AT_BYTES)
  for (let i = 0; i < end; i++) {
    const byte = body[i] as number
    if (byte <= 0x20) continue
    if (byte === 0x22) {
      const close = endOfText(body, i + 1, end)
      if (isKey(body, close + 1, end)) for (let at = i + 1; at < close; at++) hash = mix(hash, body[at] as number)
      i = close
    }
    hash = mix(hash, byte >= 0x30 && byte <= 0x39 ? 0x30 : byte)
  }
  return hash
}

/** Where the quote is that ends a text. */
function endOfText(body: Uint8Array, from: number, end: number): number {
  for (let i = from; i < end; i++) {
    if (body[i] === 0x5c) i++
    else if (body[i] === 0x22) return i
  }
  return end
}

function isKey(body: Uint8Array, from: number, end: number): boolean {
  let i = from
  while (i < end && (body[i] as number) <= 0x20) i++
  return body[i] === 0x3a
}

function hashText(seed: number, text: string): number {
  let hash = seed
  for (let i = 0; i < text.length; i++) hash = mix(hash, text.charCodeAt(i))
  return mix(hash, 0)
}

/** FNV-1a. */
const mix = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)
