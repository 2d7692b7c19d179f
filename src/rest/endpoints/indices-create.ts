import type { EngineVersion } from '../../engine/engine-version.ts'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { resolveDateMathName } from '../../engine/metadata/date-math-name.ts'
import { flattenIndexSettings } from '../../engine/metadata/flatten-settings.ts'
import type { FlatSettings } from '../../engine/metadata/index-metadata.ts'
import { validateIndexSettings } from '../../engine/metadata/index-settings.ts'
import { validateAlias } from '../../engine/metadata/validate-alias.ts'
import { validateTypeName } from '../../engine/metadata/validate-type-name.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { contentMap } from '../body/content-map.ts'
import { exactDocument } from '../body/exact-json.ts'
import { notAMap } from '../body/not-a-map.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { checkMayBeMade } from '../cluster-blocks.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { readAliases } from '../indices/alias-body.ts'
import { checkFilter } from '../indices/alias-filter.ts'
import { checkNewIndex, judgeNewAliases } from '../indices/judge-names.ts'
import { makeIndex } from '../indices/make-index.ts'
import { includeTypeName, readMappings } from '../indices/mapping-body.ts'
import { checkActiveShards } from '../indices/wait-for-active-shards.ts'
import type { EndpointRequest } from '../rest-request.ts'

const KEYS: ReadonlySet<string> = new Set(['settings', 'mappings', 'aliases'])

/** `PUT /<index>`. */
export const indicesCreate: EndpointHandler = async (request, context) => {
  const { engine } = context
  includeTypeName(request)
  const body = contentMap(request) ?? {}
  const unknown = inJavaHashOrder(Object.keys(body)).find((key) => !KEYS.has(key))
  // 6.x takes a body without any of the three words for settings.
  const isBareSettings = unknown !== undefined && request.dialect.typed && !Object.keys(body).some((k) => KEYS.has(k))
  const given = isBareSettings ? body : settingsObject(body['settings'], request)
  if (body['mappings'] === null) {
    const reason = 'Cannot invoke "java.util.Map.entrySet()" because "mappings" is null'
    throw new ServiceError('null_pointer_exception', reason)
  }
  const mappings = readMappings(request, body['mappings'])
  if (unknown !== undefined && !request.dialect.typed) {
    throw new ServiceError('parse_exception', `unknown key [${unknown}] for create index`)
  }
  const waited = checkActiveShards(request)
  const requested = request.path['index'] as string
  const name = resolveDateMathName(requested, Date.now(), engine.version)
  // The path was judged as it is written; what is made may be called otherwise, or stand for a data stream.
  request.authorize([name], '')
  for (const type of Object.keys(mappings)) validateTypeName(type)
  const aliases = readAliases(body['aliases'])
  judgeNewAliases(request, context, Object.keys(aliases))
  const settings = flattenIndexSettings(exactDocument(given))
  // Before it is known whether there is such an index.
  validateOwnSettings(name, settings, engine.version)
  checkMayBeMade(context)
  checkNewIndex(request, context, name)
  const checkNames = (): void => {
    for (const [alias, { indexRouting }] of Object.entries(aliases))
      validateAlias(alias, indexRouting, engine.indices, engine.version)
  }
  // Up to 6.8 before all else of the index, later after it.
  if (request.dialect.typed) checkNames()
  const check = (): void => {
    if (!request.dialect.typed) checkNames()
    for (const [alias, { filter }] of Object.entries(aliases)) checkFilter(alias, filter, request, context)
  }
  const metadata = await makeIndex(
    name,
    { settings, mappings, aliases, providedName: requested, check },
    request,
    context,
  )
  return {
    status: 200,
    json: { acknowledged: true, shards_acknowledged: waited(metadata), index: name },
  }
}

/** @throws {ServiceError} illegal_argument_exception, validation_exception for settings that nobody may give */
function validateOwnSettings(name: string, settings: FlatSettings, version: EngineVersion): void {
  try {
    validateIndexSettings(settings, version)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== 'validation_exception') throw error
    const rootCause = new ServiceError('index_creation_exception', `failed to create index [${name}]`)
    throw error.with({ rootCause })
  }
}

function settingsObject(
  settings: JsonValue | undefined,
  { dialect }: EndpointRequest,
): { readonly [name: string]: JsonValue } {
  if (settings === undefined) return {}
  if (isObject(settings)) return settings
  if (settings === null && dialect.typed)
    throw new ServiceError('settings_exception', 'Failed to load settings from [null]')
  throw dialect.typed ? notAMap(settings) : new ServiceError('parse_exception', 'key [settings] must be an object')
}
