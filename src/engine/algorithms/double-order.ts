/** Java's `Double.compare`: NaN is the greatest, -0.0 before 0.0. Lucene orders points and sorted documents like that. */
export function compareDoubles(left: number, right: number): number {
  if (left < right) return -1
  if (left > right) return 1
  if (left === right) return left !== 0 ? 0 : Number(Object.is(right, -0)) - Number(Object.is(left, -0))
  return Number(Number.isNaN(left)) - Number(Number.isNaN(right))
}

const known = new WeakMap<object, boolean>()

/**
 * Whether a column's values are in another order than `<` says, which is where a -0.0 stands among them. They are looked
 * through once.
 */
export function hasMinusZero(values: object): boolean {
  if (!(values instanceof Float64Array) && !(values instanceof Float32Array)) return false
  let has = known.get(values)
  if (has === undefined) {
    has = false
    for (let i = 0; i < values.length && !has; i++) has = values[i] === 0 && Object.is(values[i], -0)
    known.set(values, has)
  }
  return has
}
