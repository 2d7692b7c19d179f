import { fault } from '../script-fault.ts'

const OUTSIDE = { base64: /[^A-Za-z0-9+/]/, base64url: /[^\w-]/ }

/**
 * Refuses what Java's `Base64.Decoder` does, `bytes` being the text's.
 * @throws {ScriptFault} illegal_argument_exception
 */
export function checkBase64(bytes: Buffer, alphabet: keyof typeof OUTSIDE): void {
  const refuse = (reason: string): never => {
    throw fault('IllegalArgumentException', reason)
  }
  if (bytes.length === 1) refuse('Input byte[] should at least have 2 bytes for base64 bytes')
  const text = bytes.toString('latin1')
  const end = text.search(OUTSIDE[alphabet])
  const inLastUnit = (end === -1 ? text.length : end) % 4
  if (end === -1) {
    if (inLastUnit === 1) refuse('Last unit does not have enough valid bits')
    return
  }
  if (text[end] !== '=') refuse(`Illegal base64 character ${bytes.readInt8(end).toString(16)}`)
  const padding = inLastUnit === 2 ? 2 : 1
  if (inLastUnit === 0 || !text.startsWith('='.repeat(padding), end)) {
    refuse('Input byte array has wrong 4-byte ending unit')
  }
  if (inLastUnit === 1) refuse('Last unit does not have enough valid bits')
  const rest = end + padding
  if (rest < text.length) refuse(`Input byte array has incorrect ending byte at ${rest}`)
}
