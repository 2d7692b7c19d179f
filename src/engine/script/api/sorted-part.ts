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
  const fits = (value: ScriptValue, end: PartEnd | undefined, sign: 1 | -1): boolean => {
    if (end === undefined) return true
    const at = sign * order(value, end.value)
    return at > 0 || (at === 0 && end.isAt)
  }
  return (value) => fits(value, from, 1) && fits(value, to, -1)
}

/** The other way round. */
export const reversed = (order: MapOrder): MapOrder =>
  typeof order === 'function' ? (left, right) => order(right, left) : order
