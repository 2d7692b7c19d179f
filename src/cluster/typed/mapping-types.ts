import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { ROOT_MEMBERS } from '../../rest/dialects/mapping-root.ts'
import { TYPE_MEMBER } from '../cluster-state.ts'
import type { JsonObject } from '../json-members.ts'

/** 6.8's refusal of a second type in an index. */
export function secondType(index: string, types: readonly string[]): ServiceError {
  return new ServiceError(
    'illegal_argument_exception',
    `Rejecting mapping update to [${index}] as the final mapping would have more than 1 type: [${types.join(', ')}]`,
  )
}

/** Whether documents of this type cannot be in an index of these types: `_doc` stands for any type, as in 6.8. */
export function isOtherType(own: readonly string[], type: string): boolean {
  return type !== '_doc' && own.length > 0 && !own.includes(type)
}

/**
 * `mappings` of an index or template without its type level; the type is remembered in `_meta`.
 *
 * @param isTyped  `include_type_name`; undefined: by what the mapping looks like
 * @throws {ServiceError} for several types
 */
export function withoutTypeLevel(index: string, mappings: JsonObject, isTyped: boolean | undefined): JsonObject {
  const types = Object.keys(mappings)
  const [only] = types
  if (
    isTyped === false &&
    types.length === 1 &&
    only !== undefined &&
    !ROOT_MEMBERS.has(only) &&
    isObject(mappings[only])
  ) {
    throw new ServiceError(
      'illegal_argument_exception',
      `The mapping definition cannot be nested under a type [${only}] unless include_type_name is set to true.`,
    )
  }
  if (
    types.length === 0 ||
    isTyped === false ||
    (isTyped === undefined && types.some((name) => ROOT_MEMBERS.has(name)))
  ) {
    return withoutAll(mappings)
  }
  if (types.length > 1) throw secondType(index, types)
  const type = only ?? '_doc'
  checkType(type)
  const mapping = mappings[type] ?? {}
  if (!isObject(mapping)) {
    throw new ServiceError('mapper_parsing_exception', `Failed to parse mapping [${type}]: expected an object`)
  }
  return withType(withoutOwnName(mapping, type), type, {})
}

/** A put mapping's body without its type level, should it have one: `{"book": {"properties": …}}`. */
export function withoutOwnName(mapping: JsonObject, type: string): JsonObject {
  const inner = Object.keys(mapping).length === 1 ? mapping[type] : undefined
  return withoutAll(isObject(inner) && !ROOT_MEMBERS.has(type) ? inner : mapping)
}

/** A mapping that remembers a type. @param meta  what `_meta` holds already */
export function withType(mapping: JsonObject, type: string, meta: JsonObject): JsonObject {
  const own = isObject(mapping['_meta']) ? mapping['_meta'] : meta
  return { ...mapping, _meta: { ...own, [TYPE_MEMBER]: type } }
}

/** A mapping below its type, as 6.8 shows it; `_doc` where none is remembered. */
export function withTypeLevel(mapping: JsonObject): JsonObject {
  const { remembered, plain } = withoutMemory(mapping)
  return Object.keys(plain).length === 0 && remembered === undefined ? {} : { [remembered ?? '_doc']: plain }
}

/** A mapping as its owner wrote it, and the type it remembers. */
export function withoutMemory(mapping: JsonObject): {
  readonly plain: JsonObject
  readonly remembered: string | undefined
} {
  const { _meta: meta, ...rest } = mapping
  if (!isObject(meta) || typeof meta[TYPE_MEMBER] !== 'string') return { plain: mapping, remembered: undefined }
  const { [TYPE_MEMBER]: remembered, ...own } = meta
  return { plain: Object.keys(own).length === 0 ? rest : { _meta: own, ...rest }, remembered: remembered as string }
}

/** @throws {ServiceError} for a name that no type may have */
export function checkType(type: string): void {
  if (type === '') throw new ServiceError('illegal_argument_exception', 'name cannot be empty string')
  if (type !== '_doc' && type.startsWith('_')) {
    throw new ServiceError(
      'invalid_type_name_exception',
      `Document mapping type name can't start with '_', found: [${type}]`,
    )
  }
}

/** `_all` is gone in later versions; switched off, which it must be in 6.x, its absence changes nothing. */
function withoutAll(mapping: JsonObject): JsonObject {
  const all = mapping['_all']
  if (!isObject(all) || all['enabled'] !== false) return mapping
  const { _all: _, ...rest } = mapping
  return rest
}
