import type { SortKey } from '../../engine/search/search-request.ts'
import { ServiceError } from '../../errors.ts'
import type { JsonValue } from '../parse-json.ts'
import { isObject } from '../rest-request.ts'

/** `sort` of a body or (`field:desc,…`) of the parameters. @throws {ServiceError} */
export function parseSort(value: JsonValue | undefined): readonly SortKey[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return value.split(',').map((part) => named(part))
  const keys = (Array.isArray(value) ? value : [value]).flatMap((part) =>
    isObject(part) ? Object.entries(part).map(([f, o]) => withOptions(f, o)) : [named(String(part))],
  )
  return keys
}

function named(text: string): SortKey {
  const at = text.lastIndexOf(':')
  if (at > 0 && /^(asc|desc)$/.test(text.slice(at + 1))) return key(text.slice(0, at), text.slice(at + 1))
  return key(text, undefined)
}

function withOptions(field: string, options: JsonValue): SortKey {
  if (field === '_geo_distance')
    throw new ServiceError('illegal_argument_exception', 'sorting by [_geo_distance] is not supported by this domain')
  if (field === '_script')
    throw new ServiceError('illegal_argument_exception', 'sorting by [_script] is not supported by this domain')
  if (!isObject(options)) return key(field, String(options))
  const base = key(field, options['order'] === undefined ? undefined : String(options['order']))
  if (base.kind !== 'field') return base
  for (const name of Object.keys(options)) {
    if (!['order', 'missing', 'mode', 'unmapped_type', 'numeric_type', 'format'].includes(name)) {
      throw new ServiceError(
        'illegal_argument_exception',
        ['nested', 'nested_path', 'nested_filter'].includes(name)
          ? `sort option [${name}] is not supported by this domain`
          : `[field_sort] unknown field [${name}], parser not found`,
      )
    }
  }
  const { missing, mode, unmapped_type: unmapped } = options
  if (mode !== undefined && !['min', 'max', 'sum', 'avg', 'median'].includes(String(mode)))
    throw new ServiceError('illegal_argument_exception', `Unknown SortMode [${String(mode)}]`)
  return {
    ...base,
    ...(missing === undefined ? {} : { missing: missing as string | number }),
    ...(mode === undefined ? {} : { mode: String(mode) as 'min' }),
    ...(unmapped === undefined ? {} : { unmappedType: String(unmapped) }),
  }
}

function key(field: string, order: string | undefined): SortKey {
  const direction = order?.toLowerCase()
  if (direction !== undefined && direction !== 'asc' && direction !== 'desc')
    throw new ServiceError('illegal_argument_exception', `Unknown SortOrder [${order}]`)
  if (field === '_score') return { kind: 'score', order: direction ?? 'desc' }
  if (field === '_doc') return { kind: 'doc', order: direction ?? 'asc' }
  return { kind: 'field', field, order: direction ?? 'asc', missing: '_last' }
}
