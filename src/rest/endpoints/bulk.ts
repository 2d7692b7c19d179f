import { Breather, inTurns } from '../../breather.ts'
import type { DocumentOperation, WriteResult } from '../../engine/index/document-operation.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'
import type { Warnings } from '../deprecation/warnings.ts'
import type { Dialect } from '../dialects/dialect.ts'
import {
  type ActiveCopies,
  activeCopies,
  awaitActiveCopies,
  hasActiveCopies,
  withId,
} from '../documents/active-copies.ts'
import { type BulkItemResult, bulkItemText, hasFailed, renderBulkItem } from '../documents/bulk-answer.ts'
import { type BulkItem, readBulkItems } from '../documents/bulk-items.ts'
import { refreshPolicy, validationFailed } from '../documents/document-parameters.ts'
import { readRecordItems, segmentPlace } from '../documents/record-items.ts'
import { checkStreamWrite } from '../documents/stream-writes.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { eachOpen } from '../indices/each-open.ts'
import { stillWritable, storedType, writeIndex } from '../indices/index-names.ts'
import { resolvedName } from '../indices/judge-names.ts'
import type { Refusal } from '../ingest/ingest-service.ts'
import { anyPipelines } from '../ingest/write-pipelines.ts'
import { type Json, RawJson, writeJson } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { checkSingleType, noteInternalVersion, routedByAlias } from './index-document.ts'

/** Items read and written at a time: what a body needs in memory beside itself is bounded by them. */
const SLICE = 5_000

/** A filter that leaves no item: none is written. */
const WITHOUT_ITEMS = /^(?:took|errors)(?:,(?:took|errors))*$/

/** Bytes up to which a body is read at one go, whatever is in it. */
const SMALL_BODY = 128 * 1024

/** Bytes from which a body is read twice. */
const LARGE_BODY = 2 * 1024 * 1024

/** `POST|PUT /_bulk`, `/<index>/_bulk`, `/<index>/<type>/_bulk`. */
export const bulk: EndpointHandler = async (request, context) => {
  const started = performance.now()
  const refresh = refreshPolicy(request.parameters)
  const active = activeCopies(request.parameters)
  const { index } = request.path
  // It may stand behind a data stream, or be called otherwise than it is written.
  if (index !== undefined) request.authorize([resolvedName(index, context.engine)], '_bulk')
  const items = await itemsOf(request, context)
  const { names, count } = await survey(items)
  if (count === 0) throw validationFailed(['no requests added'])
  if (names.size > 1 || !names.has(index ?? '')) {
    const targets = [...names].map((name) => resolvedName(name, context.engine))
    request.authorize(targets, '_bulk')
  }
  // Answers are texts, a fifth of the objects' room; a filter wants the objects.
  const filter = request.parameters.text('filter_path')
  const isTwice = Array.isArray(items) && items.some(({ refusedAgain }) => refusedAgain !== undefined)
  const asText = filter === undefined && !isTwice
  const showsItems = filter === undefined || !WITHOUT_ITEMS.test(filter)
  const rendered: Json[] = []
  const pieces: (string | Buffer)[] = ['[']
  const written = new Set<string>()
  let errors = false
  const place = index === undefined || !request.parameters.has('records') ? undefined : segmentPlace(request)
  if (place !== undefined) await context.engine.segments.turn(index as string, place)
  /** Set when pipelines had a say. */
  let ingestMs: number | undefined
  for await (const slice of slices(items)) {
    const results = await writeSlice(request, context, slice, { active, refresh, warnings: request.warnings, written })
    const part: string[] = []
    for (let i = 0; i < slice.length; i++) {
      const item = slice[i] as BulkItem
      const result = results[i] as BulkItemResult
      errors ||= item.refusedAgain?.fault !== undefined
      ingestMs = item.ingested === undefined ? ingestMs : Math.round(performance.now() - started)
      if (!showsItems) {
        errors ||= hasFailed(item, result)
        continue
      }
      const text = asText ? bulkItemText(request.dialect, item, result, refresh === true) : undefined
      if (text !== undefined) {
        part.push(text)
        continue
      }
      const { json, failed } = renderBulkItem(request.dialect, item, result, refresh === true)
      errors ||= failed
      if (asText) part.push(writeJson(json))
      else rendered.push(json)
    }
    if (!asText) continue
    const text = pieces.length === 1 ? part.join(',') : `,${part.join(',')}`
    // Bytes where there are many: a text put together keeps all its parts, four times its size.
    pieces.push(count > SLICE ? Buffer.from(text) : text)
  }
  pieces.push(']')
  if (refresh !== false) await eachOpen(written, context, (name) => context.engine.write(name, [], refresh))
  return {
    status: 200,
    json: {
      took: Math.round(performance.now() - started),
      ...(ingestMs === undefined ? {} : { ingest_took: ingestMs }),
      errors,
      items: asText ? new RawJson(...pieces) : isTwice ? withTwiceRefused(request.dialect, items, rendered) : rendered,
    },
  }
}

/**
 * Answers to the items of a bulk where pipelines refused a document twice, and each refusal is told of. In the real
 * server's order: refusals first, then all else by its place in the bulk put in among them.
 */
function withTwiceRefused(dialect: Dialect, items: Iterable<BulkItem>, rendered: readonly Json[]): Json[] {
  const others: number[] = []
  const answers: Json[] = []
  let place = 0
  for (const item of items) {
    const answer = rendered[place] as Json
    if (item.ingested === undefined || item.operation !== undefined) others.push(place)
    else answers.push(answer)
    if (item.refusedAgain !== undefined) answers.push(secondRefusal(dialect, item, item.refusedAgain))
    place++
  }
  for (const at of others) answers.splice(at, 0, rendered[at] as Json)
  return answers
}

function secondRefusal(dialect: Dialect, item: BulkItem, { index, fault }: Refusal): Json {
  const again: BulkItem = { ...item, index, error: fault, ingested: fault === undefined ? 'dropped' : 'kept' }
  return renderBulkItem(dialect, again, { metadata: undefined, result: fault ?? dropped(again) }, false).json
}

/** What a bulk consists of, to be gone through twice. A large body is read twice rather than held as objects beside its bytes. */
async function itemsOf(request: EndpointRequest, context: RestContext): Promise<Iterable<BulkItem>> {
  const { parameters, body } = request
  // Once: one that comes to be between two readings would send documents where nobody has judged them.
  const hasPipelines = anyPipelines(context.engine)
  const read = () =>
    parameters.has('records') ? readRecordItems(request, context) : readBulkItems(request, context, hasPipelines)
  // A small body is not worth looking for pipelines.
  const mayIngest =
    body.length <= SMALL_BODY || parameters.has('pipeline') || body.includes('"pipeline"') || hasPipelines
  if (!mayIngest) return body.length > LARGE_BODY ? { [Symbol.iterator]: read } : [...read()]
  // Pipelines count what goes through them, and may take any time.
  const items: BulkItem[] = []
  await inTurns(read(), (item) => items.push(item))
  return items
}

/**
 * Reads a whole body once: nothing of it is written when a line is malformed, or names an index the caller may not
 * write to.
 */
async function survey(items: Iterable<BulkItem>): Promise<{ readonly names: Set<string>; readonly count: number }> {
  const names = new Set<string>()
  let count = 0
  const complaints: string[] = []
  await inTurns(items, ({ index, complaints: own }) => {
    if (own === undefined) names.add(index)
    else complaints.push(...own)
    count++
  })
  if (complaints.length > 0) throw validationFailed(complaints)
  return { names, count }
}

async function* slices(items: Iterable<BulkItem>): AsyncIterable<BulkItem[]> {
  let slice: BulkItem[] = []
  const breather = new Breather()
  for (const item of items) {
    slice.push(item)
    const others = breather.turn()
    if (others !== undefined) await others
    if (slice.length < SLICE) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

/** What the writes of a bulk share. */
interface BulkWrites {
  readonly active: ActiveCopies
  readonly refresh: boolean | 'wait_for'
  readonly warnings: Warnings
  /** Gets the names of indices written to. */
  readonly written: Set<string>
}

/** Writes items index by index; their results in their own order. */
async function writeSlice(
  request: EndpointRequest,
  context: RestContext,
  items: readonly BulkItem[],
  writes: BulkWrites,
): Promise<BulkItemResult[]> {
  const all = new Array<BulkItemResult>(items.length)
  const targets = new Map<string, IndexMetadata>()
  for (const [name, positions] of groupBy(items, ({ index }) => index)) {
    try {
      targets.set(name, await targetOf(request, context, name, itemsAt(items, positions)))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      // Up to 6.8 nothing of such a bulk is carried out.
      if (request.dialect.typed && error.reason.startsWith('no write index is defined')) throw error
      for (const p of positions) {
        const item = items[p] as BulkItem
        all[p] = { metadata: undefined, result: item.ingested === 'dropped' ? dropped(item) : (item.error ?? error) }
      }
    }
  }
  // An index may go by several names in one bulk, and its items stay in their order all the same.
  for (const [name, positions] of groupBy(items, ({ index }) => targets.get(index)?.name)) {
    if (name === undefined) continue
    const group = itemsAt(items, positions)
    const metadata = targets.get(group[0]?.index as string) as IndexMetadata
    const results = await writeGroup(context, metadata, group, writes)
    for (let i = 0; i < positions.length; i++) all[positions[i] as number] = results[i] as BulkItemResult
    writes.written.add(name)
  }
  return all
}

/** Positions of items by what they have in common, each list ascending. */
function groupBy<K>(items: readonly BulkItem[], keyOf: (item: BulkItem) => K): Map<K, number[]> {
  const groups = new Map<K, number[]>()
  for (let i = 0; i < items.length; i++) {
    const key = keyOf(items[i] as BulkItem)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [i])
    else group.push(i)
  }
  return groups
}

function itemsAt(items: readonly BulkItem[], positions: readonly number[]): readonly BulkItem[] {
  return positions.length === items.length ? items : positions.map((p) => items[p] as BulkItem)
}

/** The index that items of a name go to; made when it is not there and one of them may make it. */
function targetOf(
  request: EndpointRequest,
  context: RestContext,
  name: string,
  items: readonly BulkItem[],
): Promise<IndexMetadata> {
  const create = items.some(
    (i) => i.operation !== undefined && (i.action !== 'delete' || i.operation.versionType !== 'internal'),
  )
  return writeIndex(request, context, name, { create, requiresAlias: false })
}

/** Faults of an index, whose items fail by them; what else fails a write is all items'. */
const OF_INDEX: ReadonlySet<string> = new Set(['index_not_found_exception', 'index_closed_exception'])

async function writeGroup(
  context: RestContext,
  target: IndexMetadata,
  items: readonly BulkItem[],
  writes: BulkWrites,
): Promise<BulkItemResult[]> {
  const failed = (error: unknown): BulkItemResult[] => {
    if (!(error instanceof ServiceError)) throw error
    return items.map((item) => ({
      metadata: target,
      result: item.ingested === 'dropped' ? dropped(item) : (item.error ?? error),
    }))
  }
  try {
    stillWritable(target, context)
  } catch (error) {
    return failed(error)
  }
  try {
    return await writeItems(context, target, items, writes)
  } catch (error) {
    if (error instanceof ServiceError && OF_INDEX.has(error.type)) return failed(error)
    throw error
  }
}

async function writeItems(
  context: RestContext,
  metadata: IndexMetadata,
  items: readonly BulkItem[],
  writes: BulkWrites,
): Promise<BulkItemResult[]> {
  const operations: DocumentOperation[] = []
  const types = new Map<string, string>()
  const results: (ServiceError | WriteResult | undefined)[] = items.map((item) => {
    if (item.ingested === 'dropped') return dropped(item)
    if (item.error !== undefined || item.operation === undefined) return item.error
    noteInternalVersion(writes.warnings, item.operation, item.index)
    let type = types.get(item.type)
    if (type === undefined) {
      type = storedType(metadata, context, item.type)
      types.set(item.type, type)
    }
    try {
      checkStreamWrite(item.operation, item.index, metadata, context.engine)
      const operation = routedByAlias(item.operation, item.index, metadata)
      checkSingleType(metadata, type, context)
      operations.push(type === item.type ? operation : { ...operation, type })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return error
    }
    return undefined
  })
  const written = hasActiveCopies(metadata, writes.active)
    ? await context.engine.write(metadata.name, operations, false)
    : await writeWhenActive(context, metadata, operations, writes)
  let next = 0
  const answered = results.map((error) => ({ metadata, result: error ?? (written[next++] as WriteResult) }))
  return metadata.dataStream === undefined ? answered : asFound(answered, items, metadata.dataStream.name)
}

/** The real server finds a data stream's index for what it takes, and names it in what comes after. */
function asFound(answered: BulkItemResult[], items: readonly BulkItem[], stream: string): BulkItemResult[] {
  let isFound = false
  return answered.map(({ metadata, result }, i) => {
    const { index, action } = items[i] as BulkItem
    isFound ||= action === 'create' && index === stream
    return { metadata: isFound || index !== stream ? metadata : undefined, result }
  })
}

/** Writes what is refused unless the index comes to want fewer copies. */
async function writeWhenActive(
  context: RestContext,
  metadata: IndexMetadata,
  asked: readonly DocumentOperation[],
  { active, refresh }: BulkWrites,
): Promise<readonly WriteResult[]> {
  const operations = asked.map(withId)
  const refused = await awaitActiveCopies(context, active, { metadata, operations, refresh })
  stillWritable(metadata, context)
  if (refused === undefined) return context.engine.write(metadata.name, operations, false)
  return operations.map((operation) => {
    const { type, id } = operation
    return { ok: false, type, id, error: refused(operation) }
  })
}

/** What became of a document that a pipeline dropped. */
function dropped({ type, id = 'auto-generated' }: BulkItem): WriteResult {
  return { ok: true, result: 'noop', type, id, version: -3, seqNo: -2, primaryTerm: 0 }
}
