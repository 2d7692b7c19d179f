import { STRICT_EXPAND_HIDDEN } from '../../engine/metadata/indices-options.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { failedField, inField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { booleanMember } from '../body/boolean-member.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownField } from '../body/unknown-field.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import type { Json } from '../json/json-writer.ts'
import { type EndpointRequest, parserObject } from '../rest-request.ts'
import { ALL_METRICS, clusterStateJson } from './cluster-state.ts'
import { decideReroute, isCommandName, type RerouteCommand, readRerouteCommand } from './reroute-commands.ts'

/** What is told of the state unless otherwise asked for. */
const WITHOUT_METADATA = [...ALL_METRICS].filter((metric) => metric !== 'metadata')

/** `POST /_cluster/reroute`: one node has nowhere to move shards to. */
export const clusterReroute: EndpointHandler = (request, context) => {
  const commands = commandsOf(request).map((entry) => readCommand(entry, request))
  const explain = request.parameters.boolean('explain', false)
  const explanations = commands.map((command): Json => {
    const { error, ...decision } = decideReroute(command, context, request.dialect)
    if (error !== undefined && !explain) throw error
    return { command: command.name, parameters: command.parameters, decisions: [decision] }
  })
  const asked = request.parameters.list('metric') ?? WITHOUT_METADATA
  const metrics = asked.includes('_all') ? ALL_METRICS : new Set(asked)
  const indices = expandIndices(request, context, undefined, STRICT_EXPAND_HIDDEN, '_cluster')
  const state = clusterStateJson(request, context, { metrics, indices })
  return { status: 200, json: { acknowledged: true, state, ...(explain ? { explanations } : {}) } }
}

function readCommand(entry: JsonValue, { dialect }: EndpointRequest): RerouteCommand {
  if (!isObject(entry)) throw failedCommands(malformed(`is malformed, got [${tokenName(entry)}] instead`))
  const [[name, body] = ['null', null], next] = Object.entries(entry)
  if (!isCommandName(name)) {
    throw failedCommands(
      new ServiceError(
        'named_object_not_found_exception',
        dialect.typed
          ? `unable to parse AllocationCommand with name [${name}]: parser not found`
          : `unknown field [${name}]`,
      ),
    )
  }
  const command = inField('cluster_reroute', 'commands', () => readRerouteCommand(name, body, dialect))
  if (next !== undefined) {
    const token = tokenName(next[1])
    throw failedCommands(
      malformed(`is malformed, done parsing a command, but didn't get END_OBJECT, got [${token}] instead`),
    )
  }
  return command
}

const malformed = (what: string): ServiceError => new ServiceError('parse_exception', `allocation command ${what}`)

const MEMBERS = ['commands', 'dry_run']

function commandsOf(request: EndpointRequest): readonly JsonValue[] {
  const body = parserObject(request, 'cluster_reroute') ?? {}
  const { commands = [] } = body
  const unknown = Object.keys(body).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined) throw unknownField('cluster_reroute', unknown, request.dialect.typed, MEMBERS, body)
  if ('dry_run' in body) booleanMember('cluster_reroute', body, 'dry_run')
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
