import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'

/** How a `moving_avg` weighs the values of its window. */
export type MovingAverageModel =
  | { readonly kind: 'simple' | 'linear' }
  | { readonly kind: 'ewma'; readonly alpha: number }
  | { readonly kind: 'holt'; readonly alpha: number; readonly beta: number }
  | (HoltWinters & { readonly kind: 'holt_winters' })

/** Level, trend and season: how fast the past is forgotten in each, and how the season is made up. */
interface HoltWinters {
  readonly alpha: number
  readonly beta: number
  readonly gamma: number
  readonly period: number
  readonly multiplicative: boolean
  /** A very small number is added to all values, so that products do not vanish. */
  readonly pad: boolean
}

const PADDING = 1e-10

/** Whether so many values are enough for the model to say something. */
export function hasEnough(model: MovingAverageModel, count: number): boolean {
  return model.kind === 'holt_winters' ? count >= Math.imul(model.period, 2) : count > 0
}

/** The values that a model expects to follow a window. @throws {ServiceError} illegal_argument_exception for too few to make seasons of */
export function predictNext(model: MovingAverageModel, values: readonly number[], count: number): number[] {
  switch (model.kind) {
    case 'simple':
      return new Array<number>(count).fill(simpleAverage(values))
    case 'linear':
      return new Array<number>(count).fill(linearAverage(values))
    case 'ewma':
      return new Array<number>(count).fill(exponentialAverage(values, model.alpha))
    case 'holt':
      return holtForecasts(values, model, count)
    case 'holt_winters': {
      const least = Math.imul(model.period, 2)
      if (values.length > 0 && values.length < least) {
        const reason = `Holt-Winters aggregation requires at least (2 * period == 2 * ${model.period} == ${least}) data-points to function.  Only [${values.length}] were provided.`
        throw illegalArgument(reason)
      }
      return holtWintersForecasts(values, model, count)
    }
  }
}

/** The mean of the values that are numbers. */
export function simpleAverage(values: readonly number[]): number {
  let sum = 0
  let count = 0
  for (const value of values) {
    if (Number.isNaN(value)) continue
    sum += value
    count++
  }
  return sum / count
}

/** The n-th value weighs n. */
export function linearAverage(values: readonly number[]): number {
  let sum = 0
  // The real server's weights begin with one that belongs to no value.
  let weights = 1
  let weight = 1
  for (const value of values) {
    if (Number.isNaN(value)) continue
    sum += value * weight
    weights += weight
    weight++
  }
  return weight === 1 ? Number.NaN : sum / weights
}

/** Older values lose weight exponentially. */
export function exponentialAverage(values: readonly number[], alpha: number): number {
  let average = Number.NaN
  let isFirst = true
  for (const value of values) {
    if (Number.isNaN(value)) continue
    average = isFirst ? value : value * alpha + average * (1 - alpha)
    isFirst = false
  }
  return average
}

/** Level and trend, both exponentially smoothed. */
export function holtForecasts(
  values: readonly number[],
  { alpha, beta }: { readonly alpha: number; readonly beta: number },
  count: number,
): number[] {
  let level = 0
  let lastLevel = 0
  let trend = 0
  let lastTrend = 0
  let seen = 0
  let last = Number.NaN
  for (const value of values) {
    if (Number.isNaN(value)) continue
    if (seen === 0) {
      level = value
      trend = value - (Number.isNaN(last) ? value : last)
    } else {
      level = alpha * value + (1 - alpha) * (lastLevel + lastTrend)
      trend = beta * (level - lastLevel) + (1 - beta) * lastTrend
    }
    lastLevel = level
    lastTrend = trend
    last = value
    seen++
  }
  if (seen === 0) return new Array<number>(count).fill(Number.NaN)
  return Array.from({ length: count }, (_, i) => level + i * trend)
}

/** Twice a period that is large is an int below zero: nothing keeps it from what there is not. */
function checkPeriod(period: number, count: number): void {
  if (period === 0) throw new ServiceError('arithmetic_exception', '/ by zero')
  if (period > 0 && Math.imul(period, 2) > 0) return
  throw new ServiceError('array_index_out_of_bounds_exception', `Index ${period} out of bounds for length ${count}`)
}

/** Level, trend and season. NaN where there are not two periods of values. */
export function holtWintersForecasts(given: readonly number[], model: HoltWinters, count: number): number[] {
  const { alpha, beta, gamma, period, multiplicative, pad } = model
  const padding = multiplicative && pad ? PADDING : 0
  const values = given.filter((value) => !Number.isNaN(value)).map((value) => value + padding)
  if (values.length > 0) checkPeriod(period, values.length)
  if (values.length === 0 || values.length < Math.imul(period, 2)) return new Array<number>(count).fill(Number.NaN)
  const at = (i: number): number => values[i] as number
  let level = 0
  let trend = 0
  for (let i = 0; i < period; i++) {
    level += at(i)
    trend += (at(i + period) - at(i)) / period
  }
  level /= period
  trend /= period
  let lastLevel = level
  let lastTrend = 0
  const seasonal = new Float64Array(values.length)
  for (let i = 0; i < period; i++) {
    // Quotients for both kinds of season, as the real server begins.
    seasonal[i] = level === 0 ? 0 : at(i) / level
  }
  for (let i = period; i < values.length; i++) {
    const season = seasonal[i - period] as number
    if (multiplicative) {
      level = alpha * (at(i) / season) + (1 - alpha) * (lastLevel + lastTrend)
    } else {
      level = alpha * (at(i) - season) + (1 - alpha) * (lastLevel + lastTrend)
    }
    trend = beta * (level - lastLevel) + (1 - beta) * lastTrend
    seasonal[i] = multiplicative
      ? gamma * (at(i) / (lastLevel + lastTrend)) + (1 - gamma) * season
      : gamma * (at(i) - (lastLevel - lastTrend)) + (1 - gamma) * season
    lastLevel = level
    lastTrend = trend
  }
  return Array.from({ length: count }, (_, n) => {
    const i = n + 1
    const season = seasonal[values.length - period + ((i - 1) % period)] as number
    return multiplicative ? (level + i * trend) * season : level + i * trend + season
  })
}
