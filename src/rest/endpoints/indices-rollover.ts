import type { AliasAction } from '../../engine/engine.ts'
import { backingIndexName, type DataStream, dataStream, streamWriteIndex } from '../../engine/metadata/data-streams.ts'
import { resolveDateMathName } from '../../engine/metadata/date-math-name.ts'
import { flattenIndexSettings } from '../../engine/metadata/flatten-settings.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { indexClosed, indicesOf } from '../../engine/metadata/resolve-indices.ts'
import { validateAlias } from '../../engine/metadata/validate-alias.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { failedField, inField } from '../../parse-fault.ts'
import { checkObjectMember } from '../body/check-object-member.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownField } from '../body/unknown-field.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { readAliases } from '../indices/alias-body.ts'
import { checkFilter } from '../indices/alias-filter.ts'
import { judgeBlocks } from '../indices/index-blocks.ts'
import { checkNewIndex, judgedBeforeErrors, judgeNewAliases } from '../indices/judge-names.ts'
import { makeBackingIndex, nextPlace } from '../indices/make-data-stream.ts'
import { makeIndex } from '../indices/make-index.ts'
import { includeTypeName, readMappings } from '../indices/mapping-body.ts'
import { type RolloverCondition, rolloverConditions } from '../indices/rollover-conditions.ts'
import { checkActiveShards } from '../indices/wait-for-active-shards.ts'
import { type EndpointRequest, type EndpointResponse, parserObject } from '../rest-request.ts'

const MEMBERS = ['conditions', 'settings', 'mappings', 'aliases']

/** `POST /<alias>/_rollover[/<index>]`: makes an alias's next index when the one it writes to is due. */
export const indicesRollover: EndpointHandler = async (request, context) => {
  const { engine } = context
  const { new_index: named } = request.path
  const { body, conditions } = readRollover(request)
  const waited = checkActiveShards(request)
  if (named !== undefined) request.authorize([resolveDateMathName(named, Date.now(), engine.version)], '', 'PUT')
  const alias = request.path['alias'] as string
  judgeBlocks(request, indicesOf(alias, engine.indices) ?? [], 'metadata_write', '_rollover')
  const { settings: asked } = body
  const stream = dataStream(alias, engine.indices)
  if (stream !== undefined) return rollOverStream(request, context, stream, { body, conditions, waited })
  const settings = flattenIndexSettings(isObject(asked) ? asked : {})
  const mappings = readRolloverMappings(request, body['mappings'])
  const aliases = inField('rollover', 'aliases', () => readAliases(body['aliases']), body)
  judgeNewAliases(request, context, Object.keys(aliases))
  const { current, isExplicit } = judgedBeforeErrors(request, context, [alias], '_rollover', () =>
    writeIndexOfAlias(alias, context),
  )
  request.authorize([current.name], '_rollover')
  const provided = named ?? nextName(String(current.settings['index.provided_name'] ?? current.name))
  const name = resolveDateMathName(provided, Date.now(), engine.version)
  request.authorize([name], '', 'PUT')
  checkNewIndex(request, context, name)
  const { isDue, answer } = judgedConditions(request, context, { conditions, current, name })
  if (!isDue) return answer(false, false)
  for (const [name, { indexRouting, filter }] of Object.entries(aliases)) {
    validateAlias(name, indexRouting, engine.indices, engine.version)
    checkFilter(name, filter, request, context)
  }
  const next = {
    settings,
    mappings,
    aliases,
    providedName: provided,
    alongside: turnOver(alias, current.name, name, isExplicit),
  }
  const created = await makeIndex(name, next, request, context)
  return answer(true, waited(created))
}

/** Makes a data stream's next index when the one it writes to is due. */
async function rollOverStream(
  request: EndpointRequest,
  context: RestContext,
  stream: DataStream,
  {
    body,
    conditions,
    waited,
  }: ReturnType<typeof readRollover> & { readonly waited: (index: IndexMetadata) => boolean },
): Promise<EndpointResponse> {
  const current = streamWriteIndex(stream.indices)
  request.authorize([current.name], '_rollover')
  if (request.path['new_index'] !== undefined)
    throw illegalArgument('new index name may not be specified when rolling over a data stream')
  const { settings = {}, mappings, aliases = {} } = body
  const isAsked = [settings, aliases].some((part) => isObject(part) && Object.keys(part).length > 0)
  if (isAsked || mappings !== undefined)
    throw illegalArgument('aliases, mappings, and index settings may not be specified when rolling over a data stream')
  const place = nextPlace(stream, context)
  const name = backingIndexName(place)
  request.authorize([name], '', 'PUT')
  const { isDue, answer } = judgedConditions(request, context, { conditions, current, name })
  if (!isDue) return answer(false, false)
  return answer(true, waited(await makeBackingIndex(place, request, context)))
}

/** Whether an index is due, and how that is answered. */
function judgedConditions(
  request: EndpointRequest,
  { engine }: RestContext,
  asked: { readonly conditions: readonly RolloverCondition[]; readonly current: IndexMetadata; readonly name: string },
): { readonly isDue: boolean; readonly answer: (isDone: boolean, shardsAcknowledged: boolean) => EndpointResponse } {
  const { conditions, current, name } = asked
  const isDryRun = request.parameters.boolean('dry_run', false)
  const met = conditions.map(({ text, isMet }) => [text, isMet(current, engine)] as const)
  return {
    isDue: !isDryRun && (conditions.length === 0 || met.some(([, isMet]) => isMet)),
    answer: (isDone, shardsAcknowledged) => ({
      status: 200,
      json: {
        acknowledged: isDone,
        shards_acknowledged: shardsAcknowledged,
        old_index: current.name,
        new_index: name,
        rolled_over: isDone,
        dry_run: isDryRun,
        conditions: Object.fromEntries(met),
      },
    }),
  }
}

/** The body and its conditions, read in their order. @throws {ServiceError} x_content_parse_exception */
export function readRollover(request: EndpointRequest): {
  readonly body: { readonly [name: string]: JsonValue }
  readonly conditions: readonly RolloverCondition[]
} {
  // OpenSearch knows no types.
  if (request.dialect.takesTypedPaths) includeTypeName(request)
  const body = parserObject(request, 'rollover') ?? {}
  let conditions: readonly RolloverCondition[] = []
  for (const key of Object.keys(body)) {
    if (!MEMBERS.includes(key)) throw unknownField('rollover', key, request.dialect.typed, MEMBERS, body)
    checkObjectMember('rollover', body, key)
    if (key === 'conditions') conditions = rolloverConditions(body, request.dialect)
  }
  return { body, conditions }
}

/** @throws {ServiceError} x_content_parse_exception around what is wrong, since the mappings are a part of the body */
function readRolloverMappings(
  request: EndpointRequest,
  mappings: JsonValue | undefined,
): ReturnType<typeof readMappings> {
  try {
    return readMappings(request, mappings)
  } catch (error) {
    if (!(error instanceof ServiceError) || request.dialect.typed || error.type !== 'illegal_argument_exception')
      throw error
    throw failedField('rollover', 'mappings', error)
  }
}

/** @throws {ServiceError} illegal_argument_exception */
function writeIndexOfAlias(
  alias: string,
  { engine }: RestContext,
): { readonly current: IndexMetadata; readonly isExplicit: boolean } {
  const isSix = engine.version === 'Elasticsearch_6.8'
  const target = isSix ? 'source alias' : `rollover target [${alias}]`
  // 6.x asks it for its statistics, which a closed one has none of.
  const openIn = (index: IndexMetadata): IndexMetadata => {
    if (index.state === 'close' && isSix) throw indexClosed(index)
    return index
  }
  if (engine.indices.has(alias)) {
    const wanted = 'rollover target is a [concrete index] but one of [alias,data_stream] was expected'
    throw illegalArgument(isSix ? 'source alias is a concrete index' : wanted)
  }
  const targets = [...engine.indices.values()].filter((index) => Object.hasOwn(index.aliases, alias))
  const [first] = targets
  if (first === undefined) throw illegalArgument(`${target} does not exist`)
  const explicit = targets.find((index) => index.aliases[alias]?.isWriteIndex === true)
  if (explicit !== undefined) return { current: openIn(explicit), isExplicit: true }
  if (targets.length > 1 || first.aliases[alias]?.isWriteIndex === false)
    throw illegalArgument(`${isSix ? `source alias [${alias}]` : target} does not point to a write index`)
  return { current: openIn(first), isExplicit: false }
}

/** `logs-7` → `logs-000008`; date math stays. @throws {ServiceError} illegal_argument_exception */
function nextName(name: string): string {
  const isMath = name.startsWith('<') && name.endsWith('>')
  const match = /^(.*)-(\d+)$/.exec(isMath ? name.slice(1, -1) : name)
  if (match === null) {
    throw illegalArgument(`index name [${name}] does not match pattern '^.*-\\d+$'`)
  }
  const next = `${match[1]}-${String(Number(match[2]) + 1).padStart(6, '0')}`
  return isMath ? `<${next}>` : next
}

/** Where the alias said which index it writes to, it keeps the old one; else it goes over to the new one. */
function turnOver(alias: string, before: string, after: string, isExplicit: boolean): readonly AliasAction[] {
  if (isExplicit) {
    return [
      { kind: 'add', index: after, alias, metadata: { isWriteIndex: true } },
      { kind: 'add', index: before, alias, metadata: { isWriteIndex: false } },
    ]
  }
  return [
    { kind: 'add', index: after, alias, metadata: {} },
    { kind: 'remove', index: before, alias },
  ]
}
