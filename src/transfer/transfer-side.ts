import { existsSync } from 'node:fs'
import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'
import { withoutPassword } from '../client/endpoint.ts'
import { isObject } from '../is-object.ts'
import { type DocumentSource, FileSource, IndexSource, type IndexSourceOptions } from './document-reader.ts'
import { FILE_HEADER } from './file-header.ts'
import { fileLines } from './file-lines.ts'
import { type Location, parseLocation } from './location.ts'
import { type IndexSchema, readSchema } from './schema.ts'
import { describeServer, type ServerInfo } from './server.ts'
import { waitWhileStarting } from './starting-cluster.ts'

/** One end of a transfer, opened; a file has neither client nor server. */
export interface Side {
  readonly location: Location
  readonly client: DomainClient | undefined
  readonly server: ServerInfo | undefined
}

/** How long a server is waited for that does not answer at first. */
export const WAIT_SECONDS = 30

/** How an end is opened. */
export interface SideOptions {
  /** Makes the caller of a side; asked once a side that is not a file. */
  readonly connect: (origin: string, side: 'source' | 'destination') => Promise<DomainClient>
  readonly onNote: (line: string) => void
  readonly signal: AbortSignal
}

/**
 * Opens both ends, as people type them ({@link parseLocation}), and asks their servers what they are. One that does not answer is
 * waited for, unless the other cannot be opened.
 *
 * @throws {ClientError}
 */
export async function openSides(from: string, to: string, options: SideOptions): Promise<readonly [Side, Side]> {
  const failed = new AbortController()
  const either = { ...options, signal: AbortSignal.any([options.signal, failed.signal]) }
  try {
    return await Promise.all([openSide(either, from, 'source'), openSide(either, to, 'destination')])
  } catch (error) {
    failed.abort(error)
    throw error
  }
}

async function openSide(options: SideOptions, text: string, side: 'source' | 'destination'): Promise<Side> {
  const location = parseLocation(text)
  if (location.kind === 'file') {
    if (side === 'source' && !existsSync(location.path))
      throw new ClientError('configuration', `there is no file ${location.path}`)
    return { location, client: undefined, server: undefined }
  }
  const client = await options.connect(location.origin, side)
  const name = `the ${side}, ${withoutPassword(text)},`
  const opened = { location, client, server: await patiently(client, name, options) }
  await waitWhileStarting(client, location.index, { ...options, name })
  return opened
}

/** What a server is; one that does not answer is waited for, one that says that it is starting for as long as it does. */
async function patiently(client: DomainClient, name: string, options: SideOptions): Promise<ServerInfo> {
  const { signal } = options
  try {
    return await describeServer(client, { maxRetries: 3, timeoutMs: 5_000, signal })
  } catch (error) {
    signal.throwIfAborted()
    // One that starts again is waited for, not one that is misspelt.
    const waits = error instanceof ClientError && error.retryable && error.type !== 'ENOTFOUND'
    if (!waits) {
      options.onNote(`${name} cannot be asked:`)
      throw error
    }
    if (await waitWhileStarting(client, undefined, { ...options, name })) return patiently(client, name, options)
    options.onNote(`waiting ${WAIT_SECONDS} s at most for ${name} which does not answer: ${error.message}`)
    const limit = AbortSignal.timeout(WAIT_SECONDS * 1000)
    const call = { maxRetries: Number.POSITIVE_INFINITY, signal: AbortSignal.any([signal, limit]) }
    return await describeServer(client, call).catch((last) => {
      throw limit.aborted && !signal.aborted ? error : last
    })
  }
}

/** Documents of a side. @param index  one of several that the side stands for; absent: its own */
export function sourceOf(side: Side, options: IndexSourceOptions, index?: string): DocumentSource {
  const { location, client, server } = side
  if (location.kind === 'file')
    return new FileSource(location.path, { gzip: location.gzip, pageSize: options.pageSize })
  return new IndexSource(client as DomainClient, index ?? location.index, server as ServerInfo, options)
}

/** The source's schema; a file's first line may hold one. */
export async function schemaOf(side: Side): Promise<IndexSchema> {
  if (side.location.kind === 'index')
    return readSchema(side.client as DomainClient, side.location.index, side.server as ServerInfo)
  for await (const line of fileLines(side.location.path, side.location.gzip)) {
    if (line.startsWith(FILE_HEADER)) return schemaIn(line, side.location.path)
    break
  }
  return { settings: {}, mappings: {}, aliases: {} }
}

/** What a file's first line says that its index is made of; members may be left out. */
function schemaIn(line: string, path: string): IndexSchema {
  const refused = (why: string, cause?: unknown) =>
    new ClientError('configuration', `line 1 of ${path} does not say what the index is made of: ${why}`, { cause })
  let schema: unknown
  try {
    schema = (JSON.parse(line) as { readonly chaja_index: unknown }).chaja_index
  } catch (cause) {
    throw refused((cause as Error).message, cause)
  }
  if (!isObject(schema)) throw refused('expected {"chaja_index":{"settings":{…},"mappings":{…},"aliases":{…}}}')
  const { settings = {}, mappings = {}, aliases = {} } = schema
  for (const [name, member] of Object.entries({ settings, mappings, aliases }))
    if (!isObject(member)) throw refused(`${name} is no object`)
  for (const [type, mapping] of Object.entries(mappings as IndexSchema['mappings']))
    if (!isObject(mapping)) throw refused(`the mapping of [${type}] is no object`)
  return { settings, mappings, aliases } as IndexSchema
}

/**
 * Sees that a file begins with a document, before anything is made of it; a file with nothing in it will do.
 *
 * @throws {ClientError}
 */
export async function expectDocument(side: Side, signal: AbortSignal): Promise<void> {
  if (side.location.kind === 'index') return
  for await (const _ of sourceOf(side, { pageSize: 1 }).read(0, undefined, signal)) return
}

/** Documents that an index shows; undefined for a file, which is not counted before it is read. */
export async function countOf({ location, client }: Side, signal: AbortSignal): Promise<number | undefined> {
  if (location.kind === 'file' || client === undefined) return undefined
  const path = `/${encodeURIComponent(location.index)}/_count`
  // A caller who may only read the source may be refused this; then what is not yet visible is not moved.
  await refresh(client, location.index, { mayBeRefused: true, signal })
  return (await client.request<{ count: number }>('GET', path, undefined, { signal })).body.count
}

/** Makes all documents of an index visible. @throws {ClientError} status 403, or 404 where there is none, unless that may be */
export async function refresh(
  client: DomainClient,
  index: string,
  { mayBeRefused, signal }: { readonly mayBeRefused: boolean; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await client.request('POST', `/${encodeURIComponent(index)}/_refresh`, undefined, { signal }, true)
  } catch (error) {
    if (!(mayBeRefused && error instanceof ClientError && (error.status === 403 || error.status === 404))) throw error
  }
}
