import { greatest, least } from '../../algorithms/long-lists.ts'
import {
  exponentialAverage,
  holtForecasts,
  holtWintersForecasts,
  linearAverage,
  simpleAverage,
} from './moving-average-model.ts'

/** A function of the values of a window, which scripts of `moving_fn` can call. */
export interface MovingFunction {
  readonly name:
    | 'max'
    | 'min'
    | 'sum'
    | 'stdDev'
    | 'unweightedAvg'
    | 'linearWeightedAvg'
    | 'ewma'
    | 'holt'
    | 'holtWinters'
  /** What follows `values`. */
  readonly arguments: readonly (number | boolean)[]
}

/** Value of a window; NaN: there is none. */
export function movingValue({ name, arguments: given }: MovingFunction, window: readonly number[]): number {
  const values = window.filter((value) => !Number.isNaN(value))
  const number = (i: number): number => Number(given[i])
  switch (name) {
    case 'max':
      return values.length === 0 ? Number.NaN : greatest(values)
    case 'min':
      return values.length === 0 ? Number.NaN : least(values)
    case 'sum':
      return values.reduce((sum, value) => sum + value, 0)
    case 'unweightedAvg':
      return simpleAverage(values)
    case 'linearWeightedAvg':
      return linearAverage(values)
    case 'stdDev': {
      const mean = number(0)
      if (Number.isNaN(mean)) return Number.NaN
      let squares = 0
      for (const value of values) squares += (value - mean) ** 2
      return Math.sqrt(squares / values.length)
    }
    case 'ewma':
      return exponentialAverage(values, number(0))
    case 'holt':
      return values.length === 0
        ? Number.NaN
        : (holtForecasts(values, { alpha: number(0), beta: number(1) }, 1)[0] as number)
    case 'holtWinters': {
      const period = number(3)
      const model = {
        alpha: number(0),
        beta: number(1),
        gamma: number(2),
        period,
        multiplicative: given[4] === true,
        pad: given[4] === true,
      }
      return holtWintersForecasts(values, model, 1)[0] as number
    }
  }
}
