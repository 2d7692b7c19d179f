import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isJsonFault } from '../../json-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { bodyObject, type EndpointRequest, isBlank } from '../rest-request.ts'

/** The body of a call that asks for what was kept from an earlier one. @throws {ServiceError} illegal_argument_exception */
export function contextBody(request: EndpointRequest): { readonly [name: string]: JsonValue } | undefined {
  const noObject = (): ServiceError => illegalArgument('Malformed content, must start with an object')
  if (isBlank(request)) throw noObject()
  try {
    return bodyObject(request, noObject)
  } catch (error) {
    if (!isJsonFault(error)) throw error
    throw illegalArgument('Failed to parse request body', error)
  }
}

/** A member that such a body does not have, or not of that kind. */
export const notAContextMember = (name: string, value: JsonValue): ServiceError =>
  illegalArgument(`Unknown parameter [${name}] in request body or parameter is of the wrong type[${tokenName(value)}] `)

/** The ids in a body that has no other member; undefined where it has none. @throws {ServiceError} illegal_argument_exception */
export function contextIds(body: { readonly [name: string]: JsonValue }, member: string): string[] | undefined {
  let ids: string[] | undefined
  for (const [name, value] of Object.entries(body)) {
    if (name !== member) throw notAContextMember(name, value)
    const isList = Array.isArray(value)
    ids = (isList ? value : [value]).map((id) => {
      if (id !== null && typeof id !== 'object') return String(id)
      throw illegalArgument(`${member} ${isList ? 'array ' : ''}element should only contain ${member}`)
    })
  }
  return ids
}

/** What Java's decoder says of a text that is no base64; undefined: nothing, or its end alone is wrong. */
export function base64Fault(text: string): ServiceError | undefined {
  if (text.length === 1) return illegalArgument('Input byte[] should at least have 2 bytes for base64 bytes')
  const odd = Buffer.from(text).find((byte) => !/[\w=-]/.test(String.fromCharCode(byte)))
  return odd === undefined ? undefined : illegalArgument(`Illegal base64 character ${signedHex(odd)}`)
}

/** A byte as Java shows it in base 16, where it has a sign. */
const signedHex = (byte: number): string => (byte > 0x7f ? byte - 0x100 : byte).toString(16)
