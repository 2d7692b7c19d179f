import { countUp } from '../algorithms/count-up.ts'
import type { SegmentDirectory } from './segment-directory.ts'
import type { SegmentFileWriter } from './segment-file.ts'

/**
 * Lays out which writes documents are of. What goes without saying is left out: five bytes each, most often.
 *
 * @param seqNos  by document; nested objects have their root's
 * @param types   indices into `typeNames` by document
 */
export function layOutDocuments(
  seqNos: Float64Array,
  types: ArrayLike<number>,
  typeNames: readonly string[],
  file: SegmentFileWriter,
): Pick<SegmentDirectory, 'minSeqNo' | 'maxSeqNo' | 'seqNos' | 'docsBySeqNo' | 'types' | 'typeNames'> {
  const first = seqNos[0] as number
  const isConsecutive = seqNos.every((seqNo, doc) => seqNo === first + doc)
  const docsBySeqNo = isConsecutive ? undefined : bySeqNo(seqNos)
  const minSeqNo = docsBySeqNo === undefined ? first : (seqNos[docsBySeqNo[0] as number] as number)
  const made = typeNames.length <= 256 ? new Uint8Array(types) : new Uint16Array(types)
  return {
    minSeqNo,
    maxSeqNo: seqNos[docsBySeqNo?.[seqNos.length - 1] ?? seqNos.length - 1] as number,
    ...(isConsecutive ? {} : { seqNos: file.add(offsetsFrom(minSeqNo, seqNos)) }),
    ...(docsBySeqNo === undefined ? {} : { docsBySeqNo: file.add(docsBySeqNo) }),
    ...(typeNames.length === 1 ? {} : { types: file.add(made) }),
    typeNames,
  }
}

function offsetsFrom(minSeqNo: number, seqNos: Float64Array): Uint32Array {
  const offsets = new Uint32Array(seqNos.length)
  for (let doc = 0; doc < offsets.length; doc++) offsets[doc] = (seqNos[doc] as number) - minSeqNo
  return offsets
}

/** Documents in the order of their sequence numbers; undefined where they are. */
function bySeqNo(seqNos: Float64Array): Uint32Array | undefined {
  if (seqNos.every((seqNo, doc) => doc === 0 || seqNo >= (seqNos[doc - 1] as number))) return undefined
  return new Uint32Array(countUp(seqNos.length)).sort((a, b) => (seqNos[a] as number) - (seqNos[b] as number))
}
