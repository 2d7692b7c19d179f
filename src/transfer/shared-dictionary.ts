import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'

/** As `GET /<index>/_dictionary` answers. */
interface Dictionary {
  readonly id: string
  readonly bytes: string
  readonly code?: string
}

/** An index of a chaja domain. */
export interface IndexEnd {
  readonly client: DomainClient
  readonly index: string
}

/**
 * Sees to it that an index of a chaja domain restores sources with what one of another domain compresses them with.
 *
 * @returns the id of that; undefined where there is none, or the destination has another, takes none, or is no such domain
 */
export async function shareDictionary(from: IndexEnd, to: IndexEnd, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { body } = await from.client.request<Dictionary>('GET', pathOf(from), undefined, { signal })
    if (typeof body?.id !== 'string' || (await dictionaryOf(to, signal)) === body.id) return body?.id
    const { bytes, code } = body
    await to.client.request('PUT', pathOf(to), code === undefined ? { bytes } : { bytes, code }, { signal })
    return (await dictionaryOf(to, signal)) === body.id ? body.id : undefined
  } catch (error) {
    if (error instanceof ClientError && (error.status ?? 500) < 500) return undefined
    throw error
  }
}

/** What the index itself says, so that nothing is put where there is no such thing. @throws {ClientError} where there is not */
async function dictionaryOf({ client, index }: IndexEnd, signal: AbortSignal): Promise<string> {
  const path = `/${encodeURIComponent(index)}/_digest?form=records&size=1`
  const { body } = await client.request<{ readonly dictionary?: unknown }>('GET', path, undefined, { signal })
  if (typeof body?.dictionary === 'string') return body.dictionary
  throw new ClientError('response', `[${index}] has no records`, { status: 404 })
}

const pathOf = ({ index }: IndexEnd): string => `/${encodeURIComponent(index)}/_dictionary`
