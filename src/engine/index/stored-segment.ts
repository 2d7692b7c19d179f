import { partitionPoint } from '../algorithms/partition-point.ts'
import { derivedMillis, isMillisPath, pathOfNanos } from './derived-millis.ts'
import { SEQUENCE_PATH, sequenceField } from './derived-sequence.ts'
import type { ColumnDirectory, FieldDirectory, SegmentDirectory } from './segment-directory.ts'
import { readSegmentDirectory, type SectionArray, type SectionRef, sectionArray } from './segment-file.ts'
import type { DocValues, FieldReader, LongArray, PointIndex, SegmentReader, TermDictionary } from './segment-reader.ts'
import { SortedTermDictionary } from './term-dictionary.ts'

/** A segment over its bytes, without live docs: what never changes. Fields are opened when first asked for. */
export class StoredSegment {
  readonly bytes: SharedArrayBuffer
  readonly directory: SegmentDirectory
  readonly #fields = new Map<string, FieldReader | undefined>()
  /** Undefined: document 0 has the first, and so on. */
  readonly #seqNos: Uint32Array | undefined
  /** Undefined: that is their order. */
  readonly #docsBySeqNo: Uint32Array | undefined
  readonly typeOrdinals: Uint8Array | Uint16Array
  readonly rootDocs: Uint32Array | undefined
  readonly #nestedPaths: Uint8Array | undefined

  /**
   * @param options.trusted  the bytes were made in this process: their checksum is not looked at
   * @throws {DamagedSegmentError} when the bytes are not a whole, undamaged segment
   */
  constructor(bytes: SharedArrayBuffer, options: { readonly trusted: boolean } = { trusted: false }) {
    this.bytes = bytes
    this.directory = readSegmentDirectory(bytes, options) as SegmentDirectory
    const { seqNos, docsBySeqNo, types, nested } = this.directory
    this.#seqNos = seqNos && (this.#array(seqNos) as Uint32Array)
    this.#docsBySeqNo = docsBySeqNo && (this.#array(docsBySeqNo) as Uint32Array)
    this.typeOrdinals = types === undefined ? zeros(this.directory.maxDoc) : (this.#array(types) as Uint8Array)
    this.rootDocs = nested === undefined ? undefined : (this.#array(nested.roots) as Uint32Array)
    this.#nestedPaths = nested === undefined ? undefined : (this.#array(nested.paths) as Uint8Array)
  }

  get maxDoc(): number {
    return this.directory.maxDoc
  }

  get sizeBytes(): number {
    return this.bytes.byteLength
  }

  /** Whether documents stand in the order of their sequence numbers. */
  get isInWriteOrder(): boolean {
    return this.#docsBySeqNo === undefined
  }

  seqNo(doc: number): number {
    return this.directory.minSeqNo + (this.#seqNos === undefined ? doc : (this.#seqNos[doc] as number))
  }

  /** The root document with a sequence number; -1 when it is not here. */
  docOfSeqNo(seqNo: number): number {
    const { minSeqNo, maxSeqNo, maxDoc } = this.directory
    if (seqNo < minSeqNo || seqNo > maxSeqNo) return -1
    const wanted = seqNo - minSeqNo
    const seqNos = this.#seqNos
    if (seqNos === undefined) return wanted
    if (this.#docsBySeqNo !== undefined) return docOf(wanted, seqNos, this.#docsBySeqNo)
    let low = 0
    let high = maxDoc
    // Last document with the number: nested objects bear their root's and stand before it.
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((seqNos[middle] as number) <= wanted) low = middle + 1
      else high = middle
    }
    return low > 0 && seqNos[low - 1] === wanted ? low - 1 : -1
  }

  nestedPath(doc: number): string | undefined {
    const ordinal = this.#nestedPaths?.[doc] ?? 0
    return ordinal === 0 ? undefined : this.directory.nested?.pathNames[ordinal - 1]
  }

  field(path: string): FieldReader | undefined {
    let reader = this.#fields.get(path)
    if (reader === undefined && Object.hasOwn(this.directory.fields, path)) {
      reader = this.#openField(this.directory.fields[path] as FieldDirectory)
      this.#fields.set(path, reader)
    }
    if (reader === undefined && isMillisPath(path)) {
      const inNanos = this.field(pathOfNanos(path))
      if (inNanos !== undefined) {
        reader = derivedMillis(inNanos)
        this.#fields.set(path, reader)
      }
    }
    if (reader === undefined && path === SEQUENCE_PATH) {
      const { minSeqNo, maxDoc } = this.directory
      const seqNos = this.#seqNos ?? Uint32Array.from({ length: maxDoc }, (_, doc) => doc)
      reader = sequenceField(minSeqNo === 0 ? seqNos : Float64Array.from(seqNos, (number) => minSeqNo + number))
      this.#fields.set(path, reader)
    }
    return reader
  }

  #openField(field: FieldDirectory): FieldReader {
    const terms = this.#openTerms(field)
    return {
      terms,
      norms: field.norms === undefined ? undefined : (this.#array(field.norms) as Uint8Array),
      docCount: field.docCount,
      sumTotalTermFreq: field.sumTotalTermFreq,
      sumDocFreq: field.sumDocFreq,
      docValues: field.docValues === undefined ? undefined : this.#openColumn(field.docValues, terms),
      points:
        field.points === undefined
          ? undefined
          : ({ values: this.#array(field.points.values), docs: this.#array(field.points.docs) } as PointIndex),
    }
  }

  #openTerms(field: FieldDirectory): TermDictionary | undefined {
    const terms = field.terms
    if (terms === undefined) return undefined
    return new SortedTermDictionary({
      termBytes: this.#array(terms.bytes) as Uint8Array,
      termOffsets: this.#array(terms.offsets) as Uint32Array,
      docFreqs: this.#array(terms.docFreqs) as Uint32Array,
      totalTermFreqs: terms.totalTermFreqs && (this.#array(terms.totalTermFreqs) as Uint32Array),
      starts: this.#array(terms.starts) as Uint32Array,
      positionStarts: terms.positionStarts && (this.#array(terms.positionStarts) as Uint32Array),
      postings: {
        words: this.#array(terms.words) as Int32Array,
        positions: terms.positions && (this.#array(terms.positions) as Uint8Array),
        hasFreqs: terms.hasFreqs,
      },
    })
  }

  #openColumn(column: ColumnDirectory, terms: TermDictionary | undefined): DocValues {
    const present = column.present && (this.#array(column.present) as Uint32Array)
    const offsets = column.offsets && (this.#array(column.offsets) as Uint32Array)
    const values = this.#array(column.values)
    switch (column.kind) {
      case 'numeric':
        return { kind: 'numeric', present, offsets, values: values as Float64Array }
      case 'bigint':
        return { kind: 'bigint', present, offsets, values: values as LongArray }
      case 'ordinal':
        return { kind: 'ordinal', present, offsets, values: values as Uint32Array, dictionary: terms as TermDictionary }
      case 'binary': {
        const starts = this.#array(column.valueOffsets as SectionRef) as Uint32Array
        const bytes = values as Uint8Array
        return { kind: 'binary', present, offsets, value: (index) => bytes.subarray(starts[index], starts[index + 1]) }
      }
    }
  }

  #array(section: SectionRef): SectionArray {
    return sectionArray(this.bytes, section)
  }
}

/** The document with a number, of some in another order than that of their numbers; -1: none. (None is nested.) */
function docOf(wanted: number, seqNos: Uint32Array, docsBySeqNo: Uint32Array): number {
  const at = partitionPoint(docsBySeqNo.length, (i) => (seqNos[docsBySeqNo[i] as number] as number) < wanted)
  const doc = docsBySeqNo[at]
  return doc !== undefined && seqNos[doc] === wanted ? doc : -1
}

let manyZeros = new Uint8Array(0)

/** So many zeros, which must stay so. */
function zeros(count: number): Uint8Array {
  if (manyZeros.length < count) manyZeros = new Uint8Array(count)
  return manyZeros.subarray(0, count)
}

/** A stored segment with the live docs of one moment. */
export class LiveSegment implements SegmentReader {
  readonly name: string
  readonly stored: StoredSegment
  readonly liveDocs: Uint32Array | undefined
  readonly numDocs: number

  /** @param numDocs  live root documents; counted when absent */
  constructor(name: string, stored: StoredSegment, liveDocs: Uint32Array | undefined, numDocs?: number) {
    this.name = name
    this.stored = stored
    this.liveDocs = liveDocs
    this.numDocs = numDocs ?? countLiveRoots(stored, liveDocs)
  }

  get maxDoc(): number {
    return this.stored.maxDoc
  }
  get rootDocs(): Uint32Array | undefined {
    return this.stored.rootDocs
  }
  get typeOrdinals(): Uint8Array | Uint16Array {
    return this.stored.typeOrdinals
  }
  get typeNames(): readonly string[] {
    return this.stored.directory.typeNames
  }
  nestedPath(doc: number): string | undefined {
    return this.stored.nestedPath(doc)
  }
  get isInWriteOrder(): boolean {
    return this.stored.isInWriteOrder
  }
  seqNo(doc: number): number {
    return this.stored.seqNo(doc)
  }
  field(path: string): FieldReader | undefined {
    return this.stored.field(path)
  }
  fieldNames(): Iterable<string> {
    return Object.keys(this.stored.directory.fields)
  }

  /** The same segment without some root documents (and the nested objects before them). */
  without(docs: Iterable<number>): LiveSegment {
    const live = this.liveDocs?.slice() ?? allLive(this.maxDoc)
    let numDocs = this.numDocs
    for (const root of docs) {
      if (((live[root >>> 5] as number) & (1 << (root & 31))) === 0) continue
      numDocs--
      const seqNo = this.seqNo(root)
      for (let doc = root; doc >= 0 && this.seqNo(doc) === seqNo; doc--) {
        live[doc >>> 5] = (live[doc >>> 5] as number) & ~(1 << (doc & 31))
      }
    }
    return new LiveSegment(this.name, this.stored, live, numDocs)
  }
}

/** A bit for each document and none beyond: whoever walks the words meets documents only. */
function allLive(maxDoc: number): Uint32Array {
  const live = new Uint32Array((maxDoc + 31) >>> 5).fill(0xffffffff)
  if ((maxDoc & 31) !== 0) live[live.length - 1] = (1 << (maxDoc & 31)) - 1
  return live
}

function countLiveRoots(stored: StoredSegment, liveDocs: Uint32Array | undefined): number {
  const { maxDoc, rootDocs } = stored
  if (liveDocs === undefined && rootDocs === undefined) return maxDoc
  let count = 0
  for (let doc = 0; doc < maxDoc; doc++) {
    const bit = 1 << (doc & 31)
    const isRoot = rootDocs === undefined || ((rootDocs[doc >>> 5] as number) & bit) !== 0
    const isLive = liveDocs === undefined || ((liveDocs[doc >>> 5] as number) & bit) !== 0
    if (isRoot && isLive) count++
  }
  return count
}
