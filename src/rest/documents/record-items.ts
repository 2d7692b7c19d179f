import type { IndexOperation, SegmentPlace } from '../../engine/index/document-operation.ts'
import { type DocumentRecord, decodeStoredRecord, isFirstWrite } from '../../engine/store/document-record.ts'
import type { Lz4Dictionary } from '../../engine/store/lz4-dictionary.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { dictionaryId } from '../indices/source-dictionary.ts'
import { isIngested, writePipelines } from '../ingest/write-pipelines.ts'
import type { EndpointRequest } from '../rest-request.ts'
import type { BulkItem } from './bulk-items.ts'
import { idComplaints } from './document-parameters.ts'

/** What the sources of a request may come to: a few bytes can stand for very many. */
const MOST_RESTORED_BYTES = 64 * 1024 * 1024

/** A record's length stands before it. */
export const RECORD_LENGTH_BYTES = 4

/**
 * The items of a bulk whose body is records as another domain has them stored (`POST /<index>/_bulk?records=<id of a dictionary>`):
 * each its length (u32, little-endian) and a document-record.ts, to be written as `external_gte` with its version. Sources stay
 * compressed as they are, so that the index must have the dictionary (`PUT /<index>/_dictionary`).
 *
 * @throws {ServiceError} illegal_argument_exception where lines would have to do
 */
export function* readRecordItems(request: EndpointRequest, { engine }: RestContext): Generator<BulkItem, void> {
  const { body, parameters, dialect } = request
  const first = segmentPlace(request)
  const index = request.path['index']
  if (index === undefined || !engine.indices.has(index))
    throw illegalArgument('records go to one index, by its own name')
  if (isIngested(writePipelines(engine, index, parameters.text('pipeline'))))
    throw illegalArgument('records go through no pipeline')
  const dictionary = engine.dictionary(index)
  if (dictionary === undefined || dictionaryId(dictionary) !== parameters.text('records'))
    throw illegalArgument(`[${index}] has another dictionary`)
  let restored = 0
  let count = 0
  for (let at = 0; at < body.length; ) {
    const start = at + RECORD_LENGTH_BYTES
    at = start <= body.length ? start + body.readUInt32LE(at) : Number.POSITIVE_INFINITY
    if (at > body.length) throw illegalArgument('the last record is cut off')
    const read = readOperation(body.subarray(start, at), dictionary, dialect)
    const place = first && { segment: first.segment, position: first.position + count++ }
    const operation = place === undefined ? read : Object.assign(read, { place })
    const { id, type, source } = operation
    restored += source.length
    if (restored > MOST_RESTORED_BYTES)
      throw illegalArgument(`the records are of more than [${MOST_RESTORED_BYTES}] bytes`)
    const item = { action: 'index', index, type, id, operation, error: undefined, source: undefined } as const
    const complaints = idComplaints(id, dialect)
    yield complaints.length > 0 ? { ...item, complaints } : item
  }
}

/** Where the first record of a body stands in a segment that came before (`segment` and `at`); undefined: in none. */
export function segmentPlace({ parameters }: EndpointRequest): SegmentPlace | undefined {
  const segment = parameters.text('segment')
  return segment === undefined ? undefined : { segment, position: parameters.integer('at', 0) }
}

function readOperation(
  bytes: Buffer,
  dictionary: Lz4Dictionary,
  { typed }: Dialect,
): IndexOperation & { readonly id: string } {
  try {
    const { record, restoredBytes } = decodeStoredRecord(bytes, true)
    const { type, id, routing, version, source: stored } = record
    if (stored === undefined || id === '' || !isVersion(record)) throw illegalArgument('a record is of no document')
    const source = restoredBytes === 0 ? stored : dictionary.restore(stored, restoredBytes)
    const ownType = typed ? type : '_doc'
    const asItIs = ownType === type && isFirstWrite(bytes, record) ? bytes : undefined
    const operation = {
      kind: 'index',
      type: ownType,
      id,
      version,
      versionType: 'external_gte',
      source,
      stored: { bytes: stored, restoredBytes, dictionary, record: asItIs },
    } as const
    return routing === undefined ? operation : { routing, ...operation }
  } catch (error) {
    if (error instanceof ServiceError && error.type === 'corrupt_index_exception') throw illegalArgument(error.reason)
    throw error
  }
}

/** Whether its version is one that a write may bring. */
function isVersion({ version }: DocumentRecord): boolean {
  return typeof version === 'bigint' ? version > 0n : Number.isSafeInteger(version) && version >= 0
}
