const PERCENT = 0x25
const PLUS = 0x2b
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/** A percent escape that is none; the real server's words in `message`. */
export class UrlDecodeError extends Error {
  override readonly name = 'UrlDecodeError'
}

/**
 * Decodes percent escapes once. Bytes that are no UTF-8 become U+FFFD.
 *
 * @param plusIsBlank  as in queries, and in paths of 6.x
 * @throws {UrlDecodeError} for `%ZZ`, `a%4`, `a%`
 * @source asked of Elasticsearch 6.8.23, 7.10.2 and OpenSearch 2.19.3
 */
export function urlDecode(text: string, plusIsBlank: boolean): string {
  if (!text.includes('%')) return plusIsBlank ? text.replaceAll('+', ' ') : text
  const bytes = encoder.encode(text)
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    if (byte === PERCENT) {
      if (i === bytes.length - 1) throw new UrlDecodeError(`unterminated escape sequence at end of string: ${text}`)
      if (i === bytes.length - 2) throw new UrlDecodeError(`partial escape sequence at end of string: ${text}`)
      const high = hexDigit(bytes[i + 1] as number)
      const low = hexDigit(bytes[i + 2] as number)
      if (high < 0 || low < 0) {
        const index = text.indexOf('%', decoder.decode(bytes.subarray(0, i)).length === i ? i : 0)
        throw new UrlDecodeError(
          `invalid escape sequence \`${text.slice(index, index + 3)}' at index ${index} of: ${text}`,
        )
      }
      bytes[length++] = high * 16 + low
      i += 2
    } else bytes[length++] = plusIsBlank && byte === PLUS ? 0x20 : byte
  }
  return decoder.decode(bytes.subarray(0, length))
}

/** Value of a hexadecimal digit's character code, -1 for any other. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
