import { existsSync, realpathSync } from 'node:fs'
import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'
import { withoutPassword } from '../client/endpoint.ts'
import { type DocumentKeyForm, documentKey } from '../digest/document-key.ts'
import type { DocumentSetDigest } from '../digest/document-set-digest.ts'
import { fileProblem } from '../file-problem.ts'
import { Checkpoint } from './checkpoint.ts'
import { type DocumentSource, FileSource, IndexSource } from './document-reader.ts'
import { DocumentRun, type RunOptions, type RunSummary } from './document-run.ts'
import { type DocumentDestination, FileDestination, IndexDestination } from './document-writer.ts'
import { expectLength, fileLineBytes, fileLines } from './file-lines.ts'
import { JoinedSource } from './joined-source.ts'
import { endLoad, loadSettings, settingsAfterLoad } from './load-settings.ts'
import { type Location, parseLocation } from './location.ts'
import { PartFile } from './part-file.ts'
import { ReadySource } from './ready-source.ts'
import { documentKeyForm, documentRewrite } from './rewrite.ts'
import {
  createIndex,
  type IndexSchema,
  type PlannedIndex,
  planIndices,
  readSchema,
  refuseStream,
  type Settings,
  type TypeRule,
} from './schema.ts'
import { describeServer, type ServerInfo } from './server.ts'
import { serverDigest } from './server-digest.ts'
import { shareDictionary } from './shared-dictionary.ts'
import { readDocumentLine, type TransferDocument } from './transfer-document.ts'
import { equality, type Verification, type VerifiedSide, verify } from './verify.ts'

/** What to move where, and how. */
export interface TransferOptions extends RunOptions {
  /** `https://<host>/<index>` or an NDJSON file. */
  readonly from: string
  readonly to: string
  /** Makes the caller of a side; asked once a side that is not a file. */
  readonly connect: (origin: string, side: 'source' | 'destination') => Promise<DomainClient>
  /** `all`: settings, mappings, aliases, then documents. */
  readonly what: 'all' | 'documents' | 'mappings'
  readonly typeRule: TypeRule
  /** Turn seunjeon analyzers into nori ones. */
  readonly nori: boolean
  readonly dryRun: boolean
  /** Write over a destination file that is there already, or into a copy of the source that has its uuid. */
  readonly overwrite: boolean
  readonly verify: boolean
  /** Largest bulk request, bytes. */
  readonly maxBytes: number
  /** Documents a read. */
  readonly pageSize: number
  readonly checkpointPath: string
}

/** What a transfer did. */
export interface TransferReport extends RunSummary {
  readonly seconds: number
  readonly resumed: boolean
  /** What was changed or left out of settings and mappings. */
  readonly changes: readonly string[]
  readonly planned: readonly { readonly index: string; readonly schema: IndexSchema }[]
  readonly verification: Verification | undefined
}

interface Side {
  readonly location: Location
  readonly client: DomainClient | undefined
  readonly server: ServerInfo | undefined
}

/**
 * Moves an index: schema, documents, then the proof that both sides hold the same.
 *
 * Every batch is acknowledged by the destination before the checkpoint passes it; a run that was interrupted goes on
 * behind the last one. When the signal aborts, the checkpoint stays and the signal's reason is thrown.
 */
export async function transfer(options: TransferOptions): Promise<TransferReport> {
  const started = performance.now()
  const [from, to] = await Promise.all([
    open(options, options.from, 'source'),
    open(options, options.to, 'destination'),
  ])
  const allOfSource = sourceOf(from, options)
  const changes: string[] = []

  const schema = await schemaOf(from)
  for (const mapping of Object.values(schema.mappings))
    if ((mapping['_source'] as { readonly enabled?: unknown } | undefined)?.enabled?.toString() === 'false')
      throw new ClientError('configuration', `${withoutPassword(options.from)} keeps no _source: nothing can be moved`)
  const planned = plan(from, to, schema, options)
  for (const p of planned) changes.push(...p.changes.filter((c) => !changes.includes(c)))
  const report = { planned: planned.map((p) => ({ index: p.name, schema: p.schema })), changes }
  if (options.dryRun) {
    return {
      ...report,
      read: 0,
      written: 0,
      rejected: 0,
      retries: 0,
      bytes: 0,
      seconds: 0,
      resumed: false,
      verification: undefined,
    }
  }

  await refuseItself(from, to, schema, planned, options)
  if (to.client !== undefined) for (const { name } of planned) await refuseStream(to.client, name)
  const checkpoint = new Checkpoint(options.checkpointPath, {
    source: withoutPassword(options.from),
    destination: withoutPassword(options.to),
    sourceUuid: schema.settings['index.uuid'] as string | undefined,
  })
  if (checkpoint.resumed)
    options.onNote(`going on from ${options.checkpointPath}: ${checkpoint.state.written} documents are written`)
  if (to.location.kind === 'file' && !checkpoint.resumed && !options.overwrite && existsSync(to.location.path)) {
    throw new ClientError('configuration', `${to.location.path} is there already: remove it or say --overwrite`)
  }
  const file = to.location.kind === 'file' ? new PartFile(to.location.path) : undefined
  const writing = file === undefined ? to : { ...to, location: { ...to.location, path: file.path } }
  if (to.client !== undefined && checkpoint.state.written > 0) {
    // Writing on would make it anew, with what mapping its documents suggest and without those written before.
    for (const { name } of planned)
      if (!(await to.client.exists(`/${encodeURIComponent(name)}`)))
        throw new ClientError(
          'configuration',
          `[${name}] is gone from the destination since: remove ${options.checkpointPath} to begin anew`,
        )
  }
  // Before the destination file is made: a run that ends in between must find its own file, not a stranger's.
  checkpoint.save()
  const begun = () =>
    to.location.kind === 'file' ||
    checkpoint.resumed ||
    checkpoint.state.schemaDone ||
    checkpoint.state.loading !== undefined
  const destination = destinationOf(writing, checkpoint, options)
  try {
    if (!checkpoint.state.schemaDone) {
      if (options.what !== 'documents')
        changes.push(...(await putSchema(to, destination, planned, checkpoint, options)))
      checkpoint.state.schemaDone = true
      checkpoint.state.fileBytes = destination.fileBytes
      checkpoint.state.headerBytes = destination.fileBytes
      checkpoint.save()
    }
    const rewrite = documentRewrite(planned, to.server?.typed ?? from.server?.typed ?? true)
    const keyForm = documentKeyForm(planned, to.server?.typed ?? from.server?.typed ?? true)
    const key = (document: TransferDocument) => documentKey(keyForm, document)
    const ready = options.verify ? keyForm : undefined
    const lines = await readySource(from, to, planned, ready, options)
    const ends = { source: lines ?? allOfSource, destination, rewrite, key: options.verify ? key : undefined }
    const run = new DocumentRun(options, ends, checkpoint)
    let verification: Verification | undefined
    if (options.what !== 'mappings') {
      const total = await countOf(from, options.signal)
      const names = planned.map((p) => p.name)
      if (destination instanceof IndexDestination)
        changes.push(...(await destination.leaveOutPipelines(names, options.signal)))
      await run.go(total)
      if (checkpoint.state.loading !== undefined && to.client !== undefined) {
        await endLoad(to.client, checkpoint.state.loading, { patient: true })
        delete checkpoint.state.loading
        checkpoint.save()
      }
      if (options.verify) {
        options.onProgress({ ...run.progress, phase: 'verification' })
        const { signal } = options
        const own = lines && (() => serverDigest(from.client as DomainClient, [lines.index], keyForm, signal))
        verification =
          (lines?.digestOf && (await storedAlike(run.digest, lines.digestOf, to, planned, keyForm, signal))) ||
          (await verify(
            { source: allOfSource, rewrite, key, ...(own && { ownDigest: own }) },
            writtenSide(writing, planned, { form: keyForm, of: key }, options),
            {
              refused: run.summary.rejected === 0 ? new Set() : await refusedKeys(options.rejectPath, key),
              signal,
              sourceDigest: lines?.digestOf === undefined ? run.digest : undefined,
            },
          ))
      }
    }
    // In this order: a run that is killed in between is made anew, rather than gone on with in a file that is another by then.
    checkpoint.remove()
    file?.finish()
    return {
      ...report,
      ...run.summary,
      seconds: (performance.now() - started) / 1000,
      resumed: checkpoint.resumed,
      verification,
    }
  } finally {
    // A run that stops half-way leaves the index as it is to be; the one that goes on does so again at its end.
    if (checkpoint.state.loading !== undefined && to.client !== undefined)
      await endLoad(to.client, checkpoint.state.loading, { patient: false }).catch(() => {})
    if (!begun()) checkpoint.remove()
    await destination.close()
    from.client?.close()
    to.client?.close()
  }
}

async function open(options: TransferOptions, text: string, side: 'source' | 'destination'): Promise<Side> {
  const location = parseLocation(text)
  if (location.kind === 'file') {
    if (side === 'source' && !existsSync(location.path))
      throw new ClientError('configuration', `there is no file ${location.path}`)
    return { location, client: undefined, server: undefined }
  }
  const client = await options.connect(location.origin, side)
  const name = `the ${side}, ${withoutPassword(text)},`
  try {
    return { location, client, server: await describeServer(client, { maxRetries: 3, signal: options.signal }) }
  } catch (error) {
    options.signal.throwIfAborted()
    // One that starts again is waited for, not one that is misspelt.
    const waits = error instanceof ClientError && error.retryable && error.type !== 'ENOTFOUND'
    options.onNote(waits ? `waiting for ${name} which does not answer: ${error.message}` : `${name} cannot be asked:`)
    if (!waits) throw error
    return { location, client, server: await describeServer(client, { signal: options.signal }) }
  }
}

/** A transfer of an index (or a file) to itself, by whatever names, would at best do nothing. */
async function refuseItself(
  from: Side,
  to: Side,
  schema: IndexSchema,
  planned: readonly PlannedIndex[],
  options: TransferOptions,
): Promise<void> {
  const itself = (what: string) => new ClientError('configuration', `source and destination are the same ${what}`)
  if (from.location.kind === 'file' && to.location.kind === 'file') {
    const { path } = to.location
    if (existsSync(path) && realpathSync(path) === realpathSync(from.location.path)) throw itself('file')
  }
  const uuid = schema.settings['index.uuid']
  if (from.location.kind === 'file' || to.client === undefined || uuid === undefined || options.overwrite) return
  for (const { name } of planned) {
    const path = `/${encodeURIComponent(name)}`
    if (!(await to.client.exists(path))) continue
    const { body } = await to.client.request<Record<string, { readonly settings: Settings }>>(
      'GET',
      `${path}/_settings/index.uuid?flat_settings=true`,
    )
    if (Object.values(body).some(({ settings }) => settings['index.uuid'] === uuid))
      throw itself(`index, ${name} (${uuid}); for a copy that has its uuid say --overwrite`)
  }
}

function sourceOf(side: Side, options: { readonly pageSize: number }, index?: string): DocumentSource {
  const { location, client, server } = side
  if (location.kind === 'file')
    return new FileSource(location.path, { gzip: location.gzip, pageSize: options.pageSize })
  return new IndexSource(client as DomainClient, index ?? location.index, server as ServerInfo, options)
}

/** The source as lines that need not be looked at, where it has them and documents go to one index as they are. */
async function readySource(
  from: Side,
  to: Side,
  planned: readonly PlannedIndex[],
  key: DocumentKeyForm | undefined,
  { pageSize, signal }: TransferOptions,
): Promise<ReadySource | undefined> {
  const [only, ...others] = planned
  if (from.location.kind === 'file' || from.client === undefined || to.server === undefined) return undefined
  if (only === undefined || others.length > 0 || only.typeInField) return undefined
  const lines = { pageSize, destination: only.name, typed: to.server.typed, key }
  const source = new ReadySource(from.client, from.location.index, lines)
  if (!(await source.isThere(signal))) return undefined
  if (to.client === undefined) return source
  const ends = [
    { client: from.client, index: from.location.index },
    { client: to.client, index: only.name },
  ] as const
  const dictionary = await shareDictionary(...ends, signal)
  return dictionary === undefined ? source : new ReadySource(from.client, from.location.index, { ...lines, dictionary })
}

function destinationOf(side: Side, checkpoint: Checkpoint, options: TransferOptions): DocumentDestination {
  const { location, client, server } = side
  if (location.kind === 'file') {
    if (checkpoint.resumed) expectLength(location.path, checkpoint.state.fileBytes)
    try {
      return new FileDestination(location.path, {
        gzip: location.gzip,
        keepBytes: checkpoint.resumed ? checkpoint.state.fileBytes : 0,
      })
    } catch (cause) {
      if (!checkpoint.resumed) checkpoint.remove()
      throw new ClientError('configuration', `cannot write ${location.path}: ${fileProblem(cause)}`, { cause })
    }
  }
  return new IndexDestination(client as DomainClient, server as ServerInfo, options)
}

/** The source's schema; a file's first line may hold one. */
async function schemaOf(side: Side): Promise<IndexSchema> {
  if (side.location.kind === 'index')
    return readSchema(side.client as DomainClient, side.location.index, side.server as ServerInfo)
  for await (const line of fileLines(side.location.path, side.location.gzip)) {
    if (line.startsWith('{"chaja_index":')) return (JSON.parse(line) as { chaja_index: IndexSchema }).chaja_index
    break
  }
  return { settings: {}, mappings: {}, aliases: {} }
}

function plan(from: Side, to: Side, schema: IndexSchema, options: TransferOptions): readonly PlannedIndex[] {
  if (to.location.kind === 'index') {
    const { index } = to.location
    if (/[*,]/.test(index)) throw new ClientError('configuration', `[${index}] names no single index to write to`)
    return planIndices(index, schema, to.server as ServerInfo, options)
  }
  // A file takes everything as it is; its documents keep the index they came from.
  const name = from.location.kind === 'index' ? from.location.index : 'documents'
  return [{ name, schema, types: undefined, typeInField: false, changes: [] }]
}

async function putSchema(
  to: Side,
  destination: DocumentDestination,
  planned: readonly PlannedIndex[],
  checkpoint: Checkpoint,
  options: TransferOptions,
): Promise<readonly string[]> {
  if (destination instanceof FileDestination) {
    await destination.writeHeader({ chaja_index: (planned[0] as PlannedIndex).schema })
    return []
  }
  const client = to.client as DomainClient
  const left: string[] = []
  for (const p of planned) {
    const { loading = {} } = checkpoint.state
    if (await client.exists(`/${encodeURIComponent(p.name)}`)) {
      // One that an earlier run made was put down here before.
      if (!(p.name in loading)) left.push(`[${p.name}] is there already: its settings and mappings stay`)
      continue
    }
    const { settings } = p.schema
    if (options.what === 'all') {
      checkpoint.state.loading = { ...loading, [p.name]: settingsAfterLoad(settings) }
      checkpoint.save()
    }
    const schema = options.what === 'all' ? { ...p.schema, settings: loadSettings(settings) } : p.schema
    options.signal.throwIfAborted()
    try {
      left.push(...(await createIndex(client, { ...p, schema }, to.server as ServerInfo)))
    } catch (error) {
      // Refused, so not made: neither are there settings to bring back.
      if (error instanceof ClientError && error.status !== undefined && error.status < 500) {
        const { [p.name]: _, ...others } = checkpoint.state.loading ?? {}
        if (Object.keys(others).length > 0) checkpoint.state.loading = others
        else delete checkpoint.state.loading
      }
      throw error
    }
  }
  return left
}

async function countOf({ location, client }: Side, signal: AbortSignal): Promise<number | undefined> {
  if (location.kind === 'file' || client === undefined) return undefined
  const path = `/${encodeURIComponent(location.index)}/_count`
  // A caller who may only read the source may be refused this; then what is not yet visible is not moved.
  await refresh(client, location.index, { mayBeRefused: true, signal })
  return (await client.request<{ count: number }>('GET', path, undefined, { signal })).body.count
}

/** The destination as a verification reads it: every index that was written, or the file. */
function writtenSide(
  to: Side,
  planned: readonly PlannedIndex[],
  key: { readonly form: DocumentKeyForm; readonly of: VerifiedSide['key'] },
  options: TransferOptions,
): VerifiedSide {
  if (to.location.kind === 'file') {
    const { name } = planned[0] as PlannedIndex
    return { source: sourceOf(to, options), rewrite: (d) => ({ ...d, index: name }), key: key.of }
  }
  const client = to.client as DomainClient
  const names = planned.map((p) => p.name)
  return {
    source: new JoinedSource(names.map((name) => sourceOf(to, options, name))),
    prepare: async () => {
      for (const name of names) await refresh(client, name, { mayBeRefused: false, signal: options.signal })
    },
    rewrite: (d) => d,
    key: key.of,
    ownDigest: (signal) => serverDigest(client, names, key.form, signal),
  }
}

/** The proof that both sides have the same records; undefined where that is not so, whatever they say. */
async function storedAlike(
  left: DocumentSetDigest | undefined,
  dictionary: string,
  { client }: Side,
  planned: readonly PlannedIndex[],
  key: DocumentKeyForm,
  signal: AbortSignal,
): Promise<Verification | undefined> {
  if (left === undefined || client === undefined) return undefined
  const names = planned.map(({ name }) => name)
  const right = await serverDigest(client, names, key, signal, dictionary)
  return right === undefined ? undefined : equality(left, right)
}

async function refresh(
  client: DomainClient,
  index: string,
  { mayBeRefused, signal }: { readonly mayBeRefused: boolean; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await client.request('POST', `/${encodeURIComponent(index)}/_refresh`, undefined, { signal }, true)
  } catch (error) {
    if (!(mayBeRefused && error instanceof ClientError && error.status === 403)) throw error
  }
}

/** Keys of the documents that the destination refused: known to differ, they take no part in the comparison. */
async function refusedKeys(path: string, key: (d: TransferDocument) => string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  for await (const lines of fileLineBytes(path, false)) for (const line of lines) keys.add(key(readDocumentLine(line)))
  return keys
}
