import { ServiceError } from '../../errors.ts'
import { parseJson } from '../parse-json.ts'
import { tokenName } from '../rest-request.ts'
import { isObject } from './query-reader.ts'

/** `wrapper`: the JSON of a query that is handed on in base64. */
export function wrapped(body: unknown): unknown {
  const malformed = (what: string): ServiceError =>
    new ServiceError('parsing_exception', `[wrapper] query malformed${what}`)
  if (!isObject(body)) throw malformed(', no start_object after query name')
  const [entry, second] = Object.entries(body)
  if (entry === undefined) throw malformed('')
  const [key, value] = entry
  if (key !== 'query') throw malformed(`, expected \`query\` but was ${key}`)
  if (typeof value !== 'string')
    throw new ServiceError(
      'json_parse_exception',
      `Current token (${tokenName(value)}) not VALUE_STRING or VALUE_EMBEDDED_OBJECT, can not access as binary`,
    )
  checkBase64(value)
  if (value.trim() === '')
    throw new ServiceError('illegal_argument_exception', 'query source text cannot be null or empty')
  if (second !== undefined)
    throw new ServiceError(
      'parsing_exception',
      '[wrapper] malformed query, expected [END_OBJECT] but found [FIELD_NAME]',
    )
  return parseJson(Buffer.from(value, 'base64'))
}

/** @throws {ServiceError} json_parse_exception */
function checkBase64(text: string): void {
  const fault = (what: string): ServiceError =>
    new ServiceError('json_parse_exception', `Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): ${what}`)
  const illegal = /[^A-Za-z0-9+/=\s]/u.exec(text)
  if (illegal !== null) {
    const [char] = illegal
    throw fault(`Illegal character '${char}' (code 0x${char.codePointAt(0)?.toString(16)}) in base64 content`)
  }
}
