import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { tokenName } from '../../../token-name.ts'
import { javaText } from '../java-text.ts'
import { JsonNumber } from '../lossless-json.ts'
import type { ParsedField } from '../parsed-document.ts'
import { type JoinField, joinParentOf } from './join-field.ts'

/** The document that a value stands in. */
export interface JoinedDocument {
  readonly id: string
  readonly routing: string | undefined
}

/**
 * Reads a document's value of a join field: its name (`"question"`), or name and parent (`{"name":"answer","parent":"1"}`).
 *
 * @returns what is indexed: the parents' ids, then the name
 * @throws {ServiceError} illegal_argument_exception, illegal_state_exception, null_pointer_exception
 */
export function joinValues(join: JoinField, value: unknown, document: JoinedDocument): ParsedField[] {
  const { path } = join.field
  const { name, parent } = readValue(path, value)
  const own = join.parents.get(name)
  const around = joinParentOf(join, name)
  if (own === undefined && around === undefined) {
    throw illegalArgument(`unknown join name [${name}] for field [${path}]`)
  }
  const fields: ParsedField[] = []
  if (around !== undefined) {
    if (parent === undefined) throw illegalArgument(`[parent] is missing for join field [${path}]`)
    if (document.routing === undefined) throw illegalArgument(`[routing] is missing for join field [${path}]`)
    fields.push({ field: around.idField, value: parent })
  }
  if (own !== undefined) fields.push({ field: own.idField, value: document.id })
  fields.push({ field: join.field, value: name })
  return fields
}

/** Whether a value has a number for its parent, whose digits matter. */
export function hasNumberAsParent(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'parent' in value && typeof value.parent === 'number'
}

function readValue(path: string, value: unknown): { readonly name: string; readonly parent: string | undefined } {
  if (typeof value === 'string') return { name: value, parent: undefined }
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) {
    const token = value instanceof JsonNumber ? 'VALUE_NUMBER' : tokenName(value)
    const reason = `[null] expected START_OBJECT or VALUE_STRING but was: ${token}`
    throw new ServiceError('illegal_state_exception', reason)
  }
  const found: { name?: string; parent?: string } = {}
  for (const [key, member] of Object.entries(value)) readMember(path, key, member, found)
  const { name, parent } = found
  if (name === undefined) {
    throw new ServiceError('null_pointer_exception', 'Cannot invoke "String.equals(Object)" because "name" is null')
  }
  return { name, parent }
}

/** As in the real server lists and objects are looked into, and true, false and null passed over. */
function readMember(path: string, key: string, value: unknown, found: { name?: string; parent?: string }): void {
  if (Array.isArray(value)) {
    for (const element of value) readMember(path, key, element, found)
    return
  }
  const isNumber = typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonNumber
  if (typeof value === 'object' && value !== null && !isNumber) {
    for (const [inner, member] of Object.entries(value)) readMember(path, inner, member, found)
    return
  }
  if (typeof value !== 'string' && !isNumber) return
  if (key === 'parent') found.parent = javaText(value)
  else if (key === 'name' && typeof value === 'string') found.name = value
  else throw illegalArgument(`unknown field name [${key}] in join field [${path}]`)
}
