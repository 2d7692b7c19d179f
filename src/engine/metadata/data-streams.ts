import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { DataStreamPlace, IndexMetadata } from './index-metadata.ts'
import { nameFault } from './validate-name.ts'

/** What names of indices behind data streams begin with. */
export const BACKING_PREFIX = '.ds-'

/** A data stream: indices of one name, of which the last is written to. */
export interface DataStream {
  readonly name: string
  readonly timestampField: string
  readonly generation: number
  /** The oldest first; never none. */
  readonly indices: readonly IndexMetadata[]
}

/** All data streams by name, sorted. */
export function dataStreams(indices: Iterable<IndexMetadata>): ReadonlyMap<string, DataStream> {
  const behind = new Map<string, IndexMetadata[]>()
  for (const index of indices) {
    if (index.dataStream === undefined) continue
    const others = behind.get(index.dataStream.name)
    if (others === undefined) behind.set(index.dataStream.name, [index])
    else others.push(index)
  }
  return new Map([...behind].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, members]) => [name, streamOf(members)]))
}

/** The data stream of a name; undefined: there is none. */
export function dataStream(name: string, indices: ReadonlyMap<string, IndexMetadata>): DataStream | undefined {
  const members: IndexMetadata[] = []
  for (const index of indices.values()) if (index.dataStream?.name === name) members.push(index)
  return members.length === 0 ? undefined : streamOf(members)
}

/** The index that a data stream of these indices, in any order, writes to. */
export function streamWriteIndex(members: readonly IndexMetadata[]): IndexMetadata {
  const generation = (index: IndexMetadata) => (index.dataStream as DataStreamPlace).generation
  return members.reduce((last, index) => (generation(index) > generation(last) ? index : last))
}

/** The data stream that writes to an index; undefined: none does. */
export function streamWritingTo(
  { name, dataStream: place }: IndexMetadata,
  indices: ReadonlyMap<string, IndexMetadata>,
): DataStream | undefined {
  const stream = place === undefined ? undefined : dataStream(place.name, indices)
  return stream !== undefined && streamWriteIndex(stream.indices).name === name ? stream : undefined
}

function streamOf(members: IndexMetadata[]): DataStream {
  const place = (index: IndexMetadata) => index.dataStream as DataStreamPlace
  members.sort((a, b) => place(a).generation - place(b).generation)
  const last = place(members.at(-1) as IndexMetadata)
  return { name: last.name, timestampField: last.timestampField, generation: last.generation, indices: members }
}

/** `.ds-logs-000001`. */
export function backingIndexName({ name, generation }: Pick<DataStreamPlace, 'name' | 'generation'>): string {
  return `${BACKING_PREFIX}${name}-${String(generation).padStart(6, '0')}`
}

/** The data stream that an index of a name would stand behind, going by its form; undefined: none. */
export function streamOfBacking(index: string): string | undefined {
  return index.startsWith(BACKING_PREFIX) ? /^\.ds-(.+)-\d+$/s.exec(index)?.[1] : undefined
}

/** Checks that a data stream can be called so. @throws {ServiceError} illegal_argument_exception, resource_already_exists_exception */
export function validateDataStreamName(
  name: string,
  indices: ReadonlyMap<string, IndexMetadata>,
  version: EngineVersion,
): void {
  if (dataStream(name, indices) !== undefined)
    throw new ServiceError('resource_already_exists_exception', `data_stream [${name}] already exists`)
  const fault =
    nameFault(name, version) ??
    (name.toLowerCase() === name ? undefined : 'must be lowercase') ??
    (name.startsWith('.') ? "must not start with '.'" : undefined)
  if (fault !== undefined) throw illegalArgument(`data_stream [${name}] ${fault}`)
}

/**
 * Checks that data streams, indices and aliases go by names of their own once an index is there, new or with other aliases, and
 * that no name is taken which a data stream's next indices will have.
 *
 * @param indices  the others; itself as it was may be among them
 * @throws {ServiceError} illegal_state_exception
 */
export function checkStreamNames(added: IndexMetadata, indices: ReadonlyMap<string, IndexMetadata>): void {
  const streams = dataStreams([...indices.values(), added])
  if (streams.size === 0) return
  if (streams.has(added.name)) throw duplicate(`data stream [${added.name}] conflicts with index`)
  const own = added.dataStream
  for (const { name, uuid, aliases } of [added, ...(own === undefined ? [] : indices.values())]) {
    const alias = Object.keys(aliases).find((alias) => streams.has(alias))
    if (alias !== undefined) throw duplicate(`${alias} (alias of [${name}/${uuid}]) conflicts with data stream`)
  }
  if (own !== undefined && indices.has(own.name)) throw duplicate(`data stream [${own.name}] conflicts with index`)
  for (const stream of streams.values()) {
    const taken = [added, ...(stream.name === own?.name ? indices.values() : [])].flatMap((index) =>
      [index.dataStream?.name === stream.name ? [] : index.name, ...Object.keys(index.aliases)].flat(),
    )
    const conflicts = taken.filter((name) => isToCome(name, stream)).sort()
    if (conflicts.length === 0) continue
    throw new ServiceError(
      'illegal_state_exception',
      `data stream [${stream.name}] could create backing indices that conflict with ${conflicts.length} existing index(s) or alias(s) including '${conflicts[0]}'`,
    )
  }
}

/** Whether an index to come of a data stream would have a name. */
function isToCome(name: string, { name: stream, generation }: DataStream): boolean {
  const prefix = `${BACKING_PREFIX}${stream}-`
  const number = name.startsWith(prefix) ? name.slice(prefix.length) : ''
  return /^\d+$/.test(number) && Number(number) > generation
}

function duplicate(what: string): ServiceError {
  return new ServiceError(
    'illegal_state_exception',
    `index, alias, and data stream names need to be unique, but the following duplicates were found [${what}]`,
  )
}
