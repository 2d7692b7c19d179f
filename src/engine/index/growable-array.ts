/** An Int32Array that grows as values are pushed. */
export class GrowableInt32Array {
  values: Int32Array<ArrayBuffer>
  length = 0

  constructor(capacity = 64) {
    this.values = new Int32Array(capacity)
  }

  push(value: number): void {
    if (this.length === this.values.length) this.reserve(1)
    this.values[this.length++] = value
  }

  /** Makes room for `count` more values, so that the caller may write into `values` directly. */
  reserve(count: number): void {
    if (this.length + count <= this.values.length) return
    const grown = new Int32Array(Math.max(this.values.length * 2, this.length + count))
    grown.set(this.values)
    this.values = grown
  }

  view(): Int32Array<ArrayBuffer> {
    return this.values.subarray(0, this.length)
  }
}

/** A Float64Array that grows as values are pushed. */
export class GrowableFloat64Array {
  values: Float64Array<ArrayBuffer> = new Float64Array(16)
  length = 0

  push(value: number): void {
    if (this.length === this.values.length) this.#reserve(1)
    this.values[this.length++] = value
  }

  append(values: Float64Array): void {
    this.#reserve(values.length)
    this.values.set(values, this.length)
    this.length += values.length
  }

  #reserve(count: number): void {
    if (this.length + count <= this.values.length) return
    const grown = new Float64Array(Math.max(this.values.length * 2, this.length + count))
    grown.set(this.values)
    this.values = grown
  }

  view(): Float64Array<ArrayBuffer> {
    return this.values.subarray(0, this.length)
  }
}

/** So many bytes are copied sooner one by one. */
const FEW = 24

/** A Uint8Array that grows as bytes are written. */
export class GrowableBytes {
  bytes: Uint8Array<ArrayBuffer>
  length = 0

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity)
  }

  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count))
    grown.set(this.bytes)
    this.bytes = grown
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Appends `bytes` in [from, to). */
  appendRange(bytes: Uint8Array, from: number, to: number): void {
    this.reserve(to - from)
    if (to - from > FEW) this.bytes.set(bytes.subarray(from, to), this.length)
    else for (let i = from; i < to; i++) this.bytes[this.length + i - from] = bytes[i] as number
    this.length += to - from
  }

  /** Seven bits a byte, low ones first, the high bit set on all but the last. */
  vint(value: number): void {
    this.reserve(5)
    while (value > 0x7f) {
      this.bytes[this.length++] = (value & 0x7f) | 0x80
      value >>>= 7
    }
    this.bytes[this.length++] = value
  }

  view(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length)
  }
}
