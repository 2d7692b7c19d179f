import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { type JsonValue, parseFirstJson } from '../body/parse-json.ts'
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
  if (asked.indices.length === 0) throw new ServiceError('illegal_argument_exception', "[indices] can't be empty")
  if (asked.aliases.includes('')) throw new ServiceError('illegal_argument_exception', "[alias] can't be empty string")
  return asked
}

function readAlias(request: EndpointRequest): AskedAliasAction {
  const { index, name = '' } = request.path
  const metadata = {}
  const read = { kind: 'add' as const, indices: names(index), aliases: [name], metadata }
  for (const [key, value] of Object.entries(aliasBody(request))) {
    const routing = routingNamed(key)
    const text = isValue(value) ? String(value) : undefined
    if (key === 'filter' && isObject(value)) {
      if (Object.keys(value).length > 0) Object.assign(metadata, { filter: value })
    } else if (text === undefined) refuseUnknown(key, value, request)
    else if (key === 'index') read.indices = names(text)
    else if (key === 'alias') read.aliases = [text]
    else if (key === 'is_write_index') Object.assign(metadata, { isWriteIndex: parseBoolean(text) })
    else if (key === 'is_hidden' && !request.dialect.takesTypedPaths)
      Object.assign(metadata, { isHidden: parseBoolean(text) })
    else if (routing !== undefined) setRouting(metadata, routing, text)
    else refuseUnknown(key, value, request)
  }
  return read
}

/** A body that is no object says nothing. */
function aliasBody({ body, dialect }: EndpointRequest): { readonly [name: string]: JsonValue } {
  const json = body.length === 0 ? {} : parseFirstJson(body, dialect.typed)
  return isObject(json) ? json : {}
}

const names = (expression: string | undefined): readonly string[] =>
  expression === undefined || expression === '' ? [] : expression.split(',')

const isValue = (value: JsonValue): boolean => value !== null && typeof value !== 'object'

/** 6.x passes over what it does not know; lists and nulls are passed over ever since. */
function refuseUnknown(name: string, value: JsonValue, { dialect }: EndpointRequest): void {
  if (dialect.takesTypedPaths || value === null || Array.isArray(value)) return
  throw new ServiceError('illegal_argument_exception', `unknown field [${name}]`)
}
