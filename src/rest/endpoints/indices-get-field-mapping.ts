import type { FieldMapping } from '../../engine/mapping/field-mapping.ts'
import { matchWildcard } from '../../engine/mapping/wildcard.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { STRICT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'
import { isObject } from '../rest-request.ts'
import { expandIndices } from './index-names.ts'
import { includeTypeName } from './mapping-body.ts'

type Definition = { readonly [name: string]: Json }

/** `GET [/<index>]/_mapping[/<type>]/field/<fields>`. */
export const indicesGetFieldMapping: EndpointHandler = (request, context) => {
  const types = request.path['type']?.split(',')
  const typed = includeTypeName(request)
  if (types !== undefined && !typed) {
    throw new ServiceError(
      'illegal_argument_exception',
      'Types cannot be specified unless include_type_name is set to true.',
    )
  }
  const patterns = (request.path['fields'] as string).split(',')
  const withDefaults = request.parameters.boolean('include_defaults', false)
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, '_mapping')
  checkTypes(types, indices)
  const json: Record<string, Json> = {}
  let found = false
  for (const index of indices) {
    const mapping = context.engine.mapping(index.name)
    const byType = Object.entries(index.mappings)
      .filter(([type]) => types === undefined || types.some((p) => p === '_all' || matchWildcard(p, type)))
      .map(([type, definition]) => {
        const fields = fieldsOf(definition as Definition)
        const shown = [...fields]
          .filter(([path]) => patterns.some((p) => matchWildcard(p, path)))
          .map(([path, own]) => {
            const name = path.split('.').pop() as string
            const body = withDefaults ? { ...defaultsOf(mapping.field(path)), ...own } : own
            return [path, { full_name: path, mapping: { [name]: body } }] as const
          })
        return [type, Object.fromEntries(shown)] as const
      })
      .filter(([, fields]) => Object.keys(fields).length > 0)
    if (byType.length > 0) found = true
    json[index.name] = { mappings: typed ? Object.fromEntries(byType) : (byType[0]?.[1] ?? {}) }
  }
  return { status: 200, json: found || (types === undefined && indices.length > 0) ? json : {} }
}

/** @throws {ServiceError} type_missing_exception when an index has a mapping, but of none of the types */
function checkTypes(types: readonly string[] | undefined, indices: readonly IndexMetadata[]): void {
  if (types === undefined) return
  for (const index of indices) {
    const own = Object.keys(index.mappings)
    if (own.length === 0 || own.some((type) => types.some((p) => p === '_all' || matchWildcard(p, type)))) continue
    throw new ServiceError('type_missing_exception', `type[[${types.join(', ')}]] missing`, {
      index: index.name,
      indexUuid: index.uuid,
    })
  }
}

/** Leaf fields of a type's definition by full path, in their order; multi-fields after their parent. */
function fieldsOf(definition: Definition, prefix = ''): Map<string, Definition> {
  const out = new Map<string, Definition>()
  const properties = definition['properties']
  if (!isObject(properties)) return out
  for (const [name, value] of Object.entries(properties as { readonly [name: string]: Definition })) {
    const path = `${prefix}${name}`
    if (value['properties'] !== undefined || value['type'] === 'object' || value['type'] === 'nested') {
      for (const [inner, leaf] of fieldsOf(value, `${path}.`)) out.set(inner, leaf)
      continue
    }
    out.set(path, value)
    const fields = value['fields']
    if (isObject(fields))
      for (const [sub, leaf] of Object.entries(fields as { readonly [name: string]: Definition }))
        out.set(`${path}.${sub}`, leaf)
  }
  return out
}

/** What a field's mapping is where it says nothing, as far as the field's kind has it. */
function defaultsOf(field: FieldMapping | undefined): Definition {
  if (field === undefined) return {}
  const common = {
    boost: new JavaDouble(field.boost),
    index: field.index,
    store: field.store,
    doc_values: field.docValues,
  }
  if (field.kind === 'text') {
    return {
      ...common,
      norms: field.norms,
      index_options: field.indexOptions,
      similarity: field.similarity,
      analyzer: field.analyzer.name === 'standard' ? 'default' : field.analyzer.name,
    }
  }
  if (field.kind === 'number')
    return { ...common, ignore_malformed: field.ignoreMalformed, coerce: field.coerce, null_value: null }
  return { ...common, null_value: (field.nullValue ?? null) as Json }
}
