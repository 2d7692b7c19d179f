import type { EngineVersion } from '../../engine/engine-version.ts'
import type { SegmentReader } from '../../engine/index/segment-reader.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { readSource, renderSource, type SourceFilter } from '../documents/source-filter.ts'
import { valuesAt } from '../documents/stored-fields.ts'
import { cutMembers } from '../json/cut-members.ts'
import { type Json, writeJson } from '../json/json-writer.ts'

/** Which object of a document a hit is: a path, its place among the objects there, and so on inwards. */
export interface NestedIdentity {
  readonly field: string
  readonly offset: number
  readonly _nested?: NestedIdentity
}

/** One root's objects, by their place in it. */
interface Block {
  readonly segment: SegmentReader
  readonly mapping: IndexMapping
  readonly first: number
  /** The root. */
  readonly end: number
  /** Place of each document among the objects of its path and parent. */
  readonly offsets: Uint32Array
  /** The object, or root, around each document. */
  readonly parents: Uint32Array
}

/** Tells of nested objects' documents which they are: all those of a root are counted once, for those that follow. */
export class NestedIdentities {
  #block: Block | undefined

  /** The identity of a nested object's document; undefined for a root. */
  of(segment: SegmentReader, doc: number, mapping: IndexMapping): NestedIdentity | undefined {
    if (segment.rootDocs === undefined || segment.nestedPath(doc) === undefined) return undefined
    let block = this.#block
    if (block?.segment !== segment || block.mapping !== mapping || doc < block.first || doc >= block.end) {
      block = countBlock(segment, doc, mapping)
      this.#block = block
    }
    let identity: NestedIdentity | undefined
    for (let at = doc; at < block.end; ) {
      const own = segment.nestedPath(at) as string
      const parent = block.parents[at - block.first] as number
      const outer = segment.nestedPath(parent)
      const field = outer === undefined ? own : own.slice(outer.length + 1)
      const offset = block.offsets[at - block.first] as number
      identity = { field, offset, ...(identity === undefined ? {} : { _nested: identity }) }
      at = parent
    }
    return identity
  }
}

function countBlock(segment: SegmentReader, doc: number, mapping: IndexMapping): Block {
  let first = doc
  while (first > 0 && segment.nestedPath(first - 1) !== undefined) first--
  let end = doc
  while (segment.nestedPath(end) !== undefined) end++
  const offsets = new Uint32Array(end - first)
  const parents = new Uint32Array(end - first).fill(end)
  // Objects stand before what is around them, in their order: those without a parent yet, by its path.
  const orphans = new Map<string | undefined, Map<string, number[]>>()
  const outers = new Map<string, string | undefined>()
  for (let at = first; at <= end; at++) {
    const own = segment.nestedPath(at)
    for (const siblings of orphans.get(own)?.values() ?? []) {
      for (const [offset, sibling] of siblings.entries()) {
        offsets[sibling - first] = offset
        parents[sibling - first] = at
      }
    }
    orphans.delete(own)
    if (own === undefined) break
    if (!outers.has(own)) outers.set(own, outerPath(own, mapping))
    const outer = outers.get(own)
    const ofOuter = orphans.get(outer) ?? new Map<string, number[]>()
    orphans.set(outer, ofOuter)
    const siblings = ofOuter.get(own)
    if (siblings === undefined) ofOuter.set(own, [at])
    else siblings.push(at)
  }
  return { segment, mapping, first, end, offsets, parents }
}

/** The path of the nested objects around those of a path; undefined: they are a root's own. */
function outerPath(path: string, mapping: IndexMapping): string | undefined {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const prefix = path.slice(0, dot)
    if (mapping.isNested(prefix)) return prefix
  }
  return undefined
}

/** An object of a source, and those within it that were asked for. */
interface SourceObject {
  readonly value: Json
  readonly inside: Map<string, SourceObject[]>
}

/** The source of a document, to cut those of its nested objects from. What leads to objects is taken apart once, for the first. */
export class NestedSources {
  readonly #source: Buffer
  readonly #outermost = new Map<string, SourceObject[]>()

  constructor(source: Buffer) {
    this.#source = source
  }

  /** Source of a nested object. */
  of(identity: NestedIdentity): Buffer {
    return Buffer.from(writeJson(this.value(identity)))
  }

  /** The same as a value. */
  value(identity: NestedIdentity): Json {
    const { field, offset } = identity
    let objects = this.#outermost.get(field)
    if (objects === undefined) {
      // Names may be dotted: what has nothing to do with the field is not parsed.
      const text = cutMembers(this.#source, (name) => name === field || field.startsWith(`${name}.`))
      objects = objectsAt(readSource(text), field)
      this.#outermost.set(field, objects)
    }
    let object = objects[offset] ?? sourceObject({})
    for (let level = identity._nested; level !== undefined; level = level._nested) {
      let inner = object.inside.get(level.field)
      if (inner === undefined) {
        inner = objectsAt(object.value, level.field)
        object.inside.set(level.field, inner)
      }
      object = inner[level.offset] ?? sourceObject({})
    }
    return object.value
  }
}

const objectsAt = (value: Json, field: string): SourceObject[] => valuesAt(value, field.split('.')).map(sourceObject)

const sourceObject = (value: Json): SourceObject => ({ value, inside: new Map() })

/** A nested object's source as a hit shows it. @param path  of the object */
export function shownNestedSource(
  sources: NestedSources,
  identity: NestedIdentity,
  path: string,
  filter: SourceFilter,
  version: EngineVersion,
): Json {
  const isWhole = filter.includes.length === 0 && filter.excludes.length === 0
  return isWhole ? sources.value(identity) : filteredNestedSource(sources.of(identity), path, filter, version)
}

/**
 * A nested object's source as a filter leaves it, whose paths are those of the whole document.
 *
 * @param path  of the object
 */
export function filteredNestedSource(object: Buffer, path: string, filter: SourceFilter, version: EngineVersion): Json {
  if (filter.includes.length === 0 && filter.excludes.length === 0) return renderSource(object, filter, version)
  const whole = readSource(writeJson(renderSource(wrappedObject(object, path), filter, version)))
  return valuesAt(whole, path.split('.'))[0] ?? {}
}

/** A source that has just one object, at its path. */
export function wrappedObject(object: Buffer, path: string): Buffer {
  const parts = path.split('.')
  const open = parts.map((part) => `{${JSON.stringify(part)}:`).join('')
  return Buffer.concat([Buffer.from(open), object, Buffer.from('}'.repeat(parts.length))])
}
