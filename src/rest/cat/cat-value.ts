import { durationText, oneDecimal } from '../../engine/duration-text.ts'
/** A size in bytes, shown in the unit asked for. */
export class Bytes {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

/** A size where it is known. */
export function bytes(value: number | undefined): Bytes | undefined {
  return value === undefined ? undefined : new Bytes(value)
}

/** A time span in ms, shown in the unit asked for. */
export class Duration {
  readonly ms: number

  constructor(ms: number) {
    this.ms = ms
  }
}

/** What a cell of a `_cat` table holds. */
export type CatValue = string | number | boolean | Bytes | Duration | null | undefined

/** Units of the parameters `bytes` and `time`. */
export interface CatUnits {
  readonly bytes: string | undefined
  readonly time: string | undefined
  readonly size: string | undefined
}

const BYTE_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  k: 1024,
  kb: 1024,
  m: 1024 ** 2,
  mb: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1024 ** 3,
  t: 1024 ** 4,
  tb: 1024 ** 4,
  p: 1024 ** 5,
  pb: 1024 ** 5,
}
const TIME_UNITS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  micros: 0.001,
  nanos: 0.000_001,
}
const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15 }

/** Text of a cell; '' for none. */
export function catText(value: CatValue, units: CatUnits): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Bytes)
    return units.bytes === undefined
      ? bytesText(value.value)
      : String(Math.floor(value.value / (BYTE_UNITS[units.bytes] ?? 1)))
  if (value instanceof Duration)
    return units.time === undefined
      ? durationText(value.ms)
      : String(Math.floor(value.ms / (TIME_UNITS[units.time] ?? 1)))
  if (typeof value === 'number' && units.size !== undefined)
    return String(Math.floor(value / (SIZE_UNITS[units.size] ?? 1)))
  return String(value)
}

/** A size as the real server prints it: one decimal, cut off, of the largest unit that fits. */
export function bytesText(bytes: number): string {
  const units = ['b', 'kb', 'mb', 'gb', 'tb', 'pb']
  let unit = 0
  let size = bytes
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit++
  }
  return `${oneDecimal(size)}${units[unit]}`
}
