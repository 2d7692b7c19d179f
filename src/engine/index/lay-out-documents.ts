import type { SegmentDirectory } from './segment-directory.ts'
import type { SegmentFileWriter } from './segment-file.ts'

/**
 * Lays out which writes documents are of. What goes without saying is left out: five bytes each, most often.
 *
 * @param seqNos  by document, ascending; nested objects have their root's
 * @param types   indices into `typeNames` by document
 */
export function layOutDocuments(
  seqNos: Float64Array,
  types: ArrayLike<number>,
  typeNames: readonly string[],
  file: SegmentFileWriter,
): Pick<SegmentDirectory, 'minSeqNo' | 'maxSeqNo' | 'seqNos' | 'types' | 'typeNames'> {
  const minSeqNo = seqNos[0] as number
  const isConsecutive = seqNos.every((seqNo, doc) => seqNo === minSeqNo + doc)
  const made = typeNames.length <= 256 ? Uint8Array.from(types) : Uint16Array.from(types)
  return {
    minSeqNo,
    maxSeqNo: seqNos[seqNos.length - 1] as number,
    ...(isConsecutive ? {} : { seqNos: file.add(Uint32Array.from(seqNos, (n) => n - minSeqNo)) }),
    ...(typeNames.length === 1 ? {} : { types: file.add(made) }),
    typeNames,
  }
}
