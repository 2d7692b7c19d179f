import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { ScriptObject } from './script-object.ts'
import { isPrimitive, type ScriptType } from './script-type.ts'

const CODES: Readonly<Record<string, string>> = {
  boolean: 'Z',
  byte: 'B',
  short: 'S',
  char: 'C',
  int: 'I',
  long: 'J',
  float: 'F',
  double: 'D',
}

/** A Java array. */
export class ScriptArray extends ScriptObject {
  /** What its places hold; they are held as ScriptType says. */
  readonly element: ScriptType
  readonly items: unknown[]

  constructor(element: ScriptType, items: unknown[]) {
    super()
    this.element = element
    this.items = items
  }

  override kept(): Iterable<unknown> {
    return this.items
  }

  get className(): string {
    const code = isPrimitive(this.element)
      ? CODES[this.element]
      : `Ljava.lang.${this.element === 'def' ? 'Object' : this.element};`
    return `[${code}`
  }

  check(index: number): void {
    if (index >= 0 && index < this.items.length) return
    throw fault('ArrayIndexOutOfBoundsException', `Index ${index} out of bounds for length ${this.items.length}`)
  }
}

/** What a place of an array holds that nobody has written to. */
export function initialValue(type: ScriptType): unknown {
  if (type === 'boolean') return false
  if (type === 'long') return 0n
  return isPrimitive(type) ? 0 : null
}

/** A new array. @throws {ScriptFault} negative_array_size_exception @throws {ScriptLimit} for too long a one */
export function newArray(element: ScriptType, length: number, run: ScriptRun): ScriptArray {
  if (length < 0) throw fault('NegativeArraySizeException', String(length))
  run.allocate(length * 8 + 16)
  return new ScriptArray(element, new Array(length).fill(initialValue(element)))
}
