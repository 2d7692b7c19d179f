import type { EndpointRequest } from '../rest-request.ts'
import type { SearchBody } from './search-body.ts'

/** A limit of hits to count that is none. */
const MAX_INTEGER = 2 ** 31 - 1

/** What a search asks for that cannot be had page by page, in the order in which the real servers tell it. */
export function scrollComplaints(body: SearchBody, { dialect, parameters }: EndpointRequest): readonly string[] {
  const { trackTotalHits, from, size, rescore } = body
  const isLimited =
    typeof trackTotalHits === 'number' &&
    trackTotalHits < MAX_INTEGER &&
    trackTotalHits !== dialect.defaultTrackTotalHits
  const complaints: string[] = []
  if (trackTotalHits === false || isLimited)
    complaints.push('disabling [track_total_hits] is not allowed in a scroll context')
  if (from > 0) complaints.push('using [from] is not allowed in a scroll context')
  if (size === 0) complaints.push('[size] cannot be [0] in a scroll context')
  if (dialect.typed) return complaints
  if (rescore.length > 0) complaints.push('using [rescore] is not allowed in a scroll context')
  if (parameters.text('request_cache') === 'true') complaints.push('[request_cache] cannot be used in a scroll context')
  return complaints
}
