import type { AliasMetadata, IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import {
  type IndicesOptions,
  indicesOptionsFromQuery,
  STRICT_EXPAND_HIDDEN,
} from '../../engine/metadata/indices-options.ts'
import { resolveIndices } from '../../engine/metadata/resolve-indices.ts'
import { ServiceError } from '../../errors.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { renderAlias } from '../indices/alias-body.ts'
import { judgeBlocks } from '../indices/index-blocks.ts'
import { expandIndices, scopeOf } from '../indices/index-names.ts'
import type { Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'

const WITHOUT_STREAMS: IndicesOptions = { ...STRICT_EXPAND_HIDDEN, ignoreDataStreams: true }

/** `GET [/<index>]/_alias[/<name>]`, `GET /_aliases`. */
export const indicesGetAlias: EndpointHandler = (request, context) => {
  const named = request.path['name']
  const patterns = named === undefined || named === '_all' ? [] : named.split(',')
  // Whoever asks for an alias alone asks about the indices that have it.
  const isOfAny = request.path['index'] === undefined && patterns.length > 0
  const indices = isOfAny
    ? allIndices(request, context)
    : expandIndices(request, context, request.path['index'], WITHOUT_STREAMS, '_alias')
  const json: Record<string, Json> = {}
  const found = new Set<string>()
  for (const index of indices) {
    const aliases = matchingAliases(index, patterns, request.dialect)
    for (const [alias] of aliases) found.add(alias)
    if (aliases.length === 0 && named !== undefined) continue
    if (isOfAny) request.authorize([index.name], '_alias')
    json[index.name] = {
      aliases: Object.fromEntries(aliases.map(([alias, metadata]) => [alias, renderAlias(metadata)])),
    }
  }
  const missing = missingAliases(patterns, found)
  if (missing.length === 0) return { status: 200, json }
  const error = `${missing.length === 1 ? 'alias' : 'aliases'} [${missing.join(',')}] missing`
  return { status: 404, json: { error, status: 404, ...json } }
}

/** Those that no name of an index means, not judged yet. @throws {ServiceError} cluster_block_exception */
function allIndices(request: EndpointRequest, context: RestContext): readonly IndexMetadata[] {
  const options = indicesOptionsFromQuery(request.parameters.values, WITHOUT_STREAMS)
  const names = resolveIndices([], options, scopeOf(context))
  const indices = names.map((name) => context.engine.indices.get(name) as IndexMetadata)
  judgeBlocks(request, indices, 'metadata_read', '_alias')
  return indices
}

/** Aliases of an index that patterns name, in order; from 7.x on a `-` leaves out what those before it took in. */
export function matchingAliases(
  index: IndexMetadata,
  patterns: readonly string[],
  { typed }: Dialect,
): readonly (readonly [alias: string, metadata: AliasMetadata])[] {
  const entries = Object.entries(index.aliases).sort(([a], [b]) => (a < b ? -1 : 1))
  if (patterns.length === 0 || patterns.includes('_all')) return entries
  return entries.filter(([alias]) => {
    let isIn = false
    for (const pattern of patterns) {
      if (pattern.startsWith('-') && !typed) isIn &&= !matchWildcard(pattern.slice(1), alias)
      else isIn ||= matchWildcard(pattern, alias)
    }
    return isIn
  })
}

/** Whether a name or pattern means an alias. */
export const matchesAlias = (name: string, alias: string): boolean => name === '_all' || matchWildcard(name, alias)

/** Names asked for one by one that led to nothing and were not left out again. */
function missingAliases(patterns: readonly string[], found: ReadonlySet<string>): string[] {
  const firstWildcard = patterns.findIndex((pattern) => pattern.includes('*'))
  const exclusionsFrom = firstWildcard === -1 ? patterns.length : firstWildcard
  const missing = new Set<string>()
  for (const [i, pattern] of patterns.entries()) {
    if (pattern === '_all' || pattern.includes('*') || (i > exclusionsFrom && pattern.startsWith('-'))) continue
    const isExcluded = patterns
      .slice(Math.max(i + 1, exclusionsFrom))
      .some((p) => p.startsWith('-') && (p === '-_all' || matchWildcard(p.slice(1), pattern)))
    if (!isExcluded && !found.has(pattern)) missing.add(pattern)
  }
  return [...missing].sort()
}

/** `aliases [x] missing` (404). */
export function aliasesNotFound(names: readonly string[]): ServiceError {
  return new ServiceError('aliases_not_found_exception', `aliases [${names.join(', ')}] missing`, {
    metadata: { 'resource.type': 'aliases', 'resource.id': names.length === 1 ? names[0] : names },
  })
}
