import type { DomainProcess } from '../../scripts/domain-process.ts'

/** What a domain answers. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the answers of many endpoints
  readonly json: any
}

/** Asks a domain; a text is sent as lines. @throws {Error} when the connection breaks */
export async function ask(domain: DomainProcess, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${domain.url}${path}`, {
    method,
    headers: { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, json: JSON.parse(await response.text()) }
}
