import { parseBoolean } from '../../parse-boolean.ts'
import { inField } from '../../parse-fault.ts'
import { wrongToken } from './check-object-member.ts'
import type { JsonValue } from './parse-json.ts'

/**
 * A member of a body that is true or false, or says so, as an object parser reads it.
 *
 * @param parser  its name, for messages
 * @throws {ServiceError} x_content_parse_exception
 */
export function booleanMember(parser: string, body: { readonly [name: string]: JsonValue }, name: string): boolean {
  const value = body[name]
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') throw wrongToken(parser, body, name)
  return inField(parser, name, () => parseBoolean(value), body)
}
