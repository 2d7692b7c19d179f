import type { DocValues, FieldReader, SegmentReader } from '../../index/segment-reader.ts'
import type { StringColumn } from './string-terms.ts'

/** A segment with columns beside its own: values that were computed for the documents of one search. */
export class ComputedSegment implements SegmentReader {
  readonly base: SegmentReader
  readonly #columns: ReadonlyMap<string, FieldReader>
  readonly #strings: ReadonlyMap<string, StringColumn>

  /**
   * @param columns  numbers by path
   * @param strings  terms by path, as {@link "./string-column.ts"} finds them
   */
  constructor(
    base: SegmentReader,
    columns: ReadonlyMap<string, DocValues>,
    strings: ReadonlyMap<string, StringColumn>,
  ) {
    this.base = base
    this.#columns = new Map([...columns].map(([path, docValues]) => [path, { ...NO_TERMS, docValues }]))
    this.#strings = strings
  }

  get name(): string {
    return this.base.name
  }
  get maxDoc(): number {
    return this.base.maxDoc
  }
  get liveDocs(): Uint32Array | undefined {
    return this.base.liveDocs
  }
  get numDocs(): number {
    return this.base.numDocs
  }
  get rootDocs(): Uint32Array | undefined {
    return this.base.rootDocs
  }
  get typeOrdinals(): Uint8Array | Uint16Array {
    return this.base.typeOrdinals
  }
  get typeNames(): readonly string[] {
    return this.base.typeNames
  }

  nestedPath(doc: number): string | undefined {
    return this.base.nestedPath(doc)
  }

  get isInWriteOrder(): boolean {
    return this.base.isInWriteOrder
  }

  seqNo(doc: number): number {
    return this.base.seqNo(doc)
  }

  field(path: string): FieldReader | undefined {
    return this.#columns.get(path) ?? this.base.field(path)
  }

  fieldNames(): Iterable<string> {
    return this.base.fieldNames()
  }

  /** Terms that were computed; undefined: none under that path. */
  strings(path: string): StringColumn | undefined {
    return this.#strings.get(path) ?? (this.base instanceof ComputedSegment ? this.base.strings(path) : undefined)
  }
}

const NO_TERMS: Omit<FieldReader, 'docValues'> = {
  terms: undefined,
  norms: undefined,
  docCount: 0,
  sumTotalTermFreq: -1,
  sumDocFreq: -1,
  points: undefined,
}
