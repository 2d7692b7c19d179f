import type { EngineVersion } from '../../engine/engine-version.ts'
import type { WriteResult } from '../../engine/index/document-operation.ts'
import { isObject } from '../../is-object.ts'
import type { Json } from '../json/json-writer.ts'
import { isOfNone } from './document-response.ts'
import { readSource, renderSource, type SourceFilter, WHOLE_SOURCE } from './source-filter.ts'

/** The `get` of an update's answer: the document as it was left, of which a deleted one has nothing to show. */
export function updatedDocument(
  result: Extract<WriteResult, { readonly ok: true }>,
  filter: SourceFilter | undefined,
  fields: readonly string[] | undefined,
  version: EngineVersion,
): { readonly get?: Json } {
  if (isOfNone(result)) return { get: { found: false } }
  const { source } = result
  const isDeleted = result.result === 'deleted'
  if ((!filter?.enabled && fields === undefined) || (source === undefined && !isDeleted)) return {}
  const shown = filter?.enabled ? filter : fields?.includes('_source') ? WHOLE_SOURCE : undefined
  const values = source === undefined || fields === undefined ? {} : fieldValues(source, fields)
  return {
    get: {
      _seq_no: result.seqNo,
      _primary_term: result.primaryTerm,
      found: true,
      ...(shown === undefined || source === undefined ? {} : { _source: renderSource(source, shown, version) }),
      ...(Object.keys(values).length === 0 ? {} : { fields: values }),
    },
  }
}

/** What stands in a source at paths: each a list of one value, as 6.x shows `fields`. */
function fieldValues(source: Buffer, paths: readonly string[]): { readonly [path: string]: Json } {
  const document = readSource(source.toString('utf8'))
  return Object.fromEntries(
    paths.flatMap((path) => {
      const value = valueAt(document, path.split('.'))
      return value === undefined ? [] : [[path, [value]]]
    }),
  )
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  if (path.length === 0) return value ?? undefined
  if (Array.isArray(value)) {
    const found = value.flatMap((one: Json) => valueAt(one, path) ?? [])
    return found.length === 0 ? undefined : found
  }
  if (!isObject(value)) return undefined
  for (let length = 1; length <= path.length; length++) {
    const member = (value as { readonly [name: string]: Json })[path.slice(0, length).join('.')]
    const found = member === undefined ? undefined : valueAt(member, path.slice(length))
    if (found !== undefined) return found
  }
  return undefined
}
