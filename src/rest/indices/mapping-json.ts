import { JavaDouble, JavaFloat, type Json } from '../json/json-writer.ts'

/** A mapping as it is shown: the parameters that Java holds as floating point numbers are written as such, `2.0` for 2. */
export function mappingJson(mapping: unknown): Json {
  if (typeof mapping !== 'object' || mapping === null) return mapping as Json
  if (mapping instanceof JavaFloat || mapping instanceof JavaDouble) return mapping
  if (Array.isArray(mapping)) return mapping.map(mappingJson)
  const { type } = mapping as { readonly type?: unknown }
  return Object.fromEntries(Object.entries(mapping).map(([name, value]) => [name, parameterJson(name, value, type)]))
}

/** Fields may have the same names, but their values are objects. */
function parameterJson(name: string, value: unknown, type: unknown): Json {
  // What fields are yet to be made of stands as it was given.
  if (name === 'dynamic_templates' && Array.isArray(value)) return value as Json
  const isOfDoubles =
    name === 'fielddata_frequency_filter' ||
    (name === 'null_value' && type === 'geo_point' && typeof value === 'object')
  if (isOfDoubles) return doublesJson(value)
  if (typeof value !== 'number') return mappingJson(value)
  switch (name) {
    case 'boost':
      return new JavaFloat(value)
    case 'scaling_factor':
      return new JavaDouble(value)
    case 'null_value':
      if (type === 'float' || type === 'half_float') return new JavaFloat(value)
      return type === 'double' || type === 'scaled_float' ? new JavaDouble(value) : value
    default:
      return value
  }
}

function doublesJson(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return mappingJson(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === 'number' && name !== 'min_segment_size' ? new JavaDouble(part) : mappingJson(part),
    ]),
  )
}
