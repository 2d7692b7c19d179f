import { pipeline, Readable, Transform } from 'node:stream'
import type { BackendResponse } from '../backend.ts'
import type { ContextOwners } from './context-owners.ts'

/** The id stands at the beginning of an answer; it grows with the number of shards. */
const MAX_HEAD_BYTES = 1024 * 1024

const CONTEXT_ID = /^\s*\{\s*"(?:_scroll_id|pit_id|task)"\s*:\s*"([^"\\]+)"/

/** Passes an answer on, having remembered what the scroll, point in time or task it names goes over. @param page  not compressed */
export function rememberContext(
  page: BackendResponse,
  {
    owner,
    indices,
    contexts,
  }: { readonly owner: string; readonly indices: readonly string[]; readonly contexts: ContextOwners },
): BackendResponse {
  const find = (head: string): boolean => {
    const id = CONTEXT_ID.exec(head)?.[1]
    if (id !== undefined) contexts.remember(id, owner, indices)
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
