import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { inJavaHashOrder } from '../java/java-hash-order.ts'
import { type FieldMeta, readMeta } from './field-meta.ts'
import { javaClass, javaText } from './java-text.ts'
import type { AliasDefinition, Definition, Dynamic, LeafDefinition, ObjectDefinition } from './mapping-definition.ts'
import { emptyObject } from './mapping-definition.ts'
import { mapperParsing, unsupportedParameters } from './mapping-errors.ts'
import { mergeDefinition } from './merge-mapping.ts'
import { readDerivedField } from './types/derived-field-type.ts'
import { type FieldType, MULTI_FIELDS } from './types/field-type.ts'
import { fieldType } from './types/field-types.ts'
import { isForgotten, SIX_STILL } from './types/forgotten-parameters.ts'
import { type MappingScope, readBoolean } from './types/parameter.ts'

type Json = Readonly<Record<string, unknown>>

const OBJECT_KEYS = [
  'type',
  'properties',
  'dynamic',
  'enabled',
  'include_in_all',
  'include_in_parent',
  'include_in_root',
  'derived',
]

/**
 * Reads an object's mapping.
 *
 * @param scope  undefined only for an object without properties
 * @throws {ServiceError} mapper_parsing_exception, parse_exception, illegal_argument_exception
 */
export function readObject(
  name: string,
  json: Json,
  scope: MappingScope | undefined,
  written = name,
): ObjectDefinition {
  const nested = json['type'] === 'nested'
  const flag = (key: string): boolean => json[key] !== undefined && readBoolean(json[key], `${name}.${key}`)
  const includeInParent = nested && flag('include_in_parent')
  if (scope !== undefined && scope.engineVersion !== 'Elasticsearch_6.8') {
    if (json['dynamic'] === null) throw nothingToRead('fieldNode')
    if (json['enabled'] === null) throw nothingToRead('node')
  }
  const object: ObjectDefinition = {
    ...emptyObject(name),
    nested,
    includeInParent,
    includeInRoot: nested && flag('include_in_root'),
    dynamic: json['dynamic'] === undefined ? undefined : readDynamic(json['dynamic'], scope),
    enabled: json['enabled'] === undefined || readBoolean(json['enabled'], 'enabled.enabled'),
    includeInAll:
      json['include_in_all'] === undefined || scope?.engineVersion !== 'Elasticsearch_6.8'
        ? undefined
        : readBoolean(json['include_in_all'], 'include_in_all'),
  }
  if (json['include_in_all'] !== undefined)
    scope?.heard?.parameter(name, 'object', 'include_in_all', json['include_in_all'])
  // Derived fields come first in the real server's map.
  const derived = scope === undefined ? undefined : readDerived(json['derived'], name, scope)
  const children = scope === undefined ? undefined : readChildren(json['properties'], scope, derived)
  const isKnown = (key: string): boolean =>
    OBJECT_KEYS.includes(key) && (key !== 'derived' || scope?.engineVersion === 'OpenSearch_2.19')
  const unknown = Object.keys(json).filter((key) => !isKnown(key))
  if (unknown.length > 0) throw unsupported(written, json, unknown, undefined)
  return children === undefined ? object : { ...object, children }
}

const nothingToRead = (variable: string): ServiceError =>
  new ServiceError('null_pointer_exception', `Cannot invoke "Object.toString()" because "${variable}" is null`)

/** Reads `derived` of a mapping or a search. @throws {ServiceError} mapper_parsing_exception, parse_exception, illegal_argument_exception */
export function readDerived(
  derived: unknown,
  name: string,
  scope: MappingScope,
): ObjectDefinition['children'] | undefined {
  if (derived === undefined || scope.engineVersion !== 'OpenSearch_2.19') return undefined
  if (Array.isArray(derived) && derived.length === 0) return undefined
  if (!isObject(derived)) throw new ServiceError('parse_exception', 'derived must be a map type')
  const fields = new Map<string, Definition>()
  for (const key of inJavaHashOrder(Object.keys(derived))) {
    const value = derived[key]
    if (Array.isArray(value) && value.length === 0) continue
    if (!isObject(value))
      throw mapperParsing(
        `Expected map for property [derived_fields] on field [${key}] but got a class java.lang.String`,
      )
    if (/^\.+$/.test(key)) throw mapperParsing(`Invalid field name ${key}`)
    // The real server takes those below an object, and cannot start the index then.
    if (name !== '' || key.includes('.'))
      throw mapperParsing(
        `Derived field [${key}] cannot be part of an object: they are defined beside [properties] alone`,
      )
    fields.set(key, readDerivedField(key, value, scope))
  }
  return fields.size === 0 ? undefined : fields
}

function readChildren(
  properties: unknown,
  scope: MappingScope,
  beside: ObjectDefinition['children'] | undefined,
): ObjectDefinition['children'] | undefined {
  if (properties === undefined || (Array.isArray(properties) && properties.length === 0)) return beside
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) {
    throw new ServiceError('parse_exception', 'properties must be a map type')
  }
  return readProperties(properties as Json, scope, beside)
}

function readDynamic(value: unknown, scope: MappingScope | undefined): Dynamic {
  const text = javaText(value).toLowerCase()
  if (text === 'strict') return 'strict'
  if (text === 'strict_allow_templates' && scope?.engineVersion === 'OpenSearch_2.19') return text
  return readBoolean(value, 'dynamic.dynamic') ? 'true' : 'false'
}

function readProperties(
  properties: Json,
  scope: MappingScope,
  beside: ObjectDefinition['children'] = NONE,
): ReadonlyMap<string, Definition> {
  const children = new Map(beside)
  for (const key of inJavaHashOrder(Object.keys(properties))) {
    const value = properties[key]
    if (Array.isArray(value) && value.length === 0) continue
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw mapperParsing(`Expected map for property [fields] on field [${key}] but got a class java.lang.String`)
    }
    // `a.b` is an object and what is in it; a dot at the end is dropped as Java's split does.
    const parts = key.split('.')
    while (parts.length > 1 && parts.at(-1) === '') parts.pop()
    let definition = readDefinition(parts.at(-1) as string, value as Json, scope, false, key)
    for (const part of parts.slice(0, -1).reverse()) {
      definition = { ...emptyObject(part), children: new Map([[definition.name, definition]]) }
    }
    const existing = children.get(definition.name)
    if (existing !== undefined && beside.has(definition.name) && definition.kind === 'object')
      throw illegalArgument(`mapper [${definition.name}] cannot be changed from type [derived] to [ObjectMapper]`)
    if (existing?.kind === 'leaf' && definition.kind === 'object' && scope.engineVersion !== 'Elasticsearch_6.8')
      throw illegalArgument(
        `mapper [${definition.name}] cannot be changed from type [${existing.type}] to [ObjectMapper]`,
      )
    children.set(
      definition.name,
      existing === undefined ? definition : mergeDefinition(existing, definition, definition.name, scope, '_doc'),
    )
  }
  return children
}

/** Reads what stands under a name in `properties`; `written`: with the objects that a dotted name leads through. */
export function readDefinition(
  name: string,
  json: Json,
  scope: MappingScope,
  isMultiField: boolean,
  written = name,
): Definition {
  const given = json['type']
  let type: string
  if (given !== undefined && given !== null) type = javaText(given)
  else {
    const isObject = 'properties' in json || (Object.keys(json).length === 1 && 'enabled' in json)
    if (isMultiField) throw mapperParsing(`no type specified for property [${name}]`)
    if (!isObject) throw mapperParsing(`No type specified for field [${written}]`)
    type = 'object'
  }
  if (isMultiField && (type === 'object' || type === 'nested')) {
    throw mapperParsing(`Type [${type}] cannot be used in multi field`)
  }
  if (type === 'object' || type === 'nested') return readObject(name, { ...json, type }, scope, written)
  if (type === 'alias' && !isMultiField) return readAlias(name, json, written)
  const handler = fieldType(type, scope.engineVersion)
  if (handler === undefined) {
    throw mapperParsing(`${isMultiField ? 'no' : 'No'} handler for type [${type}] declared on field [${written}]`)
  }
  return readLeaf(handler, name, json, scope, isMultiField ? undefined : written)
}

/**
 * Reads the mapping that a dynamic template gives a new field. Templates are for fields of many types: what an object does not
 * know is left out, and so it is for a field of a type that is still read as 6.x does.
 *
 * @param defaultType  of the value, where the mapping names none
 * @throws {ServiceError} mapper_parsing_exception, illegal_argument_exception
 */
export function readFromTemplate(name: string, json: Json, defaultType: string, scope: MappingScope): Definition {
  const given = json['type']
  const type = given === undefined ? defaultType : String(given)
  const known = knownByTemplate(type, scope)
  if (type === 'object' || type === 'nested')
    return readObject(name, onlyKnown(json, known as readonly string[], type), scope)
  const handler = fieldType(type, scope.engineVersion)
  if (handler === undefined) throw mapperParsing(`failed to find type parsed [${type}] for [${name}]`)
  return readLeaf(handler, name, known === undefined ? json : onlyKnown(json, known, type), scope, name)
}

/** Members that are all a type reads of a template's mapping; undefined: it reads all of them. */
function knownByTemplate(type: string, scope: MappingScope): readonly string[] | undefined {
  if (type === 'object' || type === 'nested') return OBJECT_KEYS
  const handler = fieldType(type, scope.engineVersion)
  if (handler === undefined) return undefined
  const isGeo = scope.engineVersion !== 'Elasticsearch_6.8' && /^geo_(point|shape)$/.test(handler.family)
  if (scope.engineVersion !== 'Elasticsearch_6.8' && !isGeo && !SIX_STILL.has(type)) return undefined
  const known = ['fields', 'copy_to', ...handler.parameters.map((parameter) => parameter.name)]
  return isGeo ? [...known, 'meta'] : known
}

/** What a field made by a template leaves of its mapping. */
export function leftByTemplate(json: Json, type: string, scope: MappingScope): Json {
  const known = knownByTemplate(type, scope)
  if (known === undefined) return {}
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== 'type' && !known.includes(key)))
}

const onlyKnown = (json: Json, known: readonly string[], type: string): Json =>
  Object.fromEntries([...Object.entries(json).filter(([key]) => known.includes(key)), ['type', type]])

function readAlias(name: string, json: Json, written: string): AliasDefinition {
  const path = json['path']
  if (path === undefined || path === null) {
    throw mapperParsing(`The [path] property must be specified for field [${name}].`)
  }
  const unknown = Object.keys(json).filter((key) => key !== 'type' && key !== 'path')
  if (unknown.length > 0) throw unsupported(written, json, unknown, 'alias')
  return { kind: 'alias', name, path: javaText(path) }
}

/** Types whose values 6.8 does not copy. */
const COPIES_SINCE_7: ReadonlySet<string> = new Set(['completion', 'geo_shape'])

/** Parameters that may be null, which is as if they were not there. */
const TAKES_NULL: ReadonlySet<string> = new Set(['null_value', 'similarity', 'print_format'])

/** @param written  as {@link readDefinition}'s; undefined: it is a multi-field */
function readLeaf(
  type: FieldType,
  name: string,
  json: Json,
  scope: MappingScope,
  written: string | undefined,
): LeafDefinition {
  const isMultiField = written === undefined
  const parameters = new Map<string, unknown>()
  let copyTo: readonly string[] = []
  let multiFields: ReadonlyMap<string, LeafDefinition> = new Map()
  const isLegacy = scope.engineVersion === 'Elasticsearch_6.8'
  const saysAsSix = SIX_STILL.has(type.name) || type.name === 'geo_point'
  let meta: FieldMeta | undefined
  const unknown: string[] = []
  // Types of later versions complain of what they do not know where it stands, the others once all else has been read.
  const noteUnknown = (key: string): void => {
    if (!isLegacy && !saysAsSix) throw unsupported(name, json, [key], typeName)
    unknown.push(key)
  }
  const fieldScope = { name, ...scope }
  const typeName = 'type' in json ? type.name : 'null'
  const keys = inJavaHashOrder(Object.keys(json))
  const none = keys.find((key) => json[key] === null && key !== 'null_value')
  if (none !== undefined && (isLegacy || saysAsSix)) throw mapperParsing(`[${none}] must not have a [null] value`)
  for (const key of keys) {
    const value = json[key]
    if (key === 'type') continue
    if (key !== 'fields') scope.heard?.parameter(name, type.name, key, value)
    if ((key === 'fields' || key === 'copy_to') && !type.parameters.includes(MULTI_FIELDS)) noteUnknown(key)
    else if (key === 'copy_to' && isLegacy && COPIES_SINCE_7.has(type.name)) noteUnknown(key)
    else if (key === 'fields') {
      if (isMultiField) scope.heard?.parameter(name, type.name, key, value)
      const read = readMultiFields(name, value, scope)
      // 7.10 reads those of what is searched as it is typed, and forgets them.
      const isForgetful = scope.engineVersion === 'Elasticsearch_7.10' && type.name === 'search_as_you_type'
      if (!isForgetful) multiFields = read
    } else if (key === 'copy_to') {
      if (isMultiField && (isLegacy || type.name === 'geo_point' || type.family === 'geo_shape')) {
        throw mapperParsing(
          `copy_to in multi fields is not allowed. Found the copy_to in field [${name}] which is within a multi field.`,
        )
      }
      copyTo = (Array.isArray(value) ? value : [value]).map(javaText)
    } else {
      const parameter = type.parameters.find(
        (candidate) =>
          candidate.name === key &&
          candidate !== MULTI_FIELDS &&
          (!candidate.isOpenSearch || scope.engineVersion === 'OpenSearch_2.19') &&
          (!candidate.isLegacy || scope.engineVersion === 'Elasticsearch_6.8'),
      )
      if (key === 'meta' && !isLegacy && !SIX_STILL.has(type.name))
        meta = readMeta(value, name, saysAsSix ? '' : ` on mapper [${name}] of type [${typeName}]`)
      else if (!isLegacy && isForgotten(type, key)) continue
      else if (key === 'include_in_all' && isLegacy) throw allIsGone()
      else if (parameter === undefined) noteUnknown(key)
      else if (value === null && !isLegacy) {
        if (!TAKES_NULL.has(key))
          throw mapperParsing(`[${key}] on mapper [${name}] of type [${typeName}] must not have a [null] value`)
      } else {
        const read = parameter.read(value, fieldScope)
        if (read !== undefined) parameters.set(key, read)
      }
    }
  }
  // With options of an index there is one.
  if (isLegacy && parameters.has('index_options')) parameters.delete('index')
  type.check?.(parameters, fieldScope)
  // The parser of multi-fields tells the member it is in.
  if (unknown.length > 0) throw unsupported(written ?? 'fields', json, unknown, undefined)
  return {
    kind: 'leaf',
    name,
    type: type.name,
    parameters,
    copyTo,
    multiFields,
    ...(meta === undefined ? {} : { meta }),
  }
}

const allIsGone = (): ServiceError =>
  mapperParsing(
    '[include_in_all] is not allowed for indices created on or after version 6.0.0 as [_all] is deprecated. As a replacement, you can use an [copy_to] on mapping fields to create your own catch all field.',
  )

function readMultiFields(name: string, json: unknown, scope: MappingScope): ReadonlyMap<string, LeafDefinition> {
  if (Array.isArray(json) && json.length === 0) return new Map()
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw mapperParsing(
      `expected map for property [fields] on field [${javaText(json)}] or [fields] but got a class ${javaClass(json)}`,
    )
  }
  const fields = new Map<string, LeafDefinition>()
  for (const key of inJavaHashOrder(Object.keys(json))) {
    const value = (json as Json)[key]
    if (key.includes('.')) {
      throw mapperParsing(`Field name [${key}] which is a multi field of [${name}] cannot contain '.'`)
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw mapperParsing(`illegal field [${key}], only fields can be specified inside fields`)
    }
    fields.set(key, readDefinition(key, value as Json, scope, true) as LeafDefinition)
  }
  return fields
}

function unsupported(name: string, json: Json, keys: readonly string[], modernType: string | undefined): ServiceError {
  if (modernType !== undefined && modernType !== 'alias') {
    return mapperParsing(`unknown parameter [${inJavaHashOrder(keys)[0]}] on mapper [${name}] of type [${modernType}]`)
  }
  return unsupportedParameters(name, json, keys)
}

/** Sees to it that all that was read has a name, which is looked at last. @throws {ServiceError} illegal_argument_exception */
export function checkNamed(definition: Definition): void {
  const isLeaf = definition.kind === 'leaf'
  for (const child of (isLeaf
    ? definition.multiFields
    : definition.kind === 'object'
      ? definition.children
      : NONE
  ).values()) {
    if (child.name === '' && child.kind !== 'alias') throw illegalArgument('name cannot be empty string')
    checkNamed(child)
  }
}

const NONE: ReadonlyMap<string, Definition> = new Map()
