import { setOwn } from '../../set-own.ts'
import { BinaryColumnWriter, layOutSortedPoints, NumericColumnWriter, OrdinalColumnWriter } from './column-writer.ts'
import { type DocumentOrder, type DocumentPlaces, orderDocuments } from './document-order.ts'
import type { DocMap } from './gathered-postings.ts'
import { layOutDocuments } from './lay-out-documents.ts'
import { mergePoints } from './merge-points.ts'
import { mergeTerms, type TermsPart } from './merge-terms.ts'
import type { ColumnDirectory, FieldDirectory, SegmentDirectory } from './segment-directory.ts'
import { nestedDirectory } from './segment-draft.ts'
import { SegmentFileWriter } from './segment-file.ts'
import type { DocValues, FieldReader } from './segment-reader.ts'
import { LiveSegment, StoredSegment } from './stored-segment.ts'

/** A source segment and where its documents go. */
interface Source extends DocMap {
  readonly segment: LiveSegment
}

/** A field of a source segment. */
interface Part {
  readonly source: Source
  readonly reader: FieldReader
}

/** What is merged. */
interface Merge {
  readonly sources: readonly Source[]
  /** Documents of the merged segment. */
  readonly maxDoc: number
  /** Where each of them comes from; undefined: one source after the other, in the order they are in. */
  readonly places: DocumentPlaces | undefined
}

/**
 * Joins neighbouring segments into one without their deleted documents.
 *
 * @param order  what documents are ordered by; undefined: they stay as they are
 * @returns the new segment's bytes; undefined when no document is left
 */
export function mergeSegments(segments: readonly LiveSegment[], order?: DocumentOrder): SharedArrayBuffer | undefined {
  const merge = planMerge(segments, order)
  const { sources, maxDoc } = merge
  if (maxDoc === 0) return undefined
  const file = new SegmentFileWriter()
  const fields: Record<string, FieldDirectory> = {}
  for (const path of new Set(segments.flatMap((s) => [...s.fieldNames()]))) {
    const field = mergeField(path, merge, file)
    if (field !== undefined) setOwn(fields, path, field)
  }
  const sorted = order === undefined ? {} : { order: JSON.stringify(order) }
  return file.finish({ maxDoc, ...mergeDocuments(sources, file, maxDoc), ...sorted, fields } satisfies SegmentDirectory)
}

/** A segment that was just made, with its documents in an order. */
export function sortSegment(bytes: SharedArrayBuffer, order: DocumentOrder | undefined): SharedArrayBuffer {
  if (order === undefined) return bytes
  const made = new LiveSegment('made', new StoredSegment(bytes, { trusted: true }), undefined)
  return mergeSegments([made], order) as SharedArrayBuffer
}

function planMerge(segments: readonly LiveSegment[], order: DocumentOrder | undefined): Merge {
  let maxDoc = 0
  const sources: Source[] = segments.map((segment) => {
    const newDocs = new Int32Array(segment.maxDoc)
    const live = segment.liveDocs
    for (let doc = 0; doc < segment.maxDoc; doc++) {
      newDocs[doc] = live === undefined || ((live[doc >>> 5] as number) & (1 << (doc & 31))) !== 0 ? maxDoc++ : -1
    }
    return { segment, newDocs, isWhole: live === undefined }
  })
  const places = order && orderDocuments(segments, livePlaces(sources, maxDoc), order)
  if (places !== undefined) {
    for (let doc = 0; doc < maxDoc; doc++)
      (sources[places.segments[doc] as number] as Source).newDocs[places.docs[doc] as number] = doc
  }
  return { sources, maxDoc, places }
}

/** Where the documents of a merged segment come from, as long as they keep their order. */
function livePlaces(sources: readonly Source[], maxDoc: number): DocumentPlaces {
  const places = { segments: new Int32Array(maxDoc), docs: new Int32Array(maxDoc) }
  for (const [at, { newDocs }] of sources.entries()) {
    for (let doc = 0; doc < newDocs.length; doc++) {
      const to = newDocs[doc] as number
      if (to < 0) continue
      places.segments[to] = at
      places.docs[to] = doc
    }
  }
  return places
}

/** Sequence numbers, types and nesting. */
function mergeDocuments(
  sources: readonly Source[],
  file: SegmentFileWriter,
  maxDoc: number,
): Omit<SegmentDirectory, 'maxDoc' | 'fields'> {
  const typeNames: string[] = []
  const pathNames: string[] = []
  const types = new Uint16Array(maxDoc)
  const paths = new Uint8Array(maxDoc)
  const seqNos = new Float64Array(maxDoc)
  const ordinalOf = (names: string[], name: string) => {
    const found = names.indexOf(name)
    return found === -1 ? names.push(name) - 1 : found
  }
  for (const { segment, newDocs } of sources) {
    for (let doc = 0; doc < newDocs.length; doc++) {
      const to = newDocs[doc] as number
      if (to < 0) continue
      seqNos[to] = segment.seqNo(doc)
      types[to] = ordinalOf(typeNames, segment.typeNames[segment.typeOrdinals[doc] as number] as string)
      const path = segment.nestedPath(doc)
      if (path !== undefined) paths[to] = ordinalOf(pathNames, path) + 1
    }
  }
  return {
    ...layOutDocuments(seqNos, types, typeNames, file),
    ...nestedDirectory(file, paths, pathNames),
  }
}

function mergeField(path: string, merge: Merge, file: SegmentFileWriter): FieldDirectory | undefined {
  const { sources, maxDoc } = merge
  const isReordered = merge.places !== undefined
  const parts: Part[] = []
  for (const source of sources) {
    const reader = source.segment.field(path)
    if (reader !== undefined) parts.push({ source, reader })
  }
  const inverted = parts.some((p) => p.reader.terms !== undefined)
    ? mergeTerms(parts.map(termsOf), maxDoc, isReordered)
    : undefined
  const norms = parts.some((p) => p.reader.norms !== undefined) ? mergeNorms(parts, maxDoc) : undefined
  const column = mergeColumn(parts, inverted?.ordinals, merge, file)
  const points = mergePoints(
    parts.map(({ source, reader }) => ({ points: reader.points, docMap: source })),
    isReordered,
  )
  const size = points.docs.length
  const pointsDirectory = size === 0 ? undefined : layOutSortedPoints(points, file)
  const docCount = inverted?.docCount ?? column?.docCount ?? distinctDocs(points.docs, maxDoc)
  if (docCount === 0) return undefined
  const hasFreqs = inverted?.hasFreqs ?? false
  return {
    docCount,
    sumDocFreq: inverted?.writer.sumDocFreq ?? (size > 0 ? size : (column?.valueCount ?? docCount)),
    sumTotalTermFreq: inverted !== undefined && hasFreqs ? inverted.writer.sumTotalTermFreq : -1,
    ...(inverted === undefined ? {} : { terms: inverted.writer.finish(file) }),
    ...(norms === undefined ? {} : { norms: file.add(norms) }),
    ...(column === undefined ? {} : { docValues: column.directory }),
    ...(pointsDirectory === undefined ? {} : { points: pointsDirectory }),
  }
}

function termsOf({ source, reader }: Part): TermsPart {
  const { terms, docCount, sumTotalTermFreq } = reader
  return { terms, hasFreqs: sumTotalTermFreq >= 0, docCount, docMap: source }
}

/** How many documents there are among some that may come several times, in any order. */
function distinctDocs(docs: Int32Array, maxDoc: number): number {
  const seen = new Uint8Array(maxDoc)
  let count = 0
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i] as number
    count += 1 - (seen[doc] as number)
    seen[doc] = 1
  }
  return count
}

function mergeNorms(parts: readonly Part[], maxDoc: number): Uint8Array {
  const norms = new Uint8Array(maxDoc)
  for (const { source, reader } of parts) {
    if (reader.norms === undefined) continue
    for (let doc = 0; doc < source.newDocs.length; doc++) {
      const to = source.newDocs[doc] as number
      if (to >= 0) norms[to] = reader.norms[doc] as number
    }
  }
  return norms
}

function mergeColumn(
  parts: readonly Part[],
  ordinals: readonly Int32Array[] | undefined,
  { sources, maxDoc, places }: Merge,
  file: SegmentFileWriter,
): { readonly directory: ColumnDirectory; readonly docCount: number; readonly valueCount: number } | undefined {
  const kind = parts.find((p) => p.reader.docValues !== undefined)?.reader.docValues?.kind
  if (kind === undefined) return undefined
  const writer =
    kind === 'ordinal'
      ? new OrdinalColumnWriter()
      : kind === 'binary'
        ? new BinaryColumnWriter()
        : new NumericColumnWriter()
  let docCount = 0
  const copiers = parts.map(({ reader: { docValues: column } }, i): CopyValues => {
    if (column === undefined) return () => {}
    return copyValues(column, (doc, index, first) => {
      if (first) docCount++
      if (column.kind === 'binary') (writer as BinaryColumnWriter).add(doc, column.value(index))
      else if (column.kind === 'ordinal') {
        const ordinal = (ordinals as readonly Int32Array[])[i]?.[column.values[index] as number] as number
        ;(writer as OrdinalColumnWriter).add(doc, ordinal)
      } else (writer as NumericColumnWriter).add(doc, column.values[index] as number | bigint)
    })
  })
  if (places === undefined) {
    for (const [i, { source }] of parts.entries()) {
      const copy = copiers[i] as CopyValues
      for (let doc = 0; doc < source.newDocs.length; doc++) {
        const to = source.newDocs[doc] as number
        if (to >= 0) copy(doc, to)
      }
    }
  } else {
    const bySource = sources.map((source) => copiers[parts.findIndex((part) => part.source === source)])
    for (let to = 0; to < maxDoc; to++) bySource[places.segments[to] as number]?.(places.docs[to] as number, to)
  }
  if (docCount === 0) return undefined
  const valueCount = writer instanceof NumericColumnWriter ? writer.size : docCount
  return { directory: writer.writeColumn(file, maxDoc), docCount, valueCount }
}

/** Copies what a document has in a column. */
type CopyValues = (doc: number, to: number) => void

function copyValues(
  { present, offsets }: DocValues,
  add: (doc: number, index: number, first: boolean) => void,
): CopyValues {
  return (doc, to) => {
    if (present !== undefined && ((present[doc >>> 5] as number) & (1 << (doc & 31))) === 0) return
    if (offsets === undefined) add(to, doc, true)
    else for (let i = offsets[doc] as number; i < (offsets[doc + 1] as number); i++) add(to, i, i === offsets[doc])
  }
}
