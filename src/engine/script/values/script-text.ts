import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { ScriptObject } from './script-object.ts'

/** Java's classes of texts that change. */
export type BuilderName = 'StringBuilder' | 'StringBuffer'

/** Java's `StringBuilder`, and the older `StringBuffer`. */
export class TextBuilder extends ScriptObject {
  text: string
  readonly #name: BuilderName

  constructor(text = '', name: BuilderName = 'StringBuilder') {
    super()
    this.text = text
    this.#name = name
  }

  override kept(): Iterable<string> {
    return [this.text]
  }

  get className(): string {
    return `java.lang.${this.#name}`
  }

  /** Puts a text in the place of what it held. @throws {ScriptLimit} when there is too much text */
  set(text: string, run: ScriptRun): TextBuilder {
    run.allocate(text.length > 4_096 ? text.length / 16 : 16)
    if (text.length > 32_000_000) throw fault('OutOfMemoryError', 'Java heap space')
    this.text = text
    return this
  }

  override toText(): string {
    return this.text
  }
}

/** A part of a text. @throws {ScriptFault} string_index_out_of_bounds_exception */
export function subtext(text: string, begin: number, end: number): string {
  if (begin < 0 || end > text.length || begin > end) {
    throw fault('StringIndexOutOfBoundsException', `begin ${begin}, end ${end}, length ${text.length}`)
  }
  return text.slice(begin, end)
}

/** One code unit of a text. @throws {ScriptFault} string_index_out_of_bounds_exception */
export function unitAt(text: string, index: number): number {
  if (index < 0 || index >= text.length) {
    throw fault('StringIndexOutOfBoundsException', `String index out of range: ${index}`)
  }
  return text.charCodeAt(index)
}
