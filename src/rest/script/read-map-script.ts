import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { javaText } from '../../engine/mapping/java-text.ts'
import type { FindStoredScript, SearchScript } from '../../engine/search/script/search-script.ts'
import { NO_REASON, ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { exactJson } from '../body/exact-json.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { EndpointRequest } from '../rest-request.ts'

type Members = { readonly [name: string]: JsonValue }

/**
 * Reads a script that the real servers have as a map already: they look for what they know in it, and pass over the rest.
 *
 * @param find  finds stored scripts, when the script is compiled
 * @throws {ServiceError} illegal_argument_exception, parse_exception, null_pointer_exception
 */
export function readMapScript(
  json: JsonValue,
  { dialect: { typed }, warnings }: EndpointRequest,
  find: FindStoredScript,
): SearchScript {
  if (typeof json === 'string') return { script: { kind: 'inline', lang: 'painless', source: json }, params: {} }
  if (!isObject(json)) throw illegalArgument('Script value should be a String or a Map')
  let said: { readonly isStored: boolean; readonly text: string | null } | undefined
  let lang: string | null = null
  let params: Members | null = {}
  let options: Members | null = {}
  for (const name of inJavaHashOrder(Object.keys(json))) {
    const value = json[name] as JsonValue
    if (name === 'lang') lang = textIn(name, value)
    else if (name === 'params') params = mapIn(name, value, typed)
    else if (name === 'options' && !typed) options = mapIn(name, value, typed)
    else if (name === 'source' || name === 'inline' || name === 'id' || name === 'stored') {
      if (name === 'inline') warnings.note('inline_script')
      if (name === 'stored') warnings.note('stored_script')
      said = { isStored: name === 'id' || name === 'stored', text: textIn(name, value) }
    } else warnings.note('unknown_in_script', name)
  }
  if (said === undefined || said.text === null)
    throw new ServiceError(
      'parse_exception',
      `${typed ? 'e' : 'E'}xpected one of [source] or [id] fields, but found none`,
    )
  if (said.isStored && lang !== null)
    throw illegalArgument(`${typed ? 'lang' : '[lang]'} cannot be specified for stored scripts`)
  if (params === null || (options === null && !said.isStored))
    throw new ServiceError('null_pointer_exception', NO_REASON, { status: 400 })
  if (!said.isStored && Object.keys(options ?? {}).length > 0)
    throw illegalArgument(`Unrecognized compile-time parameter(s): ${javaText(exactJson(options))}`)
  return {
    script: said.isStored
      ? { kind: 'stored', id: said.text, find }
      : { kind: 'inline', lang: lang ?? 'painless', source: said.text },
    params: exactJson(params) as SearchScript['params'],
  }
}

function textIn(name: string, value: JsonValue): string | null {
  if (typeof value === 'string' || value === null) return value
  throw new ServiceError('parse_exception', `Value must be of type String: [${name}]`)
}

function mapIn(name: string, value: JsonValue, isLegacy: boolean): Members | null {
  if (isObject(value) || value === null) return value
  throw new ServiceError('parse_exception', `Value must be of type ${isLegacy ? 'String' : 'Map'}: [${name}]`)
}
