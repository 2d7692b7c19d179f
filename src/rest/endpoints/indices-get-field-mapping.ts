import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { DEFAULT_TYPE } from '../../engine/mapping/merge-defaults.ts'
import { STRICT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { fieldDefaults } from '../indices/field-defaults.ts'
import { hasBlock } from '../indices/index-blocks.ts'
import { expandIndices } from '../indices/index-names.ts'
import { includeTypeName, isEveryType } from '../indices/mapping-body.ts'
import { mappingJson } from '../indices/mapping-json.ts'
import { PERCOLATOR_PARTS } from '../indices/percolator-parts.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'

/** A field's or a type's mapping, as it is shown. */
export type FieldDefinition = { readonly [name: string]: Json }
type Definition = FieldDefinition

/** `GET [/<index>]/_mapping[/<type>]/field/<fields>`. */
export const indicesGetFieldMapping: EndpointHandler = (request, context) => {
  const isTypeNamed = !isEveryType(request.path['type'] ?? '*')
  const types = isTypeNamed ? request.path['type']?.split(',') : undefined
  const typed = includeTypeName(request)
  if (isTypeNamed && !typed) {
    throw illegalArgument(
      request.dialect.typed
        ? 'Cannot set include_type_name=false and specify types at the same time.'
        : 'Types cannot be specified unless include_type_name is set to true.',
    )
  }
  const patterns = (request.path['fields'] as string).split(',')
  const { engineVersion } = request.dialect
  const withDefaults = request.parameters.boolean('include_defaults', false)
  // A closed one has no shard that could tell of them, one that is blocked does not.
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, '_mapping').filter(
    (index) => index.state === 'open' && !hasBlock(index, 'metadata_read'),
  )
  const json: Record<string, Json> = {}
  let found = false
  for (const index of indices) {
    const mapping = context.engine.mapping(index.name)
    // What types are made by is none itself here.
    const ofTypes = Object.entries(index.mappings).filter(
      ([type]) =>
        type !== DEFAULT_TYPE && (types === undefined || types.some((p) => p === '_all' || matchWildcard(p, type))),
    )
    if (types !== undefined && ofTypes.length === 0) continue
    const byType = ofTypes
      .map(([type, definition]) => {
        const shown = [...fieldsOf(definition as Definition), ...subFieldsOf(mapping, engineVersion)]
          .filter(([path]) => patterns.some((p) => matchWildcard(p, path)))
          .map(([path, own]) => {
            // Fields that a text makes for itself go by their whole path.
            const name = isSubField(mapping, path) ? path : (path.split('.').pop() as string)
            const body = withDefaults ? withFieldDefaults(own, path, mapping, engineVersion) : own
            return [path, { full_name: path, mapping: { [name]: mappingJson(body) } }] as const
          })
        const joined = mapping.join === undefined ? {} : withDefaults ? PARENT_JOIN_DEFAULTS : PARENT_JOIN
        const metadata = Object.entries(metadataFields(engineVersion, definition as Definition, joined))
          .filter(([path]) => patterns.some((p) => matchWildcard(p, path)))
          .map(([path, own]) => {
            const isShown = withDefaults || path === '_data_stream_timestamp' || path === '_parent_join'
            const body = isShown && Object.keys(own).length > 0 ? { [path]: own } : {}
            return [path, { full_name: path, mapping: body }] as const
          })
        return [type, Object.fromEntries([...shown, ...metadata])] as const
      })
      .filter(([, fields]) => Object.keys(fields).length > 0)
    if (byType.length > 0) found = true
    json[index.name] = { mappings: typed ? Object.fromEntries(byType) : (byType[0]?.[1] ?? {}) }
  }
  // One field that one type of one index does not have is no fault.
  const isOne = types?.length === 1 && indices.length === 1 && patterns.length === 1 && !patterns[0]?.includes('*')
  if (isOne && !found && Object.keys(json).length === 1) return { status: 200, json: {} }
  return { status: Object.keys(json).length === 0 ? 404 : 200, json }
}

/** A field's mapping, and those of its multi-fields, with what they leave out. */
function withFieldDefaults(own: Definition, path: string, mapping: IndexMapping, version: EngineVersion): Definition {
  const fields = own['fields']
  const inner = isObject(fields)
    ? Object.entries(fields as { readonly [name: string]: Definition }).map(
        ([name, field]) => [name, withFieldDefaults(field, `${path}.${name}`, mapping, version)] as const,
      )
    : []
  // An analyzer searches, too, where no other is named; what counts words searches nothing since 7.x.
  const isSearched = own['analyzer'] !== undefined && (own['type'] !== 'token_count' || version === 'Elasticsearch_6.8')
  return {
    ...fieldDefaults(String(own['type']), mapping.field(path), version),
    ...(isSearched ? { search_analyzer: own['analyzer'] } : {}),
    ...(isSearched && own['type'] !== 'completion'
      ? { search_quote_analyzer: own['search_analyzer'] ?? own['analyzer'] }
      : {}),
    ...own,
    ...(inner.length === 0 ? {} : { fields: Object.fromEntries(inner) }),
  }
}

function isSubField(mapping: IndexMapping, path: string): boolean {
  const field = mapping.field(path)
  if (field?.kind === 'keyword') return field.typeName === 'parent'
  return field?.kind === 'text' && field.subField !== undefined
}

/** Fields that texts, percolators and joins make for themselves, by path. */
function subFieldsOf(mapping: IndexMapping, version: EngineVersion): (readonly [path: string, own: Definition])[] {
  return mapping.matchFields('*').flatMap((path): (readonly [path: string, own: Definition])[] => {
    const field = mapping.field(path)
    if (field?.kind === 'opaque' && field.type === 'percolator')
      return PERCOLATOR_PARTS.map(({ name, mapping: own }) => [`${path}.${name}`, own])
    if (field?.kind === 'keyword' && field.typeName === 'join') {
      const own = version === 'Elasticsearch_6.8' ? { type: 'parent', eager_global_ordinals: true } : { type: 'parent' }
      return [...(mapping.join?.parents.values() ?? [])].map(({ idField }) => [idField.path, own])
    }
    if (field?.kind !== 'text' || field.subField === undefined) return []
    const { kind } = field.subField
    return [[path, version === 'Elasticsearch_6.8' ? { type: kind } : { type: kind, doc_values: false }] as const]
  })
}

/** What every index with a join has since 7.x. */
const PARENT_JOIN = { _parent_join: { type: 'parent_join', index: false, doc_values: false } }
const PARENT_JOIN_DEFAULTS = {
  _parent_join: { ...PARENT_JOIN._parent_join, boost: new JavaDouble(1), store: false, meta: {} },
}

/** Fields that every index has, with what 6.x says of some of them. @param joined  what one with a join has besides */
function metadataFields(
  version: EngineVersion,
  { _source, _routing, _data_stream_timestamp: timestamp }: Definition,
  joined: { readonly _parent_join?: Definition },
): Readonly<Record<string, Definition>> {
  const common = {
    _field_names: {},
    _id: {},
    _ignored: {},
    _index: {},
    _routing: {},
    _seq_no: {},
    _source: {},
    _version: {},
  }
  if (version === 'OpenSearch_2.19')
    return {
      ...common,
      ...joined,
      _data_stream_timestamp: (timestamp ?? {}) as Definition,
      _doc_count: {},
      _feature: {},
      _nested_path: {},
    }
  if (version === 'Elasticsearch_7.10') return { ...common, ...joined, _feature: {}, _type: {} }
  return {
    ...common,
    _all: { enabled: false },
    _field_names: { enabled: true },
    _parent: {},
    _routing: { required: false, ...(_routing as Definition | undefined) },
    _source: { enabled: true, includes: [], excludes: [], ...(_source as Definition | undefined) },
    _type: {},
    _uid: {},
  }
}

/** Leaf fields of a type's definition by full path, in their order; multi-fields after their parent. */
export function fieldsOf(definition: Definition, prefix = ''): Map<string, Definition> {
  const out = new Map<string, Definition>()
  const derived = definition['derived']
  if (isObject(derived))
    for (const [name, value] of Object.entries(derived as { readonly [name: string]: Definition })) out.set(name, value)
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
