/** One double a bucket; buckets nobody wrote to have the initial value. */
export class BucketDoubles {
  values: Float64Array
  readonly #initial: number

  constructor(initial = 0) {
    this.#initial = initial
    this.values = new Float64Array(0)
  }

  /** Makes room for buckets below `size`. */
  ensure(size: number): Float64Array {
    if (size > this.values.length) {
      const grown = new Float64Array(Math.max(size, this.values.length * 2, 8))
      grown.set(this.values)
      if (this.#initial !== 0) grown.fill(this.#initial, this.values.length)
      this.values = grown
    }
    return this.values
  }

  /** A bucket's value; -1 is a bucket without documents. */
  get(bucket: number): number {
    return bucket >= 0 && bucket < this.values.length ? (this.values[bucket] as number) : this.#initial
  }
}

/** One object a bucket, made when first asked for. */
export class BucketObjects<T> {
  readonly #objects: (T | undefined)[] = []
  readonly #create: () => T

  constructor(create: () => T) {
    this.#create = create
  }

  at(bucket: number): T {
    let object = this.#objects[bucket]
    if (object === undefined) {
      object = this.#create()
      this.#objects[bucket] = object
    }
    return object
  }

  /** The object, or undefined where nothing was collected. */
  get(bucket: number): T | undefined {
    return bucket < 0 ? undefined : this.#objects[bucket]
  }
}
