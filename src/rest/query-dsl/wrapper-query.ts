import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { parseJson } from '../body/parse-json.ts'
import { parsingException } from '../parsing-exception.ts'

/** `wrapper`: the JSON of a query that is handed on in base64. */
export function wrapped(body: unknown): unknown {
  const malformed = (what: string): ServiceError => parsingException(`[wrapper] query malformed${what}`)
  if (!isObject(body)) throw malformed(', no start_object after query name')
  const [entry, second] = Object.entries(body)
  if (entry === undefined) throw malformed('').at(body, undefined, 'end')
  const [key, value] = entry
  if (key !== 'query') throw malformed(`, expected \`query\` but was ${key}`).at(body, key, 'name')
  if (typeof value !== 'string') {
    const reason = `Current token (${jsonToken(value)}) not VALUE_STRING or VALUE_EMBEDDED_OBJECT, can not access as binary`
    throw new ServiceError('json_parse_exception', reason)
  }
  const fault = base64Fault(value)
  if (fault !== undefined) {
    const reason = `Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): ${fault}`
    throw new ServiceError('json_parse_exception', reason)
  }
  const json = Buffer.from(value, 'base64').toString('utf8')
  if (json === '') throw illegalArgument('query source text cannot be null or empty')
  if (second !== undefined) {
    throw parsingException('[wrapper] malformed query, expected [END_OBJECT] but found [FIELD_NAME]').at(
      body,
      second[0],
      'name',
    )
  }
  if (!json.trimStart().startsWith('{')) {
    throw parseFault('Failed to derive xcontent')
  }
  return parseJson(json)
}

/** A token as the JSON reader itself names it. */
function jsonToken(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'VALUE_TRUE' : 'VALUE_FALSE'
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'VALUE_NUMBER_INT'
  return typeof value === 'number' ? 'VALUE_NUMBER_FLOAT' : tokenName(value)
}

/**
 * What is wrong with a text in base64; undefined: nothing. White space may stand between units of four characters only, and
 * units are whole.
 */
function base64Fault(text: string): string | undefined {
  // The reader of the real server meets the closing quote where a unit is not whole.
  const chars = `${text}"`
  const code = (char: string): string => `(code 0x${char.charCodeAt(0).toString(16)})`
  for (let at = 0; at < text.length; ) {
    if ((chars[at] as string) <= ' ') {
      at++
      continue
    }
    let isPadded = false
    for (let place = 1; place <= 4; place++, at++) {
      const char = chars[at] as string
      if (isPadded && char !== '=') {
        return `Illegal character '${char}' ${code(char)} in base64 content: expected padding character '='`
      }
      if (char <= ' ') {
        return `Illegal white space character ${code(char)} as character #${place} of 4-char base64 unit: can only used between units`
      }
      if (char === '=') {
        if (place < 3) {
          return `Unexpected padding character ('=') as character #${place} of 4-char base64 unit: padding only legal as 3rd or 4th character`
        }
        isPadded = true
      } else if (!/[A-Za-z0-9+/]/.test(char)) return `Illegal character '${char}' ${code(char)} in base64 content`
    }
  }
  return undefined
}
