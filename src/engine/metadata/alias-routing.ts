import { illegalArgument } from '../../illegal-argument.ts'
import type { IndexMetadata } from './index-metadata.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Filters under which an index is searched through the names of a request.
 *
 * @param names  what the request's expressions come to ({@link resolveNames})
 * @returns queries of which a document must match one; undefined: the index is open to it as a whole
 */
export function aliasFilters(index: IndexMetadata, names: ReadonlySet<string>): readonly Json[] | undefined {
  if (isNamed(index, names)) return undefined
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
    throw illegalArgument(
      `index/alias [${name}] provided with routing value [${own}] that resolved to several routing values, rejecting operation`,
    )
  }
  if (routing !== undefined && routing !== own) {
    throw illegalArgument(
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
  if (isNamed(index, names)) return routing
  const values = new Set<string>()
  let isByAlias = false
  for (const [alias, { searchRouting }] of Object.entries(index.aliases)) {
    if (!names.has(alias)) continue
    isByAlias = true
    if (searchRouting === undefined) return routing
    for (const value of searchRouting.split(',')) if (routing === undefined || routing.has(value)) values.add(value)
  }
  if (!isByAlias) return routing
  // Routing that no alias of the request has says nothing, as in the real server.
  return values.size === 0 && routing?.size !== 0 ? undefined : values
}

/** Whether an index is searched by its own name or that of its data stream. */
function isNamed({ name, dataStream }: IndexMetadata, names: ReadonlySet<string>): boolean {
  return names.size === 0 || names.has(name) || (dataStream !== undefined && names.has(dataStream.name))
}
