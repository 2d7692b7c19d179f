import type { ScriptRun } from '../script-run.ts'
import { countMembers } from '../work-meter.ts'
import { nestedText, ScriptCollection } from './script-collection.ts'
import { type MapEntry, type MapOrder, ScriptMap } from './script-map.ts'
import { hashOf, keyText, type ScriptValue } from './script-value.ts'

/** Java's `Set`. */
export class ScriptSet extends ScriptCollection {
  readonly className: string
  readonly #map: ScriptMap

  constructor(order: MapOrder = 'hash', className?: string) {
    super()
    this.#map = new ScriptMap(order)
    this.className =
      className ??
      (order === 'hash' ? 'java.util.HashSet' : order === 'linked' ? 'java.util.LinkedHashSet' : 'java.util.TreeSet')
  }

  get order(): MapOrder {
    return this.#map.order
  }

  /** Lets nobody change it any more. */
  fix(): this {
    this.#map.fix()
    return this
  }

  override kept(): Iterable<MapEntry> {
    return this.#map.kept()
  }

  size(): number {
    return this.#map.size()
  }

  *values(): IterableIterator<ScriptValue> {
    for (const entry of this.#map.entries()) yield entry.entryKey
  }

  override contains(value: ScriptValue): boolean {
    return this.#map.has(value)
  }

  override add(value: ScriptValue, run?: ScriptRun): boolean {
    if (this.#map.has(value) && !this.#map.isFixed) return false
    this.#map.put(value, true, run)
    return true
  }

  override removeValue(value: ScriptValue): boolean {
    if (!this.#map.has(value)) return false
    this.#map.remove(value)
    return true
  }

  clear(): void {
    this.#map.clear()
  }

  removeIf(test: (value: ScriptValue) => boolean): boolean {
    const gone = this.#map.ordered().filter((entry) => test(entry.entryKey))
    for (const entry of gone) this.#map.remove(entry.entryKey)
    return gone.length > 0
  }

  override isEqual(other: unknown): boolean {
    return isEqualSet(this, other)
  }

  override hash(): number {
    let hash = 0
    countMembers(this.size())
    for (const value of this.values()) hash = (hash + hashOf(value)) | 0
    return hash
  }

  override key(): unknown {
    return nestedText(() => `\0S${[...this.values()].map(keyText).sort().join()}`)
  }
}

/** What a map shows of itself: its keys, its values or its entries. What is removed here is removed there. */
export class MapView extends ScriptCollection {
  readonly className: string
  readonly isSet: boolean
  readonly #map: ScriptMap
  readonly #part: (entry: MapEntry) => ScriptValue

  constructor(map: ScriptMap, part: 'keys' | 'values' | 'entries') {
    super()
    this.#map = map
    this.isSet = part !== 'values'
    this.className = `java.util.HashMap$${part === 'keys' ? 'KeySet' : part === 'values' ? 'Values' : 'EntrySet'}`
    this.#part =
      part === 'keys' ? (entry) => entry.entryKey : part === 'values' ? (entry) => entry.value : (entry) => entry
  }

  size(): number {
    return this.#map.size()
  }

  *values(): IterableIterator<ScriptValue> {
    for (const entry of this.#map.entries()) yield this.#part(entry)
  }

  clear(): void {
    this.#map.clear()
  }

  removeIf(test: (value: ScriptValue) => boolean): boolean {
    const gone = this.#map.ordered().filter((entry) => test(this.#part(entry)))
    for (const entry of gone) this.#map.remove(entry.entryKey)
    return gone.length > 0
  }

  override isEqual(other: unknown): boolean {
    return this.isSet ? isEqualSet(this, other) : this === other
  }

  override key(): unknown {
    return this.isSet ? nestedText(() => `\0S${[...this.values()].map(keyText).sort().join()}`) : this
  }
}

/** Whether both are sets of the same members. */
function isEqualSet(set: ScriptCollection, other: unknown): boolean {
  if (set === other) return true
  const isSet = other instanceof ScriptSet || (other instanceof MapView && other.isSet)
  if (!isSet || other.size() !== set.size()) return false
  countMembers(set.size())
  for (const value of set.values()) if (!other.contains(value)) return false
  return true
}
