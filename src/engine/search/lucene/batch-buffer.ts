import { BATCH_SIZE } from './scorer.ts'

/** Room for one batch of documents and scores. */
export interface BatchBuffer {
  readonly docs: Int32Array
  readonly scores: Float32Array
  /** Sums of a window, all 0 while the buffer is not in use. */
  readonly sums: Float64Array
  /** Places in a list. */
  readonly places: Int32Array
  /** Sums of candidates. */
  readonly candidates: Float64Array
  /** Bits of a window, all 0 while the buffer is not in use. */
  readonly bits: Int32Array
  /** Matching clauses by document of a window, all 0 while the buffer is not in use. */
  readonly counts: Uint16Array
}

const free: BatchBuffer[] = []

/** Lends a buffer for the time of a call. A search may start another from its sink, so there can be several. */
export function withBatchBuffer<T>(use: (buffer: BatchBuffer) => T): T {
  const buffer = free.pop() ?? newBuffer()
  let clean = false
  try {
    const result = use(buffer)
    clean = true
    return result
  } finally {
    // A buffer whose user threw may hold left-overs: it is not lent again.
    if (clean) free.push(buffer)
  }
}

function newBuffer(): BatchBuffer {
  return {
    docs: new Int32Array(BATCH_SIZE),
    scores: new Float32Array(BATCH_SIZE),
    sums: new Float64Array(BATCH_SIZE),
    places: new Int32Array(BATCH_SIZE),
    candidates: new Float64Array(BATCH_SIZE),
    bits: new Int32Array(BATCH_SIZE >>> 5),
    counts: new Uint16Array(BATCH_SIZE),
  }
}
