import type { AliasMetadata } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'
import type { Json } from '../json/json-writer.ts'
import type { JsonValue } from '../parse-json.ts'
import { isObject, tokenName } from '../rest-request.ts'

/** An alias's members in a body: filter and routings. @throws {ServiceError} for unknown members */
export function readAliasMetadata(
  body: { readonly [name: string]: JsonValue },
  options: { readonly ignored?: readonly string[]; readonly unknown: (name: string, value: JsonValue) => ServiceError },
): AliasMetadata {
  let filter: Readonly<Record<string, unknown>> | undefined
  let indexRouting: string | undefined
  let searchRouting: string | undefined
  let isWriteIndex: boolean | undefined
  for (const [name, value] of Object.entries(body)) {
    switch (name) {
      case 'filter':
        if (value === null) break
        if (!isObject(value)) throw options.unknown(name, value)
        filter = value
        break
      case 'routing':
        indexRouting ??= text(value)
        searchRouting ??= text(value)
        break
      case 'index_routing':
      case 'indexRouting':
      case 'index-routing':
        indexRouting = text(value)
        break
      case 'search_routing':
      case 'searchRouting':
      case 'search-routing':
        searchRouting = text(value)
        break
      case 'is_write_index':
        if (typeof value !== 'boolean' && value !== 'true' && value !== 'false') throw options.unknown(name, value)
        isWriteIndex = value === true || value === 'true'
        break
      default:
        if (!options.ignored?.includes(name)) throw options.unknown(name, value)
    }
  }
  return {
    ...(filter === undefined ? {} : { filter }),
    ...(indexRouting === undefined ? {} : { indexRouting }),
    ...(searchRouting === undefined ? {} : { searchRouting }),
    ...(isWriteIndex === undefined ? {} : { isWriteIndex }),
  }
}

function text(value: JsonValue): string | undefined {
  return value === null ? undefined : String(value)
}

/** `aliases` of a create index or template body. */
export function readAliases(aliases: JsonValue | undefined): Record<string, AliasMetadata> {
  if (aliases === undefined || aliases === null) return {}
  if (!isObject(aliases)) throw new ServiceError('parse_exception', 'key [aliases] must be an object')
  const out: Record<string, AliasMetadata> = {}
  for (const [alias, body] of Object.entries(aliases)) {
    if (!isObject(body)) {
      throw new ServiceError('parsing_exception', `Unknown token [${tokenName(body)}] in alias [${alias}]`)
    }
    out[alias] = readAliasMetadata(body, {
      unknown: (name, value) =>
        new ServiceError('parsing_exception', `Unknown ${tokenName(value)} [${name}] in alias [${alias}]`),
    })
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
  }
}

/** All aliases of an index by name. */
export function renderAliases(aliases: Readonly<Record<string, AliasMetadata>>): Json {
  return Object.fromEntries(Object.entries(aliases).map(([name, alias]) => [name, renderAlias(alias)]))
}
