import { isObject } from '../../is-object.ts'
import { writeBigJson } from '../big-json.ts'

type Json = Readonly<Record<string, unknown>>

/** The name whose mapping is none of its own, but what other types begin with (6.x). */
export const DEFAULT_TYPE = '_default_'

/** A mapping completed by a template's or by `_default_`'s: what is there stays, objects are merged, lists joined. */
export function mergeDefaults(content: Json, defaults: Json): Json {
  const merged: Record<string, unknown> = { ...content }
  for (const [key, fallback] of Object.entries(defaults)) {
    const own = Object.hasOwn(merged, key) ? merged[key] : undefined
    if (own === undefined) merged[key] = fallback
    else if (isObject(own) && isObject(fallback)) merged[key] = mergeDefaults(own, fallback)
    else if (Array.isArray(own) && Array.isArray(fallback)) merged[key] = mergeLists(own, fallback)
  }
  return merged
}

function mergeLists(content: readonly unknown[], defaults: readonly unknown[]): unknown[] {
  const isNamed = (list: readonly unknown[]): list is Json[] =>
    list.every((element) => isObject(element) && Object.keys(element).length === 1)
  if (!isNamed(content) || !isNamed(defaults)) {
    const known = new Set(defaults.map((element) => writeBigJson(element)))
    return [...defaults, ...content.filter((element) => !known.has(writeBigJson(element)))]
  }
  // Lists of named objects, such as dynamic templates, are merged by name.
  const byName = new Map<string, Json>()
  for (const element of content) byName.set(Object.keys(element)[0] as string, element)
  for (const element of defaults) {
    const name = Object.keys(element)[0] as string
    const own = byName.get(name)
    byName.set(name, own === undefined ? element : mergeDefaults(own, element))
  }
  return [...byName.values()]
}
