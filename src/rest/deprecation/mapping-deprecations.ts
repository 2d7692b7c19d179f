import { fieldType } from '../../engine/mapping/field-types.ts'
import { isForgotten } from '../../engine/mapping/forgotten-parameters.ts'
import { GRID_PARAMETERS } from '../../engine/mapping/geo-shape/geo-shape-field-type.ts'
import { isObject } from '../../is-object.ts'
import { noteDateFormat } from './date-format-deprecations.ts'
import type { Warnings } from './warnings.ts'

type Json = { readonly [name: string]: unknown }

/** Notes what a mapping uses that is deprecated. */
export function noteMapping(mapping: Json, warnings: Warnings): void {
  if (isObject(mapping['_all']) && Object.keys(mapping['_all']).length > 0) warnings.note('all_field')
  const names = mapping['_field_names']
  if (isObject(names) && names['enabled'] !== undefined) warnings.note('field_names_enabled')
  const formats = mapping['dynamic_date_formats']
  if (Array.isArray(formats)) for (const format of formats) noteDateFormat(format, warnings)
  noteObject(mapping, warnings)
}

function noteObject(object: Json, warnings: Warnings): void {
  if (object['include_in_all'] !== undefined) warnings.note('include_in_all')
  const { properties } = object
  if (!isObject(properties)) return
  for (const [name, field] of Object.entries(properties)) if (isObject(field)) noteField(name, field, warnings)
}

function noteField(name: string, field: Json, warnings: Warnings): void {
  const type = field['type'] === undefined ? 'object' : String(field['type'])
  if (type === 'object' || type === 'nested') noteObject(field, warnings)
  else noteLeaf(name.split('.').at(-1) as string, type, field, warnings)
}

function noteLeaf(name: string, typeName: string, field: Json, warnings: Warnings): void {
  const type = fieldType(typeName)
  if (type === undefined) return
  // Points are still read in the old way.
  const isPoint = typeName === 'geo_point'
  for (const parameter of Object.keys(field)) {
    if (isPoint && parameter === 'similarity') warnings.note('point_similarity', name)
    else if (!isPoint && isForgotten(type, parameter)) warnings.note('no_effect', parameter, typeName)
    else if (parameter === 'boost') warnings.note('field_boost', name)
  }
  const grid = typeName === 'geo_shape' ? GRID_PARAMETERS.filter((parameter) => Object.hasOwn(field, parameter)) : []
  // Any of them gives the field a strategy.
  if (grid.length > 0)
    for (const parameter of new Set([...grid, 'strategy'])) warnings.note('grid_parameter', parameter)
  if (isObject(field['norms'])) warnings.note('norms_object')
  if (field['similarity'] === 'classic') warnings.note('classic_similarity')
  noteDateFormat(field['format'], warnings)
  const { fields } = field
  if (!isObject(fields)) return
  for (const [key, value] of Object.entries(fields)) {
    if (!isObject(value)) continue
    if (value['fields'] !== undefined) warnings.note('chained_fields', key)
    noteField(key, value, warnings)
  }
}
