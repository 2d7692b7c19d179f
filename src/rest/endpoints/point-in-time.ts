import { durationText } from '../../engine/duration-text.ts'
import { ElsewhereError } from '../../engine/elsewhere-error.ts'
import { indexClosed } from '../../engine/metadata/missing-index.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { clusterSetting } from '../cluster-flag.ts'
import { contextBody, contextIds } from '../contexts/context-ids.ts'
import { checkPitId, type PitContext, type PitContexts, pitMissing } from '../contexts/pit-contexts.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { isAllowed } from '../is-allowed.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { ofOnlyIndex } from '../search/failed-index.ts'
import { namedIn, openView } from '../search/open-view.ts'
import type { Pit } from '../search/pit-body.ts'
import type { SearchView } from '../search/search-view.ts'
import { authorizeClearing } from './scroll.ts'

const LONGEST = 'point_in_time.max_keep_alive'

/** `POST /<index>/_search/point_in_time`. */
export const createPit: EndpointHandler = (request, context) => {
  const given = request.parameters.text('keep_alive')
  if (given === undefined) throw validationFailed(['keep alive not specified'])
  const keepAliveMs = parseTimeMs(given, 'keep_alive')
  checkKeepAlive({ text: given, ms: keepAliveMs }, context)
  const view = openView(request, context, '_search/point_in_time')
  try {
    if (view.indices.length === 0) throw illegalArgument('invalid id: [null]')
    const pit: PitContext = {
      indices: view.indices.map(({ name }) => name),
      // Searches come and go; slices go by all shards.
      view: { ...view, routedShards: new Map(), release: () => {} },
      createdAt: Date.now(),
      keepAliveMs,
      close: () => view.release(),
    }
    const id = pitsOf(context).open(pit, Number(clusterSetting(context, 'search.max_open_pit_context')))
    return { status: 200, json: { pit_id: id, _shards: view.shards, creation_time: pit.createdAt } }
  } catch (error) {
    view.release()
    throw error
  }
}

/**
 * What a search of a point in time goes over.
 *
 * @throws {ServiceError} search_context_missing_exception, index_not_found_exception when an index is gone since
 */
export function pitView({ id }: Pit, request: EndpointRequest, context: RestContext): SearchView {
  const { indices, view } = pitsOf(context).use(id)
  request.authorize(indices, '_search')
  for (const { name, uuid } of view.indices) {
    if (context.engine.indices.get(name)?.uuid === uuid) continue
    throw new ServiceError('index_not_found_exception', `no such index [${name}]`, { index: name, indexUuid: uuid })
  }
  for (const { name } of view.indices) {
    const found = context.engine.indices.get(name)
    if (found?.state === 'close') throw indexClosed(found)
  }
  // Opened again since: what it was when the point in time was made is not kept.
  if (view.searchers.some(({ isGone }) => isGone)) throw ofOnlyIndex(view, pitMissing(id))
  return { ...view, named: namedIn(request, context, '_search') }
}

/** Keeps a point in time for as long as a search of it says. @throws {ServiceError} when that is too long */
export function keepPit({ id, keepAlive }: Pit, context: RestContext): void {
  if (keepAlive === undefined) return
  checkKeepAlive(keepAlive, context, { inQueryPhase: true })
  pitsOf(context).use(id, keepAlive.ms)
}

/** `DELETE /_search/point_in_time`. */
export const deletePit: EndpointHandler = (request, context) => {
  const ids = contextIds(contextBody(request) ?? {}, 'pit_id') ?? []
  if (ids.length === 0) throw validationFailed(['no pit ids specified'])
  for (const id of ids) checkPitId(id)
  return remove(ids, request, context)
}

/** `DELETE /_search/point_in_time/_all`. */
export const deleteAllPits: EndpointHandler = (request, context) => remove(pitsOf(context).ids(), request, context)

/** `GET /_search/point_in_time/_all`: those whose indices the caller may search. */
export const getAllPits: EndpointHandler = (request, context) => {
  const pits = pitsOf(context)
  const shown = pits.ids().flatMap((id) => {
    const pit = pits.find(id)
    if (
      pit === undefined ||
      pit.view.searchers.every(({ isGone }) => isGone) ||
      !isAllowed(() => request.authorize(pit.indices, '_search'))
    )
      return []
    return [{ pit_id: id, creation_time: pit.createdAt, keep_alive: pit.keepAliveMs }]
  })
  return { status: 200, json: { pits: shown } }
}

/** What is gone already is as good as removed. */
function remove(ids: readonly string[], request: EndpointRequest, context: RestContext) {
  const pits = pitsOf(context)
  // All of them before the first is gone.
  for (const id of ids) authorizeClearing(request, pits.find(id)?.indices ?? [])
  for (const id of ids) pits.remove(id)
  return { status: 200, json: { pits: ids.map((id) => ({ successful: true, pit_id: id })) } }
}

/** The points in time. @throws {ElsewhereError} in a search thread, which has none */
export function pitsOf({ pits }: RestContext): PitContexts {
  if (pits === undefined) throw new ElsewhereError('points in time are kept in the first thread')
  return pits
}

function checkKeepAlive(
  { ms }: NonNullable<Pit['keepAlive']>,
  context: RestContext,
  details: { readonly inQueryPhase?: true } = {},
): void {
  const longestMs = parseTimeMs(clusterSetting(context, LONGEST), LONGEST)
  if (ms <= longestMs) return
  throw new ServiceError(
    'illegal_argument_exception',
    `Keep alive for request (${durationText(ms)}) is too large. It must be less than (${durationText(longestMs)}). This limit can be set by changing the [${LONGEST}] cluster level setting.`,
    details,
  )
}
