import { catText, Duration } from '../cat/cat-value.ts'
import { JavaFloat, type Json } from '../json/json-writer.ts'
import { Throttle } from './throttle.ts'

/** Which counters an answer shows: what a call cannot do it does not count. */
export interface ShownCounters {
  readonly updated: boolean
  readonly created: boolean
}

/** How to show progress. */
export interface ProgressView extends ShownCounters {
  /** Times also as text. */
  readonly human: boolean
  /** Why the work was stopped. */
  readonly cancelled: string | undefined
}

/** How far one slice of a by-query call is. */
export class ByQueryProgress {
  total = 0
  updated = 0
  created = 0
  deleted = 0
  batches = 0
  versionConflicts = 0
  /** Documents that the call's script passed over. */
  noops = 0
  readonly throttle: Throttle
  readonly sliceId: number | undefined

  /** @param requestsPerSecond  Infinity: as fast as can be */
  constructor(requestsPerSecond: number, sliceId?: number) {
    this.throttle = new Throttle(requestsPerSecond)
    this.sliceId = sliceId
  }
}

/** The status of a call: of its one part, or the sum of its slices and each of them. */
export function renderProgress(
  parts: readonly ByQueryProgress[],
  view: ProgressView,
): { readonly [name: string]: Json } {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return renderPart(parts, only.sliceId, view)
  return {
    ...renderPart(parts, undefined, view),
    slices: parts.map((part) => renderPart([part], part.sliceId, view)),
  }
}

function renderPart(
  parts: readonly ByQueryProgress[],
  sliceId: number | undefined,
  view: ProgressView,
): { readonly [name: string]: Json } {
  const sum = (value: (part: ByQueryProgress) => number): number => parts.reduce((all, part) => all + value(part), 0)
  const throttledMs = sum((part) => part.throttle.throttledMs)
  const untilMs = Math.min(...parts.map((part) => part.throttle.untilMs))
  const requestsPerSecond = sum((part) => part.throttle.requestsPerSecond)
  return {
    ...(sliceId === undefined ? {} : { slice_id: sliceId }),
    total: sum((part) => part.total),
    ...(view.updated ? { updated: sum((part) => part.updated) } : {}),
    ...(view.created ? { created: sum((part) => part.created) } : {}),
    deleted: sum((part) => part.deleted),
    batches: sum((part) => part.batches),
    version_conflicts: sum((part) => part.versionConflicts),
    noops: sum((part) => part.noops),
    retries: { bulk: 0, search: 0 },
    ...(view.human ? { throttled: timeText(throttledMs) } : {}),
    throttled_millis: Math.floor(throttledMs),
    requests_per_second: new JavaFloat(requestsPerSecond === Number.POSITIVE_INFINITY ? -1 : requestsPerSecond),
    ...(view.cancelled === undefined ? {} : { canceled: view.cancelled }),
    ...(view.human ? { throttled_until: timeText(untilMs) } : {}),
    throttled_until_millis: Math.floor(untilMs),
  }
}

function timeText(ms: number): string {
  return catText(new Duration(ms), { bytes: undefined, time: undefined, size: undefined })
}
