import type { EngineVersion } from '../engine-version.ts'
import { renderTimestamp } from './data-stream-timestamp.ts'
import { renderDynamicTemplate } from './dynamic-template.ts'
import type { Definition, LeafDefinition, ObjectDefinition, RootDefinition } from './mapping-definition.ts'
import { DERIVED_TYPE } from './types/derived-field-type.ts'
import { type FieldType, MULTI_FIELDS } from './types/field-type.ts'
import { fieldType } from './types/field-types.ts'

type Json = Record<string, unknown>

/** A type's mapping as `GET _mapping` shows it: defaults left out, names sorted, keys in the real server's order. */
export function renderMapping(definition: RootDefinition, engineVersion: EngineVersion): Json {
  const { root, source, meta, timestamp, routingRequired, fieldNamesEnabled } = definition
  const json: Json = {}
  if (root.dynamic !== undefined) json['dynamic'] = root.dynamic
  if (!root.enabled) json['enabled'] = false
  if (root.includeInAll !== undefined) json['include_in_all'] = root.includeInAll
  if (meta !== undefined) json['_meta'] = meta
  if (timestamp?.enabled) json['_data_stream_timestamp'] = renderTimestamp(timestamp)
  if (definition.allDisabled) json['_all'] = { enabled: false }
  // 6.x leaves out what is so anyway.
  if (fieldNamesEnabled === false || (fieldNamesEnabled === true && engineVersion !== 'Elasticsearch_6.8')) {
    json['_field_names'] = { enabled: fieldNamesEnabled }
  }
  if (routingRequired === true) json['_routing'] = { required: true }
  if (source !== undefined && (!source.enabled || source.includes.length > 0 || source.excludes.length > 0)) {
    json['_source'] = {
      ...(source.enabled ? {} : { enabled: false }),
      ...(source.includes.length > 0 ? { includes: source.includes } : {}),
      ...(source.excludes.length > 0 ? { excludes: source.excludes } : {}),
    }
  }
  if (definition.dynamicDateFormats !== undefined) json['dynamic_date_formats'] = definition.dynamicDateFormats
  if (definition.dynamicTemplates !== undefined) {
    json['dynamic_templates'] = definition.dynamicTemplates.map(renderDynamicTemplate)
  }
  if (definition.dateDetection !== undefined) json['date_detection'] = definition.dateDetection
  if (definition.numericDetection !== undefined) json['numeric_detection'] = definition.numericDetection
  const derived = childrenOf(root, true)
  if (derived.size > 0) json['derived'] = renderChildren(derived)
  const children = childrenOf(root, false)
  if (children.size > 0) json['properties'] = renderChildren(children)
  return json
}

/** An object's derived fields, or all that is no such. */
function childrenOf({ children }: ObjectDefinition, isDerived: boolean): ReadonlyMap<string, Definition> {
  const wanted = [...children].filter(
    ([, child]) => (child.kind === 'leaf' && child.type === DERIVED_TYPE) === isDerived,
  )
  return wanted.length === children.size ? children : new Map(wanted)
}

/** What stands under a name in `properties`. */
function renderDefinition(definition: Definition): Json {
  switch (definition.kind) {
    case 'leaf':
      return renderLeaf(definition)
    case 'alias':
      return { type: 'alias', path: definition.path }
    case 'object':
      return renderObject(definition)
  }
}

function renderChildren(children: ReadonlyMap<string, Definition>): Json {
  const names = [...children.keys()].sort(byCodeUnits)
  return jsonObject(names.map((name) => [name, renderDefinition(children.get(name) as Definition)]))
}

/** Java's String.compareTo. */
function byCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** An object of entries, `__proto__` being a name like any other. */
function jsonObject(entries: readonly (readonly [string, unknown])[]): Json {
  return Object.fromEntries(entries)
}

function renderObject(object: ObjectDefinition): Json {
  const json: Json = {}
  if (object.nested) {
    json['type'] = 'nested'
    if (object.includeInParent) json['include_in_parent'] = true
    if (object.includeInRoot) json['include_in_root'] = true
  } else if (object.children.size === 0) json['type'] = 'object'
  if (object.dynamic !== undefined) json['dynamic'] = object.dynamic
  if (!object.enabled) json['enabled'] = false
  if (object.includeInAll !== undefined) json['include_in_all'] = object.includeInAll
  if (object.children.size > 0) json['properties'] = renderChildren(object.children)
  return json
}

function renderLeaf(leaf: LeafDefinition): Json {
  const type = fieldType(leaf.type) as FieldType
  const json: Json = { type: leaf.type }
  for (const parameter of type.parameters) {
    if (parameter === MULTI_FIELDS) {
      if (leaf.multiFields.size > 0) json['fields'] = renderChildren(leaf.multiFields)
      if (leaf.copyTo.length > 0) json['copy_to'] = leaf.copyTo
      continue
    }
    const shown = type.shownDefaults?.[parameter.name]
    const value = leaf.parameters.get(parameter.name) ?? shown
    if (value === undefined) continue
    if (parameter.explicit === undefined && shown === undefined && value === parameter.fallback) continue
    json[parameter.name] = typeof value === 'bigint' ? String(value) : value
  }
  if (leaf.meta !== undefined) json['meta'] = leaf.meta
  return json
}
