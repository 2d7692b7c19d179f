import { Transform, type TransformCallback } from 'node:stream'
import { JsonText } from '../json-text.ts'

/** Members whose values are the user's own JSON. */
const FOREIGN: ReadonlySet<string> = new Set(['_source', 'fields', 'key', 'after_key', 'meta', 'params'])

const QUOTE = 0x22

/**
 * Puts `_type` behind every `_index` of an answer's documents, byte by byte as it comes: nothing else of it is touched, and
 * no more than a name is held.
 */
export class TypeSplicer {
  /** @param count  how many there were before: answers to several questions have one for each */
  readonly #typeOf: (index: string, count: number) => string
  #count = 0
  #depth = 0
  /** Depth of the foreign value that is passed over; 0 for none. */
  #foreignFrom = 0
  #isInText = false
  readonly #textEnd = new JsonText()
  /** Bytes of the text under way that came in earlier chunks. */
  #before: Buffer[] = []
  /** The text read last, and the member it names once a colon follows. */
  #text = ''
  #member: string | undefined
  /** Blanks before the text, as answers laid out for reading have them. */
  #blanks = ''
  #memberBlanks = ''
  /** What was added last. */
  #added = { type: '', blanks: '', bytes: Buffer.from(',"_type":""') }

  constructor(typeOf: (index: string, count: number) => string) {
    this.#typeOf = typeOf
  }

  /** Takes the next bytes. @returns what to send for them */
  push(chunk: Buffer): Buffer[] {
    const out: Buffer[] = []
    let sent = 0
    let textFrom = 0
    for (let at = 0; at < chunk.length; at++) {
      if (this.#isInText) {
        const end = this.#textEnd.endIn(chunk, at)
        if (end < 0) break
        at = end
        this.#isInText = false
        if (this.#foreignFrom > 0) continue
        const added = this.#endText(chunk, textFrom, at)
        if (added === undefined) continue
        out.push(chunk.subarray(sent, at + 1), added)
        sent = at + 1
        continue
      }
      const byte = chunk[at] as number
      switch (byte) {
        case QUOTE:
          this.#isInText = true
          if (this.#member === undefined) this.#memberBlanks = this.#blanks
          textFrom = at + 1
          break
        case 0x7b: // {
        case 0x5b: // [
          this.#depth++
          if (this.#foreignFrom === 0 && this.#member !== undefined && FOREIGN.has(this.#member)) {
            this.#foreignFrom = this.#depth
          }
          this.#member = undefined
          this.#blanks = ''
          break
        case 0x7d: // }
        case 0x5d: // ]
          if (this.#foreignFrom === this.#depth) this.#foreignFrom = 0
          this.#depth--
          break
        case 0x3a: // :
          this.#member = this.#text
          break
        case 0x2c: // ,
          this.#member = undefined
          this.#blanks = ''
          break
        default:
          if (byte <= 0x20 && this.#member === undefined && this.#foreignFrom === 0) {
            this.#blanks += String.fromCharCode(byte)
          }
      }
    }
    // Of values that are no index nothing need be kept, however long they are.
    const isKept = this.#member === undefined || this.#member === '_index'
    if (this.#isInText && this.#foreignFrom === 0 && isKept) this.#before.push(chunk.subarray(textFrom))
    out.push(sent === 0 ? chunk : chunk.subarray(sent))
    return out
  }

  /** A text is whole: a member's name, or a value; `from` and `to` are where the last of it stands. @returns what comes behind it */
  #endText(chunk: Buffer, from: number, to: number): Buffer | undefined {
    const isName = this.#member === undefined
    const isIndex = this.#member === '_index'
    this.#member = undefined
    if (!isName && !isIndex) return undefined
    const bytes = this.#before.length === 0 ? undefined : Buffer.concat([...this.#before, chunk.subarray(from, to)])
    this.#before = []
    if (isName) {
      const length = bytes?.length ?? to - from
      // Those that matter are short, and ASCII.
      this.#text = length > 16 ? '' : (bytes?.toString('latin1') ?? chunk.toString('latin1', from, to))
      return undefined
    }
    const text = bytes?.toString() ?? chunk.toString('utf8', from, to)
    const index = text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
    const type = this.#typeOf(index, this.#count++)
    const blanks = this.#memberBlanks
    // One hit is like another.
    if (type !== this.#added.type || blanks !== this.#added.blanks) {
      const json = JSON.stringify(type)
      const bytes = Buffer.from(blanks === '' ? `,"_type":${json}` : `,${blanks}"_type" : ${json}`)
      this.#added = { type, blanks, bytes }
    }
    return this.#added.bytes
  }
}

/** The same as a stream. */
export class TypeSplicingStream extends Transform {
  readonly #splicer: TypeSplicer

  constructor(splicer: TypeSplicer) {
    super()
    this.#splicer = splicer
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    // At once: every piece by itself would be a write of its own.
    done(null, Buffer.concat(this.#splicer.push(chunk)))
  }
}
