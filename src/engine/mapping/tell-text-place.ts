import { ServiceError } from '../../errors.ts'
import { findToken } from '../../find-token.ts'

/**
 * A document's fault, telling where the value stands that no text can be got of, as the real servers' parsers do; any other as it is.
 *
 * @param json  the document's text
 * @param root  what was parsed from it
 */
export function tellTextPlace(error: ServiceError, json: string | Uint8Array, root: unknown): ServiceError {
  const { cause } = error.detail
  if (cause !== undefined) {
    const told = tellTextPlace(cause, json, root)
    return told === cause ? error : error.with({ cause: told })
  }
  const { place } = error
  if (!error.reason.startsWith("Can't get text on a ") || !place) return error
  const bytes =
    typeof json === 'string' ? Buffer.from(json) : Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  const found = findToken(bytes, root, place)
  if (found === undefined) return error
  return new ServiceError(error.type, `${error.reason} at ${found.line}:${found.column}`)
}
