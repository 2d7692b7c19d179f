import type { AliasMetadata } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { inField, notBuilt, parseFault, placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { booleanMember } from '../body/boolean-member.ts'
import { wrongToken } from '../body/check-object-member.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { tokenText } from '../body/token-text.ts'
import { unknownField } from '../body/unknown-field.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { ROUTING_NAMES, routingNamed, setRouting } from './alias-body.ts'

/** An action on aliases as it is asked for: names are expressions yet. */
export interface AskedAliasAction {
  readonly kind: 'add' | 'remove' | 'remove_index'
  readonly indices: readonly string[]
  readonly aliases: readonly string[]
  /** What an added alias is made of. */
  readonly metadata: AliasMetadata
  /** Whether an alias to remove has to be there; absent: one of all that are removed. */
  readonly mustExist?: boolean
}

type Members = { readonly [name: string]: JsonValue }

type Read = { -readonly [name in keyof AskedAliasAction]: AskedAliasAction[name] }

/**
 * Reads the body of `_aliases`, all of it before any index is looked for.
 *
 * @throws {ServiceError} x_content_parse_exception, with what is wrong deepest in
 */
export function readAliasActions(
  body: { readonly [name: string]: JsonValue },
  request: EndpointRequest,
): readonly AskedAliasAction[] {
  for (const key of Object.keys(body))
    if (key !== 'actions') throw unknownField('aliases', key, request.dialect.typed, ['actions'], body)
  const listed = body['actions']
  if (listed !== undefined && !Array.isArray(listed) && !isObject(listed)) {
    throw wrongToken('aliases', body, 'actions')
  }
  const actions = Array.isArray(listed) ? listed : listed === undefined ? [] : [listed]
  const read: AskedAliasAction[] = []
  for (let i = 0; i < actions.length; i++) {
    const isValue = typeof actions[i] !== 'object' || actions[i] === null
    // What is no object is passed over, for the one that follows.
    if (isValue) i++
    const readOne = (): AskedAliasAction => readAction(actions[i], isValue, request)
    const isMissing = isObject(actions[i]) || i >= actions.length
    // What is missing is noticed once all are read.
    read.push(
      inField('aliases', 'actions', () =>
        isMissing ? placed(actions, undefined, readOne, 'end') : placed(actions, i, readOne),
      ),
    )
  }
  if (read.length === 0) throw illegalArgument('No action specified')
  return read
}

function readAction(action: JsonValue | undefined, isSecond: boolean, request: EndpointRequest): AskedAliasAction {
  if (Array.isArray(action) && !isSecond)
    throw new ServiceError('illegal_state_exception', 'expected value but got [START_ARRAY]')
  if (!isObject(action)) {
    const token = action === undefined ? 'END_ARRAY' : tokenName(action)
    throw parseFault(`[alias_action] Expected START_OBJECT but was: ${token}`)
  }
  const [entry, ...more] = Object.entries(action)
  if (entry === undefined) throw noAction(request)
  const [kind, members] = entry
  if (kind !== 'add' && kind !== 'remove' && kind !== 'remove_index')
    throw unknownField('alias_action', kind, request.dialect.typed, ['add', 'remove', 'remove_index'], action)
  if (!isObject(members)) throw wrongToken('alias_action', action, kind)
  const read: Read = { kind, indices: [], aliases: [], metadata: {} }
  inField('alias_action', kind, () => {
    for (const name of Object.keys(members)) readMember(read, name, members, request)
  })
  if (more.length > 0) {
    const cause = illegalArgument('Too many operations declared on operation entry')
    throw notBuilt('alias_action', cause.at(action, undefined, 'end'))
  }
  if (read.indices.length === 0) throw required('index', 'indices')
  if (kind !== 'remove_index' && read.aliases.length === 0) throw required('alias', 'aliases')
  return read
}

function readMember(read: Read, name: string, members: Members, request: EndpointRequest): void {
  const { kind } = read
  const value = members[name]
  switch (name) {
    case 'index':
    case 'indices':
    case 'alias':
    case 'aliases':
      readNames(read, name, members)
      return
    case 'must_exist':
      if (kind !== kindWithMustExist(request) || request.dialect.typed) break
      read.mustExist = booleanMember(kind, members, name)
      if (kind === 'remove') return
      throw parseFault(
        `[${kind}] failed to parse field [${name}]`,
        illegalArgument(`[${name}] is unsupported for [ADD]`).at(members, name),
      )
    case 'filter':
      if (kind !== 'add') break
      if (!isObject(value)) throw wrongToken(kind, members, name)
      if (Object.keys(value).length > 0) read.metadata = { ...read.metadata, filter: value }
      return
    case 'is_write_index':
      if (kind !== 'add') break
      read.metadata = { ...read.metadata, isWriteIndex: booleanMember(kind, members, name) }
      return
    case 'is_hidden':
      if (kind !== 'add' || request.dialect.typed) break
      read.metadata = { ...read.metadata, isHidden: booleanMember(kind, members, name) }
      return
  }
  const routing = kind === 'add' ? routingNamed(name) : undefined
  if (routing === undefined) throw unknownField(kind, name, request.dialect.typed, membersOf(kind, request), members)
  if (typeof value !== 'string' && typeof value !== 'number') throw wrongToken(kind, members, name)
  const metadata = { ...read.metadata }
  setRouting(metadata, routing, String(value))
  read.metadata = metadata
}

/** 7.10 knows `must_exist` of additions alone, and refuses it there. */
const kindWithMustExist = ({ dialect }: EndpointRequest): Read['kind'] => (dialect.takesTypedPaths ? 'add' : 'remove')

/** All members of an action that are known since 7.0, where others are told what may be meant. */
function membersOf(kind: Read['kind'], request: EndpointRequest): readonly string[] {
  return [
    'index',
    'indices',
    'alias',
    'aliases',
    ...(kind === kindWithMustExist(request) ? ['must_exist'] : []),
    ...(kind === 'add' ? ['filter', 'is_write_index', 'is_hidden', ...ROUTING_NAMES] : []),
  ]
}

function readNames(read: Read, name: 'index' | 'indices' | 'alias' | 'aliases', members: Members): void {
  const { kind } = read
  const value = members[name] as JsonValue
  const [member, one, several] =
    name === 'index' || name === 'indices'
      ? (['indices', 'index', 'indices'] as const)
      : (['aliases', 'alias', 'aliases'] as const)
  const items = Array.isArray(value) && name === several ? value : [value]
  const isText = (item: JsonValue): boolean =>
    typeof item === 'string' || (name === several && typeof item === 'number')
  if (!Array.isArray(value) || name !== several) {
    if (!isText(value)) throw wrongToken(kind, members, name)
  } else inField(kind, name, () => value.map((item, i) => placed(value, i, () => checkText(item))))
  inField(kind, name, () => {
    const refuse = (reason: string): never => {
      throw illegalArgument(reason).at(members, name, 'end')
    }
    if (kind === 'remove_index' && member === 'aliases') refuse(`[${name}] is unsupported for [REMOVE_INDEX]`)
    if (read[member].length > 0) refuse(`Only one of [${one}] and [${several}] is supported`)
    if (items.length === 0) refuse(`[${name}] can't be empty`)
    if (items.includes(''))
      refuse(name === several ? `[${name}] can't contain empty string` : `[${name}] can't be empty string`)
  })
  read[member] = items.map(String)
}

function checkText(item: JsonValue): void {
  if (Array.isArray(item)) throw new ServiceError('illegal_state_exception', 'expected value but got [START_ARRAY]')
  tokenText(item)
}

/** What Java says of the action that was never made. */
function noAction({ dialect }: EndpointRequest): ServiceError {
  const family = dialect.takesTypedPaths ? 'elasticsearch' : 'opensearch'
  const called = `org.${family}.action.admin.indices.alias.IndicesAliasesRequest$AliasActions.validate()`
  return new ServiceError('null_pointer_exception', `Cannot invoke "${called}" because "aliasAction" is null`)
}

const required = (one: string, several: string): ServiceError =>
  illegalArgument(`One of [${one}] or [${several}] is required`)
