import { parentPort } from 'node:worker_threads'
import { createIndexAnalyzers } from '../analysis/create-index-analyzers.ts'
import type { IndexAnalyzers } from '../analysis/index-analyzers.ts'
import { importDictionaries, type SharedDictionary } from '../analysis/korean/dictionaries.ts'
import { lowerPriority } from '../lower-priority.ts'
import type { DeferredAnalysis } from './deferred-analysis.ts'
import type { DocumentBatch } from './document-batch.ts'
import type { DocumentOrder } from './document-order.ts'
import { type PortableField, readField } from './portable-field.ts'
import { SegmentBuilder } from './segment-builder.ts'
import { layOutSegment, type SegmentDraft } from './segment-draft.ts'
import { mergeSegments, sortSegment } from './segment-merger.ts'
import { LiveSegment, StoredSegment } from './stored-segment.ts'

/** A batch as it is handed over. */
export type PortableBatch = Omit<DocumentBatch, 'newFields'> & { readonly newFields: readonly PortableField[] }

/**
 * What the thread is asked for: to join segments (in order, in shared memory), to lay one out, or to keep one in the
 * making: `invert` adds a batch (the first one, number 0, begins it), `seal` lays it out, `drop` forgets it.
 */
export type SegmentTask =
  | {
      readonly kind: 'merge'
      readonly segments: readonly { readonly bytes: SharedArrayBuffer; readonly liveDocs: Uint32Array | undefined }[]
      readonly order: DocumentOrder | undefined
    }
  | { readonly kind: 'layOut'; readonly draft: SegmentDraft; readonly order: DocumentOrder | undefined }
  | {
      readonly kind: 'invert'
      readonly draft: number
      readonly number: number
      readonly batch: PortableBatch
      /** With the first batch only. */
      readonly analysis?: DeferredAnalysis & { readonly dictionaries: readonly SharedDictionary[] }
    }
  | {
      readonly kind: 'seal'
      readonly draft: number
      readonly batches: number
      readonly order: DocumentOrder | undefined
    }
  | { readonly kind: 'drop'; readonly draft: number }

/** A task's outcome; `bytes` undefined: no document was left, or nothing was to be made yet. */
export type SegmentOutcome =
  | { readonly id: number; readonly bytes: SharedArrayBuffer | undefined }
  | { readonly id: number; readonly error: string; readonly stack: string | undefined }

interface OpenDraft {
  readonly builder: SegmentBuilder
  readonly analyzers: IndexAnalyzers
  batches: number
}

/** Index settings whose analyzers are kept. */
const KEPT_ANALYZERS = 16

const drafts = new Map<number, OpenDraft>()
const analyzersBySettings = new Map<string, IndexAnalyzers>()

lowerPriority()
parentPort?.on('message', ({ id, task }: { id: number; task: SegmentTask }) => {
  let outcome: SegmentOutcome
  try {
    outcome = { id, bytes: run(task) }
  } catch (error) {
    const { message, stack } = error as Error
    outcome = { id, error: message, stack }
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
        task.order,
      )
    case 'layOut':
      return sortSegment(layOutSegment(task.draft), task.order)
    case 'invert': {
      if (task.analysis !== undefined) drafts.set(task.draft, openDraft(task.analysis))
      const draft = expected(task.draft, task.number)
      // One whose batch fails is incomplete for good.
      drafts.delete(task.draft)
      const newFields = task.batch.newFields.map((field) => readField(field, draft.analyzers))
      draft.builder.addBatch({ ...task.batch, newFields })
      draft.batches++
      drafts.set(task.draft, draft)
      return undefined
    }
    case 'seal': {
      const { builder } = expected(task.draft, task.batches)
      drafts.delete(task.draft)
      return sortSegment(builder.finish(), task.order)
    }
    case 'drop':
      drafts.delete(task.draft)
      return undefined
  }
}

function openDraft({
  dictionaries,
  ...analysis
}: DeferredAnalysis & { dictionaries: readonly SharedDictionary[] }): OpenDraft {
  importDictionaries(dictionaries)
  const key = JSON.stringify(analysis)
  const analyzers =
    analyzersBySettings.get(key) ??
    createIndexAnalyzers(analysis.settings, { engineVersion: analysis.engineVersion, isStored: true })
  analyzersBySettings.delete(key)
  analyzersBySettings.set(key, analyzers)
  for (const oldest of analyzersBySettings.keys()) {
    if (analyzersBySettings.size <= KEPT_ANALYZERS) break
    analyzersBySettings.delete(oldest)
  }
  return { builder: new SegmentBuilder(), analyzers, batches: 0 }
}

/** The segment in the making that has so many batches, as the one who asks believes. */
function expected(id: number, batches: number): OpenDraft {
  const draft = drafts.get(id)
  if (draft === undefined || draft.batches !== batches) {
    drafts.delete(id)
    throw new Error(`what was written so far is not here: ${draft?.batches ?? 'none'} of ${batches} batches`)
  }
  return draft
}
