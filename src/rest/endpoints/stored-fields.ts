import type { StoredDocument } from '../../engine/index/index-searcher.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { matchWildcard } from '../../engine/mapping/wildcard.ts'
import type { Json } from '../json/json-writer.ts'

/**
 * Values of fields mapped with `store: true`, taken from the source they were stored from; undefined when none has any.
 */
export function storedFields(
  document: StoredDocument,
  names: readonly string[],
  mapping: IndexMapping,
): { readonly [name: string]: Json } | undefined {
  if (document.source === undefined) return undefined
  const source = JSON.parse(document.source.toString('utf8')) as Json
  const out: Record<string, Json> = {}
  for (const name of names) {
    for (const path of name.includes('*') ? mapping.matchFields(name) : [name]) {
      const field = mapping.field(path)
      if (field === undefined || !field.store || !matchWildcard(name, path)) continue
      const values = valuesAt(source, path.split('.'))
      if (values.length > 0) out[path] = values
    }
  }
  return Object.keys(out).length > 0 ? out : undefined
}

/** Every value at a path, through arrays and dotted names alike. */
export function valuesAt(value: Json, path: readonly string[]): Json[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((v) => valuesAt(v, path))
  if (path.length === 0) return value === null || value === undefined ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  const members = value as Readonly<Record<string, Json>>
  const out: Json[] = []
  for (let length = 1; length <= path.length; length++) {
    const name = path.slice(0, length).join('.')
    if (Object.hasOwn(members, name)) out.push(...valuesAt(members[name], path.slice(length)))
  }
  return out
}
