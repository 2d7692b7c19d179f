import { BlockPostingsCursor, blockRoom } from './block-postings-cursor.ts'
import type { DocMap, GatheredPostings } from './gathered-postings.ts'
import type { GrowableBytes } from './growable-array.ts'
import { skipVints } from './postings-format.ts'
import type { TermArrays } from './term-arrays.ts'

/** What nobody reads any more once a term is copied. */
const ROOM = blockRoom()

/** Appends a term's postings, those of deleted documents left out. */
export function copyPostings(arrays: TermArrays, ordinal: number, docMap: DocMap, out: GatheredPostings): void {
  const from = out.docs.length
  appendDocs(arrays, ordinal, out)
  if (!docMap.isWhole) keepLive(arrays, ordinal, docMap.newDocs, out, from)
  else {
    const docs = out.docs.values
    for (let i = from; i < out.docs.length; i++) docs[i] = docMap.newDocs[docs[i] as number] as number
    if (out.positions !== undefined) appendPositions(arrays, ordinal, out.positions)
  }
}

/** All documents of a term, by their old numbers. */
function appendDocs(arrays: TermArrays, ordinal: number, { docs, freqs }: GatheredPostings): void {
  const docFreq = arrays.docFreqs[ordinal] as number
  docs.reserve(docFreq)
  freqs.reserve(docFreq)
  let at = docs.length
  docs.length += docFreq
  freqs.length += docFreq
  const start = arrays.starts[ordinal] as number
  if (docFreq === 1) {
    docs.values[at] = start
    freqs.values[at] = arrays.totalTermFreqs?.[ordinal] ?? 1
    return
  }
  const cursor = new BlockPostingsCursor(arrays.postings, docFreq, 1, start, 0, ROOM)
  for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) {
    for (let i = 0; i < size; i++, at++) {
      docs.values[at] = ROOM.docs[i] as number
      freqs.values[at] = ROOM.freqs[i] as number
    }
  }
}

/** A term's positions stand one after the other, whatever its blocks, and each document's begin anew: they are copied as they are. */
function appendPositions({ positionStarts, postings }: TermArrays, ordinal: number, out: GrowableBytes): void {
  if (positionStarts === undefined || postings.positions === undefined) return
  const end = positionStarts[ordinal + 1] ?? postings.positions.length
  out.appendRange(postings.positions, positionStarts[ordinal] as number, end)
}

/** Of what was appended from a place on, what is not deleted. */
function keepLive(
  { positionStarts, postings }: TermArrays,
  ordinal: number,
  newDocs: Int32Array,
  { docs, freqs, positions }: GatheredPostings,
  from: number,
): void {
  const bytes = postings.positions
  let byte = positionStarts?.[ordinal] ?? 0
  let kept = from
  for (let i = from; i < docs.length; i++) {
    const to = newDocs[docs.values[i] as number] as number
    const freq = freqs.values[i] as number
    const start = byte
    if (bytes !== undefined) byte = skipVints(bytes, byte, freq)
    if (to < 0) continue
    docs.values[kept] = to
    freqs.values[kept++] = freq
    if (bytes !== undefined) positions?.appendRange(bytes, start, byte)
  }
  docs.length = kept
  freqs.length = kept
}
