import { indicesOptionsFromQuery, STRICT_EXPAND } from '../../engine/metadata/indices-options.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { faultOf, ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EndpointRequest } from '../rest-request.ts'
import type { Route } from '../router.ts'
import { COMMON_PARAMETERS, type RequestParameters, unrecognizedParameters } from './request-parameters.ts'
import { bodyParameters, isLeftOver, isReadWhereGiven, isTable, pathNames, WITH_Q } from './version-parameters.ts'

/**
 * Parameters that are yes or no and change nothing here; anything else is refused all the same. With the endpoints of which
 * that is so where others do read them, or do not look.
 */
const UNUSED_FLAGS: Readonly<Record<string, readonly string[] | undefined>> = {
  allow_partial_pit_creation: undefined,
  allow_partial_search_results: undefined,
  ccs_minimize_roundtrips: undefined,
  copy_settings: undefined,
  create: ['cluster.put_component_template', 'indices.put_index_template', 'indices.put_template'],
  detailed: ['cat.recovery', 'cat.segment_replication', 'indices.recovery'],
  dry_run: undefined,
  explain: ['search_template'],
  flat_settings: ['indices.get_settings'],
  include_unloaded_segments: undefined,
  local: undefined,
  request_cache: undefined,
  retry_failed: undefined,
  update_all_types: undefined,
  verbose: undefined,
  verbose_pipeline: undefined,
  version: ['delete_by_query', 'update_by_query'],
  wait_for_completion: ['cat.tasks'],
  wait_if_ongoing: undefined,
  write_index_only: undefined,
}

/** What the real servers call the `timeout` of requests to nodes. */
const TIMEOUTS: Readonly<Record<string, string>> = {
  'cat.allocation': 'NodesStatsRequest.timeout',
  'cat.nodeattrs': 'NodesInfoRequest.timeout',
  'cat.nodes': 'NodesInfoRequest.timeout',
  'cat.plugins': 'NodesInfoRequest.timeout',
  'cat.recovery': 'RecoveryRequest.timeout',
  'cat.tasks': 'timeout',
  'cat.thread_pool': 'NodesInfoRequest.timeout',
  'cluster.stats': 'ClusterStatsRequest.timeout',
  'indices.stats': 'IndicesStatsRequest.timeout',
  'nodes.hot_threads': 'NodesHotThreadsRequest.timeout',
  'nodes.info': 'NodesInfoRequest.timeout',
  'nodes.reload_secure_settings': 'NodesReloadSecureSettingsRequest.timeout',
  'nodes.stats': 'NodesStatsRequest.timeout',
  'nodes.usage': 'NodesUsageRequest.timeout',
}

const NO_PARENT = "can't specify parent if no parent field has been configured"

/** What is said of parameters that endpoints know to refuse. */
const REFUSED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  create: { parent: NO_PARENT },
  explain: {
    fields: 'The parameter [fields] is no longer supported, please use [stored_fields] to retrieve stored fields',
  },
  get: {
    fields:
      'the parameter [fields] is no longer supported, please use [stored_fields] to retrieve stored fields or [_source] to load the field from _source',
  },
  index: { parent: NO_PARENT },
  mget: {
    fields:
      'The parameter [fields] is no longer supported, please use [stored_fields] to retrieve stored fields or _source filtering if the field is not stored',
  },
  reindex: {
    pipeline: "_reindex doesn't support [pipeline] as a query parameter. Specify it in the [dest] object instead.",
  },
  update: { parent: NO_PARENT },
}

const WAITS: readonly string[] = [
  'timeout',
  'master_timeout',
  'cluster_manager_timeout',
  'wait_for_timeout',
  'search_timeout',
  'cancel_after_time_interval',
  'task_execution_timeout',
]

/** Endpoints that read their body before they look at what parameters say. */
const BODY_FIRST: ReadonlySet<string> = new Set([
  'indices.clone',
  'indices.create',
  'indices.put_mapping',
  'indices.rollover',
  'indices.shrink',
  'indices.split',
])

/** Endpoints that take a query from the body or, where there is none, from the query string. */
const QUERY_IN_EITHER: ReadonlySet<string> = new Set(['cat.count', 'count', 'indices.validate_query'])

/** Parameters that are not known, or not what they have to be, of which is told once the body was read. */
export interface FaultyParameters {
  readonly names: readonly string[]
  /** What is to be said of them. */
  readonly fault: ServiceError
}

/**
 * Looks over the parameters of a request: whether the endpoint knows them, and whether those are what they have to be that
 * nothing else reads.
 *
 * @param taken  what the endpoint takes beside the names of its path
 * @param path   as the request names it, for messages
 * @returns those that are told of once the body was read, where there are some
 * @throws {ServiceError} illegal_argument_exception, parse_exception
 */
export function checkParameters(
  route: Route & { readonly kind: 'found' },
  taken: ReadonlySet<string>,
  asked: EndpointRequest,
  path: string,
): FaultyParameters | undefined {
  const { endpoint } = route
  const { parameters } = asked
  if (parameters.has('master_timeout') && parameters.has('cluster_manager_timeout')) {
    const reason = 'Please only use one of the request parameters [master_timeout, cluster_manager_timeout].'
    throw new ServiceError('parse_exception', reason)
  }
  // Help looks at nothing else.
  const isHelp = isTable(endpoint) && parameters.boolean('help', false)
  const hasBody = asked.body.length > 0 || parameters.has('source')
  const leftOver = leftOverParameters(taken, endpoint, parameters, hasBody)
  const isRead = (name: string): boolean =>
    isHelp
      ? isOfHelp(endpoint, name, asked)
      : taken.has(name) && !leftOver.includes(name) && !isLeftOver(endpoint, name, route.parameters)
  const fault = isHelp ? undefined : faultOf(() => checkValues(endpoint, isRead, asked))
  if (fault !== undefined && !(hasBody && BODY_FIRST.has(endpoint))) throw fault
  const ofBody = asked.body.length === 0 && hasBody ? bodyParameters(endpoint) : []
  // Help reads none of the path's.
  const ofPath = isHelp ? [] : pathNames(endpoint, route.pathParameterNames)
  const isKnown = (name: string): boolean =>
    isRead(name) || COMMON_PARAMETERS.has(name) || ofPath.includes(name) || ofBody.includes(name)
  const unknown = [...parameters.names()].filter((name) => !isKnown(name))
  if (isHelp) unknown.push(...pathNames(endpoint, route.pathParameterNames))
  // What nothing else reads is no fault of the body's.
  if (fault !== undefined) return { names: [...unknown, ...WAITS], fault }
  if (unknown.length === 0) return undefined
  const isMeant = (name: string): boolean =>
    isRead(name) &&
    (parameters.has(name) ||
      (name.startsWith('suggest_') && parameters.has('suggest_field')) ||
      !isReadWhereGiven(endpoint, name, asked.dialect))
  const candidates = [...[...taken, ...HELP].filter(isMeant), ...COMMON_PARAMETERS, ...ofPath, ...ofBody]
  return { names: unknown, fault: unrecognizedParameters(path, unknown, candidates) }
}

/** Parameters that a table's help leaves to whoever draws it. */
const HELP = ['help', 'h', 'v', 'ts', 'pri', 'bytes', 'size', 'time', 's']

/** The same of some tables. */
const HELP_OF: Readonly<Record<string, readonly string[]>> = {
  'cat.indices': ['local', 'health'],
  'cat.tasks': ['detailed'],
}

function isOfHelp(endpoint: string, name: string, { dialect }: EndpointRequest): boolean {
  if (name === 'timeout') return dialect.engineVersion === 'OpenSearch_2.19'
  return HELP.includes(name) || HELP_OF[endpoint]?.includes(name) === true
}

/** Parameters that nothing reads, since what would read them is not there. */
function leftOverParameters(
  taken: ReadonlySet<string>,
  endpoint: string,
  parameters: RequestParameters,
  hasBody: boolean,
): readonly string[] {
  if (endpoint === 'indices.simulate_template' && !hasBody) return ['create', 'cause']
  if (taken.has('task_execution_timeout') && parameters.boolean('wait_for_completion', true))
    return ['task_execution_timeout']
  if (!taken.has('q')) return []
  if (hasBody && QUERY_IN_EITHER.has(endpoint)) return ['q', ...WITH_Q]
  return parameters.has('q') && !(hasBody && endpoint === 'explain') ? [] : WITH_Q
}

function checkValues(
  endpoint: string,
  isRead: (name: string) => boolean,
  { parameters, dialect }: EndpointRequest,
): void {
  const names = [...parameters.names()]
  // Whatever their order, as each endpoint asks for them one by one.
  const waits = WAITS.filter((wait) => names.includes(wait))
  for (const name of [...(endpoint === 'indices.update_aliases' ? waits.reverse() : waits), ...names]) {
    if (!isRead(name)) continue
    const refusal = REFUSED[endpoint]?.[name]
    if (refusal !== undefined) throw illegalArgument(refusal)
    if (WAITS.includes(name)) checkWait(endpoint, name, parameters)
    else if (Object.hasOwn(UNUSED_FLAGS, name) && (UNUSED_FLAGS[name]?.includes(endpoint) ?? true))
      parameters.boolean(name, false)
  }
  if (!isRead('expand_wildcards')) return
  indicesOptionsFromQuery(parameters.values, STRICT_EXPAND)
  // 6.x has no hidden indices.
  if (dialect.typed && parameters.list('expand_wildcards')?.includes('hidden'))
    throw illegalArgument('No valid expand wildcard value [hidden]')
}

function checkWait(endpoint: string, name: string, parameters: RequestParameters): void {
  const told = name === 'timeout' ? TIMEOUTS[endpoint] : name
  // Of the other tables nobody waits for anything.
  if (told !== undefined || !isTable(endpoint)) parseTimeMs(parameters.text(name, ''), told ?? name)
}
