import type { LiveSegment } from './stored-segment.ts'

/** The segments without the documents of some sequence numbers; segments that have none of them stay the same objects. */
export function withoutDocuments(segments: readonly LiveSegment[], seqNos: readonly number[]): LiveSegment[] {
  if (seqNos.length === 0) return [...segments]
  return segments.map((segment) => {
    const docs: number[] = []
    for (const seqNo of seqNos) {
      const doc = segment.stored.docOfSeqNo(seqNo)
      if (doc >= 0) docs.push(doc)
    }
    return docs.length === 0 ? segment : segment.without(docs)
  })
}

/** Sequence numbers of the documents that are alive in `before` and not in `now` (the same segments, later). */
export function deletedSince(before: readonly LiveSegment[], now: readonly LiveSegment[]): number[] {
  const seqNos: number[] = []
  for (const [i, old] of before.entries()) {
    const current = now[i] as LiveSegment
    if (current.liveDocs === old.liveDocs) continue
    for (let doc = 0; doc < old.maxDoc; doc++) {
      const bit = 1 << (doc & 31)
      const alive = old.liveDocs === undefined || ((old.liveDocs[doc >>> 5] as number) & bit) !== 0
      if (alive && ((current.liveDocs?.[doc >>> 5] ?? -1) & bit) === 0) seqNos.push(old.seqNo(doc))
    }
  }
  return seqNos
}

/** Live documents of a segment, nested ones included. */
export function liveCount({ liveDocs, maxDoc }: LiveSegment): number {
  if (liveDocs === undefined) return maxDoc
  let count = 0
  const whole = maxDoc >>> 5
  for (let i = 0; i < whole; i++) count += bitCount(liveDocs[i] as number)
  const rest = maxDoc & 31
  if (rest > 0) count += bitCount((liveDocs[whole] as number) & ((1 << rest) - 1))
  return count
}

/** Live docs as a manifest keeps them: little-endian words in base64. */
export function encodeLiveDocs(liveDocs: Uint32Array): string {
  return Buffer.from(liveDocs.buffer, liveDocs.byteOffset, liveDocs.byteLength).toString('base64')
}

/** The reverse of {@link encodeLiveDocs}. */
export function decodeLiveDocs(base64: string): Uint32Array {
  const bytes = Buffer.from(base64, 'base64')
  const words = new Uint32Array(bytes.length >>> 2)
  new Uint8Array(words.buffer).set(bytes.subarray(0, words.byteLength))
  return words
}

function bitCount(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
