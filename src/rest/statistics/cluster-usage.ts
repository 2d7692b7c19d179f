import { nestSettings } from '../../engine/metadata/flatten-settings.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { isObject } from '../../is-object.ts'
import type { Json } from '../json/json-writer.ts'

type Members = Readonly<Record<string, unknown>>

/** How often something is used, and in how many indices. */
class Usage {
  readonly #counts = new Map<string, { count: number; readonly indices: Set<string> }>()

  add(name: string, index: string): void {
    const usage = this.#counts.get(name) ?? { count: 0, indices: new Set() }
    usage.count++
    usage.indices.add(index)
    this.#counts.set(name, usage)
  }

  get json(): Json {
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { count, indices }]) => ({ name, count, index_count: indices.size }))
  }
}

/** `mappings` of `_cluster/stats`: which types fields have. */
export function fieldTypes(indices: readonly IndexMetadata[]): Json {
  const types = new Usage()
  for (const index of indices) {
    for (const field of mappedFields(index)) {
      const type = field['type'] ?? (isObject(field['properties']) ? 'object' : undefined)
      if (type !== undefined) types.add(String(type), index.name)
    }
  }
  return { field_types: types.json }
}

const PARTS = ['char_filter', 'tokenizer', 'filter', 'analyzer'] as const

/** `analysis` of `_cluster/stats`: what indices define for themselves, and what they take of what is there. */
export function analysisUsage(indices: readonly IndexMetadata[]): Json {
  const types = usages()
  const builtIn = usages()
  for (const index of indices) {
    const analysis = membersOf(membersOf(nestSettings(index.settings), 'index'), 'analysis')
    const own = Object.fromEntries(PARTS.map((part) => [part, membersOf(analysis, part)]))
    const take = (part: (typeof PARTS)[number], named: unknown): void => {
      for (const name of [named ?? []].flat())
        if (!Object.hasOwn(own[part] ?? {}, String(name))) builtIn[part].add(String(name), index.name)
    }
    for (const part of PARTS) {
      for (const definition of Object.values(own[part] ?? {}).filter(isObject)) {
        const type = definition['type'] ?? (part === 'analyzer' ? 'custom' : undefined)
        if (type !== undefined) types[part].add(String(type), index.name)
        if (part === 'analyzer' && type === 'custom')
          for (const piece of ['char_filter', 'tokenizer', 'filter'] as const) take(piece, definition[piece])
      }
    }
    for (const field of mappedFields(index))
      for (const name of ['analyzer', 'search_analyzer', 'search_quote_analyzer']) take('analyzer', field[name])
  }
  return Object.fromEntries([
    ...PARTS.map((part) => [`${part}_types`, types[part].json]),
    ...PARTS.map((part) => [`built_in_${part}s`, builtIn[part].json]),
  ])
}

function usages(): Readonly<Record<(typeof PARTS)[number], Usage>> {
  return { char_filter: new Usage(), tokenizer: new Usage(), filter: new Usage(), analyzer: new Usage() }
}

function membersOf(json: Members, name: string): Members {
  const members = json[name]
  return isObject(members) ? members : {}
}

/** Mappings of all fields of an index, objects and multi-fields among them. */
function mappedFields({ mappings }: IndexMetadata): readonly Members[] {
  return Object.values(mappings).flatMap(fieldsWithin)
}

function fieldsWithin(mapping: Members): readonly Members[] {
  return ['properties', 'fields']
    .flatMap((name) => Object.values(membersOf(mapping, name)))
    .filter(isObject)
    .flatMap((field) => [field, ...fieldsWithin(field)])
}
