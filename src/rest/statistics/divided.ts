/**
 * A whole number divided by weights into whole numbers that sum up to it; evenly where all of them are zero.
 *
 * @param weights  not negative, at least one
 */
export function divided(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const parts: number[] = []
  let weighed = 0
  let given = 0
  for (const weight of weights) {
    weighed += sum === 0 ? 1 : weight
    const upTo = Math.round((total * weighed) / (sum === 0 ? weights.length : sum))
    parts.push(upTo - given)
    given = upTo
  }
  return parts
}
