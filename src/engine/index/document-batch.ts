import { append } from '../algorithms/long-lists.ts'
import type { FieldMapping } from '../mapping/field-mapping.ts'
import type { IndexedValue, ParsedDocument } from '../mapping/parsed-document.ts'
import type { ValueSink } from '../mapping/value-sink.ts'
import { GrowableBytes, GrowableFloat64Array, GrowableInt32Array } from './growable-array.ts'
import type { SegmentField } from './segment-field.ts'

/** How a value of a {@link DocumentBatch} is written, in the low three bits of its first number. */
export const VALUE_FORM = {
  /** Text in `bytes`, all of it ASCII. */
  ascii: 0,
  /** Text in `bytes`, UTF-8. */
  utf8: 1,
  /** Text in `bytes`, UTF-16 (little-endian): one with a lone surrogate, which UTF-8 cannot say. */
  utf16: 2,
  /** Bytes in `bytes`. */
  bytes: 3,
  /** A place in `numbers`. */
  number: 4,
  /** A place in `bigints`. */
  bigint: 5,
  /** A path for `_field_names`: a place in the list of names. */
  name: 6,
  /** A place in `bigints`, of one beyond what they hold: it stands there as the negative number of the same bits. */
  unsigned: 7,
} as const

/**
 * Documents taken apart and not yet inverted, in plain arrays that another thread can take over: the fields' values in
 * the order of their documents.
 */
export interface DocumentBatch {
  /** One a Lucene document, as in {@link docs}. */
  readonly seqNos: Float64Array<ArrayBuffer>
  /** Three numbers a Lucene document: type, 1 + nested path (0: a root), where its values end in {@link values}. */
  readonly docs: Int32Array<ArrayBuffer>
  /** Three numbers a value: field × 8 + {@link VALUE_FORM}; then from and to in {@link bytes}, or a place and nothing. */
  readonly values: Int32Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly numbers: Float64Array<ArrayBuffer>
  readonly bigints: BigInt64Array<ArrayBuffer>
  /** What this batch is the first of its buffer to use; numbers go on from the batch before. */
  readonly newFields: readonly SegmentField[]
  readonly newTypes: readonly string[]
  readonly newNestedPaths: readonly string[]
  readonly newNames: readonly string[]
}

/** Things numbered in the order they come, and which of them are new since the last batch. */
class Numbering<K> {
  readonly #numbers = new Map<K, number>()
  #news: K[] = []

  number(key: K): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(key, number)
    this.#news.push(key)
    return number
  }

  takeNew(): K[] {
    const news = this.#news
    this.#news = []
    return news
  }
}

/** Writes {@link DocumentBatch}es, one after the other, that belong to one segment. */
export class DocumentBatchWriter implements ValueSink {
  #seqNos = new GrowableFloat64Array()
  #docs = new GrowableInt32Array()
  #values = new GrowableInt32Array(1024)
  #bytes = new GrowableBytes(16 * 1024)
  #numbers = new GrowableFloat64Array()
  #bigints: bigint[] = []
  /** Numbers of fields by path; a field's mapping may be made anew meanwhile, its first form counts. */
  readonly #paths = new Map<string, number>()
  readonly #fields = new Map<FieldMapping, number>()
  #newFields: SegmentField[] = []
  readonly #types = new Numbering<string>()
  readonly #nestedPaths = new Numbering<string>()
  readonly #names = new Numbering<string>()
  /** Where the source that is being scanned begins in the bytes. */
  #sourceAt = 0
  #names0: number[] = []

  /** Lucene documents since the last {@link take}. */
  get docCount(): number {
    return this.#seqNos.length
  }

  /** Bytes of values since the last {@link take}: what memory and time go by. */
  get size(): number {
    return this.#bytes.length + 4 * this.#values.length
  }

  /** Adds a document that was parsed. @param seqNo  greater than any before */
  add(seqNo: number, type: string, document: ParsedDocument): void {
    const typeNumber = this.#types.number(type)
    for (const { nestedPath, fields, fieldNames } of document.documents) {
      for (const { field, value } of fields) this.value(field, value)
      for (const name of fieldNames) this.#push(VALUE_FORM.name, this.#names.number(name), 0)
      this.#endDocument(seqNo, typeNumber, nestedPath === undefined ? 0 : 1 + this.#nestedPaths.number(nestedPath))
    }
  }

  /**
   * Adds a document that `scan` takes apart while it reads it.
   *
   * @param scan  told to give values of `source` to this sink; false: it could not, and nothing is added
   */
  addScanned(seqNo: number, type: string, source: Uint8Array, scan: (sink: ValueSink) => boolean): boolean {
    const bytes = this.#bytes.length
    const values = this.#values.length
    const numbers = this.#numbers.length
    const bigints = this.#bigints.length
    this.#sourceAt = bytes
    this.#bytes.append(source)
    this.#names0.length = 0
    if (!scan(this)) {
      this.#bytes.length = bytes
      this.#values.length = values
      this.#numbers.length = numbers
      this.#bigints.length = bigints
      return false
    }
    for (const name of this.#names0) this.#push(VALUE_FORM.name, name, 0)
    this.#endDocument(seqNo, this.#types.number(type), 0)
    return true
  }

  /**
   * Adds a document that another writer took apart: all of its batch, which begins its buffer.
   *
   * @param fields  those that the batch has numbers for
   */
  addBatch(seqNo: number, batch: Omit<DocumentBatch, 'newFields'>, fields: readonly SegmentField[]): void {
    const { docs, values, newTypes, newNestedPaths, newNames } = batch
    const codes = fields.map((field) => this.#numberOf(field) * 8)
    const types = newTypes.map((type) => this.#types.number(type))
    const paths = newNestedPaths.map((path) => 1 + this.#nestedPaths.number(path))
    const names = newNames.map((name) => this.#names.number(name))
    const bytesAt = this.#bytes.length
    const numbersAt = this.#numbers.length
    const bigintsAt = this.#bigints.length
    this.#bytes.append(batch.bytes)
    this.#numbers.append(batch.numbers)
    append(this.#bigints, batch.bigints)
    this.#values.reserve(values.length)
    let at = 0
    for (let doc = 0; doc < docs.length; doc += 3) {
      for (const end = docs[doc + 2] as number; at < end; at += 3) {
        const code = values[at] as number
        const from = values[at + 1] as number
        const form = code & 7
        if (form === VALUE_FORM.name) this.#push(form, names[from] as number, 0)
        else {
          const own = (codes[code >>> 3] as number) + form
          if (form === VALUE_FORM.number) this.#push(own, numbersAt + from, 0)
          else if (form === VALUE_FORM.bigint || form === VALUE_FORM.unsigned) this.#push(own, bigintsAt + from, 0)
          else this.#push(own, bytesAt + from, bytesAt + (values[at + 2] as number))
        }
      }
      const nested = docs[doc + 1] as number
      this.#endDocument(seqNo, types[docs[doc] as number] as number, nested === 0 ? 0 : (paths[nested - 1] as number))
    }
  }

  range(field: FieldMapping, from: number, to: number, isAscii: boolean): void {
    const at = this.#sourceAt
    this.#push(this.#number(field) * 8 + (isAscii ? VALUE_FORM.ascii : VALUE_FORM.utf8), at + from, at + to)
  }

  name(name: string): void {
    const number = this.#names.number(name)
    if (!this.#names0.includes(number)) this.#names0.push(number)
  }

  value(field: FieldMapping, value: IndexedValue): void {
    const code = this.#number(field) * 8
    if (typeof value === 'number') {
      this.#push(code + VALUE_FORM.number, this.#numbers.length, 0)
      this.#numbers.push(value)
    } else if (typeof value === 'string') this.#text(code, value)
    else if (typeof value === 'bigint') {
      const form = value >= 2n ** 63n ? VALUE_FORM.unsigned : VALUE_FORM.bigint
      this.#push(code + form, this.#bigints.length, 0)
      this.#bigints.push(value)
    } else {
      const from = this.#bytes.length
      this.#bytes.append(value)
      this.#push(code + VALUE_FORM.bytes, from, this.#bytes.length)
    }
  }

  /** What was added since the last time, to be inverted here or, its buffers handed over, in another thread. */
  take(): DocumentBatch {
    const batch: DocumentBatch = {
      seqNos: this.#seqNos.view(),
      docs: this.#docs.view(),
      values: this.#values.view(),
      bytes: this.#bytes.view(),
      numbers: this.#numbers.view(),
      bigints: BigInt64Array.from(this.#bigints),
      newFields: this.#newFields,
      newTypes: this.#types.takeNew(),
      newNestedPaths: this.#nestedPaths.takeNew(),
      newNames: this.#names.takeNew(),
    }
    this.#newFields = []
    // The next batch is of about the same size.
    this.#seqNos = new GrowableFloat64Array()
    this.#docs = new GrowableInt32Array(batch.docs.length + 64)
    this.#values = new GrowableInt32Array(batch.values.length + 1024)
    this.#bytes = new GrowableBytes(batch.bytes.length + 4096)
    this.#numbers = new GrowableFloat64Array()
    this.#bigints = []
    return batch
  }

  #number(field: FieldMapping): number {
    const known = this.#fields.get(field)
    if (known !== undefined) return known
    const number = this.#numberOf(field)
    this.#fields.set(field, number)
    return number
  }

  #numberOf(field: SegmentField): number {
    let number = this.#paths.get(field.path)
    if (number === undefined) {
      number = this.#paths.size
      this.#paths.set(field.path, number)
      this.#newFields.push(field)
    }
    return number
  }

  #text(code: number, text: string): void {
    const { length } = text
    const from = this.#bytes.length
    if (hasLoneSurrogate(text)) {
      this.#bytes.reserve(length * 2)
      const { bytes } = this.#bytes
      this.#bytes.length += Buffer.from(bytes.buffer).write(text, from, 'utf16le')
      this.#push(code + VALUE_FORM.utf16, from, this.#bytes.length)
      return
    }
    this.#bytes.reserve(length * 3)
    const written = Buffer.from(this.#bytes.bytes.buffer).write(text, from)
    this.#bytes.length += written
    this.#push(code + (written === length ? VALUE_FORM.ascii : VALUE_FORM.utf8), from, from + written)
  }

  #push(code: number, a: number, b: number): void {
    const values = this.#values
    values.reserve(3)
    const at = values.length
    values.values[at] = code
    values.values[at + 1] = a
    values.values[at + 2] = b
    values.length = at + 3
  }

  #endDocument(seqNo: number, type: number, nestedOrdinal: number): void {
    this.#seqNos.push(seqNo)
    this.#docs.push(type)
    this.#docs.push(nestedOrdinal)
    this.#docs.push(this.#values.length)
  }
}

/** The buffers behind a batch, to be handed over with it. */
export function batchBuffers({
  seqNos,
  docs,
  values,
  bytes,
  numbers,
  bigints,
}: Omit<DocumentBatch, 'newFields'>): ArrayBuffer[] {
  return [seqNos.buffer, docs.buffer, values.buffer, bytes.buffer, numbers.buffer, bigints.buffer]
}

function hasLoneSurrogate(text: string): boolean {
  return !text.isWellFormed()
}
