import { matchWildcard } from '../mapping/wildcard.ts'
import type { AliasMetadata, FlatSettings } from './index-metadata.ts'

type Json = Readonly<Record<string, unknown>>

/** The part of an index template that new indices are made with. */
export interface AppliedTemplate {
  readonly name: string
  readonly order: number
  readonly indexPatterns: readonly string[]
  readonly settings: FlatSettings
  readonly mappings: Readonly<Record<string, Json>>
  readonly aliases: Readonly<Record<string, AliasMetadata>>
}

/** Settings, mappings and aliases of an index to be made. */
export interface IndexContents {
  readonly settings: FlatSettings
  readonly mappings: Readonly<Record<string, Json>>
  readonly aliases: Readonly<Record<string, AliasMetadata>>
}

/** Templates for a new index, highest order first. */
export function matchingTemplates<T extends AppliedTemplate>(index: string, templates: Iterable<T>): T[] {
  return [...templates]
    .filter(({ indexPatterns }) => indexPatterns.some((pattern) => matchWildcard(pattern, index)))
    .sort((left, right) => right.order - left.order)
}

/**
 * What an index is made with: the request over the templates that match, higher orders over lower ones. Mappings are
 * merged deeply, settings and aliases by name; `{index}` in an alias is the index's name.
 */
export function applyTemplates(
  index: string,
  request: IndexContents,
  templates: Iterable<AppliedTemplate>,
): IndexContents {
  let { settings, mappings, aliases } = request
  for (const template of matchingTemplates(index, templates)) {
    settings = { ...template.settings, ...settings }
    const merged: Record<string, Json> = { ...mappings }
    for (const [named, mapping] of Object.entries(template.mappings)) {
      const type = meantType(named, template, merged)
      const body = merged[type]
      merged[type] = body === undefined ? mapping : mergeDefaults(body, mapping)
    }
    mappings = merged
    const added = Object.entries(template.aliases).map(([alias, metadata]) => [
      alias.replaceAll('{index}', index),
      metadata,
    ])
    aliases = { ...Object.fromEntries(added), ...aliases }
  }
  return { settings, mappings, aliases }
}

/** The type a template's mapping is for: `_doc`, in a template or an index, is whatever the other one calls its only type. */
function meantType(named: string, { mappings }: Pick<AppliedTemplate, 'mappings'>, made: Record<string, Json>): string {
  const [first, ...others] = Object.keys(made)
  if (Object.hasOwn(made, named) || first === undefined) return named
  if (named === '_doc' && others.length === 0) return first
  return Object.keys(mappings).length === 1 && Object.hasOwn(made, '_doc') ? '_doc' : named
}

/** A mapping completed by a template's: what is there stays, objects are merged, lists joined. */
function mergeDefaults(content: Json, defaults: Json): Json {
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
    const known = new Set(defaults.map((element) => JSON.stringify(element)))
    return [...defaults, ...content.filter((element) => !known.has(JSON.stringify(element)))]
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

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
