import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../../errors.ts'
import type { LeafNode, MappingNode, ObjectNode } from './mapping-tree.ts'
import type { IndexedValue } from './parsed-document.ts'
import { scalarText } from './types/common-parameters.ts'
import type { ValueSink } from './value-sink.ts'

/** Objects in one another that are read; deeper documents are left to the parser. */
const MAX_DEPTH = 16
/** Bytes of a text above which its terms may be too long: left to those who check them. */
const MAX_TEXT_BYTES = 5_000
/** Digits a double holds for certain. */
const MAX_DIGITS = 15

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const MINUS = 0x2d

/** How a field's values are read. */
const TEXT = 0
const KEYWORD = 1
const OTHER = 2

/** A field, with what is asked of it for each value. */
interface ScannedLeaf {
  readonly node: LeafNode
  readonly reads: typeof TEXT | typeof KEYWORD | typeof OTHER
  /** UTF-16 units; keywords only. */
  readonly ignoreAbove: number
  readonly names: readonly string[]
  readonly multiFields: readonly ScannedLeaf[]
  /** An explicit null is as good as absent, for its multi-fields too. */
  readonly passesNull: boolean
}

/** A member of an object: a field or an object; neither: a name that the scanner leaves to the parser. */
interface Member {
  readonly key: Uint8Array
  readonly leaf: ScannedLeaf | undefined
  readonly object: ScannedObject | undefined
  /** Number of the object that named it last: naming it twice is a fault. */
  seenIn: number
}

interface ScannedObject {
  readonly members: readonly Member[]
  /** Where there are more than {@link FEW_MEMBERS}, once one was not where it was expected. */
  byKey?: ReadonlyMap<string, number>
}

/** So many are looked through for a key that comes out of order. */
const FEW_MEMBERS = 64

/** What became of a string. */
interface ScannedString {
  /** Behind its closing quote. */
  end: number
  isAscii: boolean
  hasEscapes: boolean
}

/**
 * Reads documents of one mapping without making objects of them: members are known by their bytes, and texts stay where
 * they stand. Anything out of the ordinary is left to the plain way, `JSON.parse` and {@link "parse-document.ts"}:
 * unknown and repeated names, arrays in arrays, nested objects, copies, numbers of many digits, malformed values.
 *
 * (Measured on movies: 1.6 µs a document instead of 8.)
 */
export class SourceScanner {
  readonly #root: ScannedObject | undefined
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #objects = 0
  #isAscii = true
  #sink: ValueSink | undefined
  readonly #string: ScannedString = { end: 0, isAscii: true, hasEscapes: false }

  constructor(root: ObjectNode) {
    this.#root = root.enabled ? scannedObject(root) : undefined
  }

  /** Gives the values of a document to a sink. @returns false: parse it, and forget what the sink got */
  scan(source: Buffer, sink: ValueSink): boolean {
    if (this.#root === undefined) return false
    this.#bytes = source
    this.#sink = sink
    this.#isAscii = true
    this.#at = 0
    try {
      this.#blanks()
      if (source[this.#at] !== OPEN_BRACE || !this.#object(this.#root, 0)) return false
      this.#blanks()
      return this.#at === source.length && (this.#isAscii || isUtf8(source))
    } catch (error) {
      // A value that its field refuses: the parser words that.
      if (error instanceof ServiceError || error instanceof SyntaxError) return false
      throw error
    } finally {
      this.#sink = undefined
    }
  }

  /** Reads an object from its opening brace to behind its closing one. */
  #object(object: ScannedObject, depth: number): boolean {
    if (depth > MAX_DEPTH) return false
    const bytes = this.#bytes
    const { members } = object
    const number = ++this.#objects
    let guess = 0
    this.#at++
    this.#blanks()
    if (bytes[this.#at] === CLOSE_BRACE) {
      this.#at++
      return true
    }
    for (;;) {
      if (bytes[this.#at] !== QUOTE) return false
      const from = this.#at + 1
      let index = guess
      let member = members[index]
      if (member === undefined || !this.#isKey(member.key, from)) {
        index = this.#indexOf(object, from)
        member = members[index]
        if (member === undefined) return false
      }
      guess = index + 1
      if (member.seenIn === number) return false
      member.seenIn = number
      this.#at = from + member.key.length + 1
      this.#blanks()
      if (bytes[this.#at] !== COLON) return false
      this.#at++
      this.#blanks()
      if (!this.#member(member, depth)) return false
      this.#blanks()
      const byte = bytes[this.#at++]
      if (byte === CLOSE_BRACE) return true
      if (byte !== COMMA) return false
      this.#blanks()
    }
  }

  /** The member whose key stands at a place; -1: none. */
  #indexOf(object: ScannedObject, from: number): number {
    const { members } = object
    if (members.length <= FEW_MEMBERS) return members.findIndex(({ key }) => this.#isKey(key, from))
    object.byKey ??= new Map(members.map(({ key }, index) => [Buffer.from(key).toString('latin1'), index]))
    return object.byKey.get(this.#bytes.toString('latin1', from, this.#bytes.indexOf(QUOTE, from))) ?? -1
  }

  /** Whether a key stands at a place, its closing quote behind it. */
  #isKey(key: Uint8Array, from: number): boolean {
    const bytes = this.#bytes
    for (let i = 0; i < key.length; i++) if (bytes[from + i] !== key[i]) return false
    return bytes[from + key.length] === QUOTE
  }

  #member({ leaf, object }: Member, depth: number): boolean {
    if (leaf === undefined && object === undefined) return false
    if (this.#bytes[this.#at] !== OPEN_BRACKET) return this.#value(leaf, object, depth)
    this.#at++
    this.#blanks()
    if (this.#bytes[this.#at] === CLOSE_BRACKET) {
      this.#at++
      return true
    }
    for (;;) {
      if (!this.#value(leaf, object, depth)) return false
      this.#blanks()
      const byte = this.#bytes[this.#at++]
      if (byte === CLOSE_BRACKET) return true
      if (byte !== COMMA) return false
      this.#blanks()
    }
  }

  #value(leaf: ScannedLeaf | undefined, object: ScannedObject | undefined, depth: number): boolean {
    const byte = this.#bytes[this.#at] as number
    if (leaf === undefined) {
      if (byte === OPEN_BRACE) return this.#object(object as ScannedObject, depth + 1)
      return byte === 0x6e && this.#literal('null')
    }
    if (byte === QUOTE) return this.#text(leaf)
    if (byte === MINUS || (byte >= 0x30 && byte <= 0x39)) return this.#number(leaf)
    if (byte === 0x6e) return this.#literal('null') && leaf.passesNull
    if (byte === 0x74) return this.#literal('true') && this.#give(leaf, true)
    return byte === 0x66 && this.#literal('false') && this.#give(leaf, false)
  }

  #text(leaf: ScannedLeaf): boolean {
    const from = this.#at + 1
    const string = this.#string
    if (!this.#readString(from)) return false
    const { end, isAscii, hasEscapes } = string
    this.#at = end
    if (!isAscii) this.#isAscii = false
    if (end - from > MAX_TEXT_BYTES) return false
    if (hasEscapes) return this.#give(leaf, JSON.parse(this.#bytes.toString('utf8', from - 1, end)))
    return this.#giveRange(leaf, from, end - 1, isAscii)
  }

  /** Reads a string from behind its opening quote. */
  #readString(from: number): boolean {
    const bytes = this.#bytes
    const { length } = bytes
    let all = 0
    let hasEscapes = false
    for (let at = from; at < length; at++) {
      const byte = bytes[at] as number
      if (byte === QUOTE) {
        const string = this.#string
        string.end = at + 1
        string.isAscii = all < 0x80
        string.hasEscapes = hasEscapes
        return true
      }
      if (byte < 0x20) return false
      all |= byte
      if (byte === BACKSLASH) {
        hasEscapes = true
        at++
      }
    }
    return false
  }

  #number(leaf: ScannedLeaf): boolean {
    const bytes = this.#bytes
    const from = this.#at
    let at = bytes[from] === MINUS ? from + 1 : from
    const first = at
    let value = 0
    let byte = bytes[at] as number
    for (; byte >= 0x30 && byte <= 0x39; byte = bytes[++at] as number) value = value * 10 + byte - 0x30
    const digits = at - first
    // Zeros before other digits, a negative zero and exponents are for the parser.
    if (digits === 0 || digits > MAX_DIGITS || (bytes[first] === 0x30 && (digits > 1 || first > from))) return false
    if (byte === 0x2e) {
      const fraction = at + 1
      do byte = bytes[++at] as number
      while (byte >= 0x30 && byte <= 0x39)
      if (at === fraction || at - fraction + digits > MAX_DIGITS) return false
      value = Number(this.#bytes.toString('latin1', from, at))
    } else if (first > from) value = -value
    if (byte === 0x65 || byte === 0x45) return false
    this.#at = at
    return this.#give(leaf, value)
  }

  #literal(word: 'null' | 'true' | 'false'): boolean {
    for (let i = 0; i < word.length; i++) if (this.#bytes[this.#at + i] !== word.charCodeAt(i)) return false
    this.#at += word.length
    return true
  }

  /** A value goes to a field, then to its multi-fields. */
  #give(leaf: ScannedLeaf, json: string | number | boolean): boolean {
    const { node } = leaf
    // Its digits may matter.
    if (typeof json === 'number' && json < node.readsDigitsBelow) return false
    const value = node.parse(json)
    if (value !== undefined) {
      if (typeof value === 'string' && value.length > MAX_TEXT_BYTES) return false
      this.#giveValue(leaf, value)
    }
    for (const field of leaf.multiFields) if (!this.#give(field, json)) return false
    return true
  }

  #giveValue({ node, names }: ScannedLeaf, value: IndexedValue): void {
    const sink = this.#sink as ValueSink
    sink.value(node.field, value)
    for (const name of names) sink.name(name)
  }

  #giveRange(leaf: ScannedLeaf, from: number, to: number, isAscii: boolean): boolean {
    const { reads, node, names, multiFields } = leaf
    if (reads === OTHER) return this.#give(leaf, this.#decode(from, to, isAscii))
    if (reads === TEXT || this.#isShort(from, to, isAscii, leaf.ignoreAbove)) {
      const sink = this.#sink as ValueSink
      sink.range(node.field, from, to, isAscii)
      for (const name of names) sink.name(name)
    }
    for (const field of multiFields) if (!this.#giveRange(field, from, to, isAscii)) return false
    return true
  }

  /** Whether a text has at most so many UTF-16 units. */
  #isShort(from: number, to: number, isAscii: boolean, units: number): boolean {
    return to - from <= units || (!isAscii && this.#decode(from, to, false).length <= units)
  }

  #decode(from: number, to: number, isAscii: boolean): string {
    return this.#bytes.toString(isAscii ? 'latin1' : 'utf8', from, to)
  }

  #blanks(): void {
    const bytes = this.#bytes
    let byte = bytes[this.#at]
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++this.#at]
  }
}

function scannedObject(node: ObjectNode): ScannedObject {
  const members: Member[] = []
  for (const [name, child] of node.children) members.push(scannedMember(name, child))
  return { members }
}

function scannedMember(name: string, node: MappingNode): Member {
  const key = Buffer.from(JSON.stringify(name).slice(1, -1))
  const none = { key, leaf: undefined, object: undefined, seenIn: 0 }
  switch (node.kind) {
    case 'alias':
      return none
    case 'object':
      return node.enabled && !node.isNested ? { ...none, object: scannedObject(node) } : none
    case 'leaf': {
      const leaf = scannedLeaf(node)
      return leaf === undefined ? none : { ...none, leaf }
    }
  }
}

/** Undefined for a field that reads arrays whole, hands its values on, or reads them with their document. */
function scannedLeaf(node: LeafNode): ScannedLeaf | undefined {
  if (node.parseAll !== undefined || node.complete !== undefined || node.join !== undefined || node.copyTo.length > 0)
    return undefined
  if (node.field.derived !== undefined) return undefined
  const multiFields: ScannedLeaf[] = []
  for (const child of node.multiFields) {
    const field = scannedLeaf(child)
    if (field === undefined) return undefined
    multiFields.push(field)
  }
  const { field } = node
  const isKeyword = field.kind === 'keyword' && node.type === 'keyword' && field.normalizer === undefined
  return {
    node,
    reads: field.kind === 'text' && node.parse === scalarText ? TEXT : isKeyword ? KEYWORD : OTHER,
    ignoreAbove: field.kind === 'keyword' ? field.ignoreAbove : 0,
    names: node.fieldNames ?? [],
    multiFields,
    passesNull:
      node.nullValue === undefined &&
      !node.refusesNull &&
      !node.definition.parameters.has('null_value') &&
      multiFields.every(({ passesNull }) => passesNull),
  }
}
