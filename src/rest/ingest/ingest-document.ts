import { append } from '../../engine/algorithms/long-lists.ts'
import { javaDouble } from '../../engine/java/java-number-text.ts'
import { javaClass } from '../../engine/mapping/java-text.ts'
import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import type { ScriptMap } from '../../engine/script/values/script-map.ts'
import { ServiceError } from '../../errors.ts'
import { IngestFault } from './ingest-fault.ts'

/** A member of a document while it is processed. */
export type Value = null | boolean | number | bigint | string | JsonNumber | Value[] | ValueMap
/** An object of a document. */
export interface ValueMap {
  [name: string]: Value
}

/** What names a document and says where it goes. */
export const METADATA = [
  '_index',
  '_type',
  '_id',
  '_routing',
  '_parent',
  '_version',
  '_version_type',
  '_if_seq_no',
  '_if_primary_term',
] as const

/** Runs of processors that one document may take, and characters of the texts that are made for it. */
const MOST_RUNS = 1_000_000
const MOST_CHARACTERS = 128 * 2 ** 20

/** A document on its way through a pipeline: its source, its metadata and what the pipeline notes of it (`_ingest`). */
export class IngestDocument {
  readonly source: ValueMap
  readonly metadata: ValueMap
  readonly ingest: ValueMap
  /** What the last script left of it, in values of its own: not all of these can be copied where it is only tried. */
  scripted: ScriptMap | undefined
  /** The time the pipeline began, which is no text until it is written. */
  readonly #begun: Value | undefined
  #runs = 0
  #characters = 0

  constructor(source: ValueMap, metadata: ValueMap, ingest: ValueMap = { timestamp: new Date().toISOString() }) {
    this.source = source
    this.metadata = metadata
    this.ingest = ingest
    this.scripted = undefined
    this.#begun = ingest['timestamp']
  }

  /** Another of the same, for what is only tried. Its work counts anew. */
  copy(): IngestDocument {
    const { source, metadata, ingest } = this
    return new IngestDocument(copied(source), copied(metadata), copied(ingest))
  }

  /** Counts a run of a processor: pipelines call each other without end otherwise. @throws {ServiceError} that none of them can ignore */
  countRun(): void {
    if (++this.#runs > MOST_RUNS) throw tooMuch(`more than [${MOST_RUNS}] runs of processors`)
  }

  /** Counts a text that was made of the document. @throws {ServiceError} as {@link countRun} */
  countText(text: string): string {
    this.countCharacters(text.length)
    return text
  }

  /** Counts those of a text that is to be made. @throws {ServiceError} as {@link countRun} */
  countCharacters(count: number): void {
    this.#characters += count
    if (this.#characters > MOST_CHARACTERS) throw tooMuch(`texts of more than [${MOST_CHARACTERS}] characters`)
  }

  /** @throws {IngestFault} */
  get(path: string): Value {
    const { root, keys } = this.#resolve(path)
    let at: Value = root
    for (const key of keys) at = step(at, key, path)
    return at
  }

  /**
   * Whether there is something at a path.
   *
   * @throws {IngestFault} for what is no path
   */
  has(path: string): boolean {
    const { root, keys } = this.#resolve(path)
    try {
      let at: Value = root
      for (const key of keys) at = step(at, key, path)
      return true
    } catch (error) {
      if (error instanceof IngestFault) return false
      throw error
    }
  }

  /** The same, but a place beyond a list's end is no answer. @throws {IngestFault} */
  hasWithinLists(path: string): boolean {
    if (this.has(path)) return true
    try {
      this.get(path)
    } catch (error) {
      if (!(error instanceof IngestFault) || error.message.includes('] is out of bounds for array')) throw error
    }
    return false
  }

  /** A value that must be a text. @throws {IngestFault} */
  text(path: string): string | null {
    const value = this.get(path)
    if (value === null || typeof value === 'string') {
      if (path !== '_ingest.timestamp' || value !== this.#begun) return value
      throw new IngestFault(`field [${path}] of type [java.time.ZonedDateTime] cannot be cast to [java.lang.String]`)
    }
    throw cannotCast(path, value, 'java.lang.String')
  }

  /**
   * A text to do something with, or undefined where what is not there, or null, is passed over.
   *
   * @param deed  what cannot be done with null, for the message
   * @throws {IngestFault}
   */
  textToUse(path: string, ignoreMissing: boolean, deed = 'process it'): string | undefined {
    if (ignoreMissing && !this.has(path)) return undefined
    const text = this.text(path)
    if (text !== null) return text
    if (ignoreMissing) return undefined
    // Where a text is split this ends with a blank.
    throw new IngestFault(`field [${path}] is null, cannot ${deed}.${deed === 'extract key-value pairs' ? ' ' : ''}`)
  }

  /** A value that must be a list. @throws {IngestFault} */
  list(path: string): Value[] | null {
    const value = this.get(path)
    if (value === null || Array.isArray(value)) return value
    throw cannotCast(path, value, 'java.util.List')
  }

  /** A value that must be an object. @throws {IngestFault} */
  map(path: string): ValueMap {
    const value = this.get(path)
    if (isMap(value)) return value
    if (value !== null) throw cannotCast(path, value, 'java.util.Map')
    throw new IngestFault(
      'Cannot invoke "java.util.Map.containsKey(Object)" because "map" is null',
      'null_pointer_exception',
    )
  }

  /** Sets a value; objects on the way are made. @throws {IngestFault} */
  set(path: string, value: Value): void {
    const { root, keys } = this.#resolve(path)
    const last = lastOf(keys)
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

  /** Sets a member of the document, or of its metadata, by a name that is no path. */
  setAtRoot(name: string, value: Value): void {
    define((METADATA as readonly string[]).includes(name) ? this.metadata : this.source, name, value)
  }

  /** Adds values to a list; what is none becomes one. @throws {IngestFault} */
  append(path: string, value: Value): void {
    const added = Array.isArray(value) ? value : [value]
    if (!this.has(path)) {
      this.set(path, [...added])
      return
    }
    const old = this.get(path)
    if (Array.isArray(old)) append(old, added)
    else this.set(path, [old, ...added])
  }

  /** @throws {IngestFault} */
  remove(path: string): void {
    const { root, keys } = this.#resolve(path)
    const last = lastOf(keys)
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

  /** The document and its metadata side by side, as the real server keeps them. */
  get whole(): ValueMap {
    return { ...this.source, ...this.metadata }
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
    if (rest === '') throw new IngestFault(`path [${path}] is not valid`)
    const keys = rest.split('.')
    // Empty parts at the end do not count, as in Java; a path of none is the whole document.
    while (keys.at(-1) === '') keys.pop()
    if (isIngest) return { root: this.ingest, keys }
    const [first] = keys
    if (first === undefined) return { root: this.whole, keys }
    return { root: (METADATA as readonly string[]).includes(first) ? this.metadata : this.source, keys }
  }
}

/** The last step, which is taken off. A path of dots has none. */
function lastOf(keys: string[]): string {
  const last = keys.pop()
  if (last === undefined) throw new IngestFault('Index -1 out of bounds for length 0', 'index_out_of_bounds_exception')
  return last
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
    throw new IngestFault(
      `[${key}] is not an integer, cannot be used as an index as part of path [${path}]`,
      'illegal_argument_exception',
      new ServiceError('number_format_exception', `For input string: "${key}"`),
    )
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
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value + 0.5) > 2 ** 31) return 'java.lang.Long'
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) return 'java.math.BigInteger'
  return value instanceof JsonNumber ? 'java.lang.Double' : javaClass(value)
}

/** Whether a value is an object; a {@link JsonNumber} is none. */
export function isMap(value: unknown): value is ValueMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

/** Sets a member whatever its name is. */
function define(map: ValueMap, key: string, value: Value): void {
  Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true })
}

/** A value whose lists and objects are its own. */
function copied<T extends Value>(value: T): T {
  if (Array.isArray(value)) return value.map(copied) as T
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member)])) as T
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

function tooMuch(what: string): ServiceError {
  return new ServiceError('illegal_argument_exception', `a document takes ${what} in its pipelines`)
}
