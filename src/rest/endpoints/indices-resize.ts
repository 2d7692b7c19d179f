import type { EngineVersion } from '../../engine/engine-version.ts'
import { parseByteSize } from '../../engine/metadata/byte-size-value.ts'
import { streamWritingTo } from '../../engine/metadata/data-streams.ts'
import { flattenIndexSettings, flattenSettings } from '../../engine/metadata/flatten-settings.ts'
import type { FlatSettings, IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { validateIndexSettings } from '../../engine/metadata/index-settings.ts'
import { STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { indexNotFound } from '../../engine/metadata/missing-index.ts'
import { defaultRoutingShards, routingShards, shardCount } from '../../engine/metadata/shard-routing.ts'
import { validateAlias } from '../../engine/metadata/validate-alias.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { inField } from '../../parse-fault.ts'
import { checkObjectMember, wrongToken } from '../body/check-object-member.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownField } from '../body/unknown-field.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { readAliases } from '../indices/alias-body.ts'
import { checkFilter } from '../indices/alias-filter.ts'
import { checkBlocks } from '../indices/index-blocks.ts'
import { expandIndices, singleIndex } from '../indices/index-names.ts'
import { checkNewIndex, judgeNewAliases } from '../indices/judge-names.ts'
import { checkActiveShards } from '../indices/wait-for-active-shards.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { parserObject } from '../rest-request.ts'
import { answerOrTask } from '../tasks/answer-or-task.ts'

type Kind = 'shrink' | 'split' | 'clone'

const MEMBERS: readonly string[] = ['settings', 'aliases']

/** `PUT|POST /<index>/_shrink/<target>`: a copy with fewer shards. */
export const indicesShrink: EndpointHandler = (request, context) => resize(request, context, 'shrink')

/** `PUT|POST /<index>/_split/<target>`: a copy with more shards. */
export const indicesSplit: EndpointHandler = (request, context) => resize(request, context, 'split')

/** `PUT|POST /<index>/_clone/<target>`: a copy with as many. */
export const indicesClone: EndpointHandler = (request, context) => resize(request, context, 'clone')

async function resize(request: EndpointRequest, context: RestContext, kind: Kind) {
  const { engine } = context
  const target = request.path['target'] as string
  const copiesSettings = copySettings(request)
  const waited = checkActiveShards(request)
  const body = parserObject(request, 'resize_request') ?? {}
  const known = request.dialect.takesTypedPaths ? MEMBERS : [...MEMBERS, 'max_shard_size']
  for (const key of Object.keys(body)) {
    if (!known.includes(key)) throw unknownField('resize_request', key, request.dialect.typed, known, body)
    if (key !== 'max_shard_size') checkObjectMember('resize_request', body, key)
  }
  const maxShardSize = readMaxShardSize(body, engine.version)
  const { settings: given } = body
  const members = isObject(given) ? given : {}
  const asked = flattenIndexSettings(members)
  const aliases = inField('resize_request', 'aliases', () => readAliases(body['aliases']), body)
  // Looked for before names get their prefix.
  const isCounted = flattenSettings(members)['index.number_of_shards'] !== undefined
  const complaints = [
    ...(Object.keys(asked).some((name) => name.startsWith('index.sort.'))
      ? ["can't override index sort when resizing an index"]
      : []),
    ...(kind === 'split' && !isCounted ? ['index.number_of_shards is required for split operations'] : []),
    ...(maxShardSize === undefined ? [] : complaintsOfSize(kind, maxShardSize, isCounted)),
  ]
  if (complaints.length > 0) throw validationFailed(complaints)
  const name = request.path['index'] as string
  const description = `${kind} from [${name}] to [${target}]`
  const task = { action: 'indices:admin/resize', description, names: [name, target] }
  return answerOrTask(request, context, task, () => {
    // It asks the source for its statistics first.
    expandIndices(request, context, name, STRICT_EXPAND_OPEN_FORBID_CLOSED, `_${kind}`)
    const source = singleIndex(request, context, name, `_${kind}`)
    if (Object.hasOwn(source.aliases, name)) throw indexNotFound(name, engine.version)
    request.authorize([target], '', 'PUT')
    checkBlocks([source], 'metadata_read', engine.version)
    judgeNewAliases(request, context, Object.keys(aliases))
    for (const [alias, { indexRouting, filter }] of Object.entries(aliases)) {
      validateAlias(alias, indexRouting, engine.indices, engine.version)
      checkFilter(alias, filter, request, context)
    }
    const standsStill = stillTarget(target, source, asked, request)
    const asksShards = checkAsked(kind, source, withShardsOfSize(asked, maxShardSize, source, engine), request)
    validateIndexSettings(asked, engine.version)
    checkNewIndex(request, context, target)
    if (source.settings['index.blocks.write'] !== 'true' && source.settings['index.blocks.read_only'] !== 'true') {
      throw new ServiceError(
        'illegal_state_exception',
        `index ${source.name} must ${!request.dialect.takesTypedPaths ? 'block write operations' : 'be read-only'} to resize index. use "index.blocks.write=true"`,
      )
    }
    standsStill()
    const shards = asksShards()
    const stream = streamWritingTo(source, engine.indices)
    if (stream !== undefined)
      throw illegalArgument(`cannot resize the write index [${source.name}] for data stream [${stream.name}]`)
    const settings: FlatSettings = {
      ...inherited(source, copiesSettings),
      ...asked,
      'index.number_of_shards': String(shards),
    }
    return engine
      .copyIndex(source.name, target, {
        settings,
        mappings: source.mappings,
        aliases,
        origin: { ...originOf(source, kind, request, engine.nodeId), ...slotsOf(source, shards, request) },
      })
      .then((created) => ({ acknowledged: true, shards_acknowledged: waited(created), index: target }))
  })
}

/** `max_shard_size` of OpenSearch in bytes. @throws {ServiceError} x_content_parse_exception */
function readMaxShardSize(body: { readonly [name: string]: JsonValue }, version: EngineVersion): number | undefined {
  const given = body['max_shard_size']
  if (given === undefined) return undefined
  if (typeof given !== 'string') throw wrongToken('resize_request', body, 'max_shard_size')
  return inField('resize_request', 'max_shard_size', () => parseByteSize(given, 'max_shard_size', version), body)
}

function complaintsOfSize(kind: Kind, bytes: number, isCounted: boolean): readonly string[] {
  if (kind !== 'shrink') return ['Unsupported parameter [max_shard_size]']
  return [
    ...(isCounted ? ['Cannot set max_shard_size and index.number_of_shards at the same time!'] : []),
    ...(bytes <= 0 ? ['max_shard_size must be greater than 0'] : []),
  ]
}

/** As few shards as leave none larger than a size, of the numbers that the source can be shrunk to. */
function withShardsOfSize(
  asked: FlatSettings,
  bytes: number | undefined,
  source: IndexMetadata,
  engine: RestContext['engine'],
): FlatSettings {
  if (bytes === undefined) return asked
  const before = shardCount(source)
  const least = Math.max(1, Math.ceil(engine.stats(source.name).storeSizeBytes / bytes))
  let count = Math.min(before, least)
  while (before % count !== 0) count++
  return { ...asked, 'index.number_of_shards': String(count) }
}

/** Blocks under which shards of a new index could not be assigned. */
const STILL = ['index.blocks.read_only', 'index.blocks.metadata']

/**
 * OpenSearch refuses a target that would be blocked: at once where that is asked for, once the source may be copied where
 * it is the source's.
 *
 * @throws {ServiceError} action_request_validation_exception, illegal_argument_exception
 */
function stillTarget(target: string, source: IndexMetadata, asked: FlatSettings, request: EndpointRequest): () => void {
  if (request.dialect.takesTypedPaths) return () => {}
  const reason = (setting: string, from: string): string =>
    `target index [${target}] will be blocked by [${setting}=true]${from}, this will disable metadata writes and cause the shards to be unassigned`
  const wanted = STILL.filter((setting) => asked[setting] === 'true')
  if (wanted.length > 0) throw validationFailed(wanted.map((setting) => reason(setting, '')))
  return () => {
    const copied = STILL.find((setting) => source.settings[setting] === 'true' && !Object.hasOwn(asked, setting))
    if (copied !== undefined)
      throw illegalArgument(reason(copied, ` which is copied from the source index [${source.name}]`))
  }
}

/** Copied always from 7.0 on; in 6.x only when asked for. @throws {ServiceError} illegal_argument_exception */
function copySettings(request: EndpointRequest): boolean {
  const given = request.parameters.has('copy_settings')
  const copies = request.parameters.boolean('copy_settings', !request.dialect.typed)
  if (given && !copies) {
    throw illegalArgument('parameter [copy_settings] can not be explicitly set to [false]')
  }
  return copies
}

/**
 * Checks a number of shards that is asked for; what is left is checked once the source may be copied.
 *
 * @returns  the target's shards
 * @throws {ServiceError} illegal_argument_exception, illegal_state_exception
 */
function checkAsked(
  kind: Kind,
  source: IndexMetadata,
  asked: FlatSettings,
  { dialect }: EndpointRequest,
): () => number {
  const before = shardCount(source)
  const given = asked['index.number_of_shards']
  const after = given === undefined || given === null ? (kind === 'clone' ? before : 1) : Number(given)
  if (given !== undefined) validateIndexSettings({ 'index.number_of_shards': given }, dialect.engineVersion)
  if (kind === 'clone' && after !== before) {
    // As 7.10 spaces it.
    const ofSource = dialect.takesTypedPaths ? `  source shards ( ${before})` : ` source shards (${before})`
    throw illegalArgument(`the number of target shards (${after}) must be the same as the number of${ofSource}`)
  }
  if (kind === 'shrink') checkFactor(after, before, 'multiple')
  if (kind === 'split') {
    checkFactor(before, after, 'factor')
    // Made without a number of routing shards an index of 6.x has as many as shards.
    // Later ones let a single shard be split into as many as is asked for, whatever it was made for.
    const ofSource = dialect.typed || before > 1 ? source.settings['index.number_of_routing_shards'] : undefined
    const given = ofSource ?? asked['index.number_of_routing_shards']
    const routing = Number(given ?? (dialect.typed ? before : after))
    if (routing % after !== 0) {
      throw new ServiceError(
        'illegal_state_exception',
        `the number of routing shards [${routing}] must be a multiple of the target shards [${after}]`,
      )
    }
  }
  if (asked['index.routing_partition_size'] !== undefined)
    throw illegalArgument('cannot provide a routing partition size value when resizing an index')
  // From 7 on a single shard may be split for as many more as is said.
  const mayRoute = kind === 'split' && before === 1 && !dialect.typed
  if (asked['index.number_of_routing_shards'] !== undefined && !mayRoute)
    throw illegalArgument('cannot provide index.number_of_routing_shards on resize')
  return () => {
    if (kind === 'shrink' && before === 1) throw illegalArgument("can't shrink an index with only one shard")
    if (dialect.typed && after === before)
      throw illegalArgument("can't select recover from shards if both indices have the same number of shards")
    return after
  }
}

/** As many shards are no fault yet. @throws {ServiceError} illegal_argument_exception */
function checkFactor(few: number, many: number, how: 'multiple' | 'factor'): void {
  const [source, target] = how === 'multiple' ? [many, few] : [few, many]
  if (few > many) {
    throw illegalArgument(
      how === 'multiple'
        ? `the number of target shards [${target}] must be less that the number of source shards [${source}]`
        : `the number of source shards [${source}] must be less that the number of target shards [${target}]`,
    )
  }
  if (many % few !== 0) throw illegalArgument(`the number of source shards [${source}] must be a ${how} of [${target}]`)
}

/** What the settings of a copy tell of where it is from. */
function originOf(source: IndexMetadata, kind: Kind, { dialect }: EndpointRequest, nodeId: string): FlatSettings {
  const { name, uuid } = source
  const isShrunk = kind === 'shrink'
  return {
    'index.resize.source.name': name,
    'index.resize.source.uuid': uuid,
    'index.routing.allocation.initial_recovery._id': isShrunk ? nodeId : null,
    'index.version.upgraded': source.settings['index.version.created'] ?? null,
    'index.routing_partition_size': String(source.settings['index.routing_partition_size'] ?? 1),
    ...(dialect.typed && isShrunk
      ? { 'index.allocation.max_retries': '1', 'index.shrink.source.name': name, 'index.shrink.source.uuid': uuid }
      : {}),
  }
}

/** A copy leads routing values to shards in the source's steps, if that has more than one; they are kept where its own would be others. */
function slotsOf(source: IndexMetadata, shards: number, { dialect }: EndpointRequest): FlatSettings {
  const before = shardCount(source)
  const version = dialect.engineVersion
  // OpenSearch would show them.
  if (before === 1 || !dialect.takesTypedPaths) return {}
  const slots = routingShards(before, source.settings['index.number_of_routing_shards'], version)
  return slots === defaultRoutingShards(shards, version) ? {} : { 'index.number_of_routing_shards': String(slots) }
}

/** Settings that belong to the one index they were made for. */
const OWN =
  /^index\.(?:uuid|creation_date|provided_name|version\.|number_of_shards|number_of_replicas|number_of_routing_shards|resize\.|shrink\.)/
/** Settings without which documents would be read otherwise. */
const NEEDED = /^index\.(?:analysis\.|similarity\.|mapping\.|routing_partition_size|sort\.)/

function inherited(source: IndexMetadata, all: boolean): FlatSettings {
  const entries = Object.entries(source.settings).filter(([name]) => (all ? !OWN.test(name) : NEEDED.test(name)))
  return Object.fromEntries(entries)
}
