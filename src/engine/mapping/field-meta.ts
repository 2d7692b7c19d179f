import { javaClass, javaText } from './java-text.ts'
import { mapperParsing } from './mapping-errors.ts'

/** What a mapping tells of a field for those who read it (`meta`), by name in order. */
export type FieldMeta = Readonly<Record<string, string>>

const MOST_ENTRIES = 5
const LONGEST_KEY = 20
const LONGEST_VALUE = 50

/**
 * Reads `meta` of a field, which all types have from 7.6 on.
 *
 * @param named  the field as the message for null calls it
 * @returns      undefined where there is nothing in it
 * @throws {ServiceError} mapper_parsing_exception
 */
export function readMeta(value: unknown, name: string, named: string): FieldMeta | undefined {
  if (value === null) throw mapperParsing(`[meta]${named} must not have a [null] value`)
  const shown = (other: unknown): string => `${javaClass(other).replace(/^.*\./, '')}[${javaText(other)}]`
  if (typeof value !== 'object' || Array.isArray(value))
    throw mapperParsing(`[meta] must be an object, got ${shown(value)} for field [${name}]`)
  const entries = Object.entries(value)
  if (entries.length > MOST_ENTRIES) {
    throw mapperParsing(
      `[meta] can't have more than ${MOST_ENTRIES} entries, but got ${entries.length} on field [${name}]`,
    )
  }
  for (const [key] of entries) {
    if (Array.from(key).length > LONGEST_KEY)
      throw mapperParsing(`[meta] keys can't be longer than ${LONGEST_KEY} chars, but got [${key}] for field [${name}]`)
  }
  for (const [, text] of entries) {
    if (text === null) throw mapperParsing(`[meta] values can't be null (field [${name}])`)
    if (typeof text !== 'string')
      throw mapperParsing(`[meta] values can only be strings, but got ${shown(text)} for field [${name}]`)
    if (Array.from(text).length > LONGEST_VALUE) {
      throw mapperParsing(
        `[meta] values can't be longer than ${LONGEST_VALUE} chars, but got [${text}] for field [${name}]`,
      )
    }
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
