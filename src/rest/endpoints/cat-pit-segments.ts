import { catTable } from '../cat/cat-table.ts'
import { contextBody, contextIds } from '../contexts/context-ids.ts'
import { checkPitId } from '../contexts/pit-contexts.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { isAllowed } from '../is-allowed.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { SEGMENT_COLUMNS, type SegmentRow, segmentRows } from './cat-segments.ts'
import { pitsOf } from './point-in-time.ts'

/** Rows of indices that points in time were made of and that are still there, of each as often as it is in one. */
function rowsOf(ids: readonly string[], request: EndpointRequest, context: RestContext): Promise<SegmentRow[]> {
  const views = ids.flatMap((id) => pitsOf(context).find(id)?.view ?? [])
  const indices = views.flatMap((view) => view.indices.filter((_, i) => view.searchers[i]?.isGone === false))
  return segmentRows(indices, request, context)
}

/** `GET /_cat/pit_segments`: of the points in time that the body names. */
export const catPitSegments: EndpointHandler = async (request, context) => {
  if (request.parameters.boolean('help', false)) return catTable(request, SEGMENT_COLUMNS, [])
  const ids = contextIds(contextBody(request) ?? {}, 'pit_id') ?? []
  if (ids.length === 0) throw validationFailed(['no pit ids specified'])
  for (const id of ids) checkPitId(id)
  for (const id of ids) request.authorize(pitsOf(context).find(id)?.indices ?? [], '_cat')
  return catTable(request, SEGMENT_COLUMNS, await rowsOf(ids, request, context))
}

/** `GET /_cat/pit_segments/_all`: of those whose indices the caller may ask about. */
export const catAllPitSegments: EndpointHandler = async (request, context) => {
  if (request.parameters.boolean('help', false)) return catTable(request, SEGMENT_COLUMNS, [])
  const pits = pitsOf(context)
  const ids = pits.ids().filter((id) => isAllowed(() => request.authorize(pits.find(id)?.indices ?? [], '_cat')))
  return catTable(request, SEGMENT_COLUMNS, await rowsOf(ids, request, context))
}
