import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { notAMap } from '../body/not-a-map.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { ROOT_MEMBERS } from '../dialects/mapping-root.ts'
import type { EndpointRequest } from '../rest-request.ts'

type Mapping = Readonly<Record<string, unknown>>

/** Whether types of a path are all there are, which is as good as none. */
export const isEveryType = (types: string): boolean => types === '*' || types === '_all'

/** Whether answers and bodies name types: `include_type_name`, or the dialect's default. */
export function includeTypeName(request: EndpointRequest): boolean {
  return request.parameters.boolean('include_type_name', request.dialect.includeTypeName)
}

/** True when `include_type_name` was given and not left to the dialect. */
function isTypingExplicit(request: EndpointRequest): boolean {
  return request.parameters.has('include_type_name')
}

/**
 * `mappings` of a create index or template body, by type; a mapping without types is `_doc`'s.
 *
 * @throws {ServiceError} mapper_parsing_exception, illegal_argument_exception
 */
export function readMappings(request: EndpointRequest, mappings: JsonValue | undefined): Record<string, Mapping> {
  if (mappings === undefined || mappings === null) return {}
  if (!isObject(mappings)) throw notAMap(mappings)
  const typed = includeTypeName(request)
  const names = Object.keys(mappings)
  if (!typed) {
    const [only] = names
    if (names.length === 1 && only === '_doc') {
      const unless = request.dialect.takesTypedPaths ? ` [${only}] unless include_type_name is set to true.` : ''
      throw illegalArgument(`The mapping definition cannot be nested under a type${unless}`)
    }
    return { [request.dialect.defaultType]: mappings }
  }
  if (
    !isTypingExplicit(request) &&
    request.dialect.takesTypelessPaths &&
    names.some((name) => ROOT_MEMBERS.has(name))
  ) {
    return { [request.dialect.defaultType]: mappings }
  }
  const byType: Record<string, Mapping> = {}
  for (const [type, mapping] of Object.entries(mappings)) {
    if (type === '') throw illegalArgument('name cannot be empty string')
    if (!isObject(mapping)) throw notAMap(mapping)
    // A mapping may repeat its type: {"book": {"book": {…}}}.
    const inner = Object.keys(mapping)
    const nested = inner.length === 1 && inner[0] === type ? mapping[type] : undefined
    byType[type] = isObject(nested) ? nested : mapping
  }
  return byType
}

/** A put mapping's body without its type level, should it have one. */
export function unwrapMapping(body: { readonly [name: string]: JsonValue }, type: string): Mapping {
  const names = Object.keys(body)
  const inner = names.length === 1 && names[0] === type ? body[type] : undefined
  return isObject(inner) ? inner : body
}

/** True for a body that is a mapping's root and not `{type: mapping}`. */
export function isMappingRoot(body: { readonly [name: string]: JsonValue }): boolean {
  const names = Object.keys(body)
  return names.length === 0 || names.some((name) => ROOT_MEMBERS.has(name))
}
