import { fault } from '../script-fault.ts'
import { ScriptObject } from '../values/script-object.ts'
import type { ScriptValue } from '../values/script-value.ts'

/** Java's `Iterator` and `ListIterator`. */
export class ScriptIterator extends ScriptObject {
  readonly #values: readonly ScriptValue[]
  readonly #remove: ((index: number, value: ScriptValue) => void) | undefined
  /** Place of the next member. */
  #next: number
  /** Place of the member given last; -1: none, or it was removed. */
  #last = -1
  #removed = 0

  /** @param remove  takes a member away, by its place among those that are left; undefined: it cannot be */
  constructor(values: readonly ScriptValue[], remove?: (index: number, value: ScriptValue) => void, start = 0) {
    super()
    this.#values = values
    this.#remove = remove
    this.#next = start
  }

  get className(): string {
    return 'java.util.ArrayList$Itr'
  }

  get hasNext(): boolean {
    return this.#next < this.#values.length
  }

  get hasPrevious(): boolean {
    return this.#next > 0
  }

  get nextIndex(): number {
    return this.#next - this.#removed
  }

  next(): ScriptValue {
    if (!this.hasNext) throw fault('java.util.NoSuchElementException', null)
    this.#last = this.#next++
    return this.#values[this.#last] as ScriptValue
  }

  previous(): ScriptValue {
    if (!this.hasPrevious) throw fault('java.util.NoSuchElementException', null)
    this.#last = --this.#next
    return this.#values[this.#last] as ScriptValue
  }

  remove(): void {
    if (this.#remove === undefined) throw fault('UnsupportedOperationException', null)
    if (this.#last < 0) throw fault('IllegalStateException', null)
    this.#remove(this.#last - this.#removed, this.#values[this.#last] as ScriptValue)
    this.#removed++
    this.#last = -1
  }
}
