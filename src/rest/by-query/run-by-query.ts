import { shardCount } from '../../engine/metadata/shard-routing.ts'
import { type IndexFailure, ServiceError } from '../../errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { renderCause, renderShardFailure, renderTaskFailure, unexpectedError } from '../errors/error-response.ts'
import { eachOpen } from '../indices/each-open.ts'
import type { Json } from '../json/json-writer.ts'
import { partialFault } from '../judge-stored.ts'
import type { EndpointRequest, EndpointResponse } from '../rest-request.ts'
import { checkCombinations } from '../search/check-combinations.ts'
import { checkSliceCount, checkSlices } from '../search/check-slices.ts'
import { isOfQueryPhase, ofIndex, ofOnlyIndex } from '../search/failed-index.ts'
import { onlyIndex } from '../search/partial-failures.ts'
import { checkWindow } from '../search/run-search.ts'
import type { SearchBody } from '../search/search-body.ts'
import type { SearchView } from '../search/search-view.ts'
import { refuseDefaultPipeline } from '../search-pipelines/piped-search.ts'
import { answerOrTask } from '../tasks/answer-or-task.ts'
import { keptTaskJson } from '../tasks/render-task.ts'
import type { RunningTask } from '../tasks/running-task.ts'
import type { ByQueryOptions } from './by-query-options.ts'
import { ByQueryProgress, renderProgress, type ShownCounters } from './by-query-progress.ts'
import { type ByQueryFailure, changeDocuments, type DocumentChange } from './change-documents.ts'
import { type FoundDocuments, findDocuments } from './found-documents.ts'

/** Most slices `auto` makes. */
const MOST_AUTO_SLICES = 20

/** A call that changes what a query finds. */
export interface ByQueryCall {
  readonly action: string
  readonly description: string
  /** The index written to, unless it is the one read. */
  readonly destination?: string
  readonly shown: ShownCounters
  /** The names it reads from, as given: who may be told of it where they name nothing. */
  readonly sources: readonly string[]
  /** Opens what it searches, which is released when the work is over; what is wrong with its names is thrown. */
  readonly open: () => SearchView
  readonly search: SearchBody
  readonly options: ByQueryOptions
  readonly change: DocumentChange
}

/** Does a call's work, and answers when it is done or, with `wait_for_completion=false`, at once with the task's id. */
export async function runByQuery(
  request: EndpointRequest,
  context: RestContext,
  call: ByQueryCall,
): Promise<EndpointResponse> {
  const { options } = call
  const everything = { updated: true, created: true, human: false }
  let view: SearchView | undefined
  let parts: readonly ByQueryProgress[]
  try {
    view = call.open()
    parts = checkedParts(call, view, request)
  } catch (error) {
    if (options.waitForCompletion || !(error instanceof ServiceError)) throw error
    const { action, description, sources, destination } = call
    const names = destination === undefined ? sources : [...sources, destination]
    // How fast it is to go is known to it once it is open.
    const progress = new ByQueryProgress(view === undefined ? 0 : options.requestsPerSecond)
    const status = () => renderProgress([progress], { ...everything, cancelled: undefined })
    return answerOrTask(request, context, { action, description, names, status, onCancel: () => {} }, () => {
      throw error
    })
  }
  const task: RunningTask = context.tasks.start({
    action: call.action,
    description: call.description,
    indices: [...view.indices.map(({ name }) => name), ...(call.destination === undefined ? [] : [call.destination])],
    opaqueId: request.opaqueId,
    status: () => renderProgress(parts, { ...everything, cancelled: task.cancelled }),
    onCancel: () => {
      for (const part of parts) part.throttle.stop()
    },
    rethrottle: (requestsPerSecond) => {
      for (const part of parts) part.throttle.rethrottle(requestsPerSecond / parts.length)
    },
  })
  const started = performance.now()
  const work = changeAll(request, context, call, view, parts, task)
  const answer = (failures: readonly Failure[], shown: ShownCounters, human: boolean): Json => ({
    took: Math.round(performance.now() - started),
    timed_out: false,
    ...renderProgress(parts, { ...shown, human, cancelled: task.cancelled }),
    failures: failures.map((failure) =>
      isOfDocument(failure) ? renderFailure(failure, request) : renderSearchFailure(failure, request),
    ),
  })
  if (options.waitForCompletion) {
    try {
      const failures = await work
      const human = request.parameters.boolean('human', false)
      const status = failures.reduce((worst, { error }) => Math.max(worst, error.status), 200)
      return { status, json: answer(failures, call.shown, human) }
    } finally {
      await context.tasks.finish(task)
    }
  }
  // A script or a pipeline may have sent documents elsewhere than the call says.
  const result = (told: readonly string[]) => ({
    completed: true as const,
    indices: [...new Set([...task.indices, ...told])],
    task: keptTaskJson(task, context),
  })
  void work
    .then(
      (failures) =>
        context.tasks.finish(task, {
          ...result(failures.map(({ index }) => index)),
          response: answer(failures, everything, true),
        }),
      (error: unknown) => {
        const told = error instanceof ServiceError ? error : unexpectedError()
        const { index } = told.detail
        return context.tasks.finish(task, {
          ...result(index === undefined ? [] : [index]),
          error: renderTaskFailure(told),
        })
      },
    )
    .catch(() => context.tasks.finish(task))
  return { status: 200, json: { task: `${context.engine.nodeId}:${task.id}` } }
}

/** What could not be changed, or not be searched. */
type Failure = ByQueryFailure | IndexFailure

const isOfDocument = (failure: Failure): failure is ByQueryFailure => 'id' in failure

async function changeAll(
  request: EndpointRequest,
  context: RestContext,
  { search, options, change }: ByQueryCall,
  view: SearchView,
  parts: readonly ByQueryProgress[],
  task: RunningTask,
): Promise<readonly Failure[]> {
  try {
    const limit = options.maxDocs === undefined ? undefined : Math.floor(options.maxDocs / parts.length)
    const touched = new Set<string>()
    const found: (FoundDocuments | readonly IndexFailure[])[] = []
    for (const id of parts.keys()) {
      const slice = parts.length === 1 ? undefined : { id, max: parts.length }
      const find = (part: SearchView) => findDocuments(part, search, request, { limit, slice })
      found.push(await find(view).catch((error) => failuresByIndex(view, find, error)))
    }
    const started = performance.now()
    const ends = await Promise.allSettled(
      parts.map((progress, i): readonly IndexFailure[] | Promise<readonly ByQueryFailure[]> => {
        const documents = found[i] as FoundDocuments | readonly IndexFailure[]
        // Nothing is changed, and nothing counted, where some indices cannot be searched.
        if (!('batches' in documents)) return documents
        return changeDocuments(
          context,
          documents,
          change,
          progress,
          {
            batchSize: search.size,
            limit: limit ?? Number.POSITIVE_INFINITY,
            proceed: options.proceed,
            activeCopies: options.activeCopies,
            rights: request,
            isCancelled: () => task.cancelled !== undefined,
          },
          touched,
        )
      }),
    )
    // What is thrown ends one part: the others go on, in the view that is given back below.
    const failures = ends.map((end) => {
      if (end.status === 'rejected') throw end.reason
      return end.value
    })
    for (const part of parts) countScroll(view, part, limit, context, performance.now() - started)
    if (options.refresh && task.cancelled === undefined)
      await eachOpen(touched, context, (name) => context.engine.refresh(name))
    return failures.flat<(readonly Failure[])[]>()
  } finally {
    view.release()
  }
}

/** Counts what one part found as the scroll that it is elsewhere: a query for each page, and one that finds no more. */
function countScroll(
  view: SearchView,
  { batches, total }: ByQueryProgress,
  limit: number | undefined,
  context: RestContext,
  ms: number,
): void {
  const pages = total > 0 && total === limit ? batches : batches + 1
  for (const [i, index] of view.indices.entries()) {
    const shards = view.shardCounts[i] as number
    context.searches.add(index.uuid, [], {
      queryTotal: shards * pages,
      fetchTotal: view.shards.total === 1 ? pages : Math.min(shards * batches, total),
      scrollTotal: shards,
      scrollTimeMs: ms,
    })
  }
}

/**
 * A failure of the query phase, as those of the indices that meet it: each is searched alone to see whether it does.
 *
 * @throws {ServiceError} when all of them do
 */
async function failuresByIndex(
  view: SearchView,
  find: (part: SearchView) => Promise<unknown>,
  error: unknown,
): Promise<readonly IndexFailure[]> {
  if (view.indices.length < 2 || !isOfQueryPhase(error)) throw ofOnlyIndex(view, error)
  const failures: IndexFailure[] = []
  for (const index of view.indices) {
    await find(onlyIndex(index, view)).catch((fault) => {
      if (!isOfQueryPhase(fault)) throw fault
      failures.push({ index: index.name, error: ofIndex(fault, index) })
    })
  }
  // Each can be searched alone: it is all of them together that is too much.
  if (failures.length === 0) throw error
  if (failures.length === view.indices.length) throw error.with({ failures })
  return failures
}

/** The parts of a call that is in order; one that is not lets go of its view. */
function checkedParts(call: ByQueryCall, view: SearchView, request: EndpointRequest): readonly ByQueryProgress[] {
  try {
    refuseDefaultPipeline(view.indices)
    if (view.searchers.length > 0) checkCombinations(call.search, request.dialect, true)
    checkWindow(view, call.search, true, request.dialect)
    checkSlices(view, call.search, request.dialect)
    return partsOf(call, view, request.dialect)
  } catch (error) {
    view.release()
    throw ofOnlyIndex(view, error)
  }
}

function partsOf({ search, options }: ByQueryCall, view: SearchView, dialect: Dialect): readonly ByQueryProgress[] {
  const auto = Math.min(MOST_AUTO_SLICES, ...view.indices.map(shardCount))
  const slices = options.slices === 'auto' ? (view.indices.length === 0 ? 1 : auto) : options.slices
  checkSliceCount(view, slices, dialect)
  if (slices === 1) return [new ByQueryProgress(options.requestsPerSecond, search.slice?.id)]
  return Array.from({ length: slices }, (_, id) => new ByQueryProgress(options.requestsPerSecond / slices, id))
}

function renderSearchFailure({ index, error }: IndexFailure, request: EndpointRequest): Json {
  return renderShardFailure(partialFault(request, request.madeOf ?? [], error), index)
}

function renderFailure({ index, type, id, error }: ByQueryFailure, { dialect }: EndpointRequest): Json {
  return { index, ...(dialect.showsType ? { type } : {}), id, cause: renderCause(error), status: error.status }
}
