import type { ContextFunction } from '../../script/script-context.ts'

type Shape = (distance: number, scale: number, decay: number) => number

/** How a score falls with the distance from where it is best; `scale` away (beyond the offset) `decay` of it is left. */
const SHAPES: Readonly<Record<string, Shape>> = {
  Linear: (distance, scale, decay) => {
    const reach = scale / (1 - decay)
    return Math.max(0, (reach - distance) / reach)
  },
  Exp: (distance, scale, decay) => Math.exp((Math.log(decay) / scale) * distance),
  Gauss: (distance, scale, decay) => Math.exp((0.5 * distance ** 2) / ((0.5 * scale ** 2) / Math.log(decay))),
}

/** Functions that scripts of scores may call by name alone, from 7.x on. */
export const SCORE_FUNCTIONS: readonly ContextFunction[] = [
  ofDoubles('saturation', 2, ([value = 0, k = 0]) => value / (k + value)),
  ofDoubles('sigmoid', 3, ([value = 0, k = 0, a = 0]) => value ** a / (k ** a + value ** a)),
  ...Object.entries(SHAPES).map(([name, shape]) =>
    ofDoubles(`decayNumeric${name}`, 5, ([origin = 0, scale = 0, offset = 0, decay = 0, value = 0]) =>
      shape(Math.max(0, Math.abs(value - origin) - offset), scale, decay),
    ),
  ),
]

function ofDoubles(name: string, arity: number, call: (args: readonly number[]) => number): ContextFunction {
  return {
    name,
    params: Array.from({ length: arity }, () => 'double'),
    returns: 'double',
    call: (args) => call(args as number[]),
  }
}
