import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { isObject } from '../../../is-object.ts'
import { inJavaHashOrder } from '../../java/java-hash-order.ts'
import type { FieldMapping } from '../field-mapping.ts'
import { javaClass, javaText } from '../java-text.ts'
import type { LeafDefinition } from '../mapping-definition.ts'
import { mapperParsing } from '../mapping-errors.ts'
import { DATE } from './date-field-type.ts'
import type { DerivedField } from './derived-field.ts'
import type { BuiltField, FieldType } from './field-type.ts'
import { GEO_POINT } from './geo-point-field-type.ts'
import { KEYWORD } from './keyword-field-type.ts'
import { numberType } from './number-field-type.ts'
import { booleanParameter, type MappingScope, type Parameter } from './parameter.ts'
import { BOOLEAN, IP } from './scalar-field-types.ts'
import { TEXT } from './text-field-type.ts'

/*
 * Derived fields (OpenSearch): a script says what their values are while a search runs. They stand in the `derived` of a mapping
 * or of a search and are indexed nowhere; what is done with them is in search/derived/.
 */

type Json = Readonly<Record<string, unknown>>

/** The type that definitions of derived fields have among an object's children. */
export const DERIVED_TYPE = 'derived'

/** Types that values may have, and those of the fields that stand for them. */
const VALUE_TYPES: ReadonlyMap<string, FieldType> = new Map([
  ...[BOOLEAN, DATE, GEO_POINT, IP, KEYWORD, TEXT, numberType('long'), numberType('double'), numberType('float')].map(
    (type) => [type.name, type] as const,
  ),
  ['object', KEYWORD],
])

const text = (name: string): Parameter => ({ name, fallback: '', read: javaText })

/** In the order that mappings show them in. */
const PARAMETERS: readonly Parameter[] = [
  text('type'),
  { name: 'script', fallback: undefined, read: readScript },
  { name: 'properties', fallback: undefined, read: (value, { name }) => readProperties(value, name) },
  text('prefilter_field'),
  text('format'),
  booleanParameter('ignore_malformed', false),
]

/** What stands for a derived field in a mapping. */
export const DERIVED: FieldType = {
  name: DERIVED_TYPE,
  isOpenSearch: true,
  family: DERIVED_TYPE,
  parameters: PARAMETERS,
  // Only among properties, where there is none.
  check: () => {
    throw unsupportedType(DERIVED_TYPE)
  },
  build: (scope): BuiltField => ({
    field: derivedField(scope.path, derivedOf(scope.definition), scope),
    refusesNull: true,
    parse: () => {
      throw new ServiceError('unsupported_operation_exception', 'should not be invoked')
    },
  }),
}

function unsupportedType(type: string): ServiceError {
  return illegalArgument(`Type [${type}] isn't supported in Derived field context.`)
}

/**
 * Reads what stands under a name in `derived`.
 *
 * @throws {ServiceError} mapper_parsing_exception, illegal_argument_exception, parse_exception
 */
export function readDerivedField(name: string, json: Json, scope: MappingScope): LeafDefinition {
  const given = json['type']
  const type = given === undefined || given === null ? String(given ?? null) : javaText(given)
  const parameters = new Map<string, unknown>()
  for (const key of inJavaHashOrder(Object.keys(json))) {
    const parameter = PARAMETERS.find((candidate) => candidate.name === key)
    const told = `[${key}] on mapper [${name}] of type [${type}]`
    if (parameter === undefined) throw mapperParsing(`unknown parameter ${told}`)
    if (json[key] === null) throw mapperParsing(`${told} must not have a [null] value`)
    parameters.set(key, parameter.read(json[key], { name, ...scope }))
  }
  const own = String(parameters.get('type') ?? '')
  if (name === '') throw illegalArgument('name cannot be empty string')
  if (!VALUE_TYPES.has(own)) throw unsupportedType(own)
  return { kind: 'leaf', name, type: DERIVED_TYPE, parameters, copyTo: [], multiFields: new Map() }
}

/** What a definition that was read says. */
export function derivedOf({ parameters }: LeafDefinition): DerivedField {
  return {
    type: parameters.get('type') as string,
    script: parameters.get('script') as Json | undefined,
    properties: (parameters.get('properties') ?? {}) as Readonly<Record<string, string>>,
    prefilterField: (parameters.get('prefilter_field') ?? '') as string,
    format: (parameters.get('format') ?? '') as string,
    ignoreMalformed: parameters.get('ignore_malformed') === true,
  }
}

/**
 * The field that stands for a derived one: of the type of its values.
 *
 * @throws {ServiceError} illegal_argument_exception for a type that values cannot have
 */
export function derivedField(path: string, derived: DerivedField, scope: MappingScope): FieldMapping {
  const type = VALUE_TYPES.get(derived.type)
  if (type === undefined) throw unsupportedType(derived.type)
  const definition: LeafDefinition = {
    kind: 'leaf',
    name: path,
    type: type.name,
    parameters: new Map(),
    copyTo: [],
    multiFields: new Map(),
  }
  return { ...type.build({ ...scope, nestedPath: undefined, path, definition }).field, derived }
}

/** Reads a script as mappings have them. @throws {ServiceError} illegal_argument_exception, parse_exception */
function readScript(value: unknown): Json {
  if (typeof value === 'string') return { source: value, lang: 'painless' }
  if (!isObject(value)) throw illegalArgument('Script value should be a String or a Map')
  const { id, source, lang, params, options } = value as Json
  for (const [key, member] of Object.entries({ lang, source, id })) {
    if (member !== undefined && typeof member !== 'string' && !(key === 'source' && isObject(member)))
      throw new ServiceError('parse_exception', `Value must be of type String: [${key}]`)
  }
  if (params !== undefined && !isObject(params))
    throw new ServiceError('parse_exception', 'Value must be of type Map: [params]')
  if (source === undefined && id === undefined)
    throw new ServiceError('parse_exception', 'Expected one of [source] or [id] fields, but found none')
  const given = isObject(params) && Object.keys(params).length > 0 ? { params } : {}
  if (source === undefined) return { id, ...given }
  return { source, lang: lang ?? 'painless', ...(options === undefined ? {} : { options }), ...given }
}

function readProperties(value: unknown, name: string): Readonly<Record<string, string>> {
  if (!isObject(value))
    throw mapperParsing(
      `[properties] must be an object, got ${simpleClass(value)}[${javaText(value)}] for field [${name}]`,
    )
  for (const type of Object.values(value)) {
    if (typeof type !== 'string')
      throw mapperParsing(
        `[properties] values can only be strings, but got ${simpleClass(type)}[${javaText(type)}] for field [${name}]`,
      )
  }
  return value as Readonly<Record<string, string>>
}

const simpleClass = (value: unknown): string => javaClass(value).replace(/^.*\./, '')
