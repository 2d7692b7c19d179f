import type { EngineVersion } from '../../engine/engine-version.ts'
import type { StoredDocument } from '../../engine/index/index-searcher.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { hasUnusualNumbers, parseLosslessJson } from '../../engine/mapping/lossless-json.ts'
import { mayHoldParts, partsOfSource, type SourceParts } from '../../engine/mapping/source-parts.ts'
import { illegalInQueryPhase } from '../../engine/search/query-phase.ts'
import { isObject } from '../../is-object.ts'
import { placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { tokenText } from '../body/token-text.ts'
import { unknownKey } from '../body/unknown-key.ts'
import { cutMembers } from '../json/cut-members.ts'
import { type Json, RawJson, writeJson } from '../json/json-writer.ts'
import { printable } from '../json/printable-json.ts'
import type { RequestParameters } from '../parameters/request-parameters.ts'
import { parsingException } from '../parsing-exception.ts'

/** Which parts of a source to show. */
export interface SourceFilter extends SourceParts {
  readonly enabled: boolean
}

/** All of it. */
export const WHOLE_SOURCE: SourceFilter = { enabled: true, includes: [], excludes: [] }

/**
 * What hits show of their sources: `stored_fields` that do not name it, and script fields, stand in its place unless it
 * is asked for; those that name it show it whatever `_source` says.
 */
export function shownSource(
  asked: SourceFilter | undefined,
  storedFields: readonly string[] | undefined,
  hasScripts: boolean,
): SourceFilter {
  if (storedFields?.includes('_source')) return { ...(asked ?? WHOLE_SOURCE), enabled: true }
  return asked ?? { ...WHOLE_SOURCE, enabled: storedFields === undefined && !hasScripts }
}

/** `_source`, `_source_includes` (which is taken in its place), `_source_excludes` (and their older names). */
export function sourceFilterOf(parameters: RequestParameters): SourceFilter | undefined {
  const source = parameters.text('_source')
  const includes = parameters.list('_source_includes') ?? parameters.list('_source_include')
  const excludes = parameters.list('_source_excludes') ?? parameters.list('_source_exclude')
  if (source === undefined && includes === undefined && excludes === undefined) return undefined
  if (source === 'false') return { enabled: false, includes: [], excludes: [] }
  const named = source === undefined || source === 'true' || source === '' ? [] : source.split(',')
  return { enabled: true, includes: includes ?? named, excludes: excludes ?? [] }
}

/** `_source` in a body: a flag, a path, paths, or includes and excludes. */
export function sourceOption(value: JsonValue | undefined): SourceFilter | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'boolean') return { ...WHOLE_SOURCE, enabled: value }
  if (typeof value === 'number' || typeof value === 'bigint' || value === null) {
    throw parsingException(`Expected one of [VALUE_BOOLEAN, START_OBJECT] but found [${tokenName(value)}]`)
  }
  if (isObject(value)) {
    for (const key of Object.keys(value)) {
      if (!['includes', 'include', 'excludes', 'exclude'].includes(key)) {
        throw unknownKey(key, value[key]).at(value, key)
      }
    }
    const list = (name: string): readonly string[] => pathsIn(name, value)
    return {
      enabled: true,
      includes: [...list('includes'), ...list('include')],
      excludes: [...list('excludes'), ...list('exclude')],
    }
  }
  return { enabled: true, includes: Array.isArray(value) ? textsIn(value) : [value], excludes: [] }
}

/** The texts of a list. @throws {ServiceError} illegal_state_exception */
function textsIn(list: readonly JsonValue[]): readonly string[] {
  return list.map((item, i) => placed(list, i, () => tokenText(item)))
}

/** A member's paths, which are shown or not. @throws {ServiceError} parsing_exception */
function pathsIn(name: string, filter: { readonly [name: string]: JsonValue }): readonly string[] {
  const value = filter[name]
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    if (typeof value !== 'string') throw unknownKey(name, value).at(filter, name)
    return [value]
  }
  const odd = value.findIndex((path) => typeof path !== 'string')
  if (odd >= 0) throw unknownKey(name, value[odd]).at(value, odd)
  return value as string[]
}

/** A source as it was received, or the parts of it that a filter names. */
export function renderSource(source: Buffer, filter: SourceFilter, version: EngineVersion): Json {
  if (filter.includes.length === 0 && filter.excludes.length === 0) return new RawJson(source)
  return filteredSource(source, filter, version)
}

function filteredSource(source: Buffer, filter: SourceParts, version: EngineVersion): Json {
  return partsOfSource(readSource(cutMembers(source, wanted(filter))), filter, version) as Json
}

const known = new WeakMap<SourceParts, (name: string) => boolean>()

/** Tells the members of sources that a filter may show something of; most sources have the same names again. */
function wanted(filter: SourceParts): (name: string) => boolean {
  const before = known.get(filter)
  if (before !== undefined) return before
  const answers = new Map<string, boolean>()
  const isWanted = (name: string): boolean => {
    const answer = answers.get(name) ?? mayHoldParts(name, filter)
    if (answers.size < MOST_NAMES) answers.set(name, answer)
    return answer
  }
  known.set(filter, isWanted)
  return isWanted
}

/** So many names are remembered of a filter. */
const MOST_NAMES = 1_000

/** A stored source as a value whose numbers print as the real server prints them. */
export function readSource(text: string): Json {
  return hasUnusualNumbers(text) ? printable(parseLosslessJson(text)) : (JSON.parse(text) as Json)
}

/**
 * The source of a document as its mapping lets it be seen: undefined when `_source` is disabled, less the parts that
 * the mapping leaves out.
 */
export function visibleSource(document: StoredDocument, mapping: IndexMapping): Buffer | undefined {
  if (document.source === undefined || !mapping.sourceEnabled(document.type)) return undefined
  const filter = mapping.sourceFilter(document.type)
  if (filter === undefined) return document.source
  return Buffer.from(writeJson(filteredSource(document.source, filter, mapping.engineVersion)))
}

/** @throws {ServiceError} where parts are asked for of a source that is not kept */
export function requireWholeSource({ enabled, includes, excludes }: SourceFilter, indexName: string): void {
  if (!enabled || includes.length + excludes.length === 0) return
  const disabled = `_source is disabled in the mappings for index [${indexName}]`
  const reason = `unable to fetch fields from _source field: ${disabled}`
  throw illegalInQueryPhase(reason)
}
