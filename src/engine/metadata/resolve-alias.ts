import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { streamWriteIndex } from './data-streams.ts'
import { resolveDateMathName } from './date-math-name.ts'
import type { IndexMetadata } from './index-metadata.ts'
import { noShardAvailable, shardsUnavailable } from './missing-index.ts'
import {
  indexClosed,
  indexNotFound,
  indicesOf,
  type ResolveScope,
  severalIndices,
  streamLeftOut,
} from './resolve-indices.ts'

/**
 * The index that a write to a name goes to; undefined when there is no such index or alias (it may be created).
 *
 * @throws {ServiceError} illegal_argument_exception «no write index is defined for alias …», index_closed_exception
 */
export function resolveWriteIndex(name: string, scope: ResolveScope): IndexMetadata | undefined {
  const resolved = resolveDateMathName(name, scope.now, scope.engineVersion)
  const targets = indicesOf(resolved, scope.indices)
  if (targets === undefined) return undefined
  const index = scope.indices.get(resolved) ?? writeIndexOf(resolved, targets)
  if (index === undefined) {
    throw illegalArgument(
      `no write index is defined for alias [${name}]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index`,
    )
  }
  if (index.state === 'close') throw indexClosed(index)
  if (index.unavailable !== undefined) throw shardsUnavailable(index)
  return index
}

function writeIndexOf(alias: string, targets: readonly IndexMetadata[]): IndexMetadata | undefined {
  if (targets[0]?.dataStream?.name === alias) return streamWriteIndex(targets)
  const named = targets.find((index) => index.aliases[alias]?.isWriteIndex === true)
  if (named !== undefined) return named
  const [only, ...more] = targets
  return more.length === 0 && only?.aliases[alias]?.isWriteIndex !== false ? only : undefined
}

/**
 * The index that a single document is read from: one name, no wildcards, an alias of one index.
 *
 * @throws {ServiceError} index_not_found_exception, index_closed_exception, illegal_argument_exception
 */
export function resolveReadIndex(name: string, scope: ResolveScope): IndexMetadata {
  const resolved = resolveDateMathName(name, scope.now, scope.engineVersion)
  const targets = indicesOf(resolved, scope.indices)
  const [index, ...more] = targets ?? []
  if (index === undefined) throw indexNotFound(resolved, 'index_expression', scope.engineVersion)
  if (index.dataStream?.name === resolved) throw streamLeftOut([name])
  if (more.length > 0) throw severalIndices(name, [index, ...more], scope.engineVersion)
  if (index.state === 'close') throw indexClosed(index)
  if (index.unavailable !== undefined) throw noShardAvailable(index)
  return index
}

/** Checks that an alias has one write index at most. @throws {ServiceError} illegal_state_exception */
export function checkWriteIndices(alias: string, indices: ReadonlyMap<string, IndexMetadata>): void {
  const writers = [...indices.values()].filter((index) => index.aliases[alias]?.isWriteIndex === true)
  if (writers.length <= 1) return
  const names = writers.map(({ name }) => name).sort()
  throw new ServiceError(
    'illegal_state_exception',
    `alias [${alias}] has more than one write index [${names.join(',')}]`,
  )
}
