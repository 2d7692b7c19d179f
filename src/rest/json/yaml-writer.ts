import type { Dialect } from '../dialects/dialect.ts'

/** Widest line before a text is folded. */
const WIDTH = 80
const INDENT = 2
/** Longest name that stands before its value on one line. */
const LONGEST_SIMPLE_KEY = 128

/** A JSON value of which the numbers are as they were written. */
type Node =
  | { readonly kind: 'scalar'; readonly text: string; readonly isString: boolean }
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, member: Node])[] }
  | { readonly kind: 'array'; readonly items: readonly Node[] }

/**
 * JSON as YAML, laid out as the real servers' generator does: texts in double quotes and folded, names without quotes
 * where that can be, lists as far left as the name they belong to.
 *
 * @param json               valid JSON
 * @param quotedNames        which of the names that would be read as numbers, booleans or null are in quotes: none in 6.x, not all in 7.x
 */
export function jsonToYaml(json: string, quotedNames: QuotedNames): string {
  const writer = new YamlWriter(quotedNames)
  writer.document(new NodeReader(json).read())
  return writer.text
}

type QuotedNames = Dialect['namesQuotedInYaml']

class NodeReader {
  readonly #json: string
  readonly #token = /\s*([{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+)/y

  constructor(json: string) {
    this.#json = json
  }

  read(token = this.#next()): Node {
    if (token === '{') return { kind: 'object', members: this.#members() }
    if (token === '[') return { kind: 'array', items: this.#items() }
    const isString = token.startsWith('"')
    return { kind: 'scalar', text: isString ? (JSON.parse(token) as string) : token, isString }
  }

  #members(): [string, Node][] {
    const members: [string, Node][] = []
    for (let token = this.#next(); token !== '}'; token = this.#next()) {
      if (token === ',') continue
      const name = JSON.parse(token) as string
      this.#next()
      members.push([name, this.read()])
    }
    return members
  }

  #items(): Node[] {
    const items: Node[] = []
    for (let token = this.#next(); token !== ']'; token = this.#next()) {
      if (token !== ',') items.push(this.read(token))
    }
    return items
  }

  #next(): string {
    const token = this.#token.exec(this.#json)?.[1]
    if (token === undefined) throw new Error('not JSON')
    return token
  }
}

class YamlWriter {
  text = '---'
  readonly #quotesTypedNames: boolean
  readonly #quotesAllTyped: boolean
  #lineStart = 0

  constructor(quotedNames: QuotedNames) {
    this.#quotesTypedNames = quotedNames !== 'none'
    this.#quotesAllTyped = quotedNames === 'all'
  }

  document(node: Node): void {
    if (isBlock(node)) this.#block(node, 0, false)
    else this.#flow(node, INDENT)
    this.text += '\n'
  }

  /** A member's value, after its name and colon. */
  #member(node: Node, indent: number): void {
    if (!isBlock(node)) this.#flow(node, indent + INDENT)
    else this.#block(node, node.kind === 'array' ? indent : indent + INDENT, false)
  }

  /** What follows `-`, `?` or `:` at the start of a line. */
  #item(node: Node, indent: number): void {
    if (isBlock(node)) {
      this.text += ' '
      this.#block(node, indent + INDENT, true)
    } else this.#flow(node, indent + INDENT)
  }

  #block(node: Node, indent: number, isInline: boolean): void {
    const parts = node.kind === 'object' ? node.members : node.kind === 'array' ? node.items : []
    for (const [i, part] of parts.entries()) {
      if (i > 0 || !isInline) this.#newLine(indent)
      if (Array.isArray(part)) this.#named(part[0] as string, part[1] as Node, indent)
      else {
        this.text += '-'
        this.#item(part as Node, indent)
      }
    }
  }

  #named(name: string, member: Node, indent: number): void {
    const isSimple = name !== '' && name.length < LONGEST_SIMPLE_KEY && !/[\n\r\u0085\u2028\u2029]/.test(name)
    if (!isSimple) this.text += name === '' && !this.#quotesTypedNames ? '?' : '? '
    this.#name(name, indent)
    if (!isSimple) this.#newLine(indent)
    this.text += ':'
    if (isSimple) this.#member(member, indent)
    else this.#item(member, indent)
  }

  #name(name: string, indent: number): void {
    if (name === '' && !this.#quotesTypedNames) return
    const isTyped = this.#quotesTypedNames && (TYPED_NAME.test(name) || (this.#quotesAllTyped && ALSO_TYPED.test(name)))
    if (isTyped || /[\n\r]/.test(name) || !isPrintable(name)) this.#quoted(name, indent + INDENT)
    else this.text += isPlain(name) ? name : `'${name.replaceAll("'", "''")}'`
  }

  #flow(node: Node, continuation: number): void {
    this.text += ' '
    if (node.kind !== 'scalar') this.text += node.kind === 'object' ? '{}' : '[]'
    else if (node.isString) this.#quoted(node.text, continuation)
    else this.text += node.text
  }

  /** In double quotes, folded after what goes beyond {@link WIDTH}; the next line's blanks are escaped. */
  #quoted(text: string, continuation: number): void {
    this.text += '"'
    let pending = ''
    let at = 0
    for (const char of text) {
      const isWritten = !/[ !#-[\]-~]/.test(char)
      if (isWritten) {
        this.text += pending + this.#escaped(char)
        pending = ''
      }
      const width = this.text.length - this.#lineStart + pending.length - (isWritten ? 1 : 0)
      if (at > 0 && at < text.length - 1 && (char === ' ' || isWritten) && width > WIDTH) {
        this.text += `${pending}\\`
        pending = ''
        this.#newLine(continuation)
        if (text[isWritten ? at + char.length : at] === ' ') this.text += '\\'
      }
      if (!isWritten) pending += char
      at += char.length
    }
    this.text += `${pending}"`
  }

  #escaped(char: string): string {
    const short = ESCAPES[char]
    if (short !== undefined) return `\\${short}`
    const point = char.codePointAt(0) as number
    if (point > 0xffff ? this.#quotesTypedNames : isPrintable(char)) return char
    const hex = (digits: number): string => point.toString(16).padStart(digits, '0')
    return point <= 0xff ? `\\x${hex(2)}` : point <= 0xffff ? `\\u${hex(4)}` : `\\U${hex(8)}`
  }

  #newLine(indent: number): void {
    this.text += '\n'
    this.#lineStart = this.text.length
    this.text += ' '.repeat(indent)
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u00a0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
}

/** Names that a reader would take for something else than a text. */
const TYPED_NAME = /^(?:[-+.\d].*|false|False|FALSE|no|No|NO|on|On|ON|off|Off|OFF|true|True|TRUE|yes|Yes|YES)?$/s

/** Those of them that 7.x overlooks. */
const ALSO_TYPED = /^(?:~|n|N|null|Null|NULL|y|Y)$/

const isBlock = (node: Node): boolean =>
  node.kind === 'object' ? node.members.length > 0 : node.kind === 'array' && node.items.length > 0

const isPrintable = (text: string): boolean => /^[\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd]*$/.test(text)

/** Whether a name is no sign of YAML's without quotes. */
const isPlain = (name: string): boolean =>
  !/^(?:[#,[\]{}&*!|>'"%@`\s]|[-?:](?:\s|$)|---|\.\.\.)|:\s|\s#|[:\s]$/.test(name)
