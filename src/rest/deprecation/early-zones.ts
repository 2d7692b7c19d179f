import type { DateHistogramDefinition } from '../../engine/aggregation/buckets/histogram-aggregator.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import type { DocValues } from '../../engine/index/segment-reader.ts'
import { type TimeZone, timeZone } from '../../engine/mapping/dates/time-zone.ts'

/** Clocks are looked at in steps of that many ms: who changes them more than once in between is not seen. */
const STEP = 60 * 86_400_000

/** Before that no zone had clocks of its own. */
const EARLIEST = -4_000_000_000_000

/**
 * Whether 6.x counts a date below 1970 for itself to cut dates by local time: it asks whether all of an index lies
 * between two changes of the clocks, the earlier of which was before. Asia/Tokyo and Asia/Kolkata are such zones.
 */
export function reachesBelow1970(
  { source, interval }: DateHistogramDefinition,
  searchers: readonly IndexSearcher[],
): boolean {
  const { field, script, timeZone: id } = source
  if (field === undefined || script !== undefined || id === undefined) return false
  const zone = timeZone(id)
  if (zone.fixedOffset !== undefined) return false
  const length = interval.kind === 'fixed' ? interval.millis : 0
  return searchers.some((searcher) => {
    const first = firstDate(field, searcher)
    if (first === undefined) return false
    const change = lastChange(zone, first)
    return change !== undefined && change + length < 0
  })
}

/** The date of the first document that has one. */
function firstDate(path: string, { mapping, segments }: IndexSearcher): number | undefined {
  const field = mapping.field(path)
  if (field?.kind !== 'date') return undefined
  for (const segment of segments) {
    const column = segment.field(field.path)?.docValues
    const first = column?.kind === 'numeric' ? column.values[firstPlace(column)] : undefined
    if (first !== undefined) return first
  }
  return undefined
}

/** Where the first value of a column stands; -1: it has none. */
function firstPlace({ present, offsets }: DocValues): number {
  if (present === undefined || offsets !== undefined) return 0
  const word = present.findIndex((bits) => bits !== 0)
  return word < 0 ? -1 : word * 32 + 31 - Math.clz32((present[word] as number) & -(present[word] as number))
}

/** When a zone's clocks were changed last before an instant, to a step; undefined: never. */
function lastChange(zone: TimeZone, instant: number): number | undefined {
  const offset = zone.offsetAt(instant)
  for (let at = instant; at > EARLIEST; at -= STEP) if (zone.offsetAt(at) !== offset) return at
  return undefined
}
