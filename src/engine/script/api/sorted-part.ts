import type { MapOrder } from '../values/script-map.ts'
import type { ScriptValue } from '../values/script-value.ts'

/** An end of a part of what is sorted. */
export interface PartEnd {
  readonly value: ScriptValue
  /** Whether it belongs to the part. */
  readonly isAt: boolean
}

/** Whether members of a sorted map or set lie between two ends; an end that is undefined is none. */
export function isWithin(
  order: MapOrder,
  from: PartEnd | undefined,
  to: PartEnd | undefined,
): (value: ScriptValue) => boolean {
  if (typeof order !== 'function') return () => false
  const fits = (end: PartEnd | undefined, place: (end: PartEnd) => number): boolean => {
    if (end === undefined) return true
    const at = place(end)
    return at > 0 || (at === 0 && end.isAt)
  }
  return (value) => fits(from, (end) => order(value, end.value)) && fits(to, (end) => order(end.value, value))
}

/** The other way round. */
export const reversed = (order: MapOrder): MapOrder =>
  typeof order === 'function' ? (left, right) => order(right, left) : order
