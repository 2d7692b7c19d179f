import type { FieldMapping, TextField } from '../mapping/field-mapping.ts'
import type { IndexedValue, ParsedDocument, ParsedField } from '../mapping/parsed-document.ts'
import { BinaryColumnWriter, NumericColumnWriter } from './column-writer.ts'
import { FieldInverter } from './field-inverter.ts'
import { GrowableBytes, GrowableInt32Array } from './growable-array.ts'
import type { FieldDirectory, SegmentDirectory } from './segment-directory.ts'
import { SegmentFileWriter } from './segment-file.ts'
import { intToByte4 } from './small-float.ts'
import { checkTerm, MAX_TERM_BYTES } from './term-length.ts'

/** The field whose terms are the paths a document has values for; `exists` looks here where there is no column or norm. */
export const FIELD_NAMES = '_field_names'

/** Builds a segment in memory from parsed documents, in the order of their sequence numbers. */
export class SegmentBuilder {
  readonly #fields = new Map<string, FieldBuilder>()
  readonly #fieldNames = new FieldInverter({ hasFreqs: false, hasPositions: false })
  readonly #seqNos: number[] = []
  readonly #types = new GrowableInt32Array()
  readonly #typeOrdinals = new Map<string, number>()
  readonly #nestedPaths = new Map<string, number>()
  readonly #nestedOrdinals = new GrowableBytes()
  #tokens = 0
  rootCount = 0

  /** Documents so far, nested ones included. */
  get maxDoc(): number {
    return this.#seqNos.length
  }

  /** Tokens and values so far: what memory and the time to finish go by. */
  get tokenCount(): number {
    return this.#tokens
  }

  /** Whether a document was added last with this number, wholly or not. */
  has(seqNo: number): boolean {
    return this.#seqNos.at(-1) === seqNo
  }

  /**
   * Adds a document.
   *
   * @param seqNo  greater than any before
   * @throws {ServiceError} illegal_argument_exception when a term is too long: the document is there then, without
   *                        some of its values, and must be taken out of the segment again
   */
  add(seqNo: number, type: string, document: ParsedDocument): void {
    let failure: unknown
    let typeOrdinal = this.#typeOrdinals.get(type)
    if (typeOrdinal === undefined) {
      typeOrdinal = this.#typeOrdinals.size
      this.#typeOrdinals.set(type, typeOrdinal)
    }
    for (const { nestedPath, fields, fieldNames } of document.documents) {
      const doc = this.#seqNos.length
      this.#seqNos.push(seqNo)
      this.#types.push(typeOrdinal)
      this.#nestedOrdinals.reserve(1)
      this.#nestedOrdinals.bytes[this.#nestedOrdinals.length++] =
        nestedPath === undefined ? 0 : this.#nestedOrdinal(nestedPath)
      try {
        for (let i = 0; i < fields.length; i++) {
          const { field, value } = fields[i] as ParsedField
          this.#tokens += this.#builder(field).add(doc, value)
        }
      } catch (error) {
        failure ??= error
      }
      for (const name of fieldNames) this.#fieldNames.add(name, doc, 0)
    }
    this.rootCount++
    if (failure !== undefined) throw failure
  }

  /** Lays the segment out; the builder is used up. */
  finish(): SharedArrayBuffer {
    const file = new SegmentFileWriter()
    const maxDoc = this.maxDoc
    const minSeqNo = this.#seqNos[0] as number
    const fields: Record<string, FieldDirectory> = {}
    for (const [path, builder] of this.#fields) fields[path] = builder.finish(file, maxDoc)
    if (this.#fieldNames.docCount > 0) {
      const { terms, sumDocFreq } = this.#fieldNames.finish(file, { maxDoc, ordinals: false })
      fields[FIELD_NAMES] = { docCount: this.#fieldNames.docCount, sumDocFreq, sumTotalTermFreq: -1, terms }
    }
    const typeOrdinals = this.#types.view()
    const directory: SegmentDirectory = {
      maxDoc,
      minSeqNo,
      maxSeqNo: this.#seqNos[maxDoc - 1] as number,
      seqNos: file.add(Uint32Array.from(this.#seqNos, (n) => n - minSeqNo)),
      types: file.add(this.#typeOrdinals.size <= 256 ? Uint8Array.from(typeOrdinals) : Uint16Array.from(typeOrdinals)),
      typeNames: [...this.#typeOrdinals.keys()],
      ...nestedDirectory(file, this.#nestedOrdinals.view(), [...this.#nestedPaths.keys()]),
      fields,
    }
    return file.finish(directory)
  }

  #builder(field: FieldMapping): FieldBuilder {
    let builder = this.#fields.get(field.path)
    if (builder === undefined) {
      builder = fieldBuilder(field)
      this.#fields.set(field.path, builder)
    }
    return builder
  }

  #nestedOrdinal(path: string): number {
    let ordinal = this.#nestedPaths.get(path)
    if (ordinal === undefined) {
      ordinal = this.#nestedPaths.size + 1
      this.#nestedPaths.set(path, ordinal)
    }
    return ordinal
  }
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

/** UTF-16 units that no term of too many bytes can have: a unit takes at most three. */
const SAFE_TERM_UNITS = Math.floor(MAX_TERM_BYTES / 3)

/** Takes the values of one field. */
interface FieldBuilder {
  /** Answers how many tokens or values that made. */
  add(doc: number, value: IndexedValue): number
  finish(file: SegmentFileWriter, maxDoc: number): FieldDirectory
}

function fieldBuilder(field: FieldMapping): FieldBuilder {
  switch (field.kind) {
    case 'text':
      return new TextFieldBuilder(field)
    case 'keyword':
      return new TermFieldBuilder(field.path, {
        docValues: field.docValues,
        hasFreqs: field.indexOptions !== 'docs',
        norms: field.norms,
        binary: false,
      })
    case 'ip':
      return new TermFieldBuilder(field.path, {
        docValues: field.docValues,
        hasFreqs: false,
        norms: false,
        binary: true,
      })
    case 'boolean':
      return new BooleanFieldBuilder(field.docValues)
    case 'number':
    case 'date':
      return new NumberFieldBuilder(field.index, field.docValues)
    case 'binary':
    case 'geo_point':
    case 'range':
    case 'opaque':
      return new BinaryFieldBuilder()
  }
}

class TextFieldBuilder implements FieldBuilder {
  readonly #field: TextField
  readonly #inverter: FieldInverter
  readonly #hasPositions: boolean
  readonly #norms: GrowableInt32Array | undefined
  readonly #normDocs = new GrowableInt32Array()
  #doc = -1
  #position = -1
  #length = 0

  constructor(field: TextField) {
    this.#field = field
    this.#hasPositions = field.indexOptions === 'positions' || field.indexOptions === 'offsets'
    this.#inverter = new FieldInverter({ hasFreqs: field.indexOptions !== 'docs', hasPositions: this.#hasPositions })
    this.#norms = field.norms ? new GrowableInt32Array() : undefined
  }

  add(doc: number, value: IndexedValue): number {
    let position = this.#position
    if (doc !== this.#doc) {
      this.#closeDoc()
      this.#doc = doc
      position = -1
      this.#length = 0
    } else position += this.#field.positionIncrementGap
    const tokens = this.#field.analyzer.analyze(value as string)
    const { terms, positionIncrements, length } = tokens
    for (let i = 0; i < length; i++) {
      const increment = positionIncrements[i] as number
      position += increment
      // A first token that stacks on nothing stands at the first position.
      if (position < 0) position = 0
      if (increment > 0) this.#length++
      const term = terms[i] as string
      if (term.length > SAFE_TERM_UNITS) checkTerm(this.#field.path, term)
      this.#inverter.add(term, doc, position)
    }
    this.#position = position + tokens.trailingPositionIncrement
    return length
  }

  #closeDoc(): void {
    if (this.#doc < 0 || this.#norms === undefined) return
    this.#normDocs.push(this.#doc)
    this.#norms.push(intToByte4(this.#length))
  }

  finish(file: SegmentFileWriter, maxDoc: number): FieldDirectory {
    this.#closeDoc()
    const inverted = this.#inverter.finish(file, { maxDoc, ordinals: false })
    let norms: Uint8Array | undefined
    if (this.#norms !== undefined) {
      norms = new Uint8Array(maxDoc)
      for (let i = 0; i < this.#normDocs.length; i++)
        norms[this.#normDocs.values[i] as number] = this.#norms.values[i] as number
    }
    return {
      docCount: this.#inverter.docCount,
      sumDocFreq: inverted.sumDocFreq,
      sumTotalTermFreq: inverted.sumTotalTermFreq,
      terms: inverted.terms,
      ...(norms === undefined ? {} : { norms: file.add(norms) }),
    }
  }
}

class TermFieldBuilder implements FieldBuilder {
  readonly #inverter: FieldInverter
  readonly #docValues: boolean
  readonly #binary: boolean
  readonly #norms: boolean
  readonly #lengths = new Map<number, number>()
  readonly #path: string

  constructor(path: string, options: { docValues: boolean; hasFreqs: boolean; norms: boolean; binary: boolean }) {
    this.#path = path
    this.#inverter = new FieldInverter({ hasFreqs: options.hasFreqs, hasPositions: false, binary: options.binary })
    this.#docValues = options.docValues
    this.#binary = options.binary
    this.#norms = options.norms
  }

  add(doc: number, value: IndexedValue): number {
    const term = this.#binary ? latin1(value as Uint8Array) : (value as string)
    if (term.length > SAFE_TERM_UNITS) checkTerm(this.#path, term)
    this.#inverter.add(term, doc, 0)
    if (this.#norms) this.#lengths.set(doc, (this.#lengths.get(doc) ?? 0) + 1)
    return 1
  }

  finish(file: SegmentFileWriter, maxDoc: number): FieldDirectory {
    const inverted = this.#inverter.finish(file, { maxDoc, ordinals: this.#docValues })
    let norms: Uint8Array | undefined
    if (this.#norms) {
      norms = new Uint8Array(maxDoc)
      for (const [doc, length] of this.#lengths) norms[doc] = intToByte4(length)
    }
    return {
      docCount: this.#inverter.docCount,
      sumDocFreq: inverted.sumDocFreq,
      sumTotalTermFreq: inverted.sumTotalTermFreq,
      terms: inverted.terms,
      ...(norms === undefined ? {} : { norms: file.add(norms) }),
      ...(inverted.ordinals === undefined ? {} : { docValues: inverted.ordinals }),
    }
  }
}

/** Booleans are terms (`T`, `F`) as in Elasticsearch, and 0 or 1 in the column. */
class BooleanFieldBuilder implements FieldBuilder {
  readonly #inverter = new FieldInverter({ hasFreqs: false, hasPositions: false })
  readonly #column: NumericColumnWriter | undefined

  constructor(docValues: boolean) {
    this.#column = docValues ? new NumericColumnWriter() : undefined
  }

  add(doc: number, value: IndexedValue): number {
    this.#inverter.add(value === 1 ? 'T' : 'F', doc, 0)
    this.#column?.add(doc, value as number)
    return 1
  }

  finish(file: SegmentFileWriter, maxDoc: number): FieldDirectory {
    const inverted = this.#inverter.finish(file, { maxDoc, ordinals: false })
    return {
      docCount: this.#inverter.docCount,
      sumDocFreq: inverted.sumDocFreq,
      sumTotalTermFreq: -1,
      terms: inverted.terms,
      ...(this.#column === undefined ? {} : { docValues: this.#column.writeColumn(file, maxDoc) }),
    }
  }
}

class NumberFieldBuilder implements FieldBuilder {
  readonly #values = new NumericColumnWriter()
  readonly #points: boolean
  readonly #column: boolean

  constructor(points: boolean, column: boolean) {
    this.#points = points
    this.#column = column
  }

  add(doc: number, value: IndexedValue): number {
    this.#values.add(doc, value as number | bigint)
    return 1
  }

  finish(file: SegmentFileWriter, maxDoc: number): FieldDirectory {
    return {
      docCount: this.#values.docCount(),
      sumDocFreq: this.#values.size,
      sumTotalTermFreq: -1,
      ...(this.#column ? { docValues: this.#values.writeColumn(file, maxDoc) } : {}),
      ...(this.#points ? { points: this.#values.writePoints(file) } : {}),
    }
  }
}

class BinaryFieldBuilder implements FieldBuilder {
  readonly #values = new BinaryColumnWriter()

  add(doc: number, value: IndexedValue): number {
    this.#values.add(doc, value as Uint8Array)
    return 1
  }

  finish(file: SegmentFileWriter, maxDoc: number): FieldDirectory {
    const docCount = this.#values.docCount()
    return { docCount, sumDocFreq: docCount, sumTotalTermFreq: -1, docValues: this.#values.writeColumn(file, maxDoc) }
  }
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
