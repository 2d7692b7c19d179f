import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'
import type { DocumentKeyForm } from '../digest/document-key.ts'
import { DocumentSetDigest } from '../digest/document-set-digest.ts'

interface DigestPage {
  readonly count: number
  readonly digest: string
  readonly next: number | null
  readonly dictionary?: string
}

/**
 * Asks a chaja domain for the digest of indices (`GET /<index>/_digest`), so that their documents need not be read back.
 *
 * @param dictionary  id of what sources must be compressed with for a digest of them as they are stored; absent: one of what they say
 * @returns undefined when the server has no such thing, or does not allow it
 */
export async function serverDigest(
  client: DomainClient,
  indices: readonly string[],
  key: DocumentKeyForm,
  signal: AbortSignal,
  dictionary?: string,
): Promise<DocumentSetDigest | undefined> {
  const form = dictionary === undefined ? '' : '&form=records'
  const digest = new DocumentSetDigest()
  try {
    for (const index of indices) {
      for (let after: number | null = -1; after !== null; ) {
        const path: string = `/${encodeURIComponent(index)}/_digest?key=${key}&after=${after}${form}`
        const { body }: { body: DigestPage } = await client.request<DigestPage>('GET', path, undefined, { signal })
        const page = DocumentSetDigest.fromText(body.digest)
        if (page === undefined || page.count !== body.count || body.dictionary !== dictionary) return undefined
        digest.addDigest(page)
        after = body.next
      }
    }
  } catch (error) {
    if (error instanceof ClientError && [400, 403, 404, 405].includes(error.status ?? 0)) return undefined
    throw error
  }
  return digest
}
