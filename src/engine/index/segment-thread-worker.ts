import { parentPort } from 'node:worker_threads'
import { layOutSegment, type SegmentDraft } from './segment-draft.ts'
import { mergeSegments } from './segment-merger.ts'
import { LiveSegment, StoredSegment } from './stored-segment.ts'

/** What the thread is asked for: to join segments (in order, in shared memory), or to lay one out. */
export type SegmentTask =
  | {
      readonly kind: 'merge'
      readonly segments: readonly { readonly bytes: SharedArrayBuffer; readonly liveDocs: Uint32Array | undefined }[]
    }
  | { readonly kind: 'layOut'; readonly draft: SegmentDraft }

/** A task's outcome; `bytes` undefined: no document was left. */
export type SegmentOutcome =
  | { readonly id: number; readonly bytes: SharedArrayBuffer | undefined }
  | { readonly id: number; readonly error: string }

parentPort?.on('message', ({ id, task }: { id: number; task: SegmentTask }) => {
  let outcome: SegmentOutcome
  try {
    outcome = { id, bytes: run(task) }
  } catch (error) {
    outcome = { id, error: String((error as Error).stack ?? error) }
  }
  parentPort?.postMessage(outcome)
})

function run(task: SegmentTask): SharedArrayBuffer | undefined {
  switch (task.kind) {
    case 'merge':
      return mergeSegments(
        task.segments.map(
          (s, i) => new LiveSegment(`source ${i}`, new StoredSegment(s.bytes, { trusted: true }), s.liveDocs),
        ),
      )
    case 'layOut':
      return layOutSegment(task.draft)
  }
}
