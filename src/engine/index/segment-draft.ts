import { setOwn } from '../../set-own.ts'
import {
  type BinaryDraft,
  documentsOf,
  layOutBinary,
  layOutNumbers,
  layOutPoints,
  type NumbersDraft,
} from './column-writer.ts'
import type { InvertedDraft } from './field-inverter.ts'
import { layOutDocuments } from './lay-out-documents.ts'
import { layOutTerms } from './lay-out-terms.ts'
import type { FieldDirectory, SegmentDirectory } from './segment-directory.ts'
import { SegmentFileWriter } from './segment-file.ts'
import { intToByte4 } from './small-float.ts'

/** Lengths of a field by document. */
export interface NormsDraft {
  readonly docs: Int32Array<ArrayBuffer>
  readonly lengths: Int32Array<ArrayBuffer>
}

/** One field's values as they came. */
export type FieldDraft =
  | {
      readonly kind: 'terms'
      readonly inverted: InvertedDraft
      readonly norms: NormsDraft | undefined
      readonly ordinals: boolean
    }
  | { readonly kind: 'boolean'; readonly inverted: InvertedDraft; readonly column: NumbersDraft | undefined }
  | {
      readonly kind: 'numbers'
      readonly numbers: NumbersDraft
      /** Whether to make points (the field is indexed) and a column (it has doc values). */
      readonly points: boolean
      readonly column: boolean
    }
  | { readonly kind: 'binary'; readonly binary: BinaryDraft }

/** A segment's documents, not yet sorted: typed arrays and names only, so that any thread can lay it out. */
export interface SegmentDraft {
  readonly seqNos: Float64Array<ArrayBuffer>
  readonly types: Int32Array<ArrayBuffer>
  readonly typeNames: readonly string[]
  /** For each document 1 + index into `nestedPaths`; 0 for a root. */
  readonly nestedOrdinals: Uint8Array<ArrayBuffer>
  readonly nestedPaths: readonly string[]
  readonly fields: Readonly<Record<string, FieldDraft>>
}

/** Makes a segment of a draft, documents in the order of their writes. */
export function layOutSegment(draft: SegmentDraft): SharedArrayBuffer {
  const file = new SegmentFileWriter()
  const maxDoc = draft.seqNos.length
  const fields: Record<string, FieldDirectory> = {}
  for (const [path, field] of Object.entries(draft.fields)) setOwn(fields, path, layOutField(field, file, maxDoc))
  const directory: SegmentDirectory = {
    maxDoc,
    ...layOutDocuments(draft.seqNos, draft.types, draft.typeNames, file),
    ...nestedDirectory(file, draft.nestedOrdinals, draft.nestedPaths),
    fields,
  }
  return file.finish(directory)
}

/** The buffers behind a draft, to be handed over with it. */
export function draftBuffers(draft: SegmentDraft): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>([draft.seqNos.buffer, draft.types.buffer, draft.nestedOrdinals.buffer])
  const addAll = (part: object | undefined) => {
    for (const value of Object.values(part ?? {}))
      if (ArrayBuffer.isView(value)) buffers.add(value.buffer as ArrayBuffer)
  }
  for (const field of Object.values(draft.fields)) for (const part of Object.values(field)) addAll(part as object)
  return [...buffers]
}

function layOutField(field: FieldDraft, file: SegmentFileWriter, maxDoc: number): FieldDirectory {
  switch (field.kind) {
    case 'terms': {
      const { inverted, norms, ordinals } = field
      const laidOut = layOutTerms(inverted, file, { maxDoc, ordinals })
      return {
        docCount: inverted.docCount,
        sumDocFreq: laidOut.sumDocFreq,
        sumTotalTermFreq: laidOut.sumTotalTermFreq,
        terms: laidOut.terms,
        ...(norms === undefined ? {} : { norms: file.add(normBytes(norms, maxDoc)) }),
        ...(laidOut.ordinals === undefined ? {} : { docValues: laidOut.ordinals }),
      }
    }
    case 'boolean': {
      const { inverted, column } = field
      const { terms, sumDocFreq } = layOutTerms(inverted, file, { maxDoc, ordinals: false })
      return {
        docCount: inverted.docCount,
        sumDocFreq,
        sumTotalTermFreq: -1,
        terms,
        ...(column === undefined ? {} : { docValues: layOutNumbers(column, file, maxDoc) }),
      }
    }
    case 'numbers':
      return {
        docCount: documentsOf(field.numbers),
        sumDocFreq: field.numbers.docs.length,
        sumTotalTermFreq: -1,
        ...(field.column ? { docValues: layOutNumbers(field.numbers, file, maxDoc) } : {}),
        ...(field.points ? { points: layOutPoints(field.numbers, file) } : {}),
      }
    case 'binary': {
      const docCount = documentsOf(field.binary)
      return {
        docCount,
        sumDocFreq: docCount,
        sumTotalTermFreq: -1,
        docValues: layOutBinary(field.binary, file, maxDoc),
      }
    }
  }
}

function normBytes({ docs, lengths }: NormsDraft, maxDoc: number): Uint8Array {
  const norms = new Uint8Array(maxDoc)
  for (let i = 0; i < docs.length; i++) norms[docs[i] as number] = intToByte4(lengths[i] as number)
  return norms
}

/** The nested part of a directory; nothing when every document is a root. */
export function nestedDirectory(
  file: SegmentFileWriter,
  ordinals: Uint8Array,
  pathNames: readonly string[],
): Pick<SegmentDirectory, 'nested'> {
  if (pathNames.length === 0) return {}
  const roots = new Uint32Array((ordinals.length + 31) >>> 5)
  for (let doc = 0; doc < ordinals.length; doc++) {
    if (ordinals[doc] === 0) roots[doc >>> 5] = (roots[doc >>> 5] as number) | (1 << (doc & 31))
  }
  return { nested: { roots: file.add(roots), paths: file.add(ordinals), pathNames } }
}
