import { illegalArgument } from '../../illegal-argument.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { LeafDefinition, ObjectDefinition } from './mapping-definition.ts'
import { checkConflicts } from './merge-mapping.ts'

/**
 * Checks that two types of an index map the paths they share alike, since they share the fields behind them.
 *
 * @param type  the type of `update`, for messages
 * @throws {ServiceError} illegal_argument_exception, in the words of Elasticsearch 5
 */
export function checkTypesAgree(
  other: ObjectDefinition,
  update: ObjectDefinition,
  type: string,
  engineVersion: EngineVersion,
  path = '',
): void {
  for (const [name, right] of update.children) {
    const left = other.children.get(name)
    if (left === undefined) continue
    const childPath = path === '' ? name : `${path}.${name}`
    if (left.kind === 'object' && right.kind === 'object') {
      if (left.nested !== right.nested) {
        const [from, to] = left.nested ? ['nested', 'non-nested'] : ['non-nested', 'nested']
        throw illegalArgument(`object mapping [${childPath}] can't be changed from ${from} to ${to}`)
      }
      checkTypesAgree(left, right, type, engineVersion, childPath)
    } else if (right.kind === 'object') {
      throw illegalArgument(
        `[${childPath}] is defined as an object in mapping [${type}] but this name is already used for a field in other types`,
      )
    } else if (left.kind === 'object') {
      throw illegalArgument(
        `[${childPath}] is defined as a field in mapping [${type}] but this name is already used for an object in other types`,
      )
    } else if (left.kind === 'leaf' && right.kind === 'leaf') checkLeavesAgree(left, right, childPath, engineVersion)
    else if (
      left.kind !== right.kind ||
      (left.kind === 'alias' && right.kind === 'alias' && left.path !== right.path)
    ) {
      throw illegalArgument(
        `Mapper for [${childPath}] conflicts with existing mapping in other types:\n[mapper [${childPath}] is an alias of another field]`,
      )
    }
  }
}

function checkLeavesAgree(
  left: LeafDefinition,
  right: LeafDefinition,
  path: string,
  engineVersion: EngineVersion,
): void {
  if (left.type !== right.type) {
    throw illegalArgument(`mapper [${path}] cannot be changed from type [${left.type}] to [${right.type}]`)
  }
  checkConflicts(left, right, path, engineVersion)
  for (const [name, field] of right.multiFields) {
    const other = left.multiFields.get(name)
    if (other !== undefined) checkLeavesAgree(other, field, `${path}.${name}`, engineVersion)
  }
}
