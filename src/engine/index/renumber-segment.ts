import type { SegmentDirectory } from './segment-directory.ts'
import { sealSegment, sectionArray } from './segment-file.ts'
import type { StoredSegment } from './stored-segment.ts'

/**
 * A segment whose documents have the numbers from `firstSeqNo` on, without gaps, in the order of those that they had; all of
 * them alive.
 */
export async function renumberSegment(segment: StoredSegment, firstSeqNo: number): Promise<SharedArrayBuffer> {
  const { directory, maxDoc } = segment
  const { seqNos, docsBySeqNo } = directory
  let count = maxDoc
  let ranks: Uint32Array | undefined
  if (seqNos !== undefined) {
    const before = sectionArray(segment.bytes, seqNos) as Uint32Array
    const docs = docsBySeqNo && (sectionArray(segment.bytes, docsBySeqNo) as Uint32Array)
    ranks = new Uint32Array(maxDoc)
    let last = -1
    count = 0
    // Nested objects bear the number of their root.
    for (let i = 0; i < maxDoc; i++) {
      const doc = docs === undefined ? i : (docs[i] as number)
      if (before[doc] !== last) count++
      last = before[doc] as number
      ranks[doc] = count - 1
    }
  }
  const renumbered: SegmentDirectory = { ...directory, minSeqNo: firstSeqNo, maxSeqNo: firstSeqNo + count - 1 }
  return sealSegment(segment.bytes, renumbered, (bytes) => {
    if (seqNos !== undefined && ranks !== undefined) (sectionArray(bytes, seqNos) as Uint32Array).set(ranks)
  })
}
