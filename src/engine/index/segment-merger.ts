import { BinaryColumnWriter, NumericColumnWriter, OrdinalColumnWriter } from './column-writer.ts'
import { GrowableInt32Array } from './growable-array.ts'
import type { ColumnDirectory, FieldDirectory, SegmentDirectory } from './segment-directory.ts'
import { nestedDirectory } from './segment-draft.ts'
import { SegmentFileWriter } from './segment-file.ts'
import { type DocValues, type FieldReader, NO_MORE_DOCS, type TermDictionary } from './segment-reader.ts'
import type { LiveSegment } from './stored-segment.ts'
import { TermsWriter } from './terms-writer.ts'

/** A source segment and where its documents go: -1 for deleted ones. */
interface Source {
  readonly segment: LiveSegment
  readonly newDocs: Int32Array
}

/**
 * Joins neighbouring segments into one without their deleted documents. Order is kept.
 *
 * @returns the new segment's bytes; undefined when no document is left
 */
export function mergeSegments(segments: readonly LiveSegment[]): SharedArrayBuffer | undefined {
  let maxDoc = 0
  const sources: Source[] = segments.map((segment) => {
    const newDocs = new Int32Array(segment.maxDoc)
    const live = segment.liveDocs
    for (let doc = 0; doc < segment.maxDoc; doc++) {
      newDocs[doc] = live === undefined || ((live[doc >>> 5] as number) & (1 << (doc & 31))) !== 0 ? maxDoc++ : -1
    }
    return { segment, newDocs }
  })
  if (maxDoc === 0) return undefined
  const file = new SegmentFileWriter()
  const fields: Record<string, FieldDirectory> = {}
  for (const path of new Set(segments.flatMap((s) => [...s.fieldNames()]))) {
    const field = mergeField(path, sources, file, maxDoc)
    if (field !== undefined) fields[path] = field
  }
  return file.finish({ maxDoc, ...mergeDocuments(sources, file, maxDoc), fields } satisfies SegmentDirectory)
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
  const minSeqNo = seqNos[0] as number
  return {
    minSeqNo,
    maxSeqNo: seqNos[maxDoc - 1] as number,
    seqNos: file.add(Uint32Array.from(seqNos, (n) => n - minSeqNo)),
    types: file.add(typeNames.length <= 256 ? Uint8Array.from(types) : types),
    typeNames,
    ...nestedDirectory(file, paths, pathNames),
  }
}

function mergeField(
  path: string,
  sources: readonly Source[],
  file: SegmentFileWriter,
  maxDoc: number,
): FieldDirectory | undefined {
  const parts: { readonly source: Source; readonly reader: FieldReader }[] = []
  for (const source of sources) {
    const reader = source.segment.field(path)
    if (reader !== undefined) parts.push({ source, reader })
  }
  const inverted = parts.some((p) => p.reader.terms !== undefined) ? mergeTerms(parts, maxDoc) : undefined
  const norms = parts.some((p) => p.reader.norms !== undefined) ? mergeNorms(parts, maxDoc) : undefined
  const column = mergeColumn(parts, inverted?.ordinals, file, maxDoc)
  const points = mergePoints(parts, file)
  const docCount = inverted?.docCount ?? column?.docCount ?? points?.docCount ?? 0
  if (docCount === 0) return undefined
  const hasFreqs = inverted?.hasFreqs ?? false
  return {
    docCount,
    sumDocFreq: inverted?.writer.sumDocFreq ?? points?.size ?? column?.valueCount ?? docCount,
    sumTotalTermFreq: inverted !== undefined && hasFreqs ? inverted.writer.sumTotalTermFreq : -1,
    ...(inverted === undefined ? {} : { terms: inverted.writer.finish(file) }),
    ...(norms === undefined ? {} : { norms: file.add(norms) }),
    ...(column === undefined ? {} : { docValues: column.directory }),
    ...(points === undefined ? {} : { points: points.directory }),
  }
}

type Parts = readonly { readonly source: Source; readonly reader: FieldReader }[]

/** One dictionary of all, with the old ordinals' new ones by part. Terms that only deleted documents had are dropped. */
function mergeTerms(parts: Parts, maxDoc: number) {
  const dictionaries = parts.map((p) => p.reader.terms)
  const hasFreqs = parts.some((p) => p.reader.sumTotalTermFreq >= 0)
  const hasPositions = parts.some((p) => p.reader.terms?.hasPositions === true)
  const writer = new TermsWriter({ hasFreqs, hasPositions })
  const ordinals = dictionaries.map((d) => new Int32Array(d?.size ?? 0).fill(-1))
  const at = dictionaries.map(() => 0)
  const docs = new GrowableInt32Array(1024)
  const freqs = new GrowableInt32Array(1024)
  const positions = new GrowableInt32Array(1024)
  const seen = new Uint32Array((maxDoc + 31) >>> 5)
  let docCount = 0
  for (;;) {
    const smallest = smallestTerm(dictionaries, at)
    if (smallest === undefined) break
    docs.length = 0
    freqs.length = 0
    positions.length = 0
    for (let i = 0; i < parts.length; i++) {
      const dictionary = dictionaries[i]
      const ordinal = at[i] as number
      if (
        dictionary === undefined ||
        ordinal >= dictionary.size ||
        compareBytes(dictionary.term(ordinal), smallest) !== 0
      )
        continue
      at[i] = ordinal + 1
      const before = docs.length
      appendPostings(
        dictionary,
        ordinal,
        (parts[i] as Parts[number]).source.newDocs,
        hasPositions,
        docs,
        freqs,
        positions,
      )
      if (docs.length > before) (ordinals[i] as Int32Array)[ordinal] = writer.size
    }
    if (docs.length === 0) continue
    for (let i = 0; i < docs.length; i++) {
      const doc = docs.values[i] as number
      const bit = 1 << (doc & 31)
      if (((seen[doc >>> 5] as number) & bit) === 0) {
        seen[doc >>> 5] = (seen[doc >>> 5] as number) | bit
        docCount++
      }
    }
    writer.add(smallest, docs.values, freqs.values, docs.length, positions.view())
  }
  return { writer, ordinals, docCount, hasFreqs }
}

function appendPostings(
  dictionary: TermDictionary,
  ordinal: number,
  newDocs: Int32Array,
  hasPositions: boolean,
  docs: GrowableInt32Array,
  freqs: GrowableInt32Array,
  positions: GrowableInt32Array,
): void {
  const cursor = dictionary.postings(ordinal)
  for (let doc = cursor.nextDoc(); doc !== NO_MORE_DOCS; doc = cursor.nextDoc()) {
    const to = newDocs[doc] as number
    if (to < 0) continue
    const freq = cursor.freq
    docs.push(to)
    freqs.push(freq)
    if (!hasPositions) continue
    const of = cursor.positions()
    positions.reserve(freq)
    for (let i = 0; i < freq; i++) positions.values[positions.length++] = of[i] as number
  }
}

function smallestTerm(
  dictionaries: readonly (TermDictionary | undefined)[],
  at: readonly number[],
): Uint8Array | undefined {
  let smallest: Uint8Array | undefined
  for (let i = 0; i < dictionaries.length; i++) {
    const dictionary = dictionaries[i]
    if (dictionary === undefined || (at[i] as number) >= dictionary.size) continue
    const term = dictionary.term(at[i] as number)
    if (smallest === undefined || compareBytes(term, smallest) < 0) smallest = term
  }
  return smallest
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function mergeNorms(parts: Parts, maxDoc: number): Uint8Array {
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
  parts: Parts,
  ordinals: readonly Int32Array[] | undefined,
  file: SegmentFileWriter,
  maxDoc: number,
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
  for (const [i, { source, reader }] of parts.entries()) {
    const column = reader.docValues
    if (column === undefined) continue
    forEachValue(column, source.newDocs, (doc, index, first) => {
      if (first) docCount++
      if (column.kind === 'binary') (writer as BinaryColumnWriter).add(doc, column.value(index))
      else if (column.kind === 'ordinal') {
        const ordinal = (ordinals as readonly Int32Array[])[i]?.[column.values[index] as number] as number
        ;(writer as OrdinalColumnWriter).add(doc, ordinal)
      } else (writer as NumericColumnWriter).add(doc, column.values[index] as number | bigint)
    })
  }
  if (docCount === 0) return undefined
  const valueCount = writer instanceof NumericColumnWriter ? writer.size : docCount
  return { directory: writer.writeColumn(file, maxDoc), docCount, valueCount }
}

function forEachValue(
  column: DocValues,
  newDocs: Int32Array,
  visit: (doc: number, index: number, first: boolean) => void,
): void {
  const { present, offsets } = column
  for (let doc = 0; doc < newDocs.length; doc++) {
    const to = newDocs[doc] as number
    if (to < 0) continue
    if (present !== undefined && ((present[doc >>> 5] as number) & (1 << (doc & 31))) === 0) continue
    if (offsets === undefined) visit(to, doc, true)
    else for (let i = offsets[doc] as number; i < (offsets[doc + 1] as number); i++) visit(to, i, i === offsets[doc])
  }
}

/** Points come back in value order; the writer wants documents in order. */
function mergePoints(
  parts: Parts,
  file: SegmentFileWriter,
):
  | { readonly directory: NonNullable<FieldDirectory['points']>; readonly docCount: number; readonly size: number }
  | undefined {
  if (!parts.some((p) => p.reader.points !== undefined)) return undefined
  const writer = new NumericColumnWriter()
  for (const { source, reader } of parts) {
    const points = reader.points
    if (points === undefined) continue
    const count = points.docs.length
    // A counting sort by document.
    const starts = new Uint32Array(source.newDocs.length + 1)
    for (let i = 0; i < count; i++) starts[(points.docs[i] as number) + 1]!++
    for (let doc = 0; doc < source.newDocs.length; doc++)
      starts[doc + 1] = (starts[doc + 1] as number) + (starts[doc] as number)
    const byDoc = new Uint32Array(count)
    for (let i = 0; i < count; i++) byDoc[starts[points.docs[i] as number]!++] = i
    for (let i = 0; i < count; i++) {
      const at = byDoc[i] as number
      const to = source.newDocs[points.docs[at] as number] as number
      if (to >= 0) writer.add(to, points.values[at] as number | bigint)
    }
  }
  if (writer.size === 0) return undefined
  return { directory: writer.writePoints(file), docCount: writer.docCount(), size: writer.size }
}
