import type { EngineVersion } from '../../engine/engine-version.ts'
import type { SegmentReader } from '../../engine/index/segment-reader.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { renderSource, type SourceFilter } from '../documents/source-filter.ts'
import { valuesAt } from '../documents/stored-fields.ts'
import { type Json, writeJson } from '../json/json-writer.ts'

/** Which object of a document a hit is: a path, its place among the objects there, and so on inwards. */
export interface NestedIdentity {
  readonly field: string
  readonly offset: number
  readonly _nested?: NestedIdentity
}

/** The identity of a nested object's document; undefined for a root. */
export function nestedIdentity(segment: SegmentReader, doc: number, mapping: IndexMapping): NestedIdentity | undefined {
  if (segment.rootDocs === undefined) return undefined
  const path = segment.nestedPath(doc)
  if (path === undefined) return undefined
  const parts = path.split('.')
  const levels = parts.map((_, i) => parts.slice(0, i + 1).join('.')).filter((prefix) => mapping.isNested(prefix))
  let identity: NestedIdentity | undefined
  let at = doc
  for (let level = levels.length - 1; level >= 0; level--) {
    const own = levels[level] as string
    const outer = level === 0 ? undefined : (levels[level - 1] as string)
    // Objects stand before what is around them, in their order.
    let offset = 0
    for (let before = at - 1; before >= 0; before--) {
      const other = segment.nestedPath(before)
      if (other === undefined || other === outer) break
      if (other === own) offset++
    }
    const field = outer === undefined ? own : own.slice(outer.length + 1)
    identity = { field, offset, ...(identity === undefined ? {} : { _nested: identity }) }
    while (at < segment.maxDoc && segment.nestedPath(at) !== outer) at++
  }
  return identity
}

/** Source of a nested object, cut from its document's. */
export function nestedSource(source: Buffer, identity: NestedIdentity): Buffer {
  let value: Json = JSON.parse(source.toString('utf8')) as Json
  for (let level: NestedIdentity | undefined = identity; level !== undefined; level = level._nested) {
    value = valuesAt(value, level.field.split('.'))[level.offset] ?? {}
  }
  return Buffer.from(writeJson(value))
}

/**
 * A nested object's source as a filter leaves it, whose paths are those of the whole document.
 *
 * @param path  of the object
 */
export function filteredNestedSource(object: Buffer, path: string, filter: SourceFilter, version: EngineVersion): Json {
  if (filter.includes.length === 0 && filter.excludes.length === 0) return renderSource(object, filter, version)
  const whole = JSON.parse(writeJson(renderSource(wrappedObject(object, path), filter, version))) as Json
  return valuesAt(whole, path.split('.'))[0] ?? {}
}

/** A source that has just one object, at its path. */
export function wrappedObject(object: Buffer, path: string): Buffer {
  const parts = path.split('.')
  const open = parts.map((part) => `{${JSON.stringify(part)}:`).join('')
  return Buffer.concat([Buffer.from(open), object, Buffer.from('}'.repeat(parts.length))])
}
