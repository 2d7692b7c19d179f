import type { AliasMetadata } from '../../engine/metadata/index-metadata.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { setOwn } from '../../set-own.ts'
import { notAMap } from '../body/not-a-map.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { Json } from '../json/json-writer.ts'

/** An alias's routing by the names that bodies have for it; `both` where it has none of its own. */
const ROUTINGS: Readonly<Record<string, 'both' | 'index' | 'search'>> = {
  routing: 'both',
  index_routing: 'index',
  indexRouting: 'index',
  'index-routing': 'index',
  search_routing: 'search',
  searchRouting: 'search',
  'search-routing': 'search',
}

type ReadAlias = { -readonly [name in keyof AliasMetadata]: AliasMetadata[name] }

/**
 * An alias's members in the body of what it is made with: filter and routings. What is not known, or not of the kind that is
 * looked for, is passed over.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
function readAliasMetadata(body: { readonly [name: string]: JsonValue }): AliasMetadata {
  const read: ReadAlias = {}
  for (const [name, value] of Object.entries(body)) readAliasMember(read, name, value)
  return read
}

/** Of a list the last value counts; the end of an object in it ends the alias for the real parser. */
function readAliasMember(read: ReadAlias, name: string, value: JsonValue): void {
  const routing = routingNamed(name)
  if (Array.isArray(value)) {
    if (name !== 'filter' && value.some(isObject)) throw noAlias()
    readAliasMember(read, name, value.findLast((element) => element !== null) ?? null)
  } else if (routing !== undefined && typeof value === 'string') setRouting(read, routing, value)
  else if (name === 'filter' && isObject(value) && Object.keys(value).length > 0) read.filter = value
  else if (name === 'is_write_index' && typeof value === 'boolean') read.isWriteIndex = value
  else if (name === 'is_hidden' && typeof value === 'boolean') read.isHidden = value
}

const noAlias = (): ServiceError => illegalArgument('No alias is specified')

/** Sets a routing; that for both goes only where the other two have not said otherwise. */
export function setRouting(
  alias: { -readonly [name in keyof AliasMetadata]: AliasMetadata[name] },
  routing: 'both' | 'index' | 'search',
  value: string,
): void {
  if (routing === 'both') {
    alias.indexRouting ??= value
    alias.searchRouting ??= value
  } else alias[routing === 'index' ? 'indexRouting' : 'searchRouting'] = value
}

/** Members of a body that are a routing. */
export const ROUTING_NAMES: readonly string[] = Object.keys(ROUTINGS)

/** Which routing a member of a body is; undefined: none. */
export const routingNamed = (name: string): 'both' | 'index' | 'search' | undefined =>
  Object.hasOwn(ROUTINGS, name) ? ROUTINGS[name] : undefined

/** `aliases` of a create index or template body. */
export function readAliases(aliases: JsonValue | undefined): Record<string, AliasMetadata> {
  if (aliases === undefined || aliases === null) return {}
  if (!isObject(aliases)) throw notAMap(aliases)
  const out: Record<string, AliasMetadata> = {}
  for (const [alias, body] of Object.entries(aliases)) {
    if (!isObject(body)) throw noAlias()
    setOwn(out, alias, readAliasMetadata(body))
  }
  return out
}

/** An alias as answers show it. */
export function renderAlias(alias: AliasMetadata): Json {
  return {
    ...(alias.filter === undefined ? {} : { filter: alias.filter as Json }),
    ...(alias.indexRouting === undefined ? {} : { index_routing: alias.indexRouting }),
    ...(alias.searchRouting === undefined ? {} : { search_routing: alias.searchRouting }),
    ...(alias.isWriteIndex === undefined ? {} : { is_write_index: alias.isWriteIndex }),
    ...(alias.isHidden === undefined ? {} : { is_hidden: alias.isHidden }),
  }
}

/** All aliases of an index by name. */
export function renderAliases(aliases: Readonly<Record<string, AliasMetadata>>): Json {
  return Object.fromEntries(Object.entries(aliases).map(([name, alias]) => [name, renderAlias(alias)]))
}
