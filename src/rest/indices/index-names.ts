import { type IndexMetadata, isServed } from '../../engine/metadata/index-metadata.ts'
import { type IndicesOptions, indicesOptionsFromQuery } from '../../engine/metadata/indices-options.ts'
import { indexClosed, indexNotFound, shardsUnavailable } from '../../engine/metadata/missing-index.ts'
import { resolveReadIndex, resolveWriteIndex } from '../../engine/metadata/resolve-alias.ts'
import { type ResolveScope, resolveIndices } from '../../engine/metadata/resolve-indices.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { ServiceError } from '../../errors.ts'
import { timerOf } from '../../longest-timer.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { checkBlocks, checkEndpointBlocks } from './index-blocks.ts'
import { judgedBeforeErrors, judgeUnknown } from './judge-names.ts'
import { firstBackingIndex, makeDataStream, makesDataStream } from './make-data-stream.ts'
import { makeIndex } from './make-index.ts'
import { checkNoneLost, visibleIndices } from './unavailable-indices.ts'

/**
 * The indices an expression of the path stands for, each allowed to the caller.
 *
 * @param api  what the access policy is asked about, below each index
 */
export function expandIndices(
  request: EndpointRequest,
  context: RestContext,
  expression: string | undefined,
  defaults: IndicesOptions,
  api: string,
): readonly IndexMetadata[] {
  const options = indicesOptionsFromQuery(request.parameters.values, defaults)
  const given = givenNames(expression)
  const names = judgedBeforeErrors(request, context, given, api, () => {
    const known = judgeUnknown(request, context, given, api)
    return resolveIndices(known, options, scopeOf(context))
  })
  // Plain names too: not every path has its index in front (`/_cat/indices/<index>`). The door knows what it has judged.
  request.authorize(names, api)
  const indices = names.map((name) => context.engine.indices.get(name) as IndexMetadata)
  checkEndpointBlocks(indices, request.endpoint, context.engine.version)
  return visibleIndices(indices, request, given)
}

/** The names and patterns of an expression. What is empty at its end counts for nothing; one of nothing else is not taken for all indices here. */
export function givenNames(expression: string | undefined): readonly string[] {
  return expression === undefined ? [] : expression.replace(/(?<=[^,]),+$/, '').split(',')
}

/** What names are resolved against. */
export function scopeOf(context: RestContext): ResolveScope {
  return { indices: context.engine.indices, engineVersion: context.engine.version, now: Date.now() }
}

/** The one index that something is read from. @throws {ServiceError} as {@link singleIndex}, cluster_block_exception */
export function readIndex(request: EndpointRequest, context: RestContext, name: string, api = '_doc'): IndexMetadata {
  const metadata = singleIndex(request, context, name, api)
  checkBlocks([metadata], 'read', context.engine.version)
  return metadata
}

/**
 * The one index a name (or an alias of one) stands for.
 *
 * @throws {ServiceError} index_not_found_exception, illegal_argument_exception
 */
export function singleIndex(request: EndpointRequest, context: RestContext, name: string, api = '_doc'): IndexMetadata {
  const direct = context.engine.indices.get(name)
  const metadata =
    direct !== undefined && isServed(direct)
      ? direct
      : judgedBeforeErrors(request, context, [name], api, () => resolveReadIndex(name, scopeOf(context)))
  request.authorize([metadata.name], api)
  return metadata
}

/**
 * The index a write goes to; made when it is not there and may be.
 *
 * @param options  `takesStreams` false: no data stream is made; `requiresAlias` false: `require_alias` has been seen to
 */
export async function writeIndex(
  request: EndpointRequest,
  context: RestContext,
  name: string,
  options: { readonly create: boolean; readonly takesStreams?: boolean; readonly requiresAlias?: boolean },
): Promise<IndexMetadata> {
  if (options.requiresAlias !== false && request.parameters.boolean('require_alias', false)) checkAlias(context, name)
  // What is called otherwise than it is written, no caller of this has judged.
  if (name.startsWith('<')) judgeUnknown(request, context, [name], '_doc')
  const metadata = judgedBeforeErrors(request, context, [name], '_doc', () => resolveWriteIndex(name, scopeOf(context)))
  if (metadata !== undefined) {
    if (metadata.name !== name || metadata.dataStream !== undefined) request.authorize([metadata.name], '_doc')
    checkBlocks([metadata], 'write', context.engine.version)
    return metadata
  }
  if (!options.create) throw noSuchIndex(request, name)
  checkMayCreate(request, context, name)
  try {
    if (options.takesStreams !== false && makesDataStream(name, context)) {
      request.authorize([firstBackingIndex(name)], '_doc')
      return await makeDataStream(name, request, context)
    }
    request.authorize([name], '_doc')
    return await makeIndex(name, { settings: {}, mappings: {}, aliases: {} }, request, context)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== 'resource_already_exists_exception') throw error
    // Two writers at once: the index is there now, which is what was wanted.
    const made = resolveWriteIndex(name, scopeOf(context))
    if (made !== undefined) return made
    const restored = context.engine.whenRestored(name)
    if (restored === undefined) throw error
    await awaitRestore(request, name, restored)
    return writeIndex(request, context, name, options)
  }
}

/** Waits for an index to be there whole, as long as a write waits. @throws {ServiceError} unavailable_shards_exception */
async function awaitRestore({ parameters }: EndpointRequest, name: string, restored: Promise<void>): Promise<void> {
  const timeout = parameters.text('timeout', '1m')
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const reason = `[${name}][0] primary shard is not active Timeout: [${timeout}]`
    const isLate = () => reject(new ServiceError('unavailable_shards_exception', reason))
    timer = timerOf(isLate, parseTimeMs(timeout, 'timeout')).unref()
  })
  await Promise.race([restored, late]).finally(() => clearTimeout(timer))
}

/**
 * An index that a write goes to, looked at again after others have been served: it is the same, and may still be written to.
 *
 * @throws {ServiceError} index_not_found_exception, index_closed_exception, cluster_block_exception
 */
export function stillWritable({ name, uuid }: IndexMetadata, { engine }: RestContext): IndexMetadata {
  const now = engine.indices.get(name)
  if (now === undefined || now.uuid !== uuid) throw indexNotFound(name, engine.version)
  if (now.state === 'close') throw indexClosed(now)
  if (now.unavailable !== undefined) throw shardsUnavailable(now)
  checkBlocks([now], 'write', engine.version)
  return now
}

/** Sees to it that a name is an alias (`require_alias`). @throws {ServiceError} index_not_found_exception */
export function checkAlias({ engine }: RestContext, name: string): void {
  for (const { aliases } of engine.indices.values()) if (Object.hasOwn(aliases, name)) return
  throw new ServiceError(
    'index_not_found_exception',
    `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`,
    { index: name, indexUuid: '_na_' },
  )
}

/** `action.auto_create_index`. @throws {ServiceError} index_not_found_exception */
function checkMayCreate(request: EndpointRequest, context: RestContext, name: string): void {
  checkNoneLost(context)
  const setting =
    context.engine.transientSettings['action.auto_create_index'] ??
    context.engine.persistentSettings['action.auto_create_index']
  const text = String(setting ?? true)
  if (text === 'true') return
  if (text === 'false') throw noSuchIndex(request, name)
  const pattern = text
    .split(',')
    .map((p) => p.trim())
    .find((p) => matchWildcard(p.replace(/^[+-]/, ''), name))
  if (pattern !== undefined && !pattern.startsWith('-')) return
  const why =
    pattern === undefined
      ? `([${text}]) doesn't match`
      : `contains [${pattern}] which forbids automatic creation of the index`
  throw new ServiceError(
    'index_not_found_exception',
    `${request.dialect.noSuchIndex(name)} and [action.auto_create_index] ${why}`,
    { index: name, indexUuid: '_na_' },
  )
}

/** 404 for a name that nothing has. */
export function noSuchIndex(request: EndpointRequest, name: string): ServiceError {
  return new ServiceError('index_not_found_exception', request.dialect.noSuchIndex(name), {
    index: name,
    indexUuid: '_na_',
    metadata: { 'resource.type': 'index_expression', 'resource.id': name },
  })
}

/**
 * The type that a document call means: `_doc` stands for the one type of an index that has another, as in the real
 * server since 6.7.
 */
export function storedType(metadata: IndexMetadata, context: RestContext, type: string): string {
  if (type !== '_doc') return type
  const { types } = context.engine.mapping(metadata.name)
  return types.length === 1 ? (types[0] as string) : type
}
