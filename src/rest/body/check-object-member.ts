import type { ServiceError } from '../../errors.ts'
import { parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from './parse-json.ts'

/**
 * Sees to it that a member of a body is an object, as an object parser does.
 *
 * @param parser  its name, for messages
 * @throws {ServiceError} x_content_parse_exception
 */
export function checkObjectMember(parser: string, body: { readonly [name: string]: JsonValue }, name: string): void {
  if (tokenName(body[name]) !== 'START_OBJECT') throw wrongToken(parser, body, name)
}

/** The fault of a member that is another kind of value than an object parser reads there: x_content_parse_exception. */
export function wrongToken(parser: string, body: { readonly [name: string]: JsonValue }, name: string): ServiceError {
  return parseFault(`[${parser}] ${name} doesn't support values of type: ${tokenName(body[name])}`).at(body, name)
}
