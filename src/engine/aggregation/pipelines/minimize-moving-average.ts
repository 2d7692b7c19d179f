import type { BucketResult } from '../aggregation-result.ts'
import { bucketValue } from './bucket-value.ts'
import { type MovingAverageModel, predictNext } from './moving-average-model.ts'
import type { MovingAveragePipeline } from './pipeline-definition.ts'

/** Temperatures between one and a ten-thousandth, each nine tenths of the one before. */
const TEMPERATURES = 88
/** Models tried at each of them. */
const TRIALS = 100
/** Values that are looked at in all: over large windows fewer models are tried, since others wait for it. */
const MOST_VALUES = 50_000_000

/**
 * The model whose factors foretell the last window of buckets best by the window before it, as far as chance finds it; the
 * model itself where there are not two windows of values.
 *
 * @source Elasticsearch, `minimize` of `moving_avg`: simulated annealing over the sum of absolute errors
 */
export function minimizedModel(
  { path, gapPolicy, window, model }: MovingAveragePipeline,
  buckets: readonly BucketResult[],
): MovingAverageModel {
  const values = lastValues(buckets, window * 2, (bucket) => bucketValue(bucket, path, gapPolicy))
  if (values.length < window * 2) return model
  const [train, test] = [values.slice(0, window), values.slice(window)]
  const costOf = (of: MovingAverageModel): number =>
    predictNext(of, train, window).reduce((sum, value, i) => sum + Math.abs((test[i] as number) - value), 0)
  const trials = Math.min(TRIALS, Math.ceil(MOST_VALUES / (TEMPERATURES * 2 * window)))
  let at = { model, cost: costOf(model) }
  let best = at
  for (let step = 0, temperature = 1; step < TEMPERATURES; step++, temperature *= 0.9) {
    for (let i = 0; i < trials; i++) {
      const next = neighbour(at.model)
      const tried = { model: next, cost: costOf(next) }
      if (tried.cost >= at.cost && Math.exp((at.cost - tried.cost) / temperature) <= Math.random()) continue
      at = tried
      if (at.cost < best.cost) best = at
    }
  }
  return best.model
}

/** The last so many numbers of buckets, in their order. */
function lastValues(
  buckets: readonly BucketResult[],
  count: number,
  numberIn: (bucket: BucketResult) => number | undefined,
): number[] {
  const values: number[] = []
  for (let i = buckets.length - 1; i >= 0 && values.length < count; i--) {
    const value = numberIn(buckets[i] as BucketResult)
    if (value !== undefined && !Number.isNaN(value)) values.push(value)
  }
  return values.reverse()
}

/** The same model with another value of one of its factors. */
function neighbour(model: MovingAverageModel): MovingAverageModel {
  const factors = FACTORS[model.kind]
  const factor = factors[Math.floor(Math.random() * factors.length)]
  return factor === undefined ? model : { ...model, [factor]: Math.random() }
}

const FACTORS: Readonly<Record<MovingAverageModel['kind'], readonly string[]>> = {
  simple: [],
  linear: [],
  ewma: ['alpha'],
  holt: ['alpha', 'beta'],
  holt_winters: ['alpha', 'beta', 'gamma'],
}

/** Whether a model has anything to choose. */
export const isMinimizable = ({ kind }: MovingAverageModel): boolean => FACTORS[kind].length > 0
