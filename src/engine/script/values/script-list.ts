import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { countMembers } from '../work-meter.ts'
import { nestedText, ScriptCollection, unsupported } from './script-collection.ts'
import { hashOf, isEqualValue, keyText, type ScriptValue } from './script-value.ts'

/** Bytes that a place of a list is counted as. */
const PLACE = 8

/** Classes of lists that do not change. */
const FIXED = new Set(['java.util.Collections$UnmodifiableRandomAccessList', 'java.util.Collections$SingletonList'])

/** Java's `List`. */
export class ScriptList extends ScriptCollection {
  readonly className: string
  readonly items: ScriptValue[]
  /** What is said to who would change it; undefined where its class tells. */
  readonly #whyFixed: string | undefined
  /** Counts changes of its size, which nobody may make while going through it. */
  #changes = 0

  constructor(items: ScriptValue[] = [], className = 'java.util.ArrayList', whyFixed?: string) {
    super()
    this.items = items
    this.className = className
    this.#whyFixed = whyFixed
  }

  #checkChangeable(): void {
    if (this.isFixed) throw unsupported(this.#whyFixed)
  }

  override contains(value: ScriptValue): boolean {
    countMembers(this.items.length)
    return this.items.some((item) => isEqualValue(item, value))
  }

  override kept(): Iterable<ScriptValue> {
    return this.items
  }

  get isFixed(): boolean {
    return this.#whyFixed !== undefined || FIXED.has(this.className)
  }

  size(): number {
    return this.items.length
  }

  *values(): IterableIterator<ScriptValue> {
    const changes = this.#changes
    for (let i = 0; i < this.items.length; i++) {
      yield this.items[i] as ScriptValue
      // As Java's iterator, which looks only when there is more to come.
      if (this.#changes !== changes && i + 1 !== this.items.length) {
        throw fault('java.util.ConcurrentModificationException', null)
      }
    }
  }

  get(index: number): ScriptValue {
    this.check(index)
    return this.items[index] as ScriptValue
  }

  set(index: number, value: ScriptValue): ScriptValue {
    this.#checkChangeable()
    this.check(index)
    const old = this.items[index] as ScriptValue
    this.items[index] = value
    return old
  }

  override add(value: ScriptValue, run: ScriptRun): boolean {
    this.#checkChangeable()
    run.allocate(PLACE)
    this.items.push(value)
    this.#changes++
    return true
  }

  insert(index: number, values: readonly ScriptValue[], run: ScriptRun): void {
    this.#checkChangeable()
    if (index < 0 || index > this.items.length) {
      throw fault('IndexOutOfBoundsException', `Index: ${index}, Size: ${this.items.length}`)
    }
    run.allocate((values.length + this.items.length / 64) * PLACE)
    run.step((this.items.length - index) >> 4)
    if (values.length === 1) this.items.splice(index, 0, values[0] as ScriptValue)
    else {
      const tail = this.items.splice(index)
      for (const value of values) this.items.push(value)
      for (const value of tail) this.items.push(value)
    }
    this.#changes++
  }

  removeAt(index: number): ScriptValue {
    this.#checkChangeable()
    this.check(index)
    this.#changes++
    return this.items.splice(index, 1)[0] as ScriptValue
  }

  clear(): void {
    this.replace([])
  }

  /** Puts other members in the place of all. */
  replace(values: readonly ScriptValue[]): void {
    this.#checkChangeable()
    this.items.length = 0
    for (const value of values) this.items.push(value)
    this.#changes++
  }

  removeIf(test: (value: ScriptValue) => boolean): boolean {
    this.#checkChangeable()
    const changes = this.#changes
    const kept = this.items.filter((value) => !test(value))
    if (this.#changes !== changes) throw fault('java.util.ConcurrentModificationException', null)
    if (kept.length === this.items.length) return false
    this.replace(kept)
    return true
  }

  override isEqual(other: unknown): boolean {
    if (other === this) return true
    if (!(other instanceof ScriptList) || other.items.length !== this.items.length) return false
    return this.items.every((value, i) => {
      countMembers(1)
      return isEqualValue(value, other.items[i] as ScriptValue)
    })
  }

  override hash(): number {
    let hash = 1
    countMembers(this.items.length)
    for (const value of this.items) hash = (Math.imul(31, hash) + hashOf(value)) | 0
    return hash
  }

  override key(): unknown {
    countMembers(this.items.length)
    return nestedText(() => `\0L${this.items.map(keyText).join()}`)
  }

  /** @throws {ScriptFault} index_out_of_bounds_exception */
  check(index: number): void {
    if (index >= 0 && index < this.items.length) return
    throw fault('IndexOutOfBoundsException', `Index ${index} out of bounds for length ${this.items.length}`)
  }
}
