import { writeBigJson } from '../../engine/big-json.ts'
import { GRID_PARAMETERS } from '../../engine/mapping/geo-shape/geo-shape-field-type.ts'
import { fieldType } from '../../engine/mapping/types/field-types.ts'
import { isForgotten } from '../../engine/mapping/types/forgotten-parameters.ts'
import type { MappingListener } from '../../engine/mapping/types/parameter.ts'
import { isObject } from '../../is-object.ts'
import { noteDateFormat } from './date-format-deprecations.ts'
import type { Warnings } from './warnings.ts'

/** Notes what is deprecated of a mapping while it is read: of one that is refused, up to its fault. */
export function notingMapping(warnings: Warnings): MappingListener {
  return {
    parameter: (field, type, parameter, value) => noteParameter(field, type, parameter, value, warnings),
    uselessTemplate: (name, template, reason) =>
      warnings.note('useless_template', name, writeBigJson(template), reason),
  }
}

type Json = { readonly [name: string]: unknown }

/** Notes what a mapping uses that is deprecated. */
export function noteMapping(mapping: Json, warnings: Warnings): void {
  for (const [parameter, value] of Object.entries(mapping)) noteRoot(parameter, value, warnings)
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
  if (fieldType(typeName) === undefined) return
  for (const [parameter, value] of Object.entries(field))
    if (parameter !== 'fields') noteParameter(name, typeName, parameter, value, warnings)
  // Any of them gives the field a strategy.
  if (typeName === 'geo_shape' && GRID_PARAMETERS.some((parameter) => Object.hasOwn(field, parameter)))
    warnings.note('grid_parameter', 'strategy')
  const { fields } = field
  if (!isObject(fields)) return
  for (const [key, value] of Object.entries(fields)) {
    if (!isObject(value)) continue
    if (value['fields'] !== undefined) noteParameter(key, typeName, 'fields', value['fields'], warnings)
    noteField(key, value, warnings)
  }
}

/** Notes what is deprecated of one parameter: as a {@link MappingListener} hears of it. */
function noteParameter(name: string, typeName: string, parameter: string, value: unknown, warnings: Warnings): void {
  if (typeName === '') {
    noteRoot(parameter, value, warnings)
    return
  }
  if (typeName === 'object') {
    warnings.note('include_in_all')
    return
  }
  if (parameter === 'fields') {
    warnings.note('chained_fields', name)
    return
  }
  const type = fieldType(typeName)
  if (type === undefined) return
  // Points are still read in the old way.
  const isPoint = typeName === 'geo_point'
  if (isPoint && parameter === 'similarity') warnings.note('point_similarity', name)
  else if (!isPoint && isForgotten(type, parameter)) warnings.note('no_effect', parameter, typeName)
  else if (parameter === 'boost') warnings.note('field_boost', name)
  if (typeName === 'geo_shape' && GRID_PARAMETERS.includes(parameter)) warnings.note('grid_parameter', parameter)
  const isTextual = typeName === 'text' || typeName === 'keyword'
  if (parameter === 'norms' && isTextual && isObject(value) && isNormsObject(value)) warnings.note('norms_object')
  if (parameter === 'omit_norms' && typeName === 'text' && isFlag(value)) warnings.note('omit_norms')
  if (parameter === 'similarity' && value === 'classic') warnings.note('classic_similarity')
  if (parameter === 'format') noteDateFormat(value, warnings)
}

/** Whether it is one that 6.x takes, which warns of it once it is read. */
const isNormsObject = ({ enabled = true, loading, ...others }: Json): boolean =>
  Object.keys(others).length === 0 && isFlag(enabled)

const isFlag = (value: unknown): boolean => /^(?:true|false)$/.test(String(value))

/** Notes what is deprecated of one parameter of a whole mapping. */
function noteRoot(parameter: string, value: unknown, warnings: Warnings): void {
  if (parameter === '_all' && isObject(value) && Object.keys(value).length > 0) warnings.note('all_field')
  if (parameter === '_field_names' && isObject(value) && value['enabled'] !== undefined)
    warnings.note('field_names_enabled')
  if (parameter === 'dynamic_date_formats' && Array.isArray(value))
    for (const format of value) noteDateFormat(format, warnings)
}
