import { existsSync, realpathSync } from 'node:fs'
import { ClientError } from '../client/client-error.ts'
import type { DomainClient } from '../client/domain-client.ts'
import { withoutPassword } from '../client/endpoint.ts'
import { type DocumentKeyForm, documentKey } from '../digest/document-key.ts'
import { fileProblem } from '../file-problem.ts'
import { isObject } from '../is-object.ts'
import { Checkpoint } from './checkpoint.ts'
import { compareMoved } from './compare-moved.ts'
import { DocumentRun, type RunOptions, type RunSummary } from './document-run.ts'
import { type DocumentDestination, FileDestination, IndexDestination } from './document-writer.ts'
import { expectLength } from './file-lines.ts'
import { lockFiles } from './file-locks.ts'
import { endLoad, loadSettings, settingsAfterLoad } from './load-settings.ts'
import { movingSegments } from './moving-segments.ts'
import { PartFile } from './part-file.ts'
import { ReadySource } from './ready-source.ts'
import { documentKeyForm, documentRewrite } from './rewrite.ts'
import {
  createIndex,
  type IndexSchema,
  type PlannedIndex,
  planIndices,
  refuseStream,
  type Settings,
  type TypeRule,
} from './schema.ts'
import type { ServerInfo } from './server.ts'
import { shareDictionary } from './shared-dictionary.ts'
import type { TransferDocument } from './transfer-document.ts'
import {
  countOf,
  expectDocument,
  openSides,
  refresh,
  type Side,
  type SideOptions,
  schemaOf,
  sourceOf,
} from './transfer-side.ts'
import type { Verification } from './verify.ts'

/** What to move where, and how. */
export interface TransferOptions extends RunOptions, SideOptions {
  /** `https://<host>/<index>` or an NDJSON file. */
  readonly from: string
  readonly to: string
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

/** A transfer that has begun. */
interface Running {
  readonly from: Side
  /** A file is written under the name that it has in the making. */
  readonly to: Side
  readonly planned: readonly PlannedIndex[]
  /** Lines are added as it goes on. */
  readonly changes: string[]
  readonly checkpoint: Checkpoint
  readonly destination: DocumentDestination
  readonly options: TransferOptions
}

/**
 * Moves an index: schema, documents, then the proof that both sides hold the same.
 *
 * Every batch is acknowledged by the destination before the checkpoint passes it; a run that was interrupted goes on
 * behind the last one. When the signal aborts, the checkpoint stays and the signal's reason is thrown.
 */
export async function transfer(options: TransferOptions): Promise<TransferReport> {
  const started = performance.now()
  const [from, to] = await openSides(options.from, options.to, options)
  try {
    const schema = await schemaOf(from)
    await expectDocument(from, options.signal)
    const planned = plan(from, to, schema, options)
    const changes = [...new Set([...partShown(from, schema), ...planned.flatMap((p) => p.changes)])]
    const report = { planned: planned.map((p) => ({ index: p.name, schema: p.schema })), changes }
    if (options.dryRun) return { ...report, ...NOTHING, seconds: 0, resumed: false, verification: undefined }
    await refuseItself(from, to, schema, planned, options)
    if (to.client !== undefined) for (const { name } of planned) await refuseStream(to.client, name)
    const written = to.location.kind === 'file' ? [to.location.path] : []
    const release = await lockFiles([options.checkpointPath, ...written])
    try {
      const checkpoint = await openCheckpoint(to, schema, planned, options)
      const done = await run({ from, to, planned, changes, checkpoint, options })
      return { ...report, ...done, seconds: (performance.now() - started) / 1000, resumed: checkpoint.resumed }
    } finally {
      release()
    }
  } finally {
    from.client?.close()
    to.client?.close()
  }
}

const NOTHING: RunSummary = { read: 0, written: 0, rejected: 0, retries: 0, bytes: 0 }

type Done = RunSummary & { readonly verification: Verification | undefined }

/** Does what was planned, from where the checkpoint is on. */
async function run(planned: Omit<Running, 'destination'>): Promise<Done> {
  const { checkpoint, options, to } = planned
  const file = to.location.kind === 'file' ? new PartFile(to.location.path) : undefined
  const writing = file === undefined ? to : { ...to, location: { ...to.location, path: file.path } }
  // Before the destination file is made: a run that ends in between must find its own file, not a stranger's.
  checkpoint.save()
  const destination = destinationOf(writing, checkpoint, options)
  const running: Running = { ...planned, to: writing, destination }
  try {
    if (!checkpoint.state.schemaDone) await makeSchema(running)
    const done = options.what === 'mappings' ? notMoved(checkpoint) : await moveDocuments(running)
    // In this order: a run that is killed in between is made anew, rather than gone on with in a file that is another by then.
    checkpoint.remove()
    file?.finish()
    return done
  } finally {
    // A run that stops half-way leaves the index as it is to be; the one that goes on does so again at its end.
    await endFilling(running, { patient: false }).catch(() => {})
    if (!hasBegun(running)) checkpoint.remove()
    await destination.close()
  }
}

function notMoved({ state: { read, written, rejected } }: Checkpoint): Done {
  return { ...NOTHING, read, written, rejected, verification: undefined }
}

/** Whether there is anything at the destination for a run to go on with. */
function hasBegun({ to, checkpoint: { resumed, state } }: Running): boolean {
  return to.location.kind === 'file' || resumed || state.schemaDone || state.loading !== undefined
}

/** The checkpoint of this very transfer. @throws {ClientError} kind `configuration` where there is no going on, or no beginning */
async function openCheckpoint(
  to: Side,
  schema: IndexSchema,
  planned: readonly PlannedIndex[],
  options: TransferOptions,
): Promise<Checkpoint> {
  const checkpoint = new Checkpoint(options.checkpointPath, {
    source: withoutPassword(options.from),
    destination: withoutPassword(options.to),
    sourceUuid: schema.settings['index.uuid'] as string | undefined,
  })
  const { written } = checkpoint.state
  if (checkpoint.resumed) options.onNote(`going on from ${options.checkpointPath}: ${written} documents are written`)
  if (to.location.kind === 'file' && !checkpoint.resumed && !options.overwrite && existsSync(to.location.path)) {
    throw new ClientError('configuration', `${to.location.path} is there already: remove it or say --overwrite`)
  }
  if (to.client !== undefined && written > 0) {
    // Writing on would make it anew, with what mapping its documents suggest and without those written before.
    for (const { name } of planned)
      if (!(await to.client.exists(`/${encodeURIComponent(name)}`)))
        throw new ClientError(
          'configuration',
          `[${name}] is gone from the destination since: remove ${options.checkpointPath} to begin anew`,
        )
  }
  return checkpoint
}

/** Settings, mappings and aliases, or what a file has of them. */
async function makeSchema(running: Running): Promise<void> {
  const { checkpoint, destination, options } = running
  if (options.what !== 'documents') running.changes.push(...(await putSchema(running)))
  checkpoint.state.schemaDone = true
  checkpoint.state.fileBytes = destination.fileBytes
  checkpoint.state.headerBytes = destination.fileBytes
  checkpoint.save()
}

/** Moves the documents, and compares both sides where that is wanted. */
async function moveDocuments(running: Running): Promise<Done> {
  const { from, to, planned, changes, checkpoint, destination, options } = running
  const { signal } = options
  const typed = to.server?.typed ?? from.server?.typed ?? true
  const rewrite = documentRewrite(planned, typed)
  const keyForm = documentKeyForm(planned, typed)
  const source = sourceOf(from, options)
  const lines = await readySource(running, options.verify ? keyForm : undefined)
  const key = options.verify ? (document: TransferDocument) => documentKey(keyForm, document) : undefined
  const documents = new DocumentRun(options, { source: lines ?? source, destination, rewrite, key }, checkpoint)
  const total = await countOf(from, signal)
  const indices = planned.map((p) => p.name)
  if (destination instanceof IndexDestination) changes.push(...(await destination.leaveOutPipelines(indices, signal)))
  await documents.go(total)
  await endFilling(running, { patient: true })
  const { client } = to
  // Whoever searches next finds what was moved. Who may only write leaves that to the index' own refreshes.
  if (client !== undefined) for (const name of indices) await refresh(client, name, { mayBeRefused: true, signal })
  const { summary } = documents
  if (!options.verify) return { ...summary, verification: undefined }
  options.onProgress({ ...documents.progress, phase: 'verification' })
  const verification = await compareMoved(
    {
      source,
      digestingSource: lines && { client: from.client as DomainClient, index: lines.index },
      destination: to,
      indices,
      rewrite,
      keyForm,
      digest: documents.digest,
      digestOf: lines?.digestOf,
      rejectPath: summary.rejected === 0 ? undefined : options.rejectPath,
    },
    options,
  )
  return { ...summary, verification }
}

/** Gives the indices that were made for filling them their own settings. */
async function endFilling({ to, checkpoint }: Running, options: { readonly patient: boolean }): Promise<void> {
  const { loading } = checkpoint.state
  if (loading === undefined || to.client === undefined) return
  await endLoad(to.client, loading, options)
  if (!options.patient) return
  delete checkpoint.state.loading
  checkpoint.save()
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

/** The source as lines that need not be looked at, where it has them and documents go to one index as they are. */
async function readySource(
  { from, to, planned, options: { pageSize, maxBytes, signal } }: Running,
  key: DocumentKeyForm | undefined,
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
  if (dictionary === undefined) return source
  const segments = await movingSegments(...ends, { maxBytes, signal })
  return new ReadySource(from.client, from.location.index, { ...lines, dictionary, segments })
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

/** Says of a source that is an alias which keeps documents back that only the others are moved. */
function partShown({ location }: Side, { aliases }: IndexSchema): readonly string[] {
  const alias = location.kind === 'index' ? aliases[location.index] : undefined
  const limits = ['filter', 'search_routing'].filter((name) => isObject(alias) && name in alias)
  if (location.kind === 'file' || limits.length === 0) return []
  return [`alias [${location.index}] shows a part of its index (${limits.join(', ')}): no more is moved`]
}

function plan(from: Side, to: Side, schema: IndexSchema, options: TransferOptions): readonly PlannedIndex[] {
  for (const mapping of Object.values(schema.mappings))
    if ((mapping['_source'] as { readonly enabled?: unknown } | undefined)?.enabled?.toString() === 'false')
      throw new ClientError('configuration', `${withoutPassword(options.from)} keeps no _source: nothing can be moved`)
  if (from.location.kind === 'index' && schema.settings['index.search.throttled'] === 'true') {
    const { index } = from.location
    // A search that is not told to look into it finds nothing there, and says no word of that.
    const reason = `${withoutPassword(options.from)} is frozen: POST /${index}/_unfreeze to have its documents found`
    throw new ClientError('configuration', reason)
  }
  if (to.location.kind === 'index') {
    const { index } = to.location
    if (/[*,]/.test(index)) throw new ClientError('configuration', `[${index}] names no single index to write to`)
    return planIndices(index, schema, to.server as ServerInfo, options)
  }
  // A file takes everything as it is; its documents keep the index they came from.
  const name = from.location.kind === 'index' ? from.location.index : 'documents'
  return [{ name, schema, types: undefined, typeInField: false, changes: [] }]
}

async function putSchema({ to, destination, planned, checkpoint, options }: Running): Promise<readonly string[]> {
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
