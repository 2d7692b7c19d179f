import type { TokenFilter } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { RewritingFilter } from './rewriting-filter.ts'
import { WordDelimiterIterator } from './word-delimiter-iterator.ts'
import { catenates, generatesParts, type WordDelimiterOptions } from './word-delimiter-options.ts'

/**
 * Divides words at case changes, digits and punctuation, and joins the parts again as asked.
 *
 * @source Lucene, WordDelimiterFilter, with its positions: joined parts stand at the position of the last part
 */
export function wordDelimiterFilter(options: WordDelimiterOptions): TokenFilter {
  return new RewritingFilter((tokens, out) => new Division(tokens, out, options).run(), 'keyword')
}

/** Parts joined so far. */
class Joined {
  text = ''
  count = 0
  kind = 0
  start = 0
  end = 0

  clear(): void {
    this.text = ''
    this.count = 0
    this.kind = 0
  }
}

interface Part {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly increment: number
}

/** The division of one text's tokens. */
class Division {
  readonly #tokens: TokenBuffer
  readonly #out: TokenBuffer
  readonly #o: WordDelimiterOptions
  readonly #iterator: WordDelimiterIterator
  readonly #joined = new Joined()
  readonly #joinedAll = new Joined()
  #parts: Part[] = []
  /** Positions to go before the next token. */
  #increment = 0
  #first = true
  #hasOutput = false
  #hasOutputBehindOriginal = false
  #lastJoinedCount = 0
  #term = ''
  #start = 0
  #end = 0
  #exact = true

  constructor(tokens: TokenBuffer, out: TokenBuffer, options: WordDelimiterOptions) {
    this.#tokens = tokens
    this.#out = out
    this.#o = options
    this.#iterator = new WordDelimiterIterator(options)
  }

  run(): void {
    for (let i = 0; i < this.#tokens.length; i++) this.#divide(i)
  }

  #divide(i: number): void {
    const tokens = this.#tokens
    const iterator = this.#iterator
    const term = tokens.terms[i] as string
    if (this.#o.ignoreKeywords && tokens.keywords[i] === true) {
      this.#out.append(tokens, i)
      return
    }
    const increment = tokens.positionIncrements[i] as number
    this.#increment += increment
    iterator.setText(term)
    iterator.next()
    const whole = iterator.current === 0 && iterator.end === term.length
    if (whole || this.#o.isProtected(term)) {
      this.#keep(i)
      return
    }
    if (iterator.end === -1 && !this.#o.preserveOriginal) {
      // Delimiters alone leave no gap, except at the start.
      if (increment === 1 && !this.#first) this.#increment--
      return
    }
    this.#term = term
    this.#start = tokens.startOffsets[i] as number
    this.#end = tokens.endOffsets[i] as number
    // Offsets inside the token are known only while the term is the text it covers.
    this.#exact = this.#end - this.#start === term.length
    this.#hasOutput = false
    this.#hasOutputBehindOriginal = !this.#o.preserveOriginal
    this.#lastJoinedCount = 0
    if (this.#o.preserveOriginal) this.#keep(i)
    this.#parts = []
    this.#emitParts(tokens.types[i] as string)
  }

  #keep(i: number): void {
    this.#out.append(this.#tokens, i)
    this.#out.positionIncrements[this.#out.length - 1] = this.#increment
    this.#increment = 0
    this.#first = false
  }

  #emitParts(type: string): void {
    const iterator = this.#iterator
    if (iterator.end !== -1 && iterator.isSingleWord()) {
      const part = this.#part(true)
      this.#out.push(part.text, part.start, part.end, type, part.increment)
      this.#first = false
      iterator.next()
    }
    for (; iterator.end !== -1; iterator.next()) {
      const kind = iterator.kind()
      if (this.#joined.count > 0 && (this.#joined.kind & kind) === 0) {
        this.#flushJoined()
        this.#hasOutput = false
      }
      if (catenates(this.#o, kind)) {
        if (this.#joined.count === 0) this.#joined.kind = kind
        this.#join(this.#joined)
      }
      if (this.#o.catenateAll) this.#join(this.#joinedAll)
      if (generatesParts(this.#o, kind)) this.#parts.push(this.#part(false))
    }
    if (this.#joined.count > 0) this.#flushJoined()
    if (this.#joinedAll.count > this.#lastJoinedCount) this.#write(this.#joinedAll)
    this.#joinedAll.clear()
    this.#parts.sort((a, b) => a.start - b.start || b.increment - a.increment)
    for (const { text, start, end, increment } of this.#parts) {
      this.#out.push(text, start, end, type, this.#first && increment === 0 ? 1 : increment)
      this.#first = false
    }
  }

  #flushJoined(): void {
    this.#lastJoinedCount = this.#joined.count
    if (this.#joined.count !== 1 || !generatesParts(this.#o, this.#joined.kind)) this.#write(this.#joined)
    this.#joined.clear()
  }

  #join(joined: Joined): void {
    const { current, end } = this.#iterator
    if (joined.count === 0) joined.start = this.#start + current
    joined.text += this.#term.slice(current, end)
    joined.end = this.#start + end
    joined.count++
  }

  #write(joined: Joined): void {
    const start = this.#exact ? joined.start : this.#start
    const end = this.#exact ? joined.end : this.#end
    this.#parts.push({ text: joined.text, start, end, increment: this.#position(true) })
    this.#increment = 0
  }

  #part(single: boolean): Part {
    const { current, end } = this.#iterator
    const text = this.#term.slice(current, end)
    const start = this.#start + current
    const increment = this.#position(false)
    if (this.#exact) return { text, start, end: this.#start + end, increment }
    return { text, start: single && start <= this.#end ? start : this.#start, end: this.#end, increment }
  }

  #position(joined: boolean): number {
    const increment = this.#increment
    if (this.#hasOutput) {
      this.#increment = 0
      return joined ? 0 : Math.max(1, increment)
    }
    this.#hasOutput = true
    if (!this.#hasOutputBehindOriginal) {
      this.#hasOutputBehindOriginal = true
      return 0
    }
    this.#increment = 0
    return Math.max(1, increment)
  }
}
