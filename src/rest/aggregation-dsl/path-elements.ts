import type { SortPathElement } from '../../engine/aggregation/bucket-order.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'

/**
 * Takes a path to a result apart: `a>b.metric`, `a>b[metric]`.
 *
 * @throws {ServiceError} illegal_argument_exception, aggregation_execution_exception for a name or a key that is empty
 */
export function pathElements(whole: string): SortPathElement[] {
  const texts = whole.split('>').flatMap((part) => part.trim() || [])
  if (texts.length === 0) throw illegalArgument('Invalid path []')
  return texts.map((text, i) => {
    const bracket = text.lastIndexOf('[')
    const dot = bracket < 0 && i === texts.length - 1 ? text.lastIndexOf('.') : -1
    const end = Math.max(bracket, dot)
    if (end < 0) return { text, name: text, key: undefined }
    const key = text.slice(end + 1, bracket < 0 ? undefined : -1)
    if (end > 0 && key !== '' && (bracket < 0 || text.endsWith(']'))) return { text, name: text.slice(0, end), key }
    throw new ServiceError('aggregation_execution_exception', `Invalid path element [${text}] in path [${whole}]`)
  })
}
