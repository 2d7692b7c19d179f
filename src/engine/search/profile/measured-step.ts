/** How often a step was taken and how long that took. */
export interface MeasuredStep {
  count: number
  nanos: number
}

/** A step not taken yet. */
export const newStep = (): MeasuredStep => ({ count: 0, nanos: 0 })

/** Nanoseconds since a moment, whole. */
export const nanosSince = (started: number): number => Math.round((performance.now() - started) * 1e6)

/** Takes a step, and notes it. */
export function measured<V>(step: MeasuredStep, take: () => V, count = 1): V {
  const started = performance.now()
  try {
    return take()
  } finally {
    step.count += count
    step.nanos += nanosSince(started)
  }
}
