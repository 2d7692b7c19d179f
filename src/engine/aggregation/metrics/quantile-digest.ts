import { countUp } from '../../algorithms/count-up.ts'

/**
 * A t-digest: a sketch of a distribution whose centroids are smallest at both ends. Quantiles and ranks are read off it by
 * the rules of the real server's digest, so few values (below twice the compression) give the same doubles; with more the
 * real one draws lots, and this one, which merges sorted runs, stands within the same bounds.
 *
 * @source Dunning and Ertl, «Computing extremely accurate quantiles using t-digests»; rules of t-digest 3.2
 */
export class QuantileDigest {
  readonly #compression: number
  readonly #capacity: number
  #means = new Float64Array(32)
  #weights = new Float64Array(32)
  #size = 0
  /** Centroids in order; those behind were added since. */
  #sortedSize = 0
  #count = 0
  #min = Infinity
  #max = -Infinity

  constructor(compression: number) {
    this.#compression = compression
    this.#capacity = Math.max(32, Math.ceil(compression * 32))
  }

  /** Sum of weights. */
  get count(): number {
    return this.#count
  }

  /** What it keeps on the heap, about. */
  get sizeBytes(): number {
    return 400 + this.#means.length * 16
  }

  add(signed: number, weight = 1): void {
    // The means of the real server's digest begin at 0, which takes the sign off a zero.
    const value = signed + 0
    if (this.#size === this.#means.length) this.#makeRoom()
    const at = this.#size++
    this.#means[at] = value
    this.#weights[at] = weight
    this.#count += weight
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
  }

  /** Value below which a share of 0…1 of the weight lies; NaN of nothing. */
  quantile(share: number): number {
    this.#sort()
    const means = this.#means
    const weights = this.#weights
    const size = this.#size
    if (size === 0) return Number.NaN
    if (size === 1) return means[0] as number
    const index = share * this.#count
    if (index <= 0) return this.#min
    if (index >= this.#count) return this.#max
    let weight = weights[0] as number
    let before = weight / 2
    if (index < before) return (this.#min * (before - index) + (means[0] as number) * index) / before
    for (let i = 0; i < size - 1; i++) {
      const next = weights[i + 1] as number
      const step = (weight + next) / 2
      if (before + step > index) {
        return weightedAverage(means[i] as number, before + step - index, means[i + 1] as number, index - before)
      }
      before += step
      weight = next
    }
    const past = index - before
    return weightedAverage(means[size - 1] as number, weight / 2 - past, this.#max, past)
  }

  /** Share 0…1 of the weight that lies below a value; NaN of nothing. */
  rank(value: number): number {
    this.#sort()
    const means = this.#means
    const weights = this.#weights
    const size = this.#size
    const count = this.#count
    if (size === 0) return Number.NaN
    if (size === 1) return value < (means[0] as number) ? 0 : 1
    // The first centroid reaches as far outwards as inwards; what lies in the last one counts as beyond it.
    let left = ((means[1] as number) - (means[0] as number)) / 2
    let right = left
    let before = 0
    for (let i = 0; i < size - 1; i++) {
      const mean = means[i] as number
      if (value < mean + right) {
        const from = mean - left
        const share = (value - from) / (mean + right - from)
        return Math.max(0, (before + (weights[i] as number) * share) / count)
      }
      before += weights[i] as number
      left = right
      if (i + 2 < size) right = ((means[i + 2] as number) - (means[i + 1] as number)) / 2
    }
    return 1
  }

  /** Centroids in ascending order of their means. */
  *centroids(): Generator<readonly [mean: number, weight: number]> {
    this.#sort()
    for (let i = 0; i < this.#size; i++) yield [this.#means[i] as number, this.#weights[i] as number]
  }

  #makeRoom(): void {
    if (this.#size >= this.#capacity) this.#compress()
    if (this.#size * 2 <= this.#means.length) return
    const length = Math.min(this.#means.length * 2, Math.max(this.#capacity, this.#size + 1))
    const means = new Float64Array(length)
    means.set(this.#means)
    const weights = new Float64Array(length)
    weights.set(this.#weights)
    this.#means = means
    this.#weights = weights
  }

  /** Sorts what was added and merges it in behind equals: centroids were in order before. */
  #sort(): void {
    const from = this.#sortedSize
    const size = this.#size
    if (from === size) return
    this.#sortedSize = size
    const means = this.#means
    const weights = this.#weights
    for (let i = from; i < size; i++) {
      if (weights[i] === 1) continue
      this.#sortWeighted()
      return
    }
    const added = means.slice(from, size).sort()
    let left = from - 1
    let right = added.length - 1
    for (let at = size - 1; right >= 0; at--) {
      if (left >= 0 && (means[left] as number) > (added[right] as number)) {
        means[at] = means[left] as number
        weights[at] = weights[left--] as number
      } else {
        means[at] = added[right--] as number
        weights[at] = 1
      }
    }
  }

  #sortWeighted(): void {
    const order = countUp(this.#size).sort((a, b) => (this.#means[a] as number) - (this.#means[b] as number))
    const means = new Float64Array(this.#means.length)
    const sorted = new Float64Array(means.length)
    order.forEach((from, to) => {
      means[to] = this.#means[from] as number
      sorted[to] = this.#weights[from] as number
    })
    this.#means = means
    this.#weights = sorted
  }

  /** Joins neighbours as far as their place allows: 4 n q (1 - q) / compression. */
  #compress(): void {
    this.#sort()
    const means = this.#means
    const weights = this.#weights
    let to = 0
    let before = 0
    for (let from = 1; from < this.#size; from++) {
      const weight = weights[to] as number
      const joined = weight + (weights[from] as number)
      const q = (before + (joined - 1) / 2) / (this.#count - 1)
      if (joined <= (4 * this.#count * q * (1 - q)) / this.#compression) {
        means[to] = weightedAverage(means[to] as number, weight, means[from] as number, weights[from] as number)
        weights[to] = joined
        continue
      }
      before += weight
      to++
      means[to] = means[from] as number
      weights[to] = weights[from] as number
    }
    this.#size = to + 1
    this.#sortedSize = this.#size
  }
}

function weightedAverage(a: number, weightA: number, b: number, weightB: number): number {
  const average =
    a <= b ? (a * weightA + b * weightB) / (weightA + weightB) : (b * weightB + a * weightA) / (weightA + weightB)
  return Math.max(Math.min(a, b), Math.min(average, Math.max(a, b)))
}
