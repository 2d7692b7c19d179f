import type { Backend, BackendRequest, BackendResponse } from '../src/backend.ts'

/**
 * Asks a backend as a listener would, without one.
 *
 * @param path       with its query
 * @param body       an object is sent as JSON, bytes as they are
 * @param authorize  everything is allowed when absent
 */
export function askBackend(
  backend: Backend,
  method: string,
  path: string,
  body: object | string = '',
  authorize: BackendRequest['authorize'] = () => {},
): Promise<BackendResponse> {
  const [plain = '', query = ''] = path.split('?')
  const isLines = plain.endsWith('_bulk') || plain.includes('_msearch')
  return backend.handle({
    method,
    segments: plain
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent),
    rawTarget: path,
    query: new Map(new URLSearchParams(query)),
    headers: { 'content-type': isLines ? 'application/x-ndjson' : 'application/json' },
    body: Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    signal: { aborted: false },
    authorize,
    authorizeDomain: () => {},
  })
}
