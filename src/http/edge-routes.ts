import type { BackendResponse } from '../backend.ts'

/** A request to a path of the domain itself (`/-/health`, `/-/pool/…`), outside the search engine's name space. */
export interface EdgeRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  readonly sourceIp: string
}

/** Answers a path of the domain itself. Its body is limited to {@link MAX_EDGE_BODY_BYTES}. */
export type EdgeRoute = (request: EdgeRequest) => BackendResponse | Promise<BackendResponse>

/** Paths of the domain itself begin so: no index name can. */
export const EDGE_PREFIX = '/-/'

/** Bodies of edge requests are small forms. */
export const MAX_EDGE_BODY_BYTES = 64 * 1024

/** The route of a path: one that ends in a slash (`/-/pool/`) answers all below it, any other (`/-/health`) itself alone. */
export function findEdgeRoute(routes: ReadonlyMap<string, EdgeRoute>, path: string): EdgeRoute | undefined {
  const exact = routes.get(path)
  if (exact !== undefined) return exact
  for (const [prefix, route] of routes) if (prefix.endsWith('/') && path.startsWith(prefix)) return route
  return undefined
}
