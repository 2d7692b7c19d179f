import { ServiceError } from '../../errors.ts'
import { resolveDateMathName } from './date-math-name.ts'
import type { IndexMetadata } from './index-metadata.ts'
import { indexClosed, indexNotFound, indicesOf, type ResolveScope } from './resolve-indices.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * The index that a write to a name goes to; undefined when there is no such index or alias (it may be created).
 *
 * @throws {ServiceError} illegal_argument_exception «no write index is defined for alias …», index_closed_exception
 */
export function resolveWriteIndex(name: string, scope: ResolveScope): IndexMetadata | undefined {
  const targets = indicesOf(resolveDateMathName(name, scope.now, scope.engineVersion), scope)
  if (targets === undefined) return undefined
  const index = scope.indices.get(name) ?? writeIndexOf(name, targets)
  if (index === undefined) {
    throw new ServiceError(
      'illegal_argument_exception',
      `no write index is defined for alias [${name}]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index`,
    )
  }
  if (index.state === 'close') throw indexClosed(index)
  return index
}

function writeIndexOf(alias: string, targets: readonly IndexMetadata[]): IndexMetadata | undefined {
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
  const targets = indicesOf(resolved, scope)
  const [index, ...more] = targets ?? []
  if (index === undefined) throw indexNotFound(resolved, 'index_expression', scope.engineVersion)
  if (more.length > 0) {
    const names = [index, ...more].map((target) => target.name).sort()
    throw new ServiceError(
      'illegal_argument_exception',
      `Alias [${name}] has more than one indices associated with it [[${names.join(', ')}]], can't execute a single index op`,
    )
  }
  if (index.state === 'close') throw indexClosed(index)
  return index
}

/**
 * Filters under which an index is searched through the names of a request.
 *
 * @param names  what the request's expressions come to ({@link resolveNames})
 * @returns queries of which a document must match one; undefined: the index is open to it as a whole
 */
export function aliasFilters(index: IndexMetadata, names: ReadonlySet<string>): readonly Json[] | undefined {
  if (names.size === 0 || names.has(index.name)) return undefined
  const filters: Json[] = []
  for (const [alias, { filter }] of Object.entries(index.aliases)) {
    if (!names.has(alias)) continue
    if (filter === undefined) return undefined
    filters.push(filter)
  }
  return filters.length === 0 ? undefined : filters
}

/**
 * Routing of a write or read of one document through a name that may be an alias with routing of its own.
 *
 * @throws {ServiceError} illegal_argument_exception when the alias's and the request's routing differ
 */
export function resolveIndexRouting(
  name: string,
  routing: string | undefined,
  index: IndexMetadata,
): string | undefined {
  const own = index.name === name ? undefined : index.aliases[name]?.indexRouting
  if (own === undefined) return routing
  if (own.includes(',')) {
    throw new ServiceError(
      'illegal_argument_exception',
      `index/alias [${name}] provided with routing value [${own}] that resolved to several routing values, rejecting operation`,
    )
  }
  if (routing !== undefined && routing !== own) {
    throw new ServiceError(
      'illegal_argument_exception',
      `Alias [${name}] has index routing associated with it [${own}], and was provided with routing value [${routing}], rejecting operation`,
    )
  }
  return own
}

/**
 * Routing values under which an index is searched: those of the request and of the aliases it was named by.
 *
 * @returns undefined: all of the index; an empty set: nothing of it
 */
export function resolveSearchRouting(
  index: IndexMetadata,
  names: ReadonlySet<string>,
  routing: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  if (names.size === 0 || names.has(index.name)) return routing
  const values = new Set<string>()
  let isNamed = false
  for (const [alias, { searchRouting }] of Object.entries(index.aliases)) {
    if (!names.has(alias)) continue
    isNamed = true
    if (searchRouting === undefined) return routing
    for (const value of searchRouting.split(',')) if (routing === undefined || routing.has(value)) values.add(value)
  }
  return isNamed ? values : routing
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
