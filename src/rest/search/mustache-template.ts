/** A part of a mustache template. */
export type MustachePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string; readonly escaped: boolean; readonly tag: string }
  | {
      readonly kind: 'section' | 'inverted' | 'block'
      readonly name: string
      readonly parts: readonly MustachePart[]
      readonly tag: string
    }
  /** `toJson`, `join` and `url`: what Elasticsearch adds to mustache. */
  | {
      readonly kind: 'toJson' | 'join'
      readonly name: string
      readonly parts: readonly MustachePart[]
      readonly delimiter: string
    }
  | { readonly kind: 'url'; readonly parts: readonly MustachePart[] }

/** What is wrong with a template, in mustache.java's words. */
export class MustacheError extends Error {
  /** The same in the words of 0.9.6 and later, which tell the place in another way. */
  readonly laterMessage: string

  constructor(message: string, laterMessage = message) {
    super(message)
    this.laterMessage = laterMessage
  }
}

/** Nesting from which a template is refused rather than read. */
const MAX_DEPTH = 500

/**
 * Reads a mustache template as mustache.java 0.9 does, its treatment of lines that hold but a tag included.
 *
 * @throws {MustacheError}
 * @source the language's specification, and what Elasticsearch 6.8.23 answers
 */
export function parseMustache(template: string): readonly MustachePart[] {
  return new MustacheParser(template).parse()
}

const JOIN = /^join delimiter='(.*)'$/s

class MustacheParser {
  readonly #text: string
  #at = 0
  /** From 1; 0 before anything was read. */
  #line = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): readonly MustachePart[] {
    return this.#compile(null, ['{{', '}}'], true, 0)
  }

  /** Reads up to the end of a tag, or of everything where `tag` is null. */
  #compile(tag: string | null, delimiters: readonly [string, string], atStart: boolean, depth: number): MustachePart[] {
    if (depth > MAX_DEPTH) throw new MustacheError(`sections are nested more than ${MAX_DEPTH} deep`)
    const parts: MustachePart[] = []
    let [open, close] = delimiters
    let startOfLine = atStart
    let onlyWhitespace = true
    let sawReturn = false
    // A section that begins or ends a line takes the rest of that line with it where that is blank.
    let swallowsLine = this.#line !== 0
    if (this.#line === 0) this.#line = 1
    const startLine = this.#line
    let out = ''
    const flush = (): void => {
      if (out !== '') parts.push({ kind: 'text', text: out })
      out = ''
    }
    while (this.#at < this.#text.length) {
      const c = this.#text[this.#at] as string
      if (c === '\r') {
        this.#at++
        sawReturn = true
        continue
      }
      if (c === '\n') {
        this.#at++
        this.#line++
        if (!swallowsLine || !onlyWhitespace) out += sawReturn ? '\r\n' : '\n'
        sawReturn = false
        flush()
        swallowsLine = false
        onlyWhitespace = true
        startOfLine = true
        continue
      }
      sawReturn = false
      if (!this.#text.startsWith(open, this.#at)) {
        onlyWhitespace &&= c === ' ' || c === '\t'
        out += c
        this.#at++
        continue
      }
      const from = this.#at
      const end = this.#text.indexOf(close, from + open.length)
      const isClosed = end >= 0
      const command = this.#text.slice(from + open.length, isClosed ? end : undefined).trim()
      this.#at = isClosed ? end + close.length : this.#text.length
      if (command === '') throw this.#misplaced('Empty mustache')
      const sign = command[0] as string
      const name = command.slice(1).trim()
      if ('#^$'.includes(sign)) {
        startOfLine &&= onlyWhitespace
        const line = this.#line
        const body = this.#compile(name, [open, close], startOfLine, depth + 1)
        const lines = this.#line - line
        if (!onlyWhitespace || lines === 0) flush()
        out = ''
        parts.push(sectionOf(sign, name, body, this.#text.slice(from, this.#at)))
        swallowsLine = lines !== 0
      } else if (sign === '/') {
        if (!startOfLine || !onlyWhitespace) flush()
        if (name !== tag) {
          const message = `Mismatched start/end tags: ${tag} != ${name} in query-template:${this.#line}`
          throw new MustacheError(message, `${message} @[query-template:${this.#line}]`)
        }
        return parts
      } else if (sign === '{') {
        flush()
        let inner = name
        if (close[1] !== '}') inner = name.slice(0, -1).trim()
        else if (this.#text[this.#at] === '}' && isClosed) this.#at++
        else throw this.#unclosed()
        parts.push({ kind: 'value', name: inner, escaped: false, tag: `{{{${inner}}}}` })
      } else if (sign === '&') {
        flush()
        parts.push({ kind: 'value', name, escaped: false, tag: `{{&${name}}}` })
      } else if (sign === '!') flush()
      else if (sign === '=') {
        flush()
        const given = command.slice(1, -1).trim()
        const [first, second, more] = given.split(/\s+/)
        if (first === undefined || second === undefined || more !== undefined)
          throw new MustacheError(`Invalid delimiter string: ${given}`)
        open = first
        close = second
      } else if (sign === '>' || sign === '<') {
        throw new MustacheError(`Cannot expand '${name}' because partial templates are not supported`)
      } else if (sign === '%') throw new MustacheError(`pragma [${name}] is not supported`)
      else {
        if (!isClosed) throw this.#unclosed()
        flush()
        parts.push({ kind: 'value', name: command, escaped: true, tag: `{{${command}}}` })
      }
      startOfLine = false
    }
    flush()
    if (tag !== null) {
      const message = `Failed to close '${tag}' tag`
      throw new MustacheError(`${message} at line ${startLine}`, `${message} @[query-template:${startLine}]`)
    }
    return parts
  }

  #unclosed(): MustacheError {
    return this.#misplaced('Improperly closed variable')
  }

  #misplaced(what: string): MustacheError {
    const place = `query-template:${this.#line}`
    return new MustacheError(`${what} in ${place}`, `${what} @[${place}]`)
  }
}

function sectionOf(sign: string, name: string, parts: readonly MustachePart[], tag: string): MustachePart {
  if (sign === '^') return { kind: 'inverted', name, parts, tag }
  if (sign === '$') return { kind: 'block', name, parts, tag }
  if (name === 'url') return { kind: 'url', parts }
  const delimiter = name === 'join' ? ',' : JOIN.exec(name)?.[1]
  if (delimiter !== undefined) return { kind: 'join', name: variableOf('join', parts), parts, delimiter }
  if (name === 'toJson') return { kind: 'toJson', name: variableOf('toJson', parts), parts, delimiter: '' }
  return { kind: 'section', name, parts, tag }
}

/** The one thing that a function's section is about. */
function variableOf(name: string, parts: readonly MustachePart[]): string {
  const [only] = parts
  if (only === undefined || parts.length > 1)
    throw new MustacheError(`Mustache function [${name}] must contain one and only one identifier`)
  return only.kind === 'text' ? only.text : 'tag' in only ? only.tag : ''
}
