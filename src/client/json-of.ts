import { ClientError } from './client-error.ts'

/**
 * A value as JSON text.
 *
 * @param name  what it is, for the error
 * @throws {ClientError} kind `configuration` when it has no JSON: a cycle, a bigint, a function
 */
export function jsonOf(value: unknown, name: string): string {
  let json: string | undefined
  try {
    json = JSON.stringify(value)
  } catch (cause) {
    throw new ClientError('configuration', `${name} cannot be written as JSON: ${(cause as Error).message}`, { cause })
  }
  if (json === undefined)
    throw new ClientError('configuration', `${name} cannot be written as JSON: it is a ${typeof value}`)
  return json
}
