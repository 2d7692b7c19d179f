import type { AliasAction } from '../../engine/engine.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { DELETE_INDEX, type IndicesOptions, STRICT_EXPAND } from '../../engine/metadata/indices-options.ts'
import { checkWriteIndices } from '../../engine/metadata/resolve-alias.ts'
import { resolveIndices } from '../../engine/metadata/resolve-indices.ts'
import { validateAlias } from '../../engine/metadata/validate-alias.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import type { JsonValue } from '../parse-json.ts'
import { ACKNOWLEDGED, type EndpointRequest, isObject, requiredBody, tokenName } from '../rest-request.ts'
import { readAliasMetadata } from './alias-body.ts'
import { checkFilter } from './alias-filter.ts'
import { validationFailed } from './document-parameters.ts'
import { scopeOf } from './index-names.ts'
import { aliasesNotFound, matchingAliases } from './indices-get-alias.ts'
import { judgedBeforeErrors, judgeNewAliases } from './judge-names.ts'

type Body = { readonly [name: string]: JsonValue }

/** `POST /_aliases`: all actions or none. */
export const indicesUpdateAliases: EndpointHandler = async (request, context) => {
  const body = requiredBody(request)
  for (const key of Object.keys(body)) {
    if (key !== 'actions') {
      throw new ServiceError('x_content_parse_exception', `[aliases] unknown field [${key}], parser not found`)
    }
  }
  const listed = body['actions']
  if (listed !== undefined && !Array.isArray(listed)) {
    throw new ServiceError(
      'x_content_parse_exception',
      `[aliases] actions doesn't support values of type: ${tokenName(listed)}`,
    )
  }
  if (listed === undefined || listed.length === 0)
    throw new ServiceError('illegal_argument_exception', 'No action specified')
  const actions = listed.flatMap((action) => readAction(action, request, context))
  await applyAliasActions(context, actions)
  return ACKNOWLEDGED
}

function readAction(action: JsonValue, request: EndpointRequest, context: RestContext): AliasAction[] {
  if (!isObject(action)) throw new ServiceError('illegal_argument_exception', 'an alias action must be an object')
  const [entry, ...more] = Object.entries(action)
  if (entry === undefined || more.length > 0) {
    throw new ServiceError(
      'parsing_exception',
      'Too many operations declared in one action: name one of [add], [remove] and [remove_index]',
    )
  }
  const [kind, members] = entry
  if (kind !== 'add' && kind !== 'remove' && kind !== 'remove_index') {
    const unknown = new ServiceError(
      'x_content_parse_exception',
      `[alias_action] unknown field [${kind}], parser not found`,
    )
    throw failedActions(unknown, unknown)
  }
  if (!isObject(members)) {
    throw new ServiceError(
      'x_content_parse_exception',
      `[alias_action] ${kind} doesn't support values of type: ${typeof members}`,
    )
  }
  for (const [one, several] of [
    ['index', 'indices'],
    ['alias', 'aliases'],
  ] as const) {
    if (members[one] === undefined || members[several] === undefined) continue
    const second = Object.keys(members).indexOf(one) > Object.keys(members).indexOf(several) ? one : several
    const reason = `Only one of [${one}] and [${several}] is supported`
    const cause = new ServiceError('illegal_argument_exception', reason)
    throw failedAction(
      kind,
      new ServiceError('x_content_parse_exception', `[${kind}] failed to parse field [${second}]`, { cause }),
    )
  }
  const expressions = names(members, 'index', 'indices')
  if (expressions === undefined) {
    throw failedActions(new ServiceError('illegal_argument_exception', 'One of [index] or [indices] is required'))
  }
  if (kind === 'remove_index') {
    const removed = resolved(expressions, DELETE_INDEX, request, context)
    request.authorize(removed, '', 'DELETE')
    return removed.map((index) => ({ kind, index }))
  }
  const aliases = names(members, 'alias', 'aliases')
  if (aliases === undefined) {
    throw failedActions(new ServiceError('illegal_argument_exception', 'One of [alias] or [aliases] is required'))
  }
  if (aliases.some((alias) => alias === '')) throw validationFailed(['[alias] may not be empty string'])
  const indices = resolved(expressions, STRICT_EXPAND, request, context)
  if (kind === 'add') return additions(members, indices, aliases, request, context)
  const found: AliasAction[] = []
  for (const index of indices) {
    const metadata = context.engine.indices.get(index) as IndexMetadata
    for (const [alias] of matchingAliases(metadata, aliases)) found.push({ kind, index, alias })
  }
  if (found.length === 0) throw aliasesNotFound(aliases)
  return found
}

/** The indices that expressions stand for, each judged before anything is told of it. */
function resolved(
  expressions: readonly string[],
  options: IndicesOptions,
  request: EndpointRequest,
  context: RestContext,
): readonly string[] {
  const indices = judgedBeforeErrors(request, context, expressions, '_alias', () =>
    resolveIndices(expressions, options, scopeOf(context)),
  )
  request.authorize(indices, '_alias')
  return indices
}

/** What is wrong with one of the actions, as the reader of the body tells it. */
function failedActions(cause: ServiceError, rootCause?: ServiceError): ServiceError {
  const detail = rootCause === undefined ? { cause } : { cause, rootCause }
  return new ServiceError('x_content_parse_exception', '[aliases] failed to parse field [actions]', detail)
}

/** What is wrong with a member of an action. */
function failedAction(kind: string, cause: ServiceError): ServiceError {
  const reason = `[alias_action] failed to parse field [${kind}]`
  return failedActions(new ServiceError('x_content_parse_exception', reason, { cause }), cause)
}

function additions(
  members: Body,
  indices: readonly string[],
  aliases: readonly string[],
  request: EndpointRequest,
  context: RestContext,
): AliasAction[] {
  const metadata = readAliasMetadata(members, {
    ignored: ['index', 'indices', 'alias', 'aliases', 'must_exist'],
    unknown: (name) =>
      failedAction(
        'add',
        new ServiceError('x_content_parse_exception', `[add] unknown field [${name}], parser not found`),
      ),
  })
  judgeNewAliases(request, aliases)
  return aliases.flatMap((alias) => {
    validateAlias(alias, metadata.indexRouting, undefined, context.engine.version)
    checkFilter(alias, metadata.filter, request, context)
    return indices.map((index): AliasAction => ({ kind: 'add', index, alias, metadata }))
  })
}

function names(members: Body, one: string, several: string): readonly string[] | undefined {
  const value = members[one] ?? members[several]
  if (value === undefined || value === null) return undefined
  return Array.isArray(value) ? value.map(String) : [String(value)]
}

/**
 * Checks alias actions against the state they lead to, and carries them out.
 *
 * @throws {ServiceError} invalid_alias_name_exception, illegal_argument_exception, illegal_state_exception
 */
export async function applyAliasActions(context: RestContext, actions: readonly AliasAction[]): Promise<void> {
  const { engine } = context
  const after = new Map(engine.indices)
  for (const action of actions) if (action.kind === 'remove_index') after.delete(action.index)
  for (const action of actions) {
    const index = after.get(action.index)
    if (index === undefined || action.kind === 'remove_index') continue
    const aliases = { ...index.aliases }
    if (action.kind === 'add') {
      validateAlias(action.alias, action.metadata.indexRouting, after, engine.version)
      aliases[action.alias] = action.metadata
    } else delete aliases[action.alias]
    after.set(action.index, { ...index, aliases })
  }
  for (const action of actions) if (action.kind === 'add') checkWriteIndices(action.alias, after)
  await engine.updateAliases(actions)
}
