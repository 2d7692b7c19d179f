import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { AliasMetadata, FlatSettings } from './index-metadata.ts'

type Json = Readonly<Record<string, unknown>>

/** What a template gives a new index. */
export interface TemplateContents {
  readonly settings: FlatSettings
  /** Of the one type an index has, without its name. */
  readonly mapping: Json
  readonly aliases: Readonly<Record<string, AliasMetadata>>
}

/** A part that index templates are made of (`_component_template`). */
export interface ComponentTemplate {
  readonly name: string
  readonly contents: Partial<TemplateContents>
  readonly version: number | undefined
  readonly meta: unknown
}

/** A template of which the one with the highest priority makes an index (`_index_template`). */
export interface ComposableTemplate {
  readonly name: string
  readonly indexPatterns: readonly string[]
  /** Undefined: it is made of its components alone. */
  readonly contents: Partial<TemplateContents> | undefined
  /** Undefined where it was not said. */
  readonly composedOf: readonly string[] | undefined
  readonly priority: number | undefined
  readonly version: number | undefined
  readonly meta: unknown
  /** Set: what it fits is a data stream, with each document's time in this field. */
  readonly dataStream?: { readonly timestampField: string } | undefined
}

/** The namespaces both kinds are kept in. */
export const COMPONENT_TEMPLATES = 'component_template'
export const COMPOSABLE_TEMPLATES = 'index_template'

/** The template that makes an index of a name; undefined: there is none. */
export function winningTemplate(
  index: string,
  templates: Iterable<ComposableTemplate>,
): ComposableTemplate | undefined {
  let winner: ComposableTemplate | undefined
  for (const template of templates) {
    if (!template.indexPatterns.some((pattern) => matchWildcard(pattern, index))) continue
    if (winner === undefined || (template.priority ?? 0) > (winner.priority ?? 0)) winner = template
  }
  return winner
}

/** What a template comes to: its components one over the other, its own contents on top. */
export function composedContents(
  template: ComposableTemplate,
  component: (name: string) => ComponentTemplate | undefined,
): TemplateContents {
  return partsOf(template, component).reduce<TemplateContents>(laidOver, { settings: {}, mapping: {}, aliases: {} })
}

/** The settings of what a template comes to. */
export function composedSettings(
  template: ComposableTemplate,
  component: (name: string) => ComponentTemplate | undefined,
): FlatSettings {
  return Object.assign({}, ...partsOf(template, component).map(({ settings }) => settings))
}

/** The names of the aliases of what a template comes to. */
export function composedAliases(
  template: ComposableTemplate,
  component: (name: string) => ComponentTemplate | undefined,
): readonly string[] {
  return [...new Set(partsOf(template, component).flatMap(({ aliases = {} }) => Object.keys(aliases)))]
}

/** What a template is made of, its own contents last. */
function partsOf(
  { composedOf = [], contents }: ComposableTemplate,
  component: (name: string) => ComponentTemplate | undefined,
): Partial<TemplateContents>[] {
  return [...composedOf.map((name) => component(name)?.contents), contents].filter((part) => part !== undefined)
}

/**
 * Contents under others: settings, fields and aliases of the same name are replaced.
 *
 * @throws {ServiceError} illegal_argument_exception where one has an object and the other a field that is none
 */
export function laidOver(under: TemplateContents, over: Partial<TemplateContents>): TemplateContents {
  return {
    settings: { ...under.settings, ...over.settings },
    mapping: mergeMappings(under.mapping, over.mapping ?? {}),
    aliases: { ...under.aliases, ...over.aliases },
  }
}

/** A mapping over another: objects are merged field by field, other fields replaced as a whole. */
function mergeMappings(under: Json, over: Json, path = ''): Json {
  const merged: Record<string, unknown> = { ...under, ...over }
  const properties = mergeProperties(propertiesOf(under), propertiesOf(over), path)
  if (under['properties'] !== undefined || over['properties'] !== undefined) merged['properties'] = properties
  const lists = [under['dynamic_templates'], over['dynamic_templates']]
  if (lists.every((list) => Array.isArray(list))) merged['dynamic_templates'] = mergeNamed(lists.flat() as Json[])
  return merged
}

function mergeProperties(under: Json, over: Json, path: string): Json {
  const merged: Record<string, unknown> = { ...under }
  for (const [name, field] of Object.entries(over)) {
    const own = merged[name]
    const ownPath = path === '' ? name : `${path}.${name}`
    if (isObject(own) && isObject(field)) checkKinds(own, field, ownPath)
    merged[name] = isObjectField(own) && isObjectField(field) ? mergeMappings(own, field, ownPath) : field
  }
  return merged
}

/** @throws {ServiceError} illegal_argument_exception for an object beside another field, or beside nested ones */
function checkKinds(
  { type: under, properties }: Json,
  { type: over, properties: properties2 }: Json,
  path: string,
): void {
  const isNone = (type: unknown, fields: unknown): boolean => type === undefined && fields === undefined
  if (isNone(under, properties) || isNone(over, properties2)) return
  const kindOf = (type: unknown): string => (type === undefined || type === 'object' ? 'object' : String(type))
  const [before, after] = [kindOf(under), kindOf(over)]
  const isObjectKind = (kind: string): boolean => kind === 'object' || kind === 'nested'
  if (isObjectKind(before) !== isObjectKind(after))
    throw illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`)
  if (!isObjectKind(before) || before === after) return
  const [from, to] = before === 'nested' ? ['nested', 'non-nested'] : ['non-nested', 'nested']
  throw illegalArgument(`cannot change object mapping from ${from} to ${to}`)
}

/** Fields by name; a dotted name is a field of an object. */
function propertiesOf(mapping: Json): Json {
  const { properties } = mapping
  if (!isObject(properties)) return {}
  let fields: Json = {}
  for (const [path, field] of Object.entries(properties)) {
    const names = path.split('.')
    const last = names.pop() as string
    const own = isObjectField(field) ? { ...field, properties: propertiesOf(field) } : field
    const whole = names.reduceRight<Json>((inner, name) => ({ [name]: { properties: inner } }), { [last]: own })
    fields = mergeProperties(fields, whole, '')
  }
  return fields
}

/** Templates of the same name are one: the last. */
function mergeNamed(templates: readonly Json[]): readonly Json[] {
  const byName = new Map<string, Json>()
  for (const template of templates) byName.set(Object.keys(template)[0] as string, template)
  return [...byName.values()]
}

function isObjectField(field: unknown): field is Json {
  return isObject(field) && isObject(field['properties'])
}
