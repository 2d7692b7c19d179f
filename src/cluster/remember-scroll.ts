import { pipeline, Readable, Transform } from 'node:stream'
import type { BackendResponse } from '../backend.ts'
import type { ScrollOwners } from './scroll-owners.ts'

/** The scroll id stands at the beginning of a page; it grows with the number of shards. */
const MAX_HEAD_BYTES = 1024 * 1024

const SCROLL_ID = /^\s*\{\s*"_scroll_id"\s*:\s*"([^"\\]+)"/

/** Passes a scroll's page on, having remembered what it goes over. @param page  not compressed */
export function rememberScroll(
  page: BackendResponse,
  expressions: readonly string[],
  scrolls: ScrollOwners,
): BackendResponse {
  const find = (head: string): boolean => {
    const id = SCROLL_ID.exec(head)?.[1]
    if (id !== undefined) scrolls.remember(id, expressions)
    return id !== undefined
  }
  const { body } = page
  if (!(body instanceof Readable)) {
    find(Buffer.isBuffer(body) ? body.toString('latin1', 0, MAX_HEAD_BYTES) : String(body))
    return page
  }
  let head = ''
  let isFound = false
  const watched = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!isFound && head.length < MAX_HEAD_BYTES) {
        head += chunk.toString('latin1')
        isFound = find(head)
      }
      done(null, chunk)
    },
  })
  return { ...page, body: pipeline(body, watched, () => {}) }
}
