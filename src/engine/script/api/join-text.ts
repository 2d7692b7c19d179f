import type { ScriptRun } from '../script-run.ts'
import { type ScriptValue, textOf } from '../script-value.ts'

/** Values as text, with a text in between. @throws {ScriptLimit} when there is too much of it */
export function joined(values: readonly ScriptValue[], by: string, run: ScriptRun): string {
  const texts = values.map(textOf)
  run.allocate(texts.reduce((length, text) => length + text.length + by.length, 16))
  return texts.join(by)
}
