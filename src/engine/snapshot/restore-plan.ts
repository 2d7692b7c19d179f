import { ServiceError } from '../../errors.ts'
import { JavaPattern } from '../analysis/java-pattern.ts'
import type { EngineVersion } from '../engine-version.ts'
import { newUuid, VERSION_IDS } from '../metadata/create-index-settings.ts'
import { BACKING_PREFIX, checkStreamNames } from '../metadata/data-streams.ts'
import { type AliasMetadata, type IndexMetadata, isServed } from '../metadata/index-metadata.ts'
import { shardCount } from '../metadata/shard-routing.ts'
import { invalidIndexName, validateIndexName } from '../metadata/validate-name.ts'
import type { IndexManifest } from './index-manifest.ts'
import type { RestoreRequest, RestoreTarget } from './restore-request.ts'
import { restoredSettings } from './restored-settings.ts'
import { selectIndices } from './select-indices.ts'
import type { SnapshotHost } from './snapshot-host.ts'
import type { SnapshotRecord, SnapshotStream } from './snapshot-record.ts'

const VERSIONS: readonly EngineVersion[] = ['Elasticsearch_6.8', 'Elasticsearch_7.10', 'OpenSearch_2.19']

/** A `snapshot_restore_exception`: «[repository:snapshot/uuid] reason». */
export function restoreFault(repository: string, record: SnapshotRecord, reason: string): ServiceError {
  const name = `[${repository}:${record.name}/${record.uuid}]`
  return new ServiceError('snapshot_restore_exception', `${name} ${reason}`)
}

/** The error of a snapshot that there is not, to be restored. */
export function snapshotGone(repository: string, name: string): ServiceError {
  return new ServiceError('snapshot_restore_exception', `[${repository}:${name}] snapshot does not exist`)
}

/**
 * What is restored as what.
 *
 * @param judge  is told what is read of the snapshot before anything is said of it
 * @throws {ServiceError} snapshot_restore_exception, index_not_found_exception, pattern_syntax_exception, …
 */
export function restoreTargets(
  request: RestoreRequest,
  record: SnapshotRecord,
  version: EngineVersion,
  judge: (indices: readonly string[]) => void = () => {},
): readonly RestoreTarget[] {
  const refuse = (reason: string) => restoreFault(request.repository, record, reason)
  if (record.state === 'FAILED') throw refuse('unsupported snapshot state [FAILED]')
  if (VERSIONS.indexOf(record.engineVersion) > VERSIONS.indexOf(version)) {
    const product = record.engineVersion === 'OpenSearch_2.19' ? 'OpenSearch' : 'Elasticsearch'
    const [theirs, ours] = [versionNumber(record.engineVersion), versionNumber(version)]
    throw refuse(
      `the snapshot was created with ${product} version [${theirs}] which is higher than the version of this node [${ours}]`,
    )
  }
  const sources = new Map(record.indices.map((index) => [index.name, index]))
  const failed = new Set(record.failures.map(({ index }) => index))
  const available = [...new Set([...sources.keys(), ...failed])].sort()
  const targets = new Map<string, RestoreTarget>()
  const rename = renaming(request)
  const streams = selectedStreams(request, record, version)
  const selected = selectIndices(available, namedIndices(request, streams), { ...request, version })
  judge(selected)
  for (const index of selected) {
    const source = sources.get(index)
    if (source === undefined) {
      if (request.partial) continue
      throw refuse(`index [${index}] wasn't fully snapshotted - cannot restore`)
    }
    const stream = streams.find(({ indices }) => indices.includes(index))
    // What it stands behind gives it its name.
    const isNamedBehind = stream !== undefined && index.startsWith(BACKING_PREFIX)
    const name = isNamedBehind ? `${BACKING_PREFIX}${rename(index.slice(BACKING_PREFIX.length))}` : rename(index)
    const other = targets.get(name)
    if (other !== undefined) {
      const names = `[${index}] and [${other.source.name}]`
      const [snapshot, into] = [`[${request.repository}:${record.name}]`, `into the same index [${name}]`]
      throw new ServiceError('snapshot_restore_exception', `${snapshot} indices ${names} are renamed ${into}`)
    }
    targets.set(name, { source, name, ...(stream === undefined ? {} : { dataStream: rename(stream.name) }) })
  }
  return [...targets.values()]
}

/** Data streams of a snapshot that a request names. */
function selectedStreams(
  { indices }: RestoreRequest,
  { dataStreams = [] }: SnapshotRecord,
  version: EngineVersion,
): readonly SnapshotStream[] {
  const names = dataStreams.map(({ name }) => name)
  const selected = selectIndices(names, indices, { ignoreUnavailable: true, version })
  return dataStreams.filter(({ name }) => selected.includes(name))
}

/** A request's names, those of data streams for the indices behind them; none: all. */
function namedIndices({ indices }: RestoreRequest, streams: readonly SnapshotStream[]): readonly string[] {
  if (indices.length === 0 || streams.length === 0) return indices
  const names = streams.map(({ name }) => name)
  return [...indices.filter((name) => !names.includes(name)), ...streams.flatMap((stream) => stream.indices)]
}

/** `6.8.23`, of the version's id; OpenSearch's have bit 27 set. */
function versionNumber(version: EngineVersion): string {
  const id = Number(VERSION_IDS[version]) & ~(1 << 27)
  return [1_000_000, 10_000, 100].map((unit) => Math.floor(id / unit) % 100).join('.')
}

function renaming({ renamePattern, renameReplacement }: RestoreRequest): (name: string) => string {
  if (renamePattern === undefined || renameReplacement === undefined) return (name) => name
  const pattern = new JavaPattern(renamePattern)
  const replacement = pattern.replacement(renameReplacement)
  return (name) => pattern.replace(name, replacement, true)
}

/**
 * Sees that a name can be restored to.
 *
 * @throws {ServiceError} snapshot_restore_exception, invalid_index_name_exception
 */
export function checkTarget(
  { name, source }: RestoreTarget,
  indices: ReadonlyMap<string, IndexMetadata>,
  version: EngineVersion,
  refuse: (reason: string) => ServiceError,
): void {
  const existing = indices.get(name)
  if (existing === undefined) {
    validateIndexName(name, version)
    for (const { aliases } of indices.values())
      if (Object.hasOwn(aliases, name)) throw invalidIndexName(name, 'already exists as alias')
    return
  }
  if (existing.unavailable?.isMetadataLost === true) return
  if (isServed(existing)) {
    throw refuse(
      `cannot restore index [${name}] because an open index with same name already exists in the cluster. Either close or delete the existing index or restore the index under a different name by providing a rename pattern and replacement name`,
    )
  }
  const shards = shardCount(existing)
  if (shards !== source.shards) {
    throw refuse(
      `cannot restore index [${name}] with [${shards}] shards from a snapshot of index [${source.name}] with [${source.shards}] shards`,
    )
  }
}

/** What a restored index is. @throws {ServiceError} when it cannot be opened here, or its aliases do not fit */
export function restoredMetadata(
  { name, dataStream }: RestoreTarget,
  { metadata }: IndexManifest,
  request: RestoreRequest,
  host: SnapshotHost,
  refuse: (reason: string) => ServiceError,
): IndexMetadata {
  const uuid = newUuid()
  const settings = { ...restoredSettings(metadata.settings, request, host.version, refuse), 'index.uuid': uuid }
  // As in the real server a closed index keeps the aliases it has when none are restored.
  const aliases = request.includeAliases ? metadata.aliases : (host.indices.get(name)?.aliases ?? {})
  const { dataStream: place, ...own } = metadata
  const restored: IndexMetadata = {
    ...own,
    name,
    uuid,
    settings,
    aliases,
    state: 'open',
    invertedSince: 0,
    ...(place === undefined || dataStream === undefined ? {} : { dataStream: { ...place, name: dataStream } }),
  }
  checkNames(restored, host.indices)
  host.checkOpens(restored)
  return restored
}

/** Sees that an index goes by names that nothing else has. @throws {ServiceError} illegal_state_exception */
export function checkNames(added: IndexMetadata, indices: ReadonlyMap<string, IndexMetadata>): void {
  for (const [alias, given] of Object.entries(added.aliases)) checkAlias(alias, given, added.name, indices)
  checkStreamNames(added, indices)
}

function checkAlias(
  alias: string,
  { isWriteIndex }: AliasMetadata,
  index: string,
  indices: ReadonlyMap<string, IndexMetadata>,
): void {
  if (indices.has(alias) || alias === index) {
    throw new ServiceError(
      'illegal_state_exception',
      `index and alias names need to be unique, but the following duplicates were found [${alias} (alias of [${index}])]`,
    )
  }
  if (!isWriteIndex) return
  for (const other of indices.values()) {
    if (other.name === index || other.aliases[alias]?.isWriteIndex !== true) continue
    throw new ServiceError(
      'illegal_state_exception',
      `alias [${alias}] has more than one write index [${[other.name, index].sort().join(',')}]`,
    )
  }
}
