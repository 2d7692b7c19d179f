import type { PostingsData } from './block-postings-cursor.ts'

/** The arrays a field's terms are made of. */
export interface TermArrays {
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
  readonly docFreqs: Uint32Array
  readonly totalTermFreqs: Uint32Array | undefined
  readonly starts: Uint32Array
  readonly positionStarts: Uint32Array | undefined
  readonly postings: PostingsData
}
