import type { AliasAction } from '../../engine/engine.ts'
import { STRICT_EXPAND } from '../../engine/metadata/indices-options.ts'
import { validateAlias } from '../../engine/metadata/validate-alias.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { ACKNOWLEDGED, bodyObject } from '../rest-request.ts'
import { readAliasMetadata } from './alias-body.ts'
import { checkFilter } from './alias-filter.ts'
import { validationFailed } from './document-parameters.ts'
import { expandIndices } from './index-names.ts'
import { applyAliasActions } from './indices-update-aliases.ts'
import { judgeNewAliases } from './judge-names.ts'

/** `PUT|POST /<index>/_alias/<name>`. */
export const indicesPutAlias: EndpointHandler = async (request, context) => {
  const body = bodyObject(request) ?? {}
  const indexExpression = request.path['index'] ?? bodyText(body['index'])
  const alias = request.path['name'] ?? bodyText(body['alias'])
  const metadata = readAliasMetadata(body, {
    ignored: ['index', 'alias'],
    unknown: (name) => new ServiceError('illegal_argument_exception', `unknown field [${name}] in alias [${alias}]`),
  })
  if (alias === undefined || alias === '') {
    throw validationFailed(['[alias] may not be empty string'])
  }
  if (indexExpression === undefined && request.dialect.typed) {
    // 6.x takes an alias without an index for all of them.
  }
  judgeNewAliases(request, [alias])
  validateAlias(alias, metadata.indexRouting, undefined, context.engine.version)
  checkFilter(alias, metadata.filter, request, context)
  const indices = expandIndices(request, context, indexExpression, STRICT_EXPAND, '_alias')
  const actions: AliasAction[] = indices.map(({ name }) => ({ kind: 'add', index: name, alias, metadata }))
  await applyAliasActions(context, actions)
  return ACKNOWLEDGED
}

function bodyText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}
