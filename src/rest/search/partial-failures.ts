import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { faultOf, type IndexFailure, type ServiceError } from '../../errors.ts'
import { renderShardFailure } from '../errors/error-response.ts'
import type { Json } from '../json/json-writer.ts'
import { partialFault } from '../judge-stored.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { isOfQueryPhase, isOfReducePhase, ofIndex, ofOnlyIndex } from './failed-index.ts'
import type { SearchedShards, SearchView } from './search-view.ts'

/**
 * Searches the indices of a view that can answer. What only some of them cannot do is no fault of the request: their shards
 * count as failed, and the others' hits are answered.
 *
 * @param probe  searches a part of the view to see whether it can be; run again for each index when the whole fails
 * @throws {ServiceError} when no index can answer, or `allow_partial_search_results` is false
 */
export function searchWhatAnswers<T>(
  view: SearchView,
  request: EndpointRequest,
  run: (view: SearchView) => T,
  probe: (view: SearchView) => unknown = run,
): T {
  try {
    return run(view)
  } catch (error) {
    // What cannot be put together may be of indices that could not be searched.
    const isReduced = isOfReducePhase(error)
    if (!isReduced && (!isOfQueryPhase(error) || error.detail.searchPhase === 'fetch')) throw error
    if (view.indices.length < 2) throw isReduced ? error : ofOnlyIndex(view, error)
    const probeAll = (): IndexFailure[] =>
      view.indices.flatMap((index): IndexFailure[] => {
        const fault = faultIn(index, view, probe)
        return fault === undefined ? [] : [{ index: index.name, error: ofIndex(fault, index) }]
      })
    // What cannot be merged has no hits shown: of what showing them does nobody is told.
    const failures = isReduced ? request.warnings.unheard(probeAll) : probeAll()
    // Each can answer alone: it is all of them together that is too much.
    if (failures.length === 0) throw error
    const isPartial = failures.length < view.indices.length
    if (isPartial && request.parameters.boolean('allow_partial_search_results', true)) {
      return runPart(partOf(view, failures, request), failures, run)
    }
    const [{ error: first }] = failures as [IndexFailure]
    throw first.with({ failures, isPartial })
  }
}

/** @throws {ServiceError} when the rest cannot show what it has: then nothing is left */
function runPart<T>(part: SearchView, failures: readonly IndexFailure[], run: (view: SearchView) => T): T {
  try {
    return run(part)
  } catch (error) {
    if (!isOfQueryPhase(error) || error.detail.searchPhase !== 'fetch') throw error
    const all = [...failures, ...(error.detail.failures ?? [])].sort((a, b) => (a.index < b.index ? -1 : 1))
    throw error.with({ failures: all })
  }
}

function faultIn(
  index: IndexMetadata,
  view: SearchView,
  probe: (view: SearchView) => unknown,
): ServiceError | undefined {
  const fault = faultOf(() => probe(onlyIndex(index, view)))
  // It could be searched.
  if (fault?.detail.searchPhase === 'fetch' || isOfReducePhase(fault)) return undefined
  if (fault !== undefined && !isOfQueryPhase(fault)) throw fault
  return fault
}

/** One index of a view as a view; it is released with the whole. */
export function onlyIndex(index: IndexMetadata, view: SearchView): SearchView {
  const i = view.indices.indexOf(index)
  const searchers = view.searchers.slice(i, i + 1)
  return { ...view, indices: [index], searchers, limits: () => view.limits(i), isPart: true }
}

/** The indices of a view that can answer; releases all of them. */
function partOf(view: SearchView, failures: readonly IndexFailure[], request: EndpointRequest): SearchView {
  const failed = new Set(failures.map(({ index }) => index))
  const remains = (_: unknown, i: number): boolean => !failed.has(view.indices[i]?.name as string)
  const places = [...view.indices.keys()].filter((i) => remains(undefined, i))
  return {
    ...view,
    limits: (searcher) => view.limits(places[searcher] as number),
    indices: view.indices.filter(remains),
    searchers: view.searchers.filter(remains),
    shardCounts: view.shardCounts.filter(remains),
    shards: shardsWithout(view, view.shards, failures, request),
    isPart: true,
  }
}

/** `_shards` of an answer without what failed. */
export function shardsWithout(
  { indices, shardCounts }: SearchView,
  shards: SearchedShards,
  failures: readonly IndexFailure[],
  request: EndpointRequest,
): SearchedShards {
  if (failures.length === 0) return shards
  const { madeOf = [] } = request
  const failed = new Set(failures.map(({ index }) => index))
  const lost = indices.reduce((sum, { name }, i) => sum + (failed.has(name) ? (shardCounts[i] ?? 0) : 0), 0)
  const { total, successful, skipped, failed: before, failures: known = [] } = shards
  return {
    total,
    successful: successful - lost,
    skipped,
    failed: before + lost,
    failures: [
      ...(known as readonly Json[]),
      ...failures.map(({ index, error }) => renderShardFailure(partialFault(request, madeOf, error), index)),
    ],
  }
}
