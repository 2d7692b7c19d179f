import { fault } from '../../script/script-fault.ts'
import type { ScriptArray } from '../../script/values/script-array.ts'
import type { ClassDefinition } from '../../script/values/script-class.ts'
import { type MovingFunction, movingValue } from './moving-function.ts'

const JAVA_NAME = 'org.elasticsearch.search.aggregations.pipeline.movfn.MovingFunctions'

function call(name: MovingFunction['name'], values: ScriptArray, ...given: readonly (number | boolean)[]): number {
  return movingValue({ name, arguments: given }, values.items as number[])
}

function tooFew(period: number, given: number): Error {
  return fault(
    'IllegalArgumentException',
    `Holt-Winters aggregation requires at least (2 * period == 2 * ${period} == ${2 * period}) data-points to function.  Only [${given}] were provided.`,
  )
}

/** `MovingFunctions`: what scripts of `moving_fn` may call. */
export const MOVING_FUNCTIONS_CLASS: ClassDefinition = {
  name: 'MovingFunctions',
  javaName: JAVA_NAME,
  statics: {
    'double max(double[])': (values: ScriptArray) => call('max', values),
    'double min(double[])': (values: ScriptArray) => call('min', values),
    'double sum(double[])': (values: ScriptArray) => call('sum', values),
    'double stdDev(double[],double)': (values: ScriptArray, mean: number) => call('stdDev', values, mean),
    'double unweightedAvg(double[])': (values: ScriptArray) => call('unweightedAvg', values),
    'double linearWeightedAvg(double[])': (values: ScriptArray) => call('linearWeightedAvg', values),
    'double ewma(double[],double)': (values: ScriptArray, alpha: number) => call('ewma', values, alpha),
    'double holt(double[],double,double)': (values: ScriptArray, alpha: number, beta: number) =>
      call('holt', values, alpha, beta),
    'double holtWinters(double[],double,double,double,int,boolean)': (
      values: ScriptArray,
      alpha: number,
      beta: number,
      gamma: number,
      period: number,
      isMultiplicative: boolean,
    ) => {
      const { length } = values.items
      if (length > 0 && length < 2 * period) throw tooFew(period, length)
      return call('holtWinters', values, alpha, beta, gamma, period, isMultiplicative)
    },
  },
}
