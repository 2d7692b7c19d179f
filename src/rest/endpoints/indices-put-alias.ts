import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { type JsonValue, parseAllJson } from '../body/parse-json.ts'
import { readFlag } from '../body/read-flag.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { routingNamed, setRouting } from '../indices/alias-body.ts'
import type { AskedAliasAction } from '../indices/read-alias-actions.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { changeAliases } from './indices-update-aliases.ts'

/** `PUT|POST [/<index>]/_alias[/<name>]`: what the path does not say the body may, and it has the last word. */
export const indicesPutAlias: EndpointHandler = (request, context) => {
  return changeAliases(request, context, [readPutAlias(request)])
}

/** The alias that is asked for. @throws {ServiceError} illegal_argument_exception, json_parse_exception */
export function readPutAlias(request: EndpointRequest): AskedAliasAction {
  const asked = readAlias(request)
  if (asked.indices.length === 0) throw illegalArgument("[indices] can't be empty")
  if (asked.aliases.includes('')) throw illegalArgument("[alias] can't be empty string")
  return asked
}

function readAlias({ path, body, dialect }: EndpointRequest): AskedAliasAction {
  const metadata = {}
  const read = { kind: 'add' as const, indices: names(path['index']), aliases: [path['name'] ?? ''], metadata }
  let routingOfBoth: string | undefined
  for (const { name, container, key } of membersIn(body, dialect)) {
    const value = (container as { readonly [name: string]: JsonValue })[key] as JsonValue
    const routing = name === undefined ? undefined : routingNamed(name)
    if (isObject(value)) {
      if (Object.keys(value).length > 0) Object.assign(metadata, { filter: value })
    } else if (name === 'index') read.indices = names(String(value))
    else if (name === 'alias') read.aliases = [String(value)]
    else if (name === 'is_write_index') Object.assign(metadata, { isWriteIndex: readFlag(container, key) })
    else if (name === 'is_hidden' && !dialect.takesTypedPaths)
      Object.assign(metadata, { isHidden: readFlag(container, key) })
    else if (routing === 'both') routingOfBoth = String(value)
    else if (routing !== undefined) setRouting(metadata, routing, String(value))
    else if (!dialect.takesTypedPaths) throw unknownMember(name)
  }
  if (routingOfBoth !== undefined) setRouting(metadata, 'both', routingOfBoth)
  return read
}

/** A value, or a filter, and what the real parser takes for its name: the last one before it. */
interface AliasMember {
  readonly name: string | undefined
  readonly container: { readonly [name: string]: JsonValue } | readonly JsonValue[]
  readonly key: string | number
}

/**
 * What a body says, token by token as the real parser reads it: the items of a list go by the list's name, and so do, up to
 * 7.x, the members of an object by their own as if they stood outside of it.
 *
 * @throws {ServiceError} illegal_argument_exception (2.x)
 */
function* membersIn(body: Buffer, { typed, takesTypedPaths }: Dialect): Generator<AliasMember> {
  let last: string | undefined
  for (const [i, json] of parseAllJson(body, typed).entries()) {
    if (Array.isArray(json)) yield* inList(json, last)
    else if (isObject(json)) {
      if (i > 0 && !takesTypedPaths) throw unknownMember(last)
      yield* inObject(json)
      last = Object.keys(json).at(-1) ?? last
    }
  }

  function* inObject(object: { readonly [name: string]: JsonValue }): Generator<AliasMember> {
    for (const name of Object.keys(object)) yield* inValue(name, object, name)
  }
  function* inList(list: readonly JsonValue[], name: string | undefined): Generator<AliasMember> {
    for (let i = 0; i < list.length; i++) yield* inValue(name, list, i)
  }
  function* inValue(
    name: string | undefined,
    container: AliasMember['container'],
    key: string | number,
  ): Generator<AliasMember> {
    const value = (container as { readonly [name: string]: JsonValue })[key] as JsonValue
    if (value === null) return
    if (Array.isArray(value)) yield* inList(value, name)
    else if (!isObject(value) || name === 'filter') yield { name, container, key }
    else if (takesTypedPaths) yield* inObject(value)
    else throw unknownMember(name)
  }
}

const names = (expression: string | undefined): readonly string[] =>
  expression === undefined || expression === '' ? [] : expression.split(',')

/** 6.x and 7.x pass over what they do not know. */
const unknownMember = (name: string | undefined): ServiceError => illegalArgument(`unknown field [${name ?? 'null'}]`)
