import { illegalArgument } from '../../../illegal-argument.ts'

const WITHOUT_RUNS = 12346
const WITH_RUNS = 12347
/** Values of a container that is kept as a list at most. */
const MAX_LISTED = 4096

/**
 * The numbers of a serialized Roaring bitmap, as signed integers of 32 bits.
 *
 * @throws {ServiceError} illegal_argument_exception for bytes that are none
 * @source RoaringBitmap's format specification (github.com/RoaringBitmap/RoaringFormatSpec)
 */
export function roaringValues(bytes: Uint8Array): Int32Array {
  try {
    return readValues(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (error) {
    // Where the bytes end before they should.
    if (error instanceof RangeError) throw illegalArgument('Failed to deserialize the bitmap.')
    throw error
  }
}

function readValues(view: DataView): Int32Array {
  const cookie = view.getUint32(0, true)
  const hasRuns = (cookie & 0xffff) === WITH_RUNS
  if (!hasRuns && cookie !== WITHOUT_RUNS) throw new RangeError('no bitmap')
  const size = hasRuns ? (cookie >>> 16) + 1 : view.getUint32(4, true)
  if (size > 65_536) throw new RangeError('too many containers')
  const runs = hasRuns ? 4 : -1
  const header = hasRuns ? 4 + Math.ceil(size / 8) : 8
  const hasOffsets = !hasRuns || size >= 4
  let at = header + size * (hasOffsets ? 8 : 4)
  const values: number[] = []
  for (let i = 0; i < size; i++) {
    const high = view.getUint16(header + i * 4, true) << 16
    const count = view.getUint16(header + i * 4 + 2, true) + 1
    const isRun = runs >= 0 && ((view.getUint8(runs + (i >>> 3)) >>> (i & 7)) & 1) === 1
    if (isRun) {
      const ranges = view.getUint16(at, true)
      for (let r = 0; r < ranges; r++) {
        const start = view.getUint16(at + 2 + r * 4, true)
        const more = view.getUint16(at + 4 + r * 4, true)
        for (let low = start; low <= start + more; low++) values.push(high | low)
      }
      at += 2 + ranges * 4
    } else if (count <= MAX_LISTED) {
      for (let n = 0; n < count; n++) values.push(high | view.getUint16(at + n * 2, true))
      at += count * 2
    } else {
      for (let low = 0; low < 65_536; low++)
        if (((view.getUint8(at + (low >>> 3)) >>> (low & 7)) & 1) === 1) values.push(high | low)
      at += 8192
    }
  }
  return Int32Array.from(values)
}
