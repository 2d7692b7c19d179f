import type { Long } from '../../engine/algorithms/long.ts'
import { LucenePriorityQueue } from '../../engine/algorithms/lucene-priority-queue.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { faultOf, ServiceError } from '../../errors.ts'
import { setOwn } from '../../set-own.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { checkReadVersion, readDocument } from '../endpoints/get-document.ts'
import { JavaFloat, type Json, writeJson } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { leaveLargeSource } from '../turns/leave-large.ts'
import { type FieldStatistics, fieldStatistics, type TermStatistics, termStatistics } from './field-statistics.ts'
import { type FieldVector, fieldVectors, type TermOccurrence, type VectorSource } from './field-vectors.ts'
import type { TermVectorsFilter, TermVectorsOptions } from './term-vectors-options.ts'

/** Answers for one document of an index, or one that is given. */
export function answerTermVectors(
  request: EndpointRequest,
  context: RestContext,
  metadata: IndexMetadata,
  options: TermVectorsOptions,
): Json {
  const started = performance.now()
  const { dialect } = request
  const document = findSource(request, context, metadata, options)
  const head = {
    _index: metadata.name,
    ...(dialect.showsType ? { _type: options.type ?? (dialect.typed ? document?.type : undefined) ?? '_doc' } : {}),
    ...(options.id === undefined ? {} : { _id: options.id }),
    _version: document?.version ?? 0,
    found: document !== undefined,
  }
  const searcher = context.engine.searcher(metadata.name)
  try {
    const vectors =
      document === undefined
        ? undefined
        : renderVectors(
            searcher,
            document,
            context.engine.mapping(metadata.name),
            options,
            dialect.engineVersion === 'Elasticsearch_6.8',
          )
    return {
      ...head,
      took: Math.round(performance.now() - started),
      ...(vectors === undefined ? {} : { term_vectors: vectors }),
    }
  } finally {
    searcher.release()
  }
}

function findSource(
  request: EndpointRequest,
  context: RestContext,
  metadata: IndexMetadata,
  options: TermVectorsOptions,
): (VectorSource & { readonly version: Long }) | undefined {
  if (options.doc !== undefined) {
    const type = options.type ?? context.engine.mapping(metadata.name).types[0] ?? '_doc'
    return {
      type,
      id: GIVEN_ID,
      routing: options.routing,
      source: options.doc,
      raw: writeJson(options.doc),
      version: 0,
    }
  }
  const { realtime, routing } = options
  // Here it is the name of a type.
  if (options.type === '_all') return undefined
  const found = readDocument(context, metadata, options.type, options.id as string, { realtime, routing })
  if (found === undefined) return undefined
  const { version: wanted } = options
  const conflict = wanted === undefined ? undefined : faultOf(() => checkReadVersion(found, wanted, request, metadata))
  if (conflict !== undefined) throw request.dialect.typed ? conflict : failedToExecute(conflict)
  leaveLargeSource(request, found.source)
  const raw = found.source?.toString('utf8') ?? '{}'
  const { type, id, version } = found
  return { type, id, routing: found.routing, source: JSON.parse(raw), raw, version }
}

/** What a document that is given is called. */
const GIVEN_ID = '_id_for_tv_api'

/** The real server takes it for a fault of its own. */
const failedToExecute = (cause: ServiceError): ServiceError =>
  new ServiceError('exception', 'failed to execute term vector request', { cause, status: 400 })

/** @throws {ServiceError} exception over what a document that is given has wrong */
function orFailed<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw error instanceof ServiceError ? failedToExecute(error) : error
  }
}

function renderVectors(
  searcher: IndexSearcher,
  document: VectorSource,
  mapping: Parameters<typeof fieldVectors>[0],
  options: TermVectorsOptions,
  isLucene7: boolean,
): Json {
  const find = () => fieldVectors(mapping, document, options, isLucene7)
  const vectors = options.doc === undefined ? find() : orFailed(find)
  const kept = options.filter === undefined ? undefined : bestTerms(searcher, vectors, options.filter)
  const rendered: Record<string, Json> = {}
  for (const vector of vectors) {
    // Lucene 8 has no vector where there is no term.
    if (vector.terms.size === 0 && !isLucene7) continue
    const { path } = vector
    const terms: Record<string, Json> = {}
    for (const [term, occurrences] of vector.terms) {
      const score = kept?.get(path)?.get(term)
      if (kept !== undefined && score === undefined) continue
      const statistics = options.termStatistics ? termStatistics(searcher, path, term, isLucene7) : undefined
      setOwn(terms, term, renderTerm(occurrences, statistics, score, shownTokens(vector, options)))
    }
    const statistics = options.fieldStatistics
      ? (fieldStatistics(searcher, path, isLucene7) ?? (isLucene7 ? undefined : NO_STATISTICS))
      : undefined
    setOwn(rendered, path, {
      ...(statistics === undefined ? {} : { field_statistics: renderField(statistics) }),
      terms,
    })
  }
  return rendered
}

/** Of a field that the index knows nothing of. */
const NO_STATISTICS: FieldStatistics = { sumDocFreq: 0, docCount: 0, sumTotalTermFreq: 0 }

/** What of each token is asked for and kept. */
interface ShownTokens {
  readonly positions: boolean
  readonly offsets: boolean
  readonly payloads: boolean
}

function shownTokens({ field, isKept, hasPayloads }: FieldVector, options: TermVectorsOptions): ShownTokens {
  const vector = field.kind === 'text' && isKept ? field.termVector : 'positions and offsets'
  return {
    positions: options.positions && vector.includes('positions'),
    offsets: options.offsets && vector.includes('offsets'),
    payloads: options.payloads && hasPayloads,
  }
}

function renderField({ sumDocFreq, docCount, sumTotalTermFreq }: FieldStatistics): Json {
  return { sum_doc_freq: sumDocFreq, doc_count: docCount, sum_ttf: sumTotalTermFreq }
}

function renderTerm(
  occurrences: readonly TermOccurrence[],
  statistics: TermStatistics | undefined,
  score: number | undefined,
  { positions, offsets, payloads }: ShownTokens,
): Json {
  return {
    ...(statistics === undefined ? {} : { doc_freq: statistics.docFreq, ttf: statistics.totalTermFreq }),
    term_freq: occurrences.length,
    ...(positions || offsets || payloads
      ? {
          tokens: occurrences.map(({ position, startOffset, endOffset, payload }) => ({
            ...(positions ? { position } : {}),
            ...(offsets ? { start_offset: startOffset, end_offset: endOffset } : {}),
            ...(payloads && payload !== undefined ? { payload: payload.toString('base64') } : {}),
          })),
        }
      : {}),
    ...(score === undefined ? {} : { score: new JavaFloat(score) }),
  }
}

/** The heaviest terms of each field: tf · (ln((docs + 1) / (docFreq + 1)) + 1). */
function bestTerms(
  searcher: IndexSearcher,
  vectors: readonly FieldVector[],
  filter: TermVectorsFilter,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const best = new Map<string, ReadonlyMap<string, number>>()
  for (const { path, terms } of vectors) {
    const ofField = fieldStatistics(searcher, path, true)
    const queue = new LucenePriorityQueue<ScoredTerm>(
      Math.min(filter.maxNumTerms, terms.size),
      (a, b) => a.score < b.score,
    )
    for (const [term, { length: frequency }] of terms) {
      if (frequency < filter.minTermFreq || frequency > filter.maxTermFreq) continue
      if (filter.minWordLength > 0 && term.length < filter.minWordLength) continue
      if (filter.maxWordLength > 0 && term.length > filter.maxWordLength) continue
      // A field that the index knows nothing of is measured by the document itself.
      const docFreq = ofField === undefined ? 1 : (termStatistics(searcher, path, term, true)?.docFreq ?? 0)
      if (docFreq < filter.minDocFreq || docFreq > filter.maxDocFreq) continue
      const idf = Math.fround(Math.log(((ofField?.docCount ?? 1) + 1) / (docFreq + 1)) + 1)
      queue.offerGreater({ term, score: Math.fround(frequency * idf) })
    }
    best.set(path, new Map(queue.drain().map(({ term, score }) => [term, score])))
  }
  return best
}

interface ScoredTerm {
  readonly term: string
  readonly score: number
}
