import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { countMembers } from '../work-meter.ts'
import { nestedText, unsupported } from './script-collection.ts'
import { ScriptObject } from './script-object.ts'
import { hashOf, isEqualValue, keyOf, keyText, type ScriptValue, textOf } from './script-value.ts'

/** Bytes that an entry is counted as. */
const ENTRY = 96

/** One entry of a map. */
export class MapEntry extends ScriptObject {
  readonly entryKey: ScriptValue
  value: ScriptValue
  /** Whether its map is {@link ScriptMap.fix fixed}. */
  isFixed = false

  constructor(key: ScriptValue, value: ScriptValue) {
    super()
    this.entryKey = key
    this.value = value
  }

  get className(): string {
    return 'java.util.HashMap$Node'
  }

  override kept(): Iterable<ScriptValue> {
    return [this.entryKey, this.value]
  }

  override toText(): string {
    return nestedText(() => `${textOf(this.entryKey)}=${textOf(this.value)}`)
  }

  override isEqual(other: unknown): boolean {
    return (
      other instanceof MapEntry && isEqualValue(this.entryKey, other.entryKey) && isEqualValue(this.value, other.value)
    )
  }

  override hash(): number {
    return hashOf(this.entryKey) ^ hashOf(this.value)
  }

  override key(): unknown {
    return `\0E${keyText(this.entryKey)}${keyText(this.value)}`
  }
}

/** The first number of a field in the document of the moment. */
export interface DocNumbers {
  /** LONG or DOUBLE of `number-lane.ts`. */
  readonly kind: number
  /** NaN where the document has none. */
  readonly read: () => number
}

/** How a map orders its entries: as Java's HashMap, as they came, or by a comparison of keys. */
export type MapOrder = 'hash' | 'linked' | ((left: ScriptValue, right: ScriptValue) => number)

/**
 * Java's `Map`. What hosts offer as maps (`doc`) extends it: {@link get}, {@link has}, {@link size} and {@link entries}
 * are what scripts read it by.
 */
export class ScriptMap extends ScriptObject {
  readonly className: string
  readonly order: MapOrder
  #isFixed: boolean
  readonly #entries = new Map<unknown, MapEntry>()
  #buckets = 16
  #changes = 0
  #sorted: MapEntry[] | undefined

  constructor(order: MapOrder = 'hash', className?: string, isFixed = false) {
    super()
    this.order = order
    this.#isFixed = isFixed
    this.className =
      className ??
      (order === 'hash' ? 'java.util.HashMap' : order === 'linked' ? 'java.util.LinkedHashMap' : 'java.util.TreeMap')
  }

  get isFixed(): boolean {
    return this.#isFixed
  }

  /** Lets nobody change it any more. */
  fix(): this {
    this.#isFixed = true
    for (const entry of this.#entries.values()) entry.isFixed = true
    return this
  }

  size(): number {
    return this.#entries.size
  }

  /** `value` of the list under a key, where a host's map knows it without making the list; undefined: it does not. */
  firstOf(_key: string): ScriptValue | undefined {
    return undefined
  }

  /** The same as numbers without a box; undefined: it does not know them so. */
  numbersOf(_key: string): DocNumbers | undefined {
    return undefined
  }

  override kept(): Iterable<MapEntry> {
    return this.#entries.values()
  }

  get(key: ScriptValue): ScriptValue {
    return this.#entries.get(keyOf(key))?.value ?? null
  }

  has(key: ScriptValue): boolean {
    return this.#entries.has(keyOf(key))
  }

  /** The entry of a key, which writes through. */
  entry(key: ScriptValue): MapEntry | undefined {
    return this.#entries.get(keyOf(key))
  }

  /** @returns the value that the key had, null for none */
  put(key: ScriptValue, value: ScriptValue, run?: ScriptRun): ScriptValue {
    if (this.isFixed) throw unsupported()
    const name = keyOf(key)
    const entry = this.#entries.get(name)
    if (entry !== undefined) {
      const old = entry.value
      entry.value = value
      return old
    }
    if (typeof this.order === 'function') this.order(key, key)
    run?.allocate(ENTRY)
    this.#entries.set(name, new MapEntry(key, value))
    if (this.#entries.size > this.#buckets * 0.75) this.#buckets *= 2
    this.#changed()
    return null
  }

  /** @returns the value that the key had, null for none */
  remove(key: ScriptValue): ScriptValue {
    if (this.isFixed) throw unsupported()
    const name = keyOf(key)
    const entry = this.#entries.get(name)
    if (entry === undefined) return null
    this.#entries.delete(name)
    this.#changed()
    return entry.value
  }

  clear(): void {
    if (this.isFixed) throw unsupported()
    this.#entries.clear()
    this.#changed()
  }

  /** Entries in the map's order; a change meanwhile ends it with concurrent_modification_exception. */
  *entries(): IterableIterator<MapEntry> {
    const changes = this.#changes
    const list = this.ordered()
    for (let i = 0; i < list.length; i++) {
      yield list[i] as MapEntry
      if (this.#changes !== changes && i + 1 < list.length) {
        throw fault('java.util.ConcurrentModificationException', null)
      }
    }
  }

  /** Entries in the map's order, as they are now. */
  ordered(): readonly MapEntry[] {
    if (this.#sorted !== undefined) return this.#sorted
    const list = [...this.#entries.values()]
    countMembers(list.length)
    const { order } = this
    if (order === 'hash' && list.length > 1) {
      const mask = this.#buckets - 1
      const places = new Map(list.map((entry) => [entry, bucketOf(entry.entryKey) & mask]))
      list.sort((left, right) => (places.get(left) as number) - (places.get(right) as number))
    } else if (typeof order === 'function') {
      list.sort((left, right) => order(left.entryKey, right.entryKey))
    }
    this.#sorted = list
    return list
  }

  override toText(): string {
    countMembers(this.size())
    return nestedText(() => {
      const show = (value: ScriptValue): string => (value === this ? '(this Map)' : textOf(value))
      return `{${[...this.entries()].map((entry) => `${show(entry.entryKey)}=${show(entry.value)}`).join(', ')}}`
    })
  }

  override isEqual(other: unknown): boolean {
    if (other === this) return true
    if (!(other instanceof ScriptMap) || other.size() !== this.size()) return false
    for (const { entryKey, value } of this.entries()) {
      countMembers(1)
      if (!other.has(entryKey) || !isEqualValue(value, other.get(entryKey))) return false
    }
    return true
  }

  override hash(): number {
    let hash = 0
    countMembers(this.size())
    for (const entry of this.entries()) hash = (hash + entry.hash()) | 0
    return hash
  }

  override key(): unknown {
    return nestedText(
      () =>
        `\0M${[...this.entries()]
          .map((entry) => String(entry.key()))
          .sort()
          .join()}`,
    )
  }

  #changed(): void {
    this.#changes++
    this.#sorted = undefined
  }
}

function bucketOf(key: ScriptValue): number {
  const hash = hashOf(key)
  return hash ^ (hash >>> 16)
}
