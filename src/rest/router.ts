import { REST_API } from './rest-api.ts'

/** A path's parameters by name: `index`, `type`, `id`, … */
export type PathParameters = Readonly<Record<string, string>>

/** Where a request goes. */
export type Route =
  | {
      readonly kind: 'found'
      readonly endpoint: string
      readonly parameters: PathParameters
      readonly pathParameterNames: readonly string[]
    }
  | { readonly kind: 'method_not_allowed'; readonly allowed: readonly string[] }
  | { readonly kind: 'not_found' }

interface Node {
  readonly literals: Map<string, Node>
  /** The child that takes any segment. */
  parameter: Node | undefined
  /** Endpoint and parameter names by method. */
  readonly methods: Map<string, { readonly endpoint: string; readonly names: readonly string[] }>
}

/** Paths that the specification of 7.10 does not list but the real servers take. */
const MORE_PATHS: readonly (readonly [endpoint: string, path: string, ...methods: string[]])[] = [
  ['index', '/{index}/{type}', 'POST'],
  ['index', '/{index}/{type}/{id}', 'PUT', 'POST'],
  ['create', '/{index}/{type}/{id}/_create', 'PUT', 'POST'],
  ['update', '/{index}/{type}/{id}/_update', 'POST'],
  ['indices.put_mapping', '/{index}/_mapping/{type}', 'PUT', 'POST'],
  ['indices.put_mapping', '/{index}/{type}/_mapping', 'PUT', 'POST'],
  ['indices.get_mapping', '/{index}/{type}/_mapping', 'GET'],
  ['indices.get_alias', '/_aliases', 'GET'],
  ['indices.get_alias', '/{index}/_aliases', 'GET'],
  ['indices.validate_query', '/{index}/{type}/_validate/query', 'GET', 'POST'],
  ['nodes.info', '/_nodes/{node_id}/{metric}', 'GET'],
  ['nodes.info', '/_nodes/{node_id}', 'GET'],
  ['nodes.info', '/_nodes', 'GET'],
  ['cluster.stats', '/_cluster/stats', 'GET'],
  ['ping', '/', 'HEAD'],
  ['indices.exists_type', '/{index}/{type}', 'HEAD'],
  ['cluster.nodes_hot_threads', '/_cluster/nodes/hot_threads', 'GET'],
]

/** Finds the endpoint of a method and path. Literal segments win over parameters, nearest the root first. */
export class Router {
  readonly #root: Node = node()

  constructor() {
    for (const [endpoint, { paths }] of Object.entries(REST_API)) {
      for (const [path, ...methods] of paths) this.#add(endpoint, path, methods)
    }
    for (const [endpoint, path, ...methods] of MORE_PATHS) this.#add(endpoint, path, methods)
  }

  route(method: string, segments: readonly string[]): Route {
    const allowed = new Set<string>()
    const found = this.#find(this.#root, method, segments, 0, [], allowed)
    if (found !== undefined) return found
    return allowed.size > 0 ? { kind: 'method_not_allowed', allowed: [...allowed] } : { kind: 'not_found' }
  }

  #add(endpoint: string, path: string, methods: readonly string[]): void {
    const names: string[] = []
    let at = this.#root
    for (const segment of path.split('/').filter((s) => s !== '')) {
      const name = /^\{(.+)\}$/.exec(segment)?.[1]
      if (name === undefined) {
        let next = at.literals.get(segment)
        if (next === undefined) {
          next = node()
          at.literals.set(segment, next)
        }
        at = next
      } else {
        names.push(name)
        at.parameter ??= node()
        at = at.parameter
      }
    }
    for (const method of methods) if (!at.methods.has(method)) at.methods.set(method, { endpoint, names })
    // What can be read can be asked for with HEAD, unless HEAD is an endpoint of its own.
    const get = at.methods.get('GET')
    if (get !== undefined && !at.methods.has('HEAD')) at.methods.set('HEAD', get)
  }

  #find(
    at: Node,
    method: string,
    segments: readonly string[],
    depth: number,
    values: readonly string[],
    allowed: Set<string>,
  ): Route | undefined {
    if (depth === segments.length) {
      const target = at.methods.get(method)
      if (target === undefined) {
        for (const other of at.methods.keys()) if (other !== 'HEAD' || !at.methods.has('GET')) allowed.add(other)
        return undefined
      }
      const parameters = Object.fromEntries(target.names.map((name, i) => [name, values[i] as string]))
      return { kind: 'found', endpoint: target.endpoint, parameters, pathParameterNames: target.names }
    }
    const segment = segments[depth] as string
    const literal = at.literals.get(segment)
    if (literal !== undefined) {
      const found = this.#find(literal, method, segments, depth + 1, values, allowed)
      if (found !== undefined) return found
    }
    if (at.parameter === undefined) return undefined
    return this.#find(at.parameter, method, segments, depth + 1, [...values, segment], allowed)
  }
}

function node(): Node {
  return { literals: new Map(), parameter: undefined, methods: new Map() }
}
