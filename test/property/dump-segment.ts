import { type FieldReader, NO_MORE_DOCS, type SegmentReader } from '../../src/engine/index/segment-reader.ts'

/** Everything a segment says of its live documents, as plain values that two segments can be compared by. */
export interface SegmentDump {
  readonly docs: readonly {
    readonly seqNo: number
    readonly type: string
    readonly nestedPath: string | undefined
    readonly root: boolean
  }[]
  readonly fields: Readonly<Record<string, unknown>>
}

/** Reads a segment through its public face, document numbers counted over live documents only. */
export function dumpSegment(segment: SegmentReader): SegmentDump {
  const place = new Map<number, number>()
  const docs: SegmentDump['docs'][number][] = []
  for (let doc = 0; doc < segment.maxDoc; doc++) {
    if (!bit(segment.liveDocs, doc)) continue
    place.set(doc, docs.length)
    docs.push({
      seqNo: segment.seqNo(doc),
      type: segment.typeNames[segment.typeOrdinals[doc] as number] as string,
      nestedPath: segment.nestedPath(doc),
      root: bit(segment.rootDocs, doc),
    })
  }
  const fields: Record<string, unknown> = {}
  for (const path of [...segment.fieldNames()].sort()) {
    const field = dumpField(segment.field(path) as FieldReader, place)
    if (field !== undefined) fields[path] = field
  }
  return { docs, fields }
}

function dumpField(field: FieldReader, place: ReadonlyMap<number, number>) {
  const terms = dumpTerms(field, place)
  const column = dumpColumn(field, place)
  const points = dumpPoints(field, place)
  if (terms?.length === 0 || (terms === undefined && !column?.length && !points?.length)) return undefined
  return {
    terms,
    column,
    points,
    norms: field.norms && [...place.keys()].map((doc) => field.norms?.[doc]),
    hasPositions: field.terms?.hasPositions,
    docCount: field.docCount,
    sumDocFreq: field.sumDocFreq,
    sumTotalTermFreq: field.sumTotalTermFreq,
  }
}

function dumpTerms({ terms }: FieldReader, place: ReadonlyMap<number, number>) {
  if (terms === undefined) return undefined
  const dump: { term: string; postings: { doc: number; freq: number; positions: number[] }[] }[] = []
  for (let ordinal = 0; ordinal < terms.size; ordinal++) {
    const cursor = terms.postings(ordinal)
    const postings: { doc: number; freq: number; positions: number[] }[] = []
    for (let doc = cursor.nextDoc(); doc !== NO_MORE_DOCS; doc = cursor.nextDoc()) {
      const to = place.get(doc)
      if (to === undefined) continue
      const { freq } = cursor
      postings.push({ doc: to, freq, positions: [...cursor.positions().subarray(0, freq)] })
    }
    if (postings.length > 0) dump.push({ term: Buffer.from(terms.term(ordinal)).toString('latin1'), postings })
  }
  return dump
}

function dumpColumn({ docValues }: FieldReader, place: ReadonlyMap<number, number>) {
  if (docValues === undefined) return undefined
  const dump: { doc: number; values: unknown[] }[] = []
  for (const [doc, to] of place) {
    if (!bit(docValues.present, doc)) continue
    const from = docValues.offsets === undefined ? doc : (docValues.offsets[doc] as number)
    const end = docValues.offsets === undefined ? doc + 1 : (docValues.offsets[doc + 1] as number)
    const values: unknown[] = []
    for (let i = from; i < end; i++) {
      if (docValues.kind === 'binary') values.push(Buffer.from(docValues.value(i)).toString('hex'))
      else if (docValues.kind === 'ordinal')
        values.push(Buffer.from(docValues.dictionary.term(docValues.values[i] as number)).toString('latin1'))
      else values.push(String(docValues.values[i]))
    }
    if (values.length > 0) dump.push({ doc: to, values })
  }
  return dump
}

function dumpPoints({ points }: FieldReader, place: ReadonlyMap<number, number>) {
  if (points === undefined) return undefined
  const dump: { value: string; doc: number }[] = []
  for (let i = 0; i < points.docs.length; i++) {
    const doc = place.get(points.docs[i] as number)
    if (doc !== undefined) dump.push({ value: String(points.values[i]), doc })
  }
  return dump
}

const bit = (bits: Uint32Array | undefined, doc: number): boolean =>
  bits === undefined || ((bits[doc >>> 5] as number) & (1 << (doc & 31))) !== 0
