import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { indexNotFound, shardNotFound } from '../../engine/metadata/missing-index.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readInt } from '../body/read-int.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { replicaCount } from '../indices/shard-counts.ts'
import type { Json } from '../json/json-writer.ts'
import { nodeAttributes, nodeHost, nodeName } from '../node-identity.ts'
import { constructFrom } from '../query-dsl/constructing-parser.ts'
import { isThisNode, noSuchNode } from '../statistics/node-sections.ts'

const NAMES = ['cancel', 'move', 'allocate_replica', 'allocate_stale_primary', 'allocate_empty_primary'] as const
type CommandName = (typeof NAMES)[number]

/** A command of a reroute. */
export interface RerouteCommand {
  readonly name: CommandName
  readonly index: string
  readonly shard: number
  /** Where the shard is, or is to be made. */
  readonly node: string
  /** Of `move` alone. */
  readonly toNode: string
  /** As answers repeat them. */
  readonly parameters: { readonly [name: string]: Json }
  /** `allow_primary` or `accept_data_loss`. */
  readonly isForced: boolean
}

/** What becomes of a command, as `explain` tells it. */
export interface RerouteDecision {
  readonly decider: string
  readonly decision: 'YES' | 'NO'
  readonly explanation: string
  /** What the command fails with unless it is only explained; undefined: it is done. */
  readonly error?: ServiceError
}

/** Whether there is a command of that name. */
export const isCommandName = (name: string): name is CommandName => (NAMES as readonly string[]).includes(name)

/** Reads a command. @throws {ServiceError} parse_exception, illegal_argument_exception, x_content_parse_exception */
export function readRerouteCommand(name: CommandName, body: JsonValue, dialect: Dialect): RerouteCommand {
  if (name === 'cancel' || name === 'move') return readByHand(name, isObject(body) ? body : {}, dialect)
  const flag = name === 'allocate_replica' ? {} : { accept_data_loss: { kind: 'boolean' } as const }
  const members = constructFrom(
    {
      name,
      fields: { index: { kind: 'text' }, shard: { kind: 'integer' }, node: { kind: 'text' }, ...flag },
      build: (read) => read as { readonly index?: string; readonly shard?: number; readonly node?: string },
    },
    body,
    dialect,
  )
  const { index, shard, node } = members
  if (index === undefined) throw undefinedArgument('index')
  if (shard === undefined) throw undefinedArgument('shard')
  if (node === undefined) throw undefinedArgument('node')
  const isForced = 'accept_data_loss' in members && members.accept_data_loss === true
  const accepts = name === 'allocate_replica' ? {} : { accept_data_loss: isForced }
  return { name, index, shard, node, toNode: '', isForced, parameters: { index, shard, node, ...accepts } }
}

const undefinedArgument = (name: string): ServiceError => illegalArgument(`Argument [${name}] must be defined`)

/** Other spellings of members of what is read by hand. */
const SPELT: Readonly<Record<string, string>> = {
  fromNode: 'from_node',
  toNode: 'to_node',
  allowPrimary: 'allow_primary',
}

function readByHand(
  name: 'cancel' | 'move',
  body: { readonly [name: string]: JsonValue },
  dialect: Dialect,
): RerouteCommand {
  const needed = name === 'move' ? ['index', 'shard', 'from_node', 'to_node'] : ['index', 'shard', 'node']
  const known = [...needed, ...(name === 'cancel' ? ['allow_primary'] : [])]
  const members: Record<string, string> = {}
  let shard = -1
  let isForced = false
  for (const [key, value] of Object.entries(body)) {
    if (value !== null && typeof value === 'object')
      throw malformed(`[${name}] command does not support complex json tokens [${tokenName(value)}]`)
    const member = SPELT[key] ?? key
    if (!known.includes(member)) throw malformed(`[${name}] command does not support field [${key}]`)
    if (member === 'shard') shard = readInt(value, dialect.typed)
    else if (member === 'allow_primary') isForced = parseBoolean(value)
    else if (value !== null) members[member] = String(value)
  }
  const isGiven = (member: string): boolean => (member === 'shard' ? shard !== -1 : members[member] !== undefined)
  const missing = needed.find((member) => !isGiven(member))
  if (missing !== undefined) throw malformed(`[${name}] command missing the ${missing} parameter`)
  const { index = '', node = '', from_node = '', to_node = '' } = members
  return name === 'move'
    ? {
        name,
        index,
        shard,
        node: from_node,
        toNode: to_node,
        isForced,
        parameters: { index, shard, from_node, to_node },
      }
    : { name, index, shard, node, toNode: '', isForced, parameters: { index, shard, node, allow_primary: isForced } }
}

const malformed = (reason: string): ServiceError => new ServiceError('parse_exception', reason)

/**
 * Decides on a command. All shards are on the one node, and copies nowhere: nothing can be moved or made, and what is
 * cancelled is there again at once.
 *
 * @throws {ServiceError} for what fails explained or not
 */
export function decideReroute(command: RerouteCommand, context: RestContext, dialect: Dialect): RerouteDecision {
  const { name, index, shard, node, toNode, isForced } = command
  const metadata = context.engine.indices.get(index)
  const isThere = metadata !== undefined && shard >= 0 && shard < shardCount(metadata)
  const here = describeNode(context, dialect)
  const decider = name === 'cancel' || name === 'move' ? `${name}_allocation_command` : `${name} (allocation command)`
  const no = (explanation: string, error: ServiceError): RerouteDecision => ({
    decider,
    decision: 'NO',
    explanation,
    error,
  })
  const refused = (explanation: string): RerouteDecision =>
    no(explanation, illegalArgument(`[${name}_allocation] ${explanation}`))
  switch (name) {
    case 'cancel':
      checkNode(node, context)
      if (metadata === undefined) throw indexNotFound(index, context.engine.version)
      if (!isThere) return refused(`can't cancel ${shard}, failed to find it on node ${here}`)
      if (!isForced) return refused(`can't cancel ${shard} on node ${here}, shard is primary and started`)
      return { decider, decision: 'YES', explanation: `shard ${shard} on node ${here} can be cancelled` }
    case 'move':
      checkNode(node, context)
      checkNode(toNode, context)
      if (!isThere) return refused(`can't move ${shard}, failed to find it on node ${here}`)
      return refused(
        `can't move ${shard}, from ${here}, to ${here}, since its not allowed, reason: [NO(it is there, and this is the only node)]`,
      )
    case 'allocate_stale_primary':
      if (metadata === undefined)
        throw indexNotFound(index, context.engine.version).with({
          metadata: { 'resource.type': 'index_or_alias', 'resource.id': index },
        })
      if (!isThere) throw illegalArgument(`No data for shard [${shard}] of index [${index}] found on any node`)
      // Asked for by its own name or id.
      if (![context.engine.nodeId, nodeName(context.engine.nodeId)].includes(node))
        throw illegalArgument(`No data for shard [${shard}] of index [${index}] found on node [${node}]`)
      break
    case 'allocate_replica':
    case 'allocate_empty_primary':
      break
  }
  if (!isThisNode(node, context)) {
    const error = noSuchNode(node)
    return no(error.reason, error)
  }
  const fault =
    metadata === undefined
      ? indexNotFound(index, context.engine.version)
      : isThere
        ? undefined
        : shardNotFound(metadata, shard)
  if (fault !== undefined) return no(fault.reason, fault)
  const of = `[${index}][${shard}]`
  if (name !== 'allocate_replica') return refusedAs(no, name, `primary ${of} is already assigned`)
  if (replicaCount(metadata as IndexMetadata) > 0)
    return refusedAs(
      no,
      name,
      `allocation of ${of} on node ${here} is not allowed, reason: [NO(its primary is there, and this is the only node)]`,
    )
  return refusedAs(no, name, `all copies of ${of} are already assigned. Use the move allocation command instead`)
}

function refusedAs(
  no: (explanation: string, error: ServiceError) => RerouteDecision,
  name: string,
  explanation: string,
): RerouteDecision {
  return no(explanation, illegalArgument(`[${name}] ${explanation}`))
}

function checkNode(node: string, context: RestContext): void {
  if (!isThisNode(node, context)) throw noSuchNode(node)
}

/** The node as texts speak of it: name, ids, where it is, what it does and is told to be. */
function describeNode(context: RestContext, dialect: Dialect): string {
  const { nodeId } = context.engine
  const attributes = Object.entries(nodeAttributes(context)).map(([name, value]) => `${name}=${value}`)
  const parts = [nodeName(nodeId), nodeId, context.ephemeralId, nodeHost(context), context.publishAddress()]
  if (!dialect.typed) parts.push('dimr')
  if (attributes.length > 0) parts.push(attributes.join(', '))
  return parts.map((part) => `{${part}}`).join('')
}
