import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { MemberError, UNREADABLE } from '../member-error.ts'
import { tokenName } from './number-value.ts'

const DIGIT = /[A-Za-z\d+/]/
const NO_DIGIT = /[^A-Za-z\d+/]/
const [SPACE, QUOTE, PADDING] = [0x20, 0x22, 0x3d]

/**
 * Bytes of a member written in Base64, as the real server's JSON parser reads them: whitespace stands between units of
 * four digits alone, and padding may end any unit.
 *
 * @throws {ServiceError} json_parse_exception
 */
export function readBase64(value: unknown, engineVersion: EngineVersion = 'OpenSearch_2.19'): Buffer {
  if (typeof value !== 'string')
    throw fault(
      `Current token (${tokenName(value)}) not VALUE_STRING or VALUE_EMBEDDED_OBJECT, can not access as binary`,
    )
  if (isPlain(value)) return Buffer.from(value, 'base64')
  const bytes = Buffer.from(value)
  const unpadded = UNPADDED[engineVersion]
  const units: Buffer[] = []
  let at = 0
  for (;;) {
    while (at < bytes.length && (bytes[at] as number) <= SPACE) at++
    if (at >= bytes.length) return Buffer.concat(units)
    for (let i = 0; i < 4; i++) {
      const reason = digitFault(bytes[at + i], i, { isPadded: i === 3 && bytes[at + 2] === PADDING, unpadded })
      if (reason !== undefined) throw new MemberError(fault(reason), leftOf(bytes, at + i, reason === unpadded))
    }
    units.push(Buffer.from(bytes.toString('latin1', at, at + 4), 'base64'))
    at += 4
  }
}

/** Whether it is whole units with padding at its end alone. (A pattern of units would keep a place for each one.) */
function isPlain(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return text.length % 4 === 0 && !NO_DIGIT.test(text.slice(0, text.length - padding))
}

/** What is not read of a text after its fault; nothing can be made of it behind its quote, nor within a character. */
function leftOf(bytes: Buffer, at: number, isUnpadded: boolean): unknown {
  if (at >= bytes.length) return isUnpadded ? '' : UNREADABLE
  const rest = bytes.subarray(at + 1)
  return ((rest[0] ?? 0) & 0xc0) === 0x80 ? UNREADABLE : rest.toString()
}

const NO_PADDING =
  "Unexpected end of base64-encoded String: base64 variant 'MIME-NO-LINEFEEDS' expects padding (one or more '=' characters) at the end"

/** What is said of a text without its padding; undefined: as of any quote among the digits. */
const UNPADDED: Readonly<Record<EngineVersion, string | undefined>> = {
  'Elasticsearch_6.8': undefined,
  'Elasticsearch_7.10': NO_PADDING,
  'OpenSearch_2.19': `${NO_PADDING}. This Base64Variant might have been incorrectly configured`,
}

/** @param byte  undefined: the quote that ends the text */
function digitFault(
  byte: number | undefined,
  i: number,
  { isPadded, unpadded }: { readonly isPadded: boolean; readonly unpadded: string | undefined },
): string | undefined {
  if (byte === undefined && i > 1 && !isPadded && unpadded !== undefined) return unpadded
  const code = byte ?? QUOTE
  const character = String.fromCharCode(code)
  if (isPadded ? code === PADDING : DIGIT.test(character) || (code === PADDING && i > 1)) return undefined
  const hex = `(code 0x${code.toString(16)})`
  const unit = `as character #${i + 1} of 4-char base64 unit`
  const isControl = code >= 0x7f && code < 0xa0
  const reason =
    code <= SPACE
      ? `Illegal white space character ${hex} ${unit}: can only used between units`
      : code === PADDING
        ? `Unexpected padding character ('=') ${unit}: padding only legal as 3rd or 4th character`
        : `Illegal character ${isControl ? '' : `'${character}' `}${hex} in base64 content`
  return `Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): ${reason}`
}

const fault = (reason: string): ServiceError => new ServiceError('json_parse_exception', reason)
