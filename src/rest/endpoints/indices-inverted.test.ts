import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'
import type { BackendRequest, BackendResponse } from '../../backend.ts'
import { ServiceError } from '../../errors.ts'

let domain: Rest

beforeAll(async () => {
  domain = await openRest('OpenSearch_2.19')
  await domain.ask('PUT', '/i', { mappings: { properties: { a: { type: 'keyword' } } }, aliases: { alias: {} } })
  await domain.ask('PUT', '/i/_doc/1?refresh=true', { a: 'b' })
})

afterAll(() => domain.close())

/** Sends bytes, as who may do everything or as somebody else. */
function put(path: string, body: Buffer, changes: Partial<BackendRequest> = {}): Promise<BackendResponse> {
  const backend = {
    ...domain.backend,
    handle: (request: BackendRequest) =>
      domain.backend.handle({ ...request, headers: { 'content-type': 'application/octet-stream' }, ...changes }),
  }
  return askBackend(backend, 'PUT', path, body)
}

describe('GET /<index>/_inverted', () => {
  it('tells of segments, and gives their bytes in parts', async () => {
    const { json } = await domain.ask('GET', '/i/_inverted')
    const offer = { name: '_0', min_seq_no: 0, max_seq_no: 0, docs: 1, size_in_bytes: expect.any(Number) }
    expect(json).toEqual({ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), segments: [offer] })
    const { body } = await askBackend(domain.backend, 'GET', '/i/_inverted/_0')
    const end = (body as Buffer).indexOf('\n')
    const head = JSON.parse(String(body).slice(0, end)) as { id: string; size_in_bytes: number }
    const bytes = (body as Buffer).subarray(end + 1)
    expect(bytes.toString('latin1', 0, 8)).toBe('CHAJASEG')
    expect(bytes).toHaveLength(head.size_in_bytes)
    const rest = await askBackend(domain.backend, 'GET', `/i/_inverted/${head.id}?offset=100`)
    expect((rest.body as Buffer).subarray(end + 1)).toEqual(bytes.subarray(100))
  })

  it.each([
    ['/i/_inverted/_7', 404],
    ['/i/_inverted/_0?offset=-1', 404],
    ['/i/_inverted/_0?offset=999999', 404],
    ['/i/_inverted/_0?size=1', 400],
    ['/alias/_inverted', 400],
    ['/*/_inverted', 400],
    ['/none/_inverted', 404],
  ])('refuses %s', async (path, status) => {
    expect((await domain.ask('GET', path)).status).toBe(status)
  })
})

describe('PUT /<index>/_inverted/<id>', () => {
  it('takes bytes', async () => {
    expect((await put('/i/_inverted/s?size=9', Buffer.alloc(5))).status).toBe(200)
    expect((await put('/i/_inverted/s?offset=5&size=9', Buffer.alloc(4))).status).toBe(200)
  })

  it.each([
    ['/i/_inverted/s', 400],
    ['/i/_inverted/s?size=-1', 400],
    ['/i/_inverted/s?size=1', 400],
    ['/i/_inverted/other?offset=5&size=9', 400],
    ['/none/_inverted/s?size=9', 404],
  ])('refuses %s', async (path, status) => {
    expect((await put(path, Buffer.alloc(4))).status).toBe(status)
  })

  it('is for who may do everything', async () => {
    const authorizeDomain = () => {
      throw new ServiceError('security_exception', 'not you', { status: 403 })
    }
    expect((await put('/i/_inverted/s?size=9', Buffer.alloc(4), { authorizeDomain })).status).toBe(403)
  })

  it('is the only one that takes other than JSON', async () => {
    expect((await put('/i/_doc/2', Buffer.from('{}'))).status).toBe(406)
  })
})
