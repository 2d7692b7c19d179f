import { faultOf, type ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { notABoolean } from '../../parse-boolean.ts'
import { parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { didYouMean } from '../body/did-you-mean.ts'
import { BOOLEAN, NUMBER, OBJECT } from '../body/member-tokens.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { bodyCondition } from './document-parameters.ts'
import { sourceOption } from './source-filter.ts'

/** The members of an update, and the tokens that each is read from. */
const MEMBERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['script', ['START_OBJECT', 'VALUE_STRING']],
  ['scripted_upsert', BOOLEAN],
  ['upsert', OBJECT],
  ['doc', OBJECT],
  ['doc_as_upsert', BOOLEAN],
  ['detect_noop', BOOLEAN],
  ['_source', ['START_OBJECT', 'START_ARRAY', 'VALUE_BOOLEAN', 'VALUE_STRING']],
  ['if_seq_no', NUMBER],
  ['if_primary_term', NUMBER],
])

/**
 * Checks an update's body member by member, as the object parser behind 6.x does.
 *
 * @throws {ServiceError} x_content_parse_exception
 */
export function checkUpdateBody(body: JsonValue): asserts body is { readonly [name: string]: JsonValue } {
  if (!isObject(body)) throw fault(`Expected START_OBJECT but was: ${tokenName(body)}`)
  for (const [name, value] of Object.entries(body)) {
    const tokens = MEMBERS.get(name)
    if (tokens === undefined)
      throw fault(`unknown field [${name}]${didYouMean(name, MEMBERS.keys())}`).at(body, name, 'field')
    const token = tokenName(value)
    if (!tokens.includes(token)) throw fault(`${name} doesn't support values of type: ${token}`).at(body, name)
    if (tokens === BOOLEAN && typeof value === 'string' && value !== 'true' && value !== 'false') {
      throw fault(`failed to parse field [${name}]`, notABoolean(value)).at(body, name)
    }
    const cause =
      name === '_source'
        ? faultOf(() => sourceOption(value))
        : tokens === NUMBER
          ? faultOf(() => bodyCondition({ [name]: value }))
          : undefined
    if (cause !== undefined) throw fault(`failed to parse field [${name}]`, cause).at(body, name)
  }
}

const fault = (reason: string, cause?: ServiceError): ServiceError => parseFault(`[UpdateRequest] ${reason}`, cause)
