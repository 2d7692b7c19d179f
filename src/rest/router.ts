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
  readonly methods: Map<string, Target>
}

interface Target {
  readonly endpoint: string
  readonly names: readonly string[]
}

/** Paths that the specification of 7.10 does not list but the real servers take. */
export const MORE_PATHS: readonly (readonly [endpoint: string, path: string, ...methods: string[]])[] = [
  ['index', '/{index}/{type}', 'POST'],
  ['index', '/{index}/{type}/{id}', 'PUT', 'POST'],
  ['create', '/{index}/{type}/{id}/_create', 'PUT', 'POST'],
  ['update', '/{index}/{type}/{id}/_update', 'POST'],
  ['indices.put_mapping', '/{index}/_mapping/{type}', 'PUT', 'POST'],
  ['indices.put_mapping', '/{index}/{type}/_mapping', 'PUT', 'POST'],
  ['indices.get_mapping', '/{index}/{type}/_mapping', 'GET'],
  ['indices.get_alias', '/_aliases', 'GET'],
  ['indices.put_alias', '/_alias', 'PUT'],
  ['indices.put_alias', '/_alias/{name}', 'PUT', 'POST'],
  ['indices.put_alias', '/_aliases/{name}', 'PUT', 'POST'],
  ['indices.put_alias', '/{index}/_alias', 'PUT'],
  ['indices.put_alias', '/{index}/_aliases', 'PUT'],
  ['indices.validate_query', '/{index}/{type}/_validate/query', 'GET', 'POST'],
  ['indices.reload_search_analyzers', '/{index}/_reload_search_analyzers', 'GET', 'POST'],
  ['indices.get_dictionary', '/{index}/_dictionary', 'GET'],
  ['indices.put_dictionary', '/{index}/_dictionary', 'PUT'],
  ['indices.digest', '/{index}/_digest', 'GET'],
  ['indices.documents', '/{index}/_documents', 'GET'],
  ['indices.get_inverted', '/{index}/_inverted', 'GET'],
  ['indices.get_inverted', '/{index}/_inverted/{segment}', 'GET'],
  ['indices.put_inverted', '/{index}/_inverted/{segment}', 'PUT'],
  ['nodes.info', '/_nodes/{node_id}/{metric}', 'GET'],
  ['nodes.info', '/_nodes/{node_id}/info/{metric}', 'GET'],
  ['nodes.info', '/_nodes/{node_id}', 'GET'],
  ['nodes.info', '/_nodes', 'GET'],
  ['cluster.stats', '/_cluster/stats', 'GET'],
  ['ping', '/', 'HEAD'],
  ['indices.delete', '/', 'DELETE'],
  ['indices.get_mapping', '/_mappings', 'GET'],
  ['indices.get_mapping', '/{index}/_mappings', 'GET'],
  ['indices.get_mapping', '/{index}/_mappings/{type}', 'GET'],
  ['indices.exists_alias', '/{index}/_alias', 'HEAD'],
  ['cluster.nodes_hot_threads', '/_cluster/nodes/hot_threads', 'GET'],
]

/** Paths of 6.x alone. */
const OLDER_PATHS: typeof MORE_PATHS = [
  ['indices.clear_cache', '/_cache/clear', 'GET'],
  ['indices.clear_cache', '/{index}/_cache/clear', 'GET'],
  ['indices.get_field_mapping', '/{index}/{type}/_mapping/field/{fields}', 'GET'],
  ['termvectors', '/{index}/{type}/_termvector', 'GET', 'POST'],
  ['termvectors', '/{index}/{type}/{id}/_termvector', 'GET', 'POST'],
]

/** Paths of OpenSearch alone. */
export const OPENSEARCH_PATHS: typeof MORE_PATHS = [
  ['cat.master', '/_cat/cluster_manager', 'GET'],
  ['cat.segment_replication', '/_cat/segment_replication', 'GET'],
  ['cat.segment_replication', '/_cat/segment_replication/{index}', 'GET'],
  ['cat.pit_segments', '/_cat/pit_segments', 'GET'],
  ['cat.all_pit_segments', '/_cat/pit_segments/_all', 'GET'],
  ['list.help', '/_list', 'GET'],
  ['list.indices', '/_list/indices', 'GET'],
  ['list.indices', '/_list/indices/{index}', 'GET'],
  ['list.shards', '/_list/shards', 'GET'],
  ['list.shards', '/_list/shards/{index}', 'GET'],
  [
    'cluster.put_decommission_awareness',
    '/_cluster/decommission/awareness/{awareness_attribute_name}/{awareness_attribute_value}',
    'PUT',
  ],
  ['cluster.get_decommission_awareness', '/_cluster/decommission/awareness/{awareness_attribute_name}/_status', 'GET'],
  ['cluster.delete_decommission_awareness', '/_cluster/decommission/awareness', 'DELETE'],
  ['create_pit', '/{index}/_search/point_in_time', 'POST'],
  ['delete_pit', '/_search/point_in_time', 'DELETE'],
  ['get_all_pits', '/_search/point_in_time/_all', 'GET'],
  ['delete_all_pits', '/_search/point_in_time/_all', 'DELETE'],
  ['indices.create_data_stream', '/_data_stream/{name}', 'PUT'],
  ['indices.get_data_stream', '/_data_stream', 'GET'],
  ['indices.get_data_stream', '/_data_stream/{name}', 'GET'],
  ['indices.delete_data_stream', '/_data_stream/{name}', 'DELETE'],
  ['indices.data_streams_stats', '/_data_stream/_stats', 'GET'],
  ['indices.data_streams_stats', '/_data_stream/{name}/_stats', 'GET'],
  ['search_pipeline.get', '/_search/pipeline', 'GET'],
  ['search_pipeline.get', '/_search/pipeline/{id}', 'GET'],
  ['search_pipeline.put', '/_search/pipeline/{id}', 'PUT'],
  ['search_pipeline.delete', '/_search/pipeline/{id}', 'DELETE'],
]

/** Endpoints of later versions: to 6.x their paths are names of indices, types and documents. */
const NOT_IN_SIX =
  /^(?:dangling_indices\.|get_script_|snapshot\.(?:cleanup_repository|clone)|indices\.(?:add_block|clone|resolve_index|simulate_|.*_index_template$)|cluster\..*_(?:component_template|voting_config_exclusions)$)/

/**
 * Where a name in a path may stand for a segment that no literal is, in the order the real servers' `PathTrie` looks: nowhere, as
 * the first, as the last, anywhere.
 */
const MODES = ['nowhere', 'first', 'last', 'anywhere'] as const

/**
 * Finds the endpoint of a method and path. A method that none of the paths has which may be meant is a wrong one, whatever else
 * a name could stand for: `DELETE /_bulk` removes no index called `_bulk`. HEAD is offered where it is listed, as in the real servers.
 */
export class Router {
  readonly #root: Node = node()
  readonly #typed: boolean
  readonly #takesTypes: boolean
  readonly #paths = new Map<string, (readonly string[])[]>()

  /**
   * @param typed       `_doc` of a path is a type like any other, as in 6.x: `/<index>/_doc/_search` searches
   * @param takesTypes  paths may name types, as up to 7.x; where they may not it is OpenSearch
   */
  constructor(typed: boolean, takesTypes = true) {
    this.#typed = typed
    this.#takesTypes = takesTypes
    for (const [endpoint, { paths }] of Object.entries(REST_API)) {
      if (typed && NOT_IN_SIX.test(endpoint)) continue
      for (const [path, ...methods] of paths) this.#add(endpoint, path, methods)
    }
    const more = [...MORE_PATHS, ...(typed ? OLDER_PATHS : []), ...(takesTypes ? [] : OPENSEARCH_PATHS)]
    for (const [endpoint, path, ...methods] of more) this.#add(endpoint, path, methods)
  }

  route(method: string, segments: readonly string[]): Route {
    const allowed = new Set<string>()
    for (const mode of MODES) {
      const values: string[] = []
      const methods = find(this.#root, segments, 0, mode, values)?.methods
      const target = methods?.get(method)
      if (target !== undefined) return foundRoute(target, values)
      for (const name of methods?.keys() ?? []) allowed.add(name)
    }
    return allowed.size === 0 ? { kind: 'not_found' } : { kind: 'method_not_allowed', allowed: [...allowed] }
  }

  /** The paths of an endpoint, divided at `/`; names stand in braces. */
  paths(endpoint: string): readonly (readonly string[])[] {
    return this.#paths.get(endpoint) ?? []
  }

  #add(endpoint: string, path: string, methods: readonly string[]): void {
    if (!this.#takesTypes && path.includes('{type}')) return
    const names: string[] = []
    let at = this.#root
    const asTyped = this.#typed ? path.replace(/^\/\{index\}\/_doc(?=\/|$)/, '/{index}/{type}') : path
    const segments = asTyped.split('/').filter((s) => s !== '')
    const paths = this.#paths.get(endpoint)
    if (paths === undefined) this.#paths.set(endpoint, [segments])
    else paths.push(segments)
    for (const segment of segments) {
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
  }
}

function foundRoute({ endpoint, names }: Target, values: readonly string[]): Route {
  const parameters = Object.fromEntries(names.map((name, i) => [name, values[i] as string]))
  return { kind: 'found', endpoint, parameters, pathParameterNames: names }
}

/** The node of a path that has methods. @param values  what stands for its parameters is put behind them */
function find(
  at: Node,
  segments: readonly string[],
  depth: number,
  mode: (typeof MODES)[number],
  values: string[],
): Node | undefined {
  if (depth === segments.length) return at.methods.size === 0 ? undefined : at
  const segment = segments[depth] as string
  const isLast = depth === segments.length - 1
  const literal = at.literals.get(segment)
  // What has no methods itself gives way to a parameter that may have some.
  const givesWay =
    literal === undefined ||
    (literal.methods.size === 0 &&
      at.parameter !== undefined &&
      (mode === 'first' ? depth === 0 : isLast && mode !== 'nowhere'))
  if (!givesWay) {
    const found = find(literal, segments, depth + 1, mode, values)
    if (found !== undefined || isLast || mode === 'nowhere') return found
  } else if (mode === 'nowhere' || (mode === 'first' && depth > 0) || (mode === 'last' && !isLast)) return undefined
  if (at.parameter === undefined) return undefined
  const { length } = values
  values.push(segment)
  const behind = find(at.parameter, segments, depth + 1, mode, values)
  if (behind === undefined) values.length = length
  return behind
}

function node(): Node {
  return { literals: new Map(), parameter: undefined, methods: new Map() }
}
