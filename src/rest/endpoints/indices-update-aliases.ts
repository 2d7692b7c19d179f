import { Breather } from '../../breather.ts'
import { append } from '../../engine/algorithms/long-lists.ts'
import type { AliasAction } from '../../engine/engine.ts'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { checkStreamNames } from '../../engine/metadata/data-streams.ts'
import type { AliasMetadata, IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { CHANGED_ALIASES } from '../../engine/metadata/indices-options.ts'
import { checkWriteIndices } from '../../engine/metadata/resolve-alias.ts'
import { resolveIndices } from '../../engine/metadata/resolve-indices.ts'
import { validateAlias } from '../../engine/metadata/validate-alias.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { checkFilter } from '../indices/alias-filter.ts'
import { judgeBlocks } from '../indices/index-blocks.ts'
import { scopeOf } from '../indices/index-names.ts'
import { judgedBeforeErrors, judgeNewAliases, judgeUnknown } from '../indices/judge-names.ts'
import { type AskedAliasAction, readAliasActions } from '../indices/read-alias-actions.ts'
import { ACKNOWLEDGED, type EndpointRequest, type EndpointResponse, parserObject } from '../rest-request.ts'
import { aliasesNotFound, matchesAlias, matchingAliases } from './indices-get-alias.ts'

/** `POST /_aliases`: all actions or none. */
export const indicesUpdateAliases: EndpointHandler = (request, context) =>
  changeAliases(request, context, readAliasesBody(request))

/** What the body asks for. @throws {ServiceError} as {@link readAliasActions} */
export const readAliasesBody = (request: EndpointRequest): readonly AskedAliasAction[] =>
  readAliasActions(parserObject(request, 'aliases') ?? {}, request)

/**
 * Carries out what is asked of aliases, all of it or nothing.
 *
 * @throws {ServiceError} aliases_not_found_exception (where nothing at all is left to do), index_not_found_exception,
 *   illegal_argument_exception, invalid_alias_name_exception, illegal_state_exception
 */
export async function changeAliases(
  request: EndpointRequest,
  context: RestContext,
  asked: readonly AskedAliasAction[],
): Promise<EndpointResponse> {
  for (const { kind, aliases } of asked) if (kind === 'add') judgeNewAliases(request, context, aliases)
  // Only those that go by their own names.
  const named = asked.flatMap(({ indices }) => indices.flatMap((name) => context.engine.indices.get(name) ?? []))
  judgeBlocks(request, named, 'metadata_write', '_alias')
  const actions = await resolveActions(asked, request, context)
  if (actions.length === 0 && asked.every(({ mustExist }) => mustExist !== false)) {
    const names = new Set(asked.flatMap(({ aliases }) => aliases))
    throw aliasesNotFound(inJavaHashOrder([...names]))
  }
  await applyAliasActions(request, context, actions)
  return ACKNOWLEDGED
}

/** What is asked, index by index: by the state of one moment, though others are served before all of many is resolved. */
async function resolveActions(
  asked: readonly AskedAliasAction[],
  request: EndpointRequest,
  context: RestContext,
): Promise<readonly AliasAction[]> {
  const { engine } = context
  const breather = new Breather()
  const actions: AliasAction[] = []
  let before: ReadonlySet<IndexMetadata> | undefined
  for (const action of asked) {
    append(actions, actionsOf(action, request, context))
    const others = breather.turn()
    if (others === undefined) continue
    before ??= new Set(engine.indices.values())
    await others
  }
  if (before === undefined || isUnchanged(before, engine.indices)) return actions
  return asked.flatMap((action) => actionsOf(action, request, context))
}

function isUnchanged(before: ReadonlySet<IndexMetadata>, indices: ReadonlyMap<string, IndexMetadata>): boolean {
  if (before.size !== indices.size) return false
  for (const index of indices.values()) if (!before.has(index)) return false
  return true
}

function actionsOf(action: AskedAliasAction, request: EndpointRequest, context: RestContext): AliasAction[] {
  const { kind, aliases, metadata } = action
  const indices = resolved(action.indices, request, context)
  refuseBackingIndices(action, indices, context)
  switch (kind) {
    case 'remove_index':
      request.authorize(indices, '', 'DELETE')
      return indices.map((index) => ({ kind, index }))
    case 'remove':
      return indices.flatMap((index) => removed(action, context.engine.indices.get(index) as IndexMetadata, request))
    case 'add':
      for (const alias of aliases) {
        if (alias.trim() === '') throw illegalArgument('[alias] is required')
        validateAlias(alias, metadata.indexRouting, undefined, context.engine.version)
        checkFilter(alias, metadata.filter, request, context, indices)
      }
      return indices.flatMap((index) => aliases.map((alias): AliasAction => ({ kind, index, alias, metadata })))
  }
}

/** @throws {ServiceError} illegal_argument_exception for an index behind a data stream */
function refuseBackingIndices(action: AskedAliasAction, indices: readonly string[], { engine }: RestContext): void {
  for (const index of indices) {
    const stream = engine.indices.get(index)?.dataStream?.name
    if (stream === undefined) continue
    throw illegalArgument(
      `The provided expressions [${action.indices.join(',')}] match a backing index belonging to data stream [${stream}]. Data streams and their backing indices don't support aliases.`,
    )
  }
}

/** @throws {ServiceError} aliases_not_found_exception for those that have to be there */
function removed(
  { aliases, mustExist }: AskedAliasAction,
  index: IndexMetadata,
  { dialect }: EndpointRequest,
): AliasAction[] {
  const found = matchingAliases(index, aliases, dialect).map(([alias]) => alias)
  if (mustExist === true) {
    const missing = aliases.filter((name) => !found.some((alias) => matchesAlias(name, alias)))
    if (missing.length > 0) throw aliasesNotFound(missing)
  }
  return found.map((alias) => ({ kind: 'remove', index: index.name, alias }))
}

/** The indices that expressions stand for, each judged before anything is told of it. */
function resolved(expressions: readonly string[], request: EndpointRequest, context: RestContext): readonly string[] {
  const indices = judgedBeforeErrors(request, context, expressions, '_alias', () => {
    const known = judgeUnknown(request, context, expressions, '_alias')
    return resolveIndices(known, CHANGED_ALIASES, scopeOf(context))
  })
  request.authorize(indices, '_alias')
  return indices
}

/**
 * Checks alias actions against the state they lead to, and carries them out: indices are removed first, wherever that stands.
 *
 * @throws {ServiceError} index_not_found_exception, invalid_alias_name_exception, illegal_argument_exception,
 *   illegal_state_exception
 */
async function applyAliasActions(
  { dialect }: EndpointRequest,
  { engine }: RestContext,
  actions: readonly AliasAction[],
): Promise<void> {
  const after = new Map(engine.indices)
  for (const action of actions) if (action.kind === 'remove_index') after.delete(action.index)
  // Copied once an index, however many actions change it.
  const changed = new Map<string, Record<string, AliasMetadata>>()
  const added = new Set<string>()
  for (const action of actions) {
    const index = after.get(action.index)
    if (action.kind === 'remove_index') continue
    if (index === undefined) throw goneIndex(action.index, dialect)
    const aliases = changed.get(action.index) ?? { ...index.aliases }
    if (action.kind === 'add') {
      validateAlias(action.alias, action.metadata.indexRouting, after, engine.version)
      aliases[action.alias] = action.metadata
      added.add(action.alias)
    } else delete aliases[action.alias]
    if (!changed.has(action.index)) after.set(action.index, { ...index, aliases })
    changed.set(action.index, aliases)
  }
  for (const alias of added) checkWriteIndices(alias, after)
  for (const name of changed.keys()) checkStreamNames(after.get(name) as IndexMetadata, after)
  await engine.updateAliases(actions)
}

/** Told of an index whose aliases are to change and which the same request removes. */
const goneIndex = (index: string, dialect: Dialect): ServiceError =>
  new ServiceError('index_not_found_exception', dialect.noSuchIndex(index), { index, indexUuid: '_na_' })
