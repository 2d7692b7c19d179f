import { hasBit } from '../../search/lucene/bit-set.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { DocBatch } from '../doc-batch.ts'
import type { OrdinalLeaf } from '../values/ordinal-leaf.ts'
import { type CompositeOrdinals, type CompositeSource, MISSING } from './composite-source.ts'

/** Cells at most: 1 MiB. */
const MOST_CELLS = 2 ** 18

/** The ordinals of one source, and one more for documents without a value where those have a key. */
interface CellSource {
  readonly ordinals: CompositeOrdinals
  readonly width: number
  /** -1: such documents have none. */
  readonly missing: number
  leaf: OrdinalLeaf | undefined
}

/** A cell for each possible combination of values of several sources, where those are few: what numbers them without hashing. */
export class CombinationCells {
  /** Bucket + 2 by cell; 0: not met yet, 1: it has none. */
  readonly buckets: Int32Array
  readonly #sources: readonly CellSource[]
  #cells = new Int32Array(0)

  private constructor(sources: readonly CellSource[], size: number) {
    this.#sources = sources
    this.buckets = new Int32Array(size)
  }

  /** Undefined where there would be too many, or some source's values are not numbered. */
  static open(sources: readonly CompositeSource[], context: AggregationContext): CombinationCells | undefined {
    if (context.plain) return undefined
    const opened: CellSource[] = []
    let size = 1
    for (const source of sources) {
      const ordinals = source.ordinals(context)
      if (ordinals === undefined) return undefined
      const missing = source.definition.missingBucket ? ordinals.size : -1
      const width = ordinals.size + (missing < 0 ? 0 : 1)
      size *= width
      if (size > MOST_CELLS) return undefined
      opened.push({ ordinals, width, missing, leaf: undefined })
    }
    return new CombinationCells(opened, size)
  }

  openSegment(segment: SegmentScope): void {
    for (const source of this.#sources) source.leaf = source.ordinals.leaf(segment)
  }

  /** The cell of each document of a batch; -1: it has no value of some source. Valid until the next call. */
  read(batch: DocBatch): Int32Array {
    if (this.#cells.length < batch.count) this.#cells = new Int32Array(batch.count)
    const cells = this.#cells.fill(0, 0, batch.count)
    for (const source of this.#sources) addOrdinals(batch, source, cells)
    return cells
  }

  /** Documents of a segment by cell, where those of a single source are known without looking at each. */
  countSegment(segment: SegmentScope): Int32Array | undefined {
    const [{ ordinals, missing }] = this.#sources as [CellSource]
    if (this.#sources.length > 1 || missing >= 0) return undefined
    const counts = new Int32Array(ordinals.size)
    return ordinals.countSegment(segment, counts) ? counts : undefined
  }

  /** Puts the keys of a cell into a tuple. */
  readTuple(cell: number, tuple: Float64Array): void {
    let rest = cell
    for (let level = this.#sources.length - 1; level >= 0; level--) {
      const { ordinals, width } = this.#sources[level] as CellSource
      const ordinal = rest % width
      tuple[level] = ordinal === ordinals.size ? MISSING : ordinals.keyOf(ordinal)
      rest = (rest - ordinal) / width
    }
  }
}

function addOrdinals({ docs, count }: DocBatch, source: CellSource, cells: Int32Array): void {
  const { width } = source
  const { column, map, missing } = source.leaf as OrdinalLeaf
  const none = missing < 0 ? source.missing : missing
  for (let i = 0; i < count; i++) {
    const before = cells[i] as number
    if (before < 0) continue
    const doc = docs[i] as number
    let ordinal = none
    if (column !== undefined && (column.present === undefined || hasBit(column.present, doc))) {
      const own = column.values[doc] as number
      ordinal = map === undefined ? own : (map[own] as number)
    }
    cells[i] = ordinal < 0 ? -1 : before * width + ordinal
  }
}
