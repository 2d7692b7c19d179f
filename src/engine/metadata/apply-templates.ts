import { matchWildcard } from '../../match-wildcard.ts'
import { DEFAULT_TYPE, mergeDefaults } from '../mapping/merge-defaults.ts'
import { aliasesOfTemplate } from './aliases-of-template.ts'
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
    aliases = { ...aliasesOfTemplate(template.aliases, index), ...aliases }
  }
  return { settings, mappings: withDefaultMapping(mappings), aliases }
}

/** Mappings completed by `_default_`'s, which is for types that are made with it or after it. */
function withDefaultMapping(mappings: IndexContents['mappings']): IndexContents['mappings'] {
  const defaults = mappings[DEFAULT_TYPE]
  if (defaults === undefined) return mappings
  return Object.fromEntries(
    Object.entries(mappings).map(([type, mapping]) => [
      type,
      type === DEFAULT_TYPE ? mapping : mergeDefaults(mapping, defaults),
    ]),
  )
}

/** The type a template's mapping is for: `_doc`, in a template or an index, is whatever the other one calls its only type. */
function meantType(named: string, { mappings }: Pick<AppliedTemplate, 'mappings'>, made: Record<string, Json>): string {
  const [first, ...others] = Object.keys(made)
  if (Object.hasOwn(made, named) || first === undefined) return named
  if (named === '_doc' && others.length === 0) return first
  return Object.keys(mappings).length === 1 && Object.hasOwn(made, '_doc') ? '_doc' : named
}
