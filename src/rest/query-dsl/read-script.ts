import { writeBigJson } from '../../engine/big-json.ts'
import type { SearchScript } from '../../engine/search/script/search-script.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { failedField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { exactJson } from '../body/exact-json.ts'
import { unknownField } from '../body/unknown-field.ts'
import { scriptListener } from '../deprecation/script-deprecations.ts'
import type { QueryContext } from './query-reader.ts'

const MEMBERS = ['source', 'inline', 'id', 'stored', 'lang', 'params', 'options']

/**
 * Reads a script as requests give it: its text alone, or an object with `source` or `id`, `lang`, `params` and `options`.
 *
 * @param defaultLang  language of a script that names none
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception
 */
export function readScript(
  json: unknown,
  { lookup, engineVersion, warnings }: QueryContext,
  defaultLang = 'painless',
): SearchScript {
  const listener = scriptListener(warnings)
  if (typeof json === 'string') {
    return { script: { kind: 'inline', lang: defaultLang, source: json }, params: {}, ...listener }
  }
  if (!isObject(json)) throw parseFault('[script] Expected START_OBJECT but was: END_OBJECT')
  let source: string | undefined
  let id: string | undefined
  let lang: string | undefined
  let params: Readonly<Record<string, unknown>> = {}
  let options: Readonly<Record<string, unknown>> = {}
  const text = (name: string, value: unknown): string => {
    if (typeof value === 'string') return value
    throw parseFault(`[script] ${name} doesn't support values of type: ${tokenName(value)}`).at(json, name)
  }
  for (const [name, value] of Object.entries(json)) {
    switch (name) {
      case 'source':
      case 'inline':
      case 'id':
      case 'stored':
        if (source !== undefined || id !== undefined) {
          throw failedField(
            'script',
            name === 'inline' ? 'source' : name === 'stored' ? 'id' : name,
            illegalArgument('must only use one of [source, id] when specifying a script').at(json, name),
          )
        }
        if (name === 'inline') warnings?.note('inline_script')
        if (name === 'stored') warnings?.note('stored_script')
        if (name === 'id' || name === 'stored') id = text(name, value)
        else source = isObject(value) ? writeBigJson(value) : text(name, value)
        break
      case 'lang':
        lang = text('lang', value)
        break
      case 'params':
      case 'options':
        if (!isObject(value))
          throw parseFault(`[script] ${name} doesn't support values of type: ${tokenName(value)}`).at(json, name)
        if (name === 'params') params = losslessParams(value)
        else options = value
        break
      default:
        throw unknownField('script', name, engineVersion === 'Elasticsearch_6.8', MEMBERS, json)
    }
  }
  if (id !== undefined) {
    if (lang !== undefined) throw illegalArgument('illegally specified <lang> for a stored script')
    if (Object.keys(options).length > 0) {
      throw illegalArgument('field [options] cannot be specified using a stored script')
    }
    return { script: { kind: 'stored', id, find: (name) => lookup.script(name) }, params, ...listener }
  }
  if (source === undefined)
    throw illegalArgument('must specify either [source] for an inline script or [id] for a stored script')
  const unknown = Object.entries(options).filter(([name]) => name !== 'content_type')
  if (unknown.length > 0) {
    throw illegalArgument(
      `illegal compiler options [{${unknown.map(([name, value]) => `${name}=${String(value)}`).join(', ')}}] specified`,
    )
  }
  return { script: { kind: 'inline', lang: lang ?? defaultLang, source }, params, ...listener }
}

/** Parameters of scripts, numbers that were written as floats told from whole ones. */
export function losslessParams(json: { readonly [name: string]: unknown }): Readonly<Record<string, unknown>> {
  return exactJson(json) as Readonly<Record<string, unknown>>
}
