import { parentPort } from 'node:worker_threads'
import { mergeSegments } from './segment-merger.ts'
import { LiveSegment, StoredSegment } from './stored-segment.ts'

/** What a merge is made of: segments in order, in shared memory. */
export interface MergeTask {
  readonly id: number
  readonly segments: readonly { readonly bytes: SharedArrayBuffer; readonly liveDocs: Uint32Array | undefined }[]
}

/** A merge's outcome; `bytes` undefined: no document was left. */
export type MergeOutcome =
  | { readonly id: number; readonly bytes: SharedArrayBuffer | undefined }
  | { readonly id: number; readonly error: string }

parentPort?.on('message', ({ id, segments }: MergeTask) => {
  let outcome: MergeOutcome
  try {
    outcome = {
      id,
      bytes: mergeSegments(
        segments.map((s, i) => new LiveSegment(`source ${i}`, new StoredSegment(s.bytes), s.liveDocs)),
      ),
    }
  } catch (error) {
    outcome = { id, error: String((error as Error).stack ?? error) }
  }
  parentPort?.postMessage(outcome)
})
