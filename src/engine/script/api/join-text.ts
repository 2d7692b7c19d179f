import type { ScriptRun } from '../script-run.ts'
import { notOf } from '../values/boxing.ts'
import { TextBuilder } from '../values/script-text.ts'
import { type ScriptValue, textOf } from '../values/script-value.ts'

/** Values as text, with a text in between. @throws {ScriptLimit} when there is too much of it */
export function joined(values: readonly ScriptValue[], by: string, run: ScriptRun): string {
  const texts = values.map(textOf)
  run.allocate(texts.reduce((length, text) => length + text.length + by.length, 16))
  return texts.join(by)
}

/** The same of texts alone. @throws {ScriptFault} class_cast_exception for a value that is none */
export function joinedTexts(values: readonly ScriptValue[], by: string, run: ScriptRun): string {
  const other = values.find((value) => value !== null && typeof value !== 'string' && !(value instanceof TextBuilder))
  if (other !== undefined) throw notOf(other, 'java.lang.CharSequence')
  return joined(values, by, run)
}
