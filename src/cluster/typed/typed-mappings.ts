import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { type JsonValue, parseJson } from '../../rest/body/parse-json.ts'
import { type Json, writeJson } from '../../rest/json/json-writer.ts'
import type { JsonObject } from '../json-members.ts'
import {
  checkType,
  secondType,
  withoutMemory,
  withoutOwnName,
  withoutTypeLevel,
  withType,
  withTypeLevel,
} from './mapping-types.ts'
import {
  type JsonAnswer,
  pathIndices,
  pathTypes,
  segments,
  type TypedRequest,
  type TypedTranslation,
} from './typed-call.ts'

/** Making an index, a template, or the next index of an alias: mappings lose their type level. */
export const typedCreation: TypedTranslation = ({ call, route }) => {
  const { index, name, alias = '' } = route.parameters
  const isTemplate = name !== undefined
  const body = call.body.length === 0 ? undefined : parseJson(call.body)
  if (!isObject(body) || !isObject(body['mappings'])) return { call, changesIndices: true }
  const mappings = withoutTypeLevel(
    index ?? name ?? alias,
    body['mappings'],
    includesTypeName(call.query.get('include_type_name')),
  )
  const json = { ...body, mappings }
  return { call: { ...call, body: Buffer.from(writeJson(json)) }, changesIndices: !isTemplate }
}

/** Adding to a mapping. */
export const typedPutMapping: TypedTranslation = async (request) => {
  const { call, route, types } = request
  const { index = '_all', type } = route.parameters
  const indices = pathIndices(request)
  await types.prepare(indices)
  if (type !== undefined) {
    checkType(type)
    const own = types.typesOf(indices)
    // Here `_doc` is a type like any other.
    if (own.some((one) => one !== type)) throw secondType(index, [...new Set([...own, type])])
  }
  const body = call.body.length === 0 ? undefined : parseJson(call.body)
  const mapping = isObject(body) ? withoutOwnName(body, type ?? '_doc') : undefined
  const [remembered] = types.typesOf(indices)
  const known = remembered ?? type
  const isMemoryLost = mapping?.['_meta'] !== undefined && known !== undefined
  return {
    call: {
      ...call,
      method: 'PUT',
      segments: segments(index, '_mapping'),
      ...(mapping === undefined
        ? {}
        : { body: Buffer.from(writeJson(isMemoryLost ? withType(mapping, known, {}) : mapping)) }),
    },
    ...(type !== undefined && types.hasUntyped(indices) ? { remembered: [{ index, type }] } : {}),
  }
}

/** Mappings as they are. */
export const typedGetMapping: TypedTranslation = (request) => {
  const { call, route } = request
  const wanted = pathTypes(request)
  if (wanted !== undefined && includesTypeName(call.query.get('include_type_name')) === false) {
    throw new ServiceError(
      'illegal_argument_exception',
      'Types cannot be provided in get mapping requests, unless include_type_name is set to true.',
    )
  }
  return {
    call: { ...call, method: 'GET', segments: segments(route.parameters['index'], '_mapping') },
    rewrite: onSuccess((json) => {
      const shown: Record<string, Json> = {}
      const found = new Set<string>()
      for (const [index, value] of Object.entries(json)) {
        const mapping = showMapping(request, isObject(value) ? value['mappings'] : undefined)
        const [type] = Object.keys(mapping)
        const matching = wanted?.filter((pattern) => type !== undefined && matchWildcard(pattern, type))
        for (const pattern of matching ?? []) found.add(pattern)
        if (matching === undefined || matching.length > 0) shown[index] = { mappings: mapping }
      }
      const missing = (wanted ?? []).filter((pattern) => !found.has(pattern)).sort()
      if (wanted === undefined || missing.length === 0) return { status: 200, json: shown }
      if (found.size === 0) throw typeMissing(wanted)
      const error = `${missing.length === 1 ? 'type' : 'types'} [${missing.join(',')}] missing`
      return { status: 404, json: { error, status: 404, ...shown } }
    }),
  }
}

/** Whether an index has a type. */
export const typedExistsType: TypedTranslation = async (request) => {
  const translated = await typedGetMapping(request)
  return {
    ...translated,
    rewrite: (status, json) => {
      try {
        return translated.rewrite?.(status, json) ?? { status, json: null }
      } catch (error) {
        if (error instanceof ServiceError) return { status: 404, json: null }
        throw error
      }
    },
  }
}

/** Mappings of single fields. */
export const typedGetFieldMapping: TypedTranslation = async (request) => {
  const { call, route, types } = request
  const { index, fields } = route.parameters
  await types.prepare(pathIndices(request))
  const wanted = pathTypes(request)
  const isTyped = includesTypeName(call.query.get('include_type_name')) ?? true
  return {
    call: { ...call, segments: segments(index, '_mapping', 'field', fields) },
    rewrite: onSuccess((json) => {
      const shown: Record<string, Json> = {}
      let isFound = wanted === undefined
      for (const [name, value] of Object.entries(json)) {
        const type = types.typeOf(name) ?? '_doc'
        if (wanted?.some((pattern) => matchWildcard(pattern, type)) === false) throw typeMissing(wanted)
        const mappings = isObject(value) ? (value['mappings'] ?? {}) : {}
        const isEmpty = isObject(mappings) && Object.keys(mappings).length === 0
        if (!isEmpty) isFound = true
        shown[name] = { mappings: !isTyped || isEmpty ? mappings : { [type]: mappings } }
      }
      return { status: 200, json: isFound ? shown : {} }
    }),
  }
}

/** Indices and templates, which show their mappings among others. */
export const typedGetIndex: TypedTranslation = (request) => ({
  call: request.call,
  rewrite: onSuccess((json) => {
    const shown: Record<string, Json> = {}
    for (const [name, value] of Object.entries(json)) {
      const hasMappings = isObject(value) && value['mappings'] !== undefined
      shown[name] = hasMappings ? { ...value, mappings: showMapping(request, value['mappings']) } : value
    }
    return { status: 200, json: shown }
  }),
})

/** A mapping in the form asked for. */
function showMapping({ call }: TypedRequest, mapping: JsonValue | undefined): JsonObject {
  if (!isObject(mapping)) return {}
  const isTyped = includesTypeName(call.query.get('include_type_name')) ?? true
  return isTyped ? withTypeLevel(mapping) : withoutMemory(mapping).plain
}

function includesTypeName(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text !== 'false'
}

function typeMissing(types: readonly string[]): ServiceError {
  return new ServiceError('type_missing_exception', `type[[${types.join(', ')}]] missing`, {
    index: '_all',
    indexUuid: '_na_',
  })
}

/** Errors pass as they came. */
function onSuccess(rewrite: (json: JsonObject) => JsonAnswer): (status: number, json: JsonValue) => JsonAnswer {
  return (status, json) => (status === 200 && isObject(json) ? rewrite(json) : { status, json: json as Json })
}
