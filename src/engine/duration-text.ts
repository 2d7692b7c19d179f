const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** A time span as the real server prints it. */
export function durationText(ms: number): string {
  if (ms < 0) return String(ms)
  for (const [unit, length] of UNITS) if (ms >= length) return `${oneDecimal(ms / length)}${unit}`
  if (ms === 0) return '0s'
  return ms >= 1 ? `${oneDecimal(ms)}ms` : `${oneDecimal(ms * 1000)}micros`
}

/** A number with one decimal, cut off. */
export function oneDecimal(value: number): string {
  return String(Math.floor(value * 10) / 10)
}
