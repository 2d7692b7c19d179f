import { javaDouble } from '../../engine/java/java-number-text.ts'
import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { isWrittenAsFloat } from '../body/parse-json.ts'

/**
 * A member of a parsed object or list; a number that Java writes otherwise than JavaScript (`1.0`, `1.0E-5`) with
 * its text, which is what fields of words are asked for.
 */
export function writtenNumber(container: object, key: string | number, value: unknown): unknown {
  if (typeof value !== 'number' || !(isWrittenAsFloat(container, key) || !Number.isInteger(value))) return value
  const text = javaDouble(value)
  return text === String(value) ? value : new JsonNumber(text)
}

/** A list with its numbers as {@link writtenNumber} has them. */
export function writtenNumbers(values: readonly unknown[]): readonly unknown[] {
  if (!values.some((value, i) => typeof value === 'number' && writtenNumber(values, i, value) !== value)) return values
  return values.map((value, i) => writtenNumber(values, i, value))
}
