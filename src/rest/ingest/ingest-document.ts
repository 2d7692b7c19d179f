import { javaClass, javaDouble } from '../../engine/mapping/java-text.ts'
import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { IngestFault } from './ingest-fault.ts'

/** A member of a document while it is processed. */
export type Value = null | boolean | number | bigint | string | JsonNumber | Value[] | ValueMap
/** An object of a document. */
export interface ValueMap {
  [name: string]: Value
}

/** What names a document and says where it goes. */
export const METADATA = ['_index', '_type', '_id', '_routing', '_parent', '_version', '_version_type'] as const

/** A document on its way through a pipeline: its source, its metadata and what the pipeline notes of it (`_ingest`). */
export class IngestDocument {
  readonly source: ValueMap
  readonly metadata: ValueMap
  readonly ingest: ValueMap

  constructor(source: ValueMap, metadata: ValueMap, ingest: ValueMap = { timestamp: new Date().toISOString() }) {
    this.source = source
    this.metadata = metadata
    this.ingest = ingest
  }

  /** @throws {IngestFault} */
  get(path: string): Value {
    const { root, keys } = this.#resolve(path)
    let at: Value = root
    for (const key of keys) at = step(at, key, path)
    return at
  }

  has(path: string): boolean {
    try {
      this.get(path)
      return true
    } catch (error) {
      if (error instanceof IngestFault) return false
      throw error
    }
  }

  /** A value that must be a text. @throws {IngestFault} */
  text(path: string): string | null {
    const value = this.get(path)
    if (value === null || typeof value === 'string') return value
    throw cannotCast(path, value, 'java.lang.String')
  }

  /** A value that must be a list. @throws {IngestFault} */
  list(path: string): Value[] | null {
    const value = this.get(path)
    if (value === null || Array.isArray(value)) return value
    throw cannotCast(path, value, 'java.util.List')
  }

  /** Sets a value; objects on the way are made. @throws {IngestFault} */
  set(path: string, value: Value): void {
    const { root, keys } = this.#resolve(path)
    const last = keys.pop() as string
    let at: Value = root
    for (const key of keys) {
      if (isMap(at) && (!Object.hasOwn(at, key) || at[key] === undefined)) define(at, key, {})
      at = step(at, key, path, 'set')
    }
    if (at === null) throw new IngestFault(`cannot set [${last}] with null parent as part of path [${path}]`)
    if (isMap(at)) {
      define(at, last, value)
      return
    }
    if (!Array.isArray(at)) {
      throw new IngestFault(
        `cannot set [${last}] with parent object of type [${classOf(at)}] as part of path [${path}]`,
      )
    }
    at[indexIn(at, last, path)] = value
  }

  /** Adds values to a list; what is none becomes one. @throws {IngestFault} */
  append(path: string, value: Value): void {
    const added = Array.isArray(value) ? value : [value]
    if (!this.has(path)) {
      this.set(path, [...added])
      return
    }
    const old = this.get(path)
    if (Array.isArray(old)) old.push(...added)
    else this.set(path, [old, ...added])
  }

  /** @throws {IngestFault} */
  remove(path: string): void {
    const { root, keys } = this.#resolve(path)
    const last = keys.pop() as string
    let at: Value = root
    for (const key of keys) at = step(at, key, path)
    if (isMap(at)) {
      if (!Object.hasOwn(at, last)) throw notPresent(last, path)
      delete at[last]
      return
    }
    if (Array.isArray(at)) {
      at.splice(indexIn(at, last, path), 1)
      return
    }
    if (at === null) throw new IngestFault(`cannot remove [${last}] from null as part of path [${path}]`)
    throw new IngestFault(`cannot remove [${last}] from object of type [${classOf(at)}] as part of path [${path}]`)
  }

  /** A path's root and its steps: `_ingest.…` and `_source.…` name theirs, metadata stands beside the source. */
  #resolve(path: string): { readonly root: ValueMap; readonly keys: string[] } {
    if (path === '') throw new IngestFault('path cannot be null nor empty')
    const isIngest = path.startsWith('_ingest.')
    const rest = isIngest
      ? path.slice('_ingest.'.length)
      : path.startsWith('_source.')
        ? path.slice('_source.'.length)
        : path
    const keys = rest.split('.').filter((key) => key !== '')
    const [first] = keys
    if (first === undefined) throw new IngestFault(`path [${path}] is not valid`)
    if (isIngest) return { root: this.ingest, keys }
    if (path === rest && (METADATA as readonly string[]).includes(first)) return { root: this.metadata, keys }
    if (path === '_ingest' || path === '_source') {
      return { root: { _ingest: this.ingest, _source: this.source }, keys }
    }
    return { root: this.source, keys }
  }
}

function step(at: Value, key: string, path: string, purpose: 'resolve' | 'set' = 'resolve'): Value {
  if (at === null) {
    throw new IngestFault(
      purpose === 'set'
        ? `cannot set [${key}] with null parent as part of path [${path}]`
        : `cannot resolve [${key}] from null as part of path [${path}]`,
    )
  }
  if (isMap(at)) {
    if (!Object.hasOwn(at, key)) throw notPresent(key, path)
    return at[key] as Value
  }
  if (Array.isArray(at)) return at[indexIn(at, key, path)] as Value
  throw new IngestFault(`cannot resolve [${key}] from object of type [${classOf(at)}] as part of path [${path}]`)
}

function indexIn(list: readonly Value[], key: string, path: string): number {
  if (!/^[+-]?\d+$/.test(key))
    throw new IngestFault(`[${key}] is not an integer, cannot be used as an index as part of path [${path}]`)
  const index = Number(key)
  if (index >= 0 && index < list.length) return index
  throw new IngestFault(`[${index}] is out of bounds for array with length [${list.length}] as part of path [${path}]`)
}

function notPresent(key: string, path: string): IngestFault {
  return new IngestFault(`field [${key}] not present as part of path [${path}]`)
}

function cannotCast(path: string, value: Value, wanted: string): IngestFault {
  return new IngestFault(`field [${path}] of type [${classOf(value)}] cannot be cast to [${wanted}]`)
}

/** Java's class of a value, for messages. */
export function classOf(value: Value): string {
  if (Array.isArray(value)) return 'java.util.ArrayList'
  if (isMap(value)) return 'java.util.HashMap'
  return javaClass(value instanceof JsonNumber ? value : value)
}

export function isMap(value: unknown): value is ValueMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

/** Sets a member whatever its name is. */
function define(map: ValueMap, key: string, value: Value): void {
  Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true })
}

/** A value as Java's toString says it. */
export function textOf(value: Value): string {
  if (value instanceof JsonNumber) return javaDouble(value.value)
  if (typeof value === 'number' && !Number.isInteger(value)) return javaDouble(value)
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`
  if (isMap(value)) {
    return `{${Object.entries(value)
      .map(([key, member]) => `${key}=${textOf(member)}`)
      .join(', ')}}`
  }
  return String(value)
}
