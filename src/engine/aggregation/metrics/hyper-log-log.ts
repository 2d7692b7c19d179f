import { BIASES, RAW_ESTIMATES } from './hyper-log-log-bias.ts'

/** Bits of a hash that a single element is kept by while there are few. */
const SPARSE_BITS = 25

/** Codes there is room for to begin with; a power of 2. */
const FIRST_ROOM = 32

const THRESHOLDS = [10, 20, 40, 80, 220, 400, 900, 1800, 3100, 6500, 11500, 20000, 50000, 120000, 350000]

/** Bits of the register index for counts that are to be close up to a threshold. */
export function precisionOf(threshold: number): number {
  const bytes = Math.ceil(threshold / 0.75) * 4
  return Math.min(18, Math.max(4, bytes <= 0 ? 1 : Math.floor(Math.log2(bytes)) + 1))
}

/**
 * Counts different elements by their 64-bit hashes: a set of shortened hashes while they are few, then registers.
 * Takes 2^precision bytes at most.
 *
 * @source Heule, Nunkesser, Hall, «HyperLogLog in Practice»; the real server's variant of it
 */
export class HyperLogLog {
  readonly #precision: number
  /** Shortened hashes by open addressing, 0 where there is none; undefined: {@link #registers} count. */
  #sparse: Int32Array | undefined = new Int32Array(FIRST_ROOM)
  #sparseSize = 0
  #registers: Uint8Array | undefined

  constructor(precision: number) {
    this.#precision = precision
  }

  /** Adds an element by its hash. */
  add(high: number, low: number): void {
    const sparse = this.#sparse
    if (sparse === undefined) {
      const p = this.#precision
      this.#note(high >>> (32 - p), 1 + Math.min(leadingZeros(high, low, p), 64 - p))
    } else this.#addCode(sparse, this.#encode(high, low))
  }

  /** Number of different elements. */
  count(): number {
    if (this.#sparse !== undefined) return linearCount(2 ** SPARSE_BITS, 2 ** SPARSE_BITS - this.#sparseSize)
    const registers = this.#registers as Uint8Array
    const size = registers.length
    let inverseSum = 0
    let zeros = 0
    for (let i = 0; i < size; i++) {
      const run = registers[i] as number
      inverseSum += 1 / 2 ** run
      if (run === 0) zeros++
    }
    const p = this.#precision
    const alpha = p === 4 ? 0.673 : p === 5 ? 0.697 : 0.7213 / (1 + 1.079 / size)
    const raw = (alpha * size * size) / inverseSum
    const corrected = raw <= 5 * size ? raw - bias(raw, p) : raw
    const few = zeros === 0 ? Math.round(corrected) : linearCount(size, zeros)
    return few <= (THRESHOLDS[p - 4] as number) ? few : Math.round(corrected)
  }

  #addCode(sparse: Int32Array, code: number): void {
    const mask = sparse.length - 1
    let at = Math.imul(code, 0x9e3779b1) >>> 12
    for (;;) {
      at &= mask
      const found = sparse[at] as number
      if (found === code) return
      if (found === 0) break
      at++
    }
    sparse[at] = code
    this.#sparseSize++
    if (this.#sparseSize > Math.floor((2 ** this.#precision / 4) * 0.75)) this.#upgrade(sparse)
    else if (this.#sparseSize * 2 > sparse.length) this.#widen(sparse)
  }

  #widen(sparse: Int32Array): void {
    const wider = new Int32Array(sparse.length * 4)
    const mask = wider.length - 1
    for (let i = 0; i < sparse.length; i++) {
      const code = sparse[i] as number
      if (code === 0) continue
      let at = (Math.imul(code, 0x9e3779b1) >>> 12) & mask
      while (wider[at] !== 0) at = (at + 1) & mask
      wider[at] = code
    }
    this.#sparse = wider
  }

  /** 25 bits of the hash and, where the register's own bits end in zeros only, how many more follow. */
  #encode(high: number, low: number): number {
    const index = high >>> (32 - SPARSE_BITS)
    if ((index & ((1 << (SPARSE_BITS - this.#precision)) - 1)) !== 0) return (index << 1) | 0
    const run = 1 + Math.min(leadingZeros(high, low, SPARSE_BITS), 64 - SPARSE_BITS)
    return (index << 7) | (run << 1) | 1
  }

  #upgrade(sparse: Int32Array): void {
    this.#sparse = undefined
    this.#registers = new Uint8Array(2 ** this.#precision)
    for (const code of sparse) if (code !== 0) this.#noteCode(code)
  }

  #noteCode(code: number): void {
    const p = this.#precision
    if ((code & 1) === 1) this.#note((code >>> 7) >>> (SPARSE_BITS - p), ((code >>> 1) & 0x3f) + SPARSE_BITS - p)
    else this.#note((code >>> 1) >>> (SPARSE_BITS - p), 1 + Math.clz32(code << (31 + p - SPARSE_BITS)))
  }

  #note(index: number, run: number): void {
    const registers = this.#registers as Uint8Array
    if ((registers[index] as number) < run) registers[index] = run
  }
}

/** Zeros that follow the first `skipped` (below 32) bits of a hash; 64 where there are none but zeros. */
function leadingZeros(high: number, low: number, skipped: number): number {
  const first = (high << skipped) | (low >>> (32 - skipped))
  if (first !== 0) return Math.clz32(first)
  const rest = low << skipped
  return rest === 0 ? 64 : 32 + Math.clz32(rest)
}

function linearCount(size: number, empty: number): number {
  return Math.round(size * Math.log(size / empty))
}

const tables = new Map<number, { readonly raw: readonly number[]; readonly bias: readonly number[] }>()

function bias(estimate: number, precision: number): number {
  let table = tables.get(precision)
  if (table === undefined) {
    const numbers = (rows: readonly string[]): number[] => (rows[precision - 4] as string).split(' ').map(Number)
    table = { raw: numbers(RAW_ESTIMATES), bias: numbers(BIASES) }
    tables.set(precision, table)
  }
  const { raw, bias: biases } = table
  // The six nearest points, which stand together as the table ascends.
  const near = 6
  const weights = new Float64Array(near)
  let first = biases.length - near
  for (let i = 0; i < raw.length; i++) {
    const weight = 1 / Math.abs((raw[i] as number) - estimate)
    if (weight === Infinity) return biases[i] as number
    if ((weights[i % near] as number) >= weight) {
      first = i - near
      break
    }
    weights[i % near] = weight
  }
  let weightSum = 0
  let biasSum = 0
  // Weights stand in a ring that need not begin with the first point; the real server pairs them up all the same.
  for (let i = 0; i < near; i++) {
    const weight = weights[i] as number
    weightSum += weight
    biasSum += weight * (biases[first + i] as number)
  }
  return biasSum / weightSum
}
