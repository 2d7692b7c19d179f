import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { EngineVersion } from '../engine-version.ts'
import { dataStreams } from './data-streams.ts'
import { resolveDateMathName } from './date-math-name.ts'
import type { IndexMetadata } from './index-metadata.ts'
import type { IndicesOptions } from './indices-options.ts'
import { invalidIndexName } from './validate-name.ts'

/** What expressions are resolved against. */
export interface ResolveScope {
  readonly indices: ReadonlyMap<string, IndexMetadata>
  readonly engineVersion: EngineVersion
  /** For date math names; ms since 1970. */
  readonly now: number
}

/**
 * Concrete indices that expressions name: names, aliases, wildcards, `_all`, exclusions (`-x` behind a wildcard), date math
 * names. None at all means all.
 *
 * @returns names, sorted, each once
 * @throws {ServiceError} index_not_found_exception, index_closed_exception, invalid_index_name_exception,
 *   illegal_argument_exception, parse_exception
 */
export function resolveIndices(expressions: readonly string[], options: IndicesOptions, scope: ResolveScope): string[] {
  const given = expressions.length === 0 ? ['_all'] : expressions
  const failMissing = given.length === 1 ? !options.allowNoIndices : !options.ignoreUnavailable
  const failClosed = options.forbidClosedIndices && !options.ignoreUnavailable
  const names = expandWildcards(dateMathNames(given, scope), options, scope)
  const found = new Set<string>()
  let isStreamLeftOut = false
  for (const name of names) {
    const targets = indicesOf(name, scope.indices)
    if (targets === undefined) {
      if (failMissing) throw indexNotFound(name, 'index_expression', scope.engineVersion)
      continue
    }
    if (isStream(name, targets)) {
      if (options.ignoreDataStreams) {
        isStreamLeftOut = true
        continue
      }
    } else if (!scope.indices.has(name) && options.ignoreAliases) {
      if (failMissing) throw aliasesNotSupported(name)
      continue
    }
    if (targets.length > 1 && !options.allowAliasesToMultipleIndices)
      throw severalIndices(name, targets, scope.engineVersion)
    for (const index of targets) {
      if (index.state === 'open' || !options.forbidClosedIndices) found.add(index.name)
      else if (failClosed) throw closedLeftOut(index, options, scope)
    }
  }
  if (found.size === 0 && !options.allowNoIndices)
    throw isStreamLeftOut ? streamLeftOut(given) : nothingFound(given, 'index_expression', scope.engineVersion)
  return [...found].sort()
}

/** OpenSearch says so where only closed ones are asked for by those who may not. */
function closedLeftOut(index: IndexMetadata, options: IndicesOptions, { engineVersion }: ResolveScope): ServiceError {
  if (engineVersion !== 'OpenSearch_2.19' || options.expandWildcardsOpen || !options.expandWildcardsClosed)
    return indexClosed(index)
  const reason = 'To expand [CLOSE] wildcard, please set forbid_closed_indices to `false`'
  return illegalArgument(reason)
}

/**
 * The names that expressions come to before aliases are followed: wildcards and `_all` expanded to indices and aliases.
 * For alias filters and routing.
 */
export function resolveNames(
  expressions: readonly string[],
  options: IndicesOptions,
  scope: ResolveScope,
): ReadonlySet<string> {
  const given = expressions.length === 0 ? ['_all'] : expressions
  return new Set(expandWildcards(dateMathNames(given, scope), options, scope, true))
}

/** An alias's, data stream's or index's indices; undefined when there is none of them. */
export function indicesOf(
  name: string,
  indices: ReadonlyMap<string, IndexMetadata>,
): readonly IndexMetadata[] | undefined {
  const index = indices.get(name)
  if (index !== undefined) return [index]
  const behind: IndexMetadata[] = []
  for (const candidate of indices.values())
    if (Object.hasOwn(candidate.aliases, name) || candidate.dataStream?.name === name) behind.push(candidate)
  return behind.length === 0 ? undefined : behind
}

/** Whether a name that leads to indices is a data stream's. */
function isStream(name: string, [first]: readonly IndexMetadata[]): boolean {
  return first?.dataStream?.name === name
}

/** What is said where a data stream stands for no index. */
export function streamLeftOut(expressions: readonly string[]): ServiceError {
  const id = expressions.length === 1 ? expressions[0] : expressions
  return new ServiceError('index_not_found_exception', 'no such index [null]', {
    metadata: { 'resource.type': 'index_expression', 'resource.id': id, excluded_ds: 'true' },
  })
}

/** Whether an error is {@link streamLeftOut}'s. */
export function isStreamLeftOut({ detail }: ServiceError): boolean {
  return detail.metadata?.['excluded_ds'] !== undefined
}

/** `no such index`, with the resource that the real server names. */
export function indexNotFound(
  name: string,
  resourceType: 'index_or_alias' | 'index_expression',
  version: EngineVersion,
): ServiceError {
  return new ServiceError(
    'index_not_found_exception',
    version === 'Elasticsearch_6.8' ? 'no such index' : `no such index [${name}]`,
    { index: name, indexUuid: '_na_', metadata: { 'resource.type': resourceType, 'resource.id': name } },
  )
}

/** `closed`, with the index and its uuid. */
export function indexClosed({ name, uuid }: IndexMetadata): ServiceError {
  return new ServiceError('index_closed_exception', 'closed', { index: name, indexUuid: uuid })
}

function nothingFound(
  expressions: readonly string[],
  resourceType: 'index_or_alias' | 'index_expression',
  version: EngineVersion,
): ServiceError {
  const id = expressions.length === 1 ? expressions[0] : expressions
  return new ServiceError(
    'index_not_found_exception',
    version === 'Elasticsearch_6.8'
      ? 'no such index'
      : `no such index [${expressions.length === 1 && resourceType === 'index_expression' ? id : 'null'}]`,
    { metadata: { 'resource.type': resourceType, 'resource.id': id } },
  )
}

function aliasesNotSupported(name: string): ServiceError {
  return illegalArgument(
    `The provided expression [${name}] matches an alias, specify the corresponding concrete indices instead.`,
  )
}

/** One index is wanted and an alias of several is named. */
export function severalIndices(alias: string, indices: readonly IndexMetadata[], version: EngineVersion): ServiceError {
  const names = indices
    .map(({ name }) => name)
    .sort()
    .join(', ')
  return illegalArgument(
    version === 'Elasticsearch_6.8'
      ? `Alias [${alias}] has more than one indices associated with it [[${names}]], can't execute a single index op`
      : `alias [${alias}] has more than one index associated with it [${names}], can't execute a single index op`,
  )
}

function dateMathNames(expressions: readonly string[], scope: ResolveScope): string[] {
  return expressions.map((expression) => {
    if (expression.startsWith('-<')) {
      return `-${resolveDateMathName(expression.slice(1), scope.now, scope.engineVersion)}`
    }
    return resolveDateMathName(expression, scope.now, scope.engineVersion)
  })
}

function expandWildcards(
  expressions: readonly string[],
  options: IndicesOptions,
  scope: ResolveScope,
  keepAliases = false,
): readonly string[] {
  if (!options.expandWildcardsOpen && !options.expandWildcardsClosed) return withoutAll(expressions)
  const [first] = expressions
  if (expressions.length === 1 && (first === '_all' || first === '*'))
    return keepAliases ? namesOfEverything(options, scope) : everything(options, scope)
  const found = new Set<string>()
  let wildcardSeen = false
  for (const expression of expressions) {
    if (expression === '') throw indexNotFound(expression, 'index_or_alias', scope.engineVersion)
    if (expression.startsWith('_')) throw invalidIndexName(expression, "must not start with '_'.")
    const targets = indicesOf(expression, scope.indices)
    if (targets !== undefined && isName(expression, targets, options, scope)) {
      found.add(expression)
      continue
    }
    const isExclusion = expression.startsWith('-') && wildcardSeen
    const pattern = isExclusion ? expression.slice(1) : expression
    if (!pattern.includes('*')) {
      if (!options.ignoreUnavailable) checkNamed(pattern, options, scope)
      if (isExclusion) found.delete(pattern)
      else found.add(pattern)
      continue
    }
    wildcardSeen = true
    const { names, isEmpty } = matchPattern(pattern, options, scope, keepAliases)
    for (const name of names) {
      if (isExclusion) found.delete(name)
      else found.add(name)
    }
    if (isEmpty && !options.allowNoIndices) throw indexNotFound(pattern, 'index_or_alias', scope.engineVersion)
  }
  if (found.size === 0 && !options.allowNoIndices)
    throw nothingFound(expressions, 'index_or_alias', scope.engineVersion)
  return [...found]
}

/** Whether options let a name that leads to indices stand for them. */
function isName(
  name: string,
  targets: readonly IndexMetadata[],
  options: IndicesOptions,
  { indices }: ResolveScope,
): boolean {
  if (isStream(name, targets)) return !options.ignoreDataStreams
  return indices.has(name) || !options.ignoreAliases
}

function checkNamed(name: string, options: IndicesOptions, scope: ResolveScope): void {
  const targets = indicesOf(name, scope.indices)
  if (targets !== undefined && isName(name, targets, options, scope)) return
  if (targets === undefined || isStream(name, targets)) throw indexNotFound(name, 'index_or_alias', scope.engineVersion)
  throw aliasesNotSupported(name)
}

/** With wildcards off, `_all` and `*` lead to nothing. */
function withoutAll(expressions: readonly string[]): readonly string[] {
  const [first] = expressions
  return expressions.length === 1 && (first === '_all' || first === '*') ? [] : expressions
}

function everything(options: IndicesOptions, { indices }: ResolveScope): string[] {
  return [...indices.values()]
    .filter((index) => isWanted(index, options) && (options.expandWildcardsHidden || isShown(index, options)))
    .map(({ name }) => name)
}

/** As {@link everything}, where data streams are asked for by their own names. */
function namesOfEverything(options: IndicesOptions, scope: ResolveScope): string[] {
  const { indices } = scope
  const names = everything({ ...options, ignoreDataStreams: true }, scope)
  return options.ignoreDataStreams ? names : [...names, ...dataStreams(indices.values()).keys()]
}

/** Indices behind data streams are hidden, and shown by their streams. */
function isShown(index: IndexMetadata, options: IndicesOptions): boolean {
  return !isHidden(index) || (index.dataStream !== undefined && !options.ignoreDataStreams)
}

function isHidden({ settings }: IndexMetadata): boolean {
  return settings['index.hidden'] === 'true'
}

function isWanted(index: IndexMetadata, options: IndicesOptions): boolean {
  return index.state === 'open' ? options.expandWildcardsOpen : options.expandWildcardsClosed
}

function matchPattern(
  pattern: string,
  options: IndicesOptions,
  { indices }: ResolveScope,
  keepAliases: boolean,
): { readonly names: ReadonlySet<string>; readonly isEmpty: boolean } {
  const names = new Set<string>()
  let isEmpty = true
  // What is hidden by its dot too is meant by patterns with one.
  const isMeant = (name: string): boolean =>
    options.expandWildcardsHidden || (name.startsWith('.') && pattern.startsWith('.'))
  for (const index of indices.values()) {
    if (matchWildcard(pattern, index.name)) {
      isEmpty = false
      if (isWanted(index, options) && (!isHidden(index) || isMeant(index.name))) names.add(index.name)
    }
    const stream = options.ignoreDataStreams ? undefined : index.dataStream?.name
    if (stream !== undefined && matchWildcard(pattern, stream)) {
      isEmpty = false
      if (keepAliases) names.add(stream)
      else if (isWanted(index, options)) names.add(index.name)
    }
    if (options.ignoreAliases) continue
    for (const [alias, metadata] of Object.entries(index.aliases)) {
      if (!matchWildcard(pattern, alias)) continue
      isEmpty = false
      if (metadata.isHidden === true && !isMeant(alias)) continue
      if (keepAliases) names.add(alias)
      else if (isWanted(index, options)) names.add(index.name)
    }
  }
  return { names, isEmpty }
}
