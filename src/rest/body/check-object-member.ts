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
  const token = tokenName(body[name])
  if (token === 'START_OBJECT') return
  throw parseFault(`[${parser}] ${name} doesn't support values of type: ${token}`).at(body, name)
}
