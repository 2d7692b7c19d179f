import type { Analyzer } from '../analysis/analyzer.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { contextPrecision } from '../mapping/geo/geohash-precision.ts'
import { TYPED_METADATA } from '../mapping/metadata-fields.ts'
import type { ContextForm } from '../mapping/types/context-values.ts'
import { illegalInQueryPhase } from '../search/query-phase.ts'

/** A context that suggestions of a field carry. */
export interface CompletionContext extends ContextForm {
  readonly name: string
  /** Field of the document that gives it too. */
  readonly path: string | undefined
}

/** What the mapping says of a `completion` field. */
export interface CompletionSettings {
  readonly path: string
  readonly analyzer: Analyzer
  readonly searchAnalyzer: Analyzer
  readonly preserveSeparators: boolean
  readonly preservePositionIncrements: boolean
  /** In UTF-16 units. */
  readonly maxInputLength: number
  readonly contexts: readonly CompletionContext[]
  readonly engineVersion: EngineVersion
}

type Json = Readonly<Record<string, unknown>>

/** @throws {ServiceError} illegal_argument_exception when the field is none */
export function completionSettings(
  searcher: IndexSearcher,
  path: string,
  engineVersion: EngineVersion,
): CompletionSettings {
  const { mapping } = searcher
  const field = mapping.field(path)
  if (field === undefined && !TYPED_METADATA[engineVersion].has(path))
    throw illegalInQueryPhase(`no mapping found for field [${path}]`)
  if (field?.kind !== 'opaque' || field.type !== 'completion') {
    throw illegalInQueryPhase(`Field [${field?.path ?? path}] is not a completion suggest field`)
  }
  const definition =
    mapping.types.map((type) => find(mapping.mapping(type), path.split('.'))).find((d) => d !== undefined) ?? {}
  const named = (name: unknown, fallback: string): Analyzer =>
    (mapping.analyzers.analyzer(String(name ?? fallback)) ?? mapping.analyzers.analyzer('simple')) as Analyzer
  const contexts = definition['contexts']
  const list = contexts === undefined ? [] : Array.isArray(contexts) ? contexts : [contexts]
  return {
    path,
    engineVersion,
    analyzer: named(definition['analyzer'], 'simple'),
    searchAnalyzer: named(definition['search_analyzer'] ?? definition['analyzer'], 'simple'),
    preserveSeparators: definition['preserve_separators'] !== false,
    preservePositionIncrements: definition['preserve_position_increments'] !== false,
    maxInputLength: Number(definition['max_input_length'] ?? 50),
    contexts: list.map((context: Json) => ({
      name: String(context['name']),
      type: String(context['type']).toLowerCase() === 'geo' ? 'geo' : 'category',
      path: context['path'] === undefined ? undefined : String(context['path']),
      precision: contextPrecision(context['precision']),
    })),
  }
}

/** Definition of a field in a rendered mapping. */
function find(mapping: unknown, path: readonly string[]): Json | undefined {
  if (typeof mapping !== 'object' || mapping === null) return undefined
  if (path.length === 0) return mapping as Json
  const node = mapping as Json
  for (const members of [node['properties'], node['fields']]) {
    if (typeof members !== 'object' || members === null) continue
    for (let length = 1; length <= path.length; length++) {
      const name = path.slice(0, length).join('.')
      const found = Object.hasOwn(members, name) ? find((members as Json)[name], path.slice(length)) : undefined
      if (found !== undefined) return found
    }
  }
  return undefined
}
