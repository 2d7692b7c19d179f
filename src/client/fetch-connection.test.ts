import { afterEach, describe, expect, it, vi } from 'vitest'
import { DomainClient } from './domain-client.ts'
import { parseEndpoint } from './endpoint.ts'
import { FetchConnection } from './fetch-connection.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const endpoint = parseEndpoint('https://search.example')
const client = () => new DomainClient({ endpoint, connection: new FetchConnection(endpoint), maxRetries: 0 })

describe('FetchConnection', () => {
  it('asks for exactly what was signed', async () => {
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(new Request(url).url)
      return new Response('{}', { headers: { 'content-type': 'application/json' } })
    })
    await client().get('a', 't', "가/나 #1?%+*'\\")
    await client().request('GET', '/a/_search?q=제목:"x" <y>|^`{}#z')
    expect(asked).toEqual([
      'https://search.example/a/t/%EA%B0%80%2F%EB%82%98%20%231%3F%25%2B%2A%27%5C',
      'https://search.example/a/_search?q=%EC%A0%9C%EB%AA%A9:%22x%22%20%3Cy%3E%7C%5E%60%7B%7D%23z',
    ])
  })

  it('does not delete an index in place of a document whose id climbs', async () => {
    const fetched = vi.fn()
    vi.stubGlobal('fetch', fetched)
    for (const id of ['.', '..'])
      await expect(client().delete('movies', 'movie', id)).rejects.toMatchObject({ kind: 'configuration' })
    await expect(client().request('DELETE', '/movies/movie/%2e%2E')).rejects.toMatchObject({ kind: 'configuration' })
    expect(fetched).not.toHaveBeenCalled()
  })

  it('tells an answer that does not come from a caller who leaves', async () => {
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: { signal: AbortSignal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    )
    await expect(client().request('GET', '/', undefined, { timeoutMs: 10 })).rejects.toMatchObject({ kind: 'timeout' })
    const leaving = new AbortController()
    const left = client().request('GET', '/', undefined, { signal: leaving.signal })
    setTimeout(() => leaving.abort(new Error('left')), 10)
    await expect(left).rejects.toThrow('left')
  })
})
