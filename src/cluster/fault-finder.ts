import { JsonText } from './json-text.ts'

/** Members whose values are faults, or lists of them. */
const FAULTS: ReadonlySet<string> = new Set(['error', 'failures'])

/** Members whose values hold no fault: what was asked for, documents among it. */
const RESULTS: ReadonlySet<string> = new Set([
  '_source',
  'aggregations',
  'doc',
  'explanation',
  'fields',
  'get',
  'highlight',
  'hits',
  'profile',
  'suggest',
])

/** What tells a bulk without faults. */
const ERRORS = 'errors'

/** Lengths and first bytes of names that matter: of others nothing need be read. */
const FORMS: ReadonlySet<number> = new Set(
  [...FAULTS, ...RESULTS, ERRORS].map((name) => formOf(name.length, name.charCodeAt(0))),
)

function formOf(length: number, first: number | undefined): number {
  return length * 256 + (first ?? 0)
}

const QUOTE = 0x22

/** A fault as an answer has it. */
export interface FoundFault {
  readonly member: string
  /** Its JSON. */
  readonly json: Buffer
  /** Objects and lists around it. */
  readonly depth: number
}

/**
 * Finds faults in an answer in JSON, byte by byte as it comes: nothing else of it is held or looked at. A search's stand before its
 * hits, and a bulk says before its items that there are none: the rest passes untouched.
 */
export class FaultFinder {
  readonly #textEnd = new JsonText()
  #depth = 0
  /** Depth of the value that is passed over; 0 for none. */
  #resultsFrom = 0
  /** Depth of the fault that is held; 0 for none. */
  #faultFrom = 0
  #faultMember = ''
  #held: Buffer[] = []
  #isInText = false
  #isDone = false
  /** Bytes of the text under way that came in earlier chunks. */
  #before: Buffer[] = []
  /** The text read last, and the member it names once a colon follows. */
  #text = ''
  #member: string | undefined

  /** Takes the next bytes. @returns what is to be sent for them: as it came, or a fault in its place */
  push(chunk: Buffer): (Buffer | FoundFault)[] {
    if (this.#isDone) return [chunk]
    const out: (Buffer | FoundFault)[] = []
    let sent = 0
    let textFrom = 0
    for (let at = 0; at < chunk.length; at++) {
      if (this.#isInText) {
        const end = this.#textEnd.endIn(chunk, at)
        if (end < 0) break
        at = end
        this.#isInText = false
        if (this.#before.length > 0) this.#endCutText(chunk.subarray(textFrom, at))
        else if (this.#mayName) this.#text = nameIn(chunk, textFrom, at)
        continue
      }
      switch (chunk[at]) {
        case QUOTE:
          this.#isInText = true
          textFrom = at + 1
          break
        case 0x7b: // {
        case 0x5b: // [
          this.#open()
          if (this.#isDone) return [...out, chunk.subarray(sent)]
          if (this.#faultFrom === this.#depth) {
            out.push(chunk.subarray(sent, at))
            sent = at
          }
          break
        case 0x7d: // }
        case 0x5d: // ]
          if (this.#resultsFrom === this.#depth) this.#resultsFrom = 0
          if (this.#faultFrom === this.#depth) {
            this.#held.push(chunk.subarray(sent, at + 1))
            out.push({ member: this.#faultMember, json: Buffer.concat(this.#held), depth: this.#depth - 1 })
            this.#held = []
            this.#faultFrom = 0
            sent = at + 1
          }
          this.#depth--
          break
        case 0x3a: // :
          this.#member = this.#text
          break
        case 0x2c: // ,
          this.#member = undefined
          break
        case 0x66: // f
          this.#isDone = this.#depth === 1 && this.#member === ERRORS
          if (this.#isDone) return [...out, chunk.subarray(sent)]
      }
    }
    if (this.#isInText && this.#mayName) this.#before.push(chunk.subarray(textFrom))
    const rest = sent === 0 ? chunk : chunk.subarray(sent)
    if (this.#faultFrom > 0) this.#held.push(rest)
    else out.push(rest)
    return out
  }

  /** Whether a text may be the name of a member that matters. */
  get #mayName(): boolean {
    return this.#resultsFrom === 0 && this.#faultFrom === 0 && this.#member === undefined
  }

  #open(): void {
    this.#depth++
    const member = this.#member
    this.#member = undefined
    if (this.#resultsFrom > 0 || this.#faultFrom > 0 || member === undefined) return
    if (FAULTS.has(member)) {
      this.#faultFrom = this.#depth
      this.#faultMember = member
    } else if (RESULTS.has(member)) {
      this.#resultsFrom = this.#depth
      this.#isDone = this.#depth === 2 && member === 'hits'
    }
  }

  /** Ends a text that began in an earlier chunk. */
  #endCutText(last: Buffer): void {
    const text = Buffer.concat([...this.#before, last])
    this.#before = []
    this.#text = nameIn(text, 0, text.length)
  }
}

/** A name that matters; '' for any other text. */
function nameIn(bytes: Buffer, from: number, to: number): string {
  return FORMS.has(formOf(to - from, bytes[from])) ? bytes.toString('latin1', from, to) : ''
}
