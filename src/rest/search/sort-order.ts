import { type EngineVersion, packageOf } from '../../engine/engine-version.ts'
import { illegalArgument } from '../../illegal-argument.ts'

/** `asc` or `desc`, in any case. @throws {ServiceError} illegal_argument_exception */
export function sortOrder(text: string, engineVersion: EngineVersion): 'asc' | 'desc' {
  const order = text.toLowerCase()
  if (order === 'asc' || order === 'desc') return order
  const constant = `${packageOf(engineVersion)}.search.sort.SortOrder.${text.toUpperCase()}`
  throw illegalArgument(`No enum constant ${constant}`)
}
