import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { inJavaHashOrder } from '../java/java-hash-order.ts'
import { readTimestamp } from './data-stream-timestamp.ts'
import { createDateFormat } from './dates/create-date-format.ts'
import { readDynamicTemplate } from './dynamic-template.ts'
import { hearTemplate } from './hear-template.ts'
import { failedJsonCast, javaText } from './java-text.ts'
import type { ObjectDefinition, RootDefinition, SourceDefinition } from './mapping-definition.ts'
import { mapperParsing, unsupportedParameters } from './mapping-errors.ts'
import { checkNamed, readObject } from './read-field.ts'
import { checkJoinPlaces } from './types/join-field-type.ts'
import { type MappingScope, readBoolean } from './types/parameter.ts'

/** Metadata fields that a mapping names in vain. */
const NOT_CONFIGURABLE = ['_id', '_type', '_index', '_version', '_seq_no', '_uid', '_ignored']

/** What a type's mapping shares with an object's. */
const OBJECT_KEYS: ReadonlySet<string> = new Set(['properties', 'dynamic', 'enabled', 'include_in_all'])

/** The same with what only OpenSearch has. */
const OPENSEARCH_OBJECT_KEYS: ReadonlySet<string> = new Set([...OBJECT_KEYS, 'derived'])

type Json = Readonly<Record<string, unknown>>

/**
 * Reads a type's mapping (the body of put mapping, with or without a level that repeats the type's name).
 *
 * @throws {ServiceError} mapper_parsing_exception, illegal_argument_exception, …, in the real server's words
 */
export function readMapping(type: string, body: Json, scope: MappingScope): RootDefinition {
  const keys = Object.keys(body)
  const inner = body[type]
  const json = keys.length === 1 && type !== '' && isObject(inner) ? inner : body
  let definition: RootDefinition = emptyRoot()
  const unknown: string[] = []
  let root: ObjectDefinition | undefined
  // The real server holds it as a hash map, and reads metadata fields after all others.
  const names = inJavaHashOrder(Object.keys(json))
  const objectKeys = scope.engineVersion === 'OpenSearch_2.19' ? OPENSEARCH_OBJECT_KEYS : OBJECT_KEYS
  const objectBody = Object.fromEntries(names.filter((key) => objectKeys.has(key)).map((key) => [key, json[key]]))
  const readKey = (key: string): void => {
    scope.heard?.parameter('', '', key, json[key])
    const read = readRootKey(key, json[key], scope)
    if (read === undefined) unknown.push(key)
    else definition = { ...definition, ...read }
  }
  for (const key of names.filter((name) => !name.startsWith('_'))) {
    if (objectKeys.has(key)) root ??= readObject('', objectBody, scope)
    else readKey(key)
  }
  root ??= readObject('', {}, scope)
  checkNamed(root)
  for (const key of names.filter((name) => name.startsWith('_'))) readKey(key)
  checkJoinPlaces(root)
  if (unknown.length > 0) {
    throw mapperParsing(
      `Root mapping definition has unsupported parameters:  ${inJavaHashOrder(unknown)
        .map((key) => `[${key} : ${javaText(json[key])}]`)
        .join(' ')}`,
    )
  }
  return { ...definition, root }
}

/** A mapping in which nothing was said. */
export function emptyRoot(): RootDefinition {
  return {
    root: readObject('', {}, undefined),
    dateDetection: undefined,
    numericDetection: undefined,
    dynamicDateFormats: undefined,
    dynamicTemplates: undefined,
    meta: undefined,
    source: undefined,
    routingRequired: undefined,
    timestamp: undefined,
    fieldNamesEnabled: undefined,
    allDisabled: false,
  }
}

function readRootKey(key: string, value: unknown, scope: MappingScope): Partial<RootDefinition> | undefined {
  const isLegacy = scope.engineVersion === 'Elasticsearch_6.8'
  switch (key) {
    case 'date_detection':
      return { dateDetection: readBoolean(value, key) }
    case 'numeric_detection':
      return { numericDetection: readBoolean(value, key) }
    case 'dynamic_date_formats':
    case 'date_formats': {
      const formats = (Array.isArray(value) ? value : [value]).map((format) => {
        if (typeof format === 'string') {
          if (!/^epoch_/.test(format)) return javaText(format)
          throw mapperParsing(`Epoch [${format}] is not supported as dynamic date format`)
        }
        throw illegalArgument(`Invalid format: [${javaText(format)}]: expected string value`)
      })
      for (const format of formats) createDateFormat(format, scope.engineVersion)
      return { dynamicDateFormats: formats }
    }
    case 'dynamic_templates':
      if (!Array.isArray(value)) {
        throw isLegacy
          ? failedJsonCast(value, 'java.util.List')
          : mapperParsing('Dynamic template syntax error. An array of named objects is expected.')
      }
      return {
        dynamicTemplates: value.map((json) => {
          const template = readDynamicTemplate(json)
          if (scope.heard !== undefined && !isLegacy) hearTemplate(template, scope, scope.heard)
          return template
        }),
      }
    case '_meta':
      if (!isObject(value)) throw failedJsonCast(value, 'java.util.Map')
      return { meta: value }
    case '_source':
      return { source: readSource(metadataBody(key, value, isLegacy), isLegacy) }
    case '_routing': {
      const body = metadataBody(key, value, isLegacy)
      checkKeys('_routing', body, ['required'], isLegacy)
      return { routingRequired: readFlag(body, 'required', isLegacy) ?? false }
    }
    case '_data_stream_timestamp':
      return scope.engineVersion === 'OpenSearch_2.19' ? { timestamp: readTimestamp(value) } : undefined
    case '_field_names': {
      const body = metadataBody(key, value, isLegacy)
      checkKeys('_field_names', body, ['enabled'], isLegacy)
      return { fieldNamesEnabled: readFlag(body, 'enabled', isLegacy) }
    }
    case '_all':
      return isLegacy ? { allDisabled: readAll(metadataBody(key, value, isLegacy)) } : undefined
    case '_parent':
      if (!isLegacy) return undefined
      throw mapperParsing('[_parent] field is disabled on indices with a single type. Use a [join] field instead.')
    default:
      if (!NOT_CONFIGURABLE.includes(key) || (key === '_uid' && !isLegacy)) return undefined
      if (key === '_ignored' && isLegacy) return {}
      throw mapperParsing(`${key} is not configurable`)
  }
}

function metadataBody(key: string, value: unknown, isLegacy: boolean): Json {
  if (isObject(value)) return value
  throw illegalArgument(
    isLegacy ? `[${key}] config must be an object` : '[_parent] must be an object containing [type]',
  )
}

function checkKeys(name: string, body: Json, allowed: readonly string[], isLegacy: boolean): void {
  const unknown = Object.keys(body).filter((key) => !allowed.includes(key))
  if (isLegacy) {
    if (unknown.length > 0) throw unsupportedParameters(name, body, unknown)
    return
  }
  // The first of them that the real server's map comes to.
  for (const key of inJavaHashOrder(Object.keys(body))) {
    const told = `[${key}] on mapper [${name}] of type [null]`
    if (!allowed.includes(key)) throw mapperParsing(`unknown parameter ${told}`)
    if (body[key] === null) throw mapperParsing(`${told} must not have a [null] value`)
  }
}

/** A member that is true or false, where it is there. */
function readFlag(body: Json, key: string, isLegacy: boolean): boolean | undefined {
  const value = body[key]
  if (value === undefined) return undefined
  return isLegacy ? readBoolean(value, key) : parseBoolean(value)
}

function readSource(body: Json, isLegacy: boolean): SourceDefinition {
  checkKeys('_source', body, ['enabled', 'includes', 'excludes'], isLegacy)
  const list = (key: string): string[] => {
    const value = body[key]
    if (value === undefined) return []
    if (!Array.isArray(value)) throw failedJsonCast(value, 'java.util.List')
    return value.map(javaText)
  }
  return {
    enabled: readFlag(body, 'enabled', isLegacy) ?? true,
    includes: list('includes'),
    excludes: list('excludes'),
  }
}

function readAll(body: Json): boolean {
  const enabled = readFlag(body, 'enabled', true) ?? false
  checkKeys('_all', body, ['enabled', 'store', 'store_term_vectors', 'analyzer', 'search_analyzer', 'similarity'], true)
  if (enabled) {
    throw illegalArgument(
      'Enabling [_all] is disabled in 6.0. As a replacement, you can use [copy_to] on mapping fields to create your own catch all field.',
    )
  }
  return body['enabled'] !== undefined
}
