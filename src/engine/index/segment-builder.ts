import { setOwn } from '../../set-own.ts'
import { termFrequencyOf } from '../analysis/token-filters/delimited-term-freq-filter.ts'
import type { IndexedValue, ParsedDocument, ParsedField } from '../mapping/parsed-document.ts'
import { BinaryColumnWriter, NumericColumnWriter } from './column-writer.ts'
import { keepsFrequency } from './custom-frequency.ts'
import { type DocumentBatch, VALUE_FORM } from './document-batch.ts'
import { FieldInverter } from './field-inverter.ts'
import { GrowableBytes, GrowableFloat64Array, GrowableInt32Array } from './growable-array.ts'
import { type FieldDraft, layOutSegment, type NormsDraft, type SegmentDraft } from './segment-draft.ts'
import type { SegmentField, SegmentTextField } from './segment-field.ts'
import { addStandardBytes, addStandardText, isStandard, type TextTarget } from './standard-words.ts'
import { checkTerm, SAFE_TERM_UNITS } from './term-length.ts'

/** The field whose terms are the paths a document has values for; `exists` looks here where there is no column or norm. */
export const FIELD_NAMES = '_field_names'

/** Builds a segment in memory from parsed documents, in the order of their sequence numbers. */
export class SegmentBuilder {
  readonly #fields = new Map<string, FieldBuilder>()
  readonly #fieldNames = new FieldInverter({ hasFreqs: false, hasPositions: false })
  readonly #seqNos = new GrowableFloat64Array()
  readonly #types = new GrowableInt32Array()
  readonly #typeOrdinals = new Map<string, number>()
  readonly #nestedPaths = new Map<string, number>()
  readonly #nestedOrdinals = new GrowableBytes()
  #tokens = 0
  /** What the numbers in batches stand for. */
  readonly #batchFields: (FieldBuilder | SegmentField)[] = []
  readonly #batchTypes: string[] = []
  readonly #batchPaths: string[] = []
  readonly #batchNames: string[] = []

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
    return this.#seqNos.length > 0 && this.#seqNos.values[this.#seqNos.length - 1] === seqNo
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
    for (const { nestedPath, fields, fieldNames } of document.documents) {
      const doc = this.#begin(seqNo, type, nestedPath)
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
    if (failure !== undefined) throw failure
  }

  /**
   * Adds the documents of a batch, as {@link add} would have added each of them; batches of one writer, in their order.
   *
   * @throws {Error} when a value cannot be inverted, which was to be found out before: the builder is of no use then
   */
  addBatch(batch: DocumentBatch): void {
    const { seqNos, docs, values } = batch
    this.#batchFields.push(...batch.newFields)
    this.#batchTypes.push(...batch.newTypes)
    this.#batchPaths.push(...batch.newNestedPaths)
    this.#batchNames.push(...batch.newNames)
    let at = 0
    for (let i = 0; i < seqNos.length; i++) {
      const nested = docs[3 * i + 1] as number
      const doc = this.#begin(
        seqNos[i] as number,
        this.#batchTypes[docs[3 * i] as number] as string,
        nested === 0 ? undefined : this.#batchPaths[nested - 1],
      )
      for (const end = docs[3 * i + 2] as number; at < end; at += 3) this.#addValue(doc, batch, at)
    }
    this.#tokens += values.length / 3
  }

  #addValue(doc: number, { values, bytes, numbers, bigints }: DocumentBatch, at: number): void {
    const code = values[at] as number
    const from = values[at + 1] as number
    const to = values[at + 2] as number
    const form = code & 7
    if (form === VALUE_FORM.name) {
      this.#fieldNames.add(this.#batchNames[from] as string, doc, 0)
      return
    }
    let builder = this.#batchFields[code >>> 3] as FieldBuilder | SegmentField
    if ('kind' in builder) {
      builder = this.#builder(builder)
      this.#batchFields[code >>> 3] = builder
    }
    switch (form) {
      case VALUE_FORM.ascii:
      case VALUE_FORM.utf8:
        if (builder.addText === undefined) builder.add(doc, utf8(bytes, from, to))
        else builder.addText(doc, bytes, from, to)
        return
      case VALUE_FORM.utf16:
        builder.add(doc, Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf16le'))
        return
      case VALUE_FORM.bytes:
        builder.add(doc, bytes.subarray(from, to))
        return
      case VALUE_FORM.number:
        builder.add(doc, numbers[from] as number)
        return
      case VALUE_FORM.unsigned:
        builder.add(doc, BigInt.asUintN(64, bigints[from] as bigint))
        return
      default:
        builder.add(doc, bigints[from] as bigint)
    }
  }

  #begin(seqNo: number, type: string, nestedPath: string | undefined): number {
    let typeOrdinal = this.#typeOrdinals.get(type)
    if (typeOrdinal === undefined) {
      typeOrdinal = this.#typeOrdinals.size
      this.#typeOrdinals.set(type, typeOrdinal)
    }
    const doc = this.#seqNos.length
    this.#seqNos.push(seqNo)
    this.#types.push(typeOrdinal)
    this.#nestedOrdinals.reserve(1)
    this.#nestedOrdinals.bytes[this.#nestedOrdinals.length++] =
      nestedPath === undefined ? 0 : this.#nestedOrdinal(nestedPath)
    return doc
  }

  /** What was added, to be laid out here or in another thread; the builder is used up. */
  draft(): SegmentDraft {
    const fields: Record<string, FieldDraft> = {}
    for (const [path, builder] of this.#fields) setOwn(fields, path, builder.draft())
    if (this.#fieldNames.docCount > 0) {
      fields[FIELD_NAMES] = { kind: 'terms', inverted: this.#fieldNames.draft(), norms: undefined, ordinals: false }
    }
    return {
      seqNos: this.#seqNos.view(),
      types: this.#types.view(),
      typeNames: [...this.#typeOrdinals.keys()],
      nestedOrdinals: this.#nestedOrdinals.view(),
      nestedPaths: [...this.#nestedPaths.keys()],
      fields,
    }
  }

  /** Lays the segment out; the builder is used up. */
  finish(): SharedArrayBuffer {
    return layOutSegment(this.draft())
  }

  #builder(field: SegmentField): FieldBuilder {
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

/** Takes the values of one field. */
interface FieldBuilder {
  /** Answers how many tokens or values that made. */
  add(doc: number, value: IndexedValue): number
  /** {@link add} of a text that stands in UTF-8. */
  addText?(doc: number, source: Uint8Array<ArrayBuffer>, from: number, to: number): void
  draft(): FieldDraft
}

function utf8({ buffer, byteOffset }: Uint8Array<ArrayBuffer>, from: number, to: number): string {
  return Buffer.from(buffer, byteOffset + from, to - from).toString('utf8')
}

function fieldBuilder(field: SegmentField): FieldBuilder {
  switch (field.kind) {
    case 'text':
      return new TextFieldBuilder(field)
    case 'keyword':
      // Its values are nobody's to find, however long they are.
      if (!field.index && !field.docValues) return UNKEPT
      return new TermFieldBuilder(field.path, {
        ordinals: field.docValues,
        hasFreqs: field.indexOptions !== 'docs',
        norms: field.norms,
        isAsLongAsUnique: field.isAsLongAsUnique === true,
      })
    case 'ip':
      return new TermFieldBuilder(field.path, {
        ordinals: field.docValues,
        hasFreqs: false,
        norms: false,
        isAsLongAsUnique: false,
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

/** Takes values and keeps none. */
const UNKEPT: FieldBuilder = {
  add: () => 1,
  addText: () => {},
  draft: () => ({
    kind: 'terms',
    inverted: new FieldInverter({ hasFreqs: false, hasPositions: false }).draft(),
    norms: undefined,
    ordinals: false,
  }),
}

/** Lengths by document, as they go into norms. */
class NormLengths {
  readonly #docs = new GrowableInt32Array()
  readonly #lengths = new GrowableInt32Array()

  /** Documents ascend; a document's length may be set again while it is the last. */
  set(doc: number, length: number): void {
    const last = this.#docs.length - 1
    if (last >= 0 && this.#docs.values[last] === doc) {
      this.#lengths.values[last] = length
      return
    }
    this.#docs.push(doc)
    this.#lengths.push(length)
  }

  draft(): NormsDraft {
    return { docs: this.#docs.view(), lengths: this.#lengths.view() }
  }
}

class TextFieldBuilder implements FieldBuilder {
  readonly #field: SegmentTextField
  readonly #inverter: FieldInverter
  readonly #norms: NormLengths | undefined
  readonly #standard: boolean
  /** Words of the document, where those are its length. */
  readonly #unique: Set<string> | undefined
  readonly #target: TextTarget
  #doc = -1
  #position = -1
  #length = 0
  /** Occurrences that the document claims beyond those that stand there. */
  #claimed = 0

  constructor(field: SegmentTextField) {
    this.#field = field
    const hasPositions = field.indexOptions === 'positions' || field.indexOptions === 'offsets'
    this.#inverter = new FieldInverter({ hasFreqs: field.indexOptions !== 'docs', hasPositions })
    this.#norms = field.norms ? new NormLengths() : undefined
    this.#unique = field.norms && field.isAsLongAsUnique ? new Set() : undefined
    // The short way does not tell which words it has seen.
    this.#standard = isStandard(field.analyzer) && this.#unique === undefined
    this.#target = { doc: 0, position: 0, path: field.path, analyzer: field.analyzer }
  }

  addText(doc: number, source: Uint8Array<ArrayBuffer>, from: number, to: number): void {
    if (!this.#standard) {
      this.add(doc, utf8(source, from, to))
      return
    }
    const position = this.#begin(doc)
    this.#target.doc = doc
    this.#target.position = position
    this.#end(doc, position, addStandardBytes(this.#inverter, source, from, to, this.#target))
  }

  /** Position of the token before a value's first. */
  #begin(doc: number): number {
    if (doc === this.#doc) return this.#position + this.#field.positionIncrementGap
    this.#doc = doc
    this.#length = 0
    this.#claimed = 0
    this.#unique?.clear()
    return -1
  }

  #end(doc: number, position: number, count: number): void {
    this.#length += count
    this.#position = position + count
    this.#norms?.set(doc, this.#length)
  }

  add(doc: number, value: IndexedValue): number {
    let position = this.#begin(doc)
    const claimedBefore = this.#claimed
    if (this.#standard) {
      const { path, analyzer } = this.#field
      const count = addStandardText(this.#inverter, value as string, { doc, position, path, analyzer })
      this.#end(doc, position, count)
      return count
    }
    const tokens = this.#field.analyzer.analyze(value as string)
    const { terms, positionIncrements, length } = tokens
    for (let i = 0; i < length; i++) {
      const increment = positionIncrements[i] as number
      position += increment
      // A first token that stacks on nothing stands at the first position.
      if (position < 0) position = 0
      const term = terms[i] as string
      if (increment > 0) this.#length++
      const given = termFrequencyOf(tokens, i)
      if (given > 1) this.#addFurther(term, doc, given - 1)
      if (term.length > SAFE_TERM_UNITS) checkTerm(this.#field.path, term)
      this.#inverter.add(term, doc, position)
      this.#unique?.add(term)
    }
    if (this.#unique !== undefined) this.#length = this.#unique.size
    this.#position = position + tokens.trailingPositionIncrement
    this.#norms?.set(doc, this.#length)
    return length + this.#claimed - claimedBefore
  }

  /** Further occurrences that a text claims for one of its words; they stand nowhere. */
  #addFurther(term: string, doc: number, count: number): void {
    this.#claimed += count
    if (!keepsFrequency(this.#field, this.#claimed)) return
    this.#length += count
    for (let i = 0; i < count; i++) this.#inverter.add(term, doc, 0)
  }

  draft(): FieldDraft {
    return { kind: 'terms', inverted: this.#inverter.draft(), norms: this.#norms?.draft(), ordinals: false }
  }
}

class TermFieldBuilder implements FieldBuilder {
  readonly #path: string
  readonly #inverter: FieldInverter
  readonly #ordinals: boolean
  readonly #norms: NormLengths | undefined
  /** Terms of the document, where those are its length. */
  readonly #unique: Set<string> | undefined
  #doc = -1
  #length = 0

  constructor(
    path: string,
    options: { ordinals: boolean; hasFreqs: boolean; norms: boolean; isAsLongAsUnique: boolean },
  ) {
    this.#path = path
    this.#inverter = new FieldInverter({ hasFreqs: options.hasFreqs, hasPositions: false })
    this.#ordinals = options.ordinals
    this.#norms = options.norms ? new NormLengths() : undefined
    this.#unique = options.norms && options.isAsLongAsUnique ? new Set() : undefined
  }

  add(doc: number, value: IndexedValue): number {
    if (typeof value === 'string') {
      if (value.length > SAFE_TERM_UNITS) checkTerm(this.#path, value)
      this.#inverter.add(value, doc, 0)
    } else this.#inverter.addBytes(value as Uint8Array, doc)
    this.#count(doc, value)
    return 1
  }

  addText(doc: number, source: Uint8Array, from: number, to: number): void {
    this.#inverter.addRange(source, from, to, doc)
    if (this.#norms !== undefined) this.#count(doc, this.#unique && Buffer.from(source.subarray(from, to)).toString())
  }

  #count(doc: number, value: IndexedValue | undefined): void {
    if (this.#norms === undefined) return
    if (doc !== this.#doc) {
      this.#length = 0
      this.#unique?.clear()
    }
    this.#unique?.add(String(value))
    this.#length = this.#unique?.size ?? this.#length + 1
    this.#doc = doc
    this.#norms.set(doc, this.#length)
  }

  draft(): FieldDraft {
    return { kind: 'terms', inverted: this.#inverter.draft(), norms: this.#norms?.draft(), ordinals: this.#ordinals }
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

  draft(): FieldDraft {
    return { kind: 'boolean', inverted: this.#inverter.draft(), column: this.#column?.draft() }
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

  draft(): FieldDraft {
    return { kind: 'numbers', numbers: this.#values.draft(), points: this.#points, column: this.#column }
  }
}

class BinaryFieldBuilder implements FieldBuilder {
  readonly #values = new BinaryColumnWriter()

  add(doc: number, value: IndexedValue): number {
    this.#values.add(doc, value as Uint8Array)
    return 1
  }

  draft(): FieldDraft {
    return { kind: 'binary', binary: this.#values.draft() }
  }
}
