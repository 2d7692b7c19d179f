import { STRICT_EXPAND_HIDDEN } from '../../engine/metadata/indices-options.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { failedField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownField } from '../body/unknown-field.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import type { Json } from '../json/json-writer.ts'
import { type EndpointRequest, parserObject } from '../rest-request.ts'
import { ALL_METRICS, clusterStateJson } from './cluster-state.ts'

/** Parameters of each reroute command that are false or absent unless given. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  cancel: ['allow_primary'],
  move: [],
  allocate_replica: [],
  allocate_stale_primary: ['accept_data_loss'],
  allocate_empty_primary: ['accept_data_loss'],
}

/** What is told of the state unless otherwise asked for. */
const WITHOUT_METADATA = [...ALL_METRICS].filter((metric) => metric !== 'metadata')

/**
 * `POST /_cluster/reroute`: one node has nowhere to move shards to, so every command is decided with no.
 */
export const clusterReroute: EndpointHandler = (request, context) => {
  const commands = commandsOf(request)
  const explain = request.parameters.boolean('explain', false)
  const explanations = commands.map((entry): Json => {
    if (!isObject(entry)) {
      throw failedCommands(
        new ServiceError('parse_exception', `allocation command is malformed, got [${tokenName(entry)}] instead`),
      )
    }
    const [command = 'null', parameters] = Object.entries(entry)[0] ?? []
    if (!Object.hasOwn(COMMANDS, command)) {
      throw failedCommands(
        new ServiceError(
          'named_object_not_found_exception',
          request.dialect.typed
            ? `unable to parse AllocationCommand with name [${command}]: parser not found`
            : `unknown field [${command}]`,
        ),
      )
    }
    const explanation = 'the domain is one node: there is no shard to move and nowhere to move one to'
    if (!explain) throw new ServiceError('illegal_argument_exception', `[${command}] ${explanation}`)
    const flags = Object.fromEntries((COMMANDS[command] as readonly string[]).map((name) => [name, false]))
    return {
      command,
      parameters: { ...(parameters as { readonly [name: string]: Json }), ...flags },
      decisions: [{ decider: `${command}_allocation_command`, decision: 'NO', explanation }],
    }
  })
  const asked = request.parameters.list('metric') ?? WITHOUT_METADATA
  const metrics = asked.includes('_all') ? ALL_METRICS : new Set(asked)
  const indices = expandIndices(request, context, undefined, STRICT_EXPAND_HIDDEN, '_cluster')
  const state = clusterStateJson(request, context, { metrics, indices })
  return { status: 200, json: { acknowledged: true, state, ...(explain ? { explanations } : {}) } }
}

function commandsOf(request: EndpointRequest): readonly JsonValue[] {
  const body = parserObject(request, 'cluster_reroute') ?? {}
  const { commands = [], ...others } = body
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw unknownField('cluster_reroute', unknown, request.dialect.typed, [], body)
  if (Array.isArray(commands)) return commands
  const token = tokenName(commands)
  if (!isObject(commands))
    throw parseFault(`[cluster_reroute] commands doesn't support values of type: ${token}`).at(body, 'commands')
  throw failedCommands(
    new ServiceError(
      'parse_exception',
      `expected either field name [commands], or start array, got [${token}] instead`,
    ),
  )
}

/** What is wrong with one of the commands, as the reader of the body tells it. */
const failedCommands = (cause: ServiceError): ServiceError => failedField('cluster_reroute', 'commands', cause)

/** `GET /_remote/info`: there are no remote clusters. */
export const remoteInfo: EndpointHandler = () => ({ status: 200, json: {} })
