import { getHeapStatistics } from 'node:v8'
import { ServiceError } from '../../errors.ts'

/** Tokens that a text may become: what fits the heap. A power of two, so that threads of nearly the same heap agree. */
const MOST_TOKENS = 2 ** Math.round(Math.log2(getHeapStatistics().heap_size_limit / 512))
/** UTF-16 units of all of them. */
const MOST_UNITS = MOST_TOKENS * 64

/** Tokens of one text at which it is cut off, and whether one was: see {@link analyzeUpTo}. */
let cutAt = MOST_TOKENS
let wasCut = false

/** Thrown where a text is cut off; whoever fills a buffer for others may go on with what is in it ({@link goOnIfCut}). */
const CUT = new Error('the tokens of a text are cut off')

/** Tokens that are made in a few hundredths of a second. */
const MANY_TOKENS = 32_768
/** Later tokens may join the last ones to fewer, as words of a synonym do. */
const MOST_JOINED = 512

/**
 * Analyzes no more of a text than tells that it becomes more than so many tokens.
 *
 * @param most       tokens that are of interest
 * @param goOn       called before more than some ten thousand are made
 * @returns as `analyze`: all tokens, or the first ones, which are more than `most`
 * @throws {ServiceError} circuit_breaking_exception where they are too many for the heap; and what `goOn` throws
 */
export function analyzeUpTo(most: number, analyze: () => TokenBuffer, goOn: () => void): TokenBuffer {
  for (let tokens = Math.min(2 * (most + MOST_JOINED), MANY_TOKENS); tokens < MOST_TOKENS; tokens *= 8) {
    const found = cutOff(tokens, analyze)
    if (found !== undefined && (!wasCut || found.length > most + MOST_JOINED)) return found
    goOn()
  }
  return analyze()
}

/** @returns undefined where a filter can do nothing with less than all tokens */
function cutOff(tokens: number, analyze: () => TokenBuffer): TokenBuffer | undefined {
  cutAt = tokens
  wasCut = false
  try {
    return analyze()
  } catch (error) {
    if (error !== CUT) throw error
    return undefined
  } finally {
    cutAt = MOST_TOKENS
  }
}

/** To be told what was thrown while a buffer was filled. @throws it, unless the text is only cut off */
export function goOnIfCut(error: unknown): void {
  if (error !== CUT) throw error
}

/**
 * The tokens of one text, column by column, reused from text to text.
 *
 * Tokenizers append with {@link TokenBuffer.push}; filters rewrite columns in place or fill a second buffer.
 * Columns beyond `length` hold left-overs. Offsets are UTF-16 code units of the original text, before char filters.
 */
export class TokenBuffer {
  length = 0
  #units = 0
  readonly terms: string[] = []
  readonly startOffsets: number[] = []
  /** Exclusive. */
  readonly endOffsets: number[] = []
  /** Distance from the previous token's position; 0 stacks on it (a synonym, a compound's part). */
  readonly positionIncrements: number[] = []
  readonly positionLengths: number[] = []
  /** Lucene's token type: `<ALPHANUM>`, `word`, `SYNONYM`, `EOJ`, … */
  readonly types: string[] = []
  /** True where `keyword_marker` protects the term from stemming. */
  readonly keywords: boolean[] = []
  /** Further attributes for `_analyze` with `explain`, by attribute class then name; undefined for most tokenizers. */
  readonly attributes: (TokenAttributes | undefined)[] = []
  /** Position increment left over after the last token (trailing stop words); added between values of one field. */
  trailingPositionIncrement = 0
  /** Offset at which the text ended; the next value of the same field starts behind it. */
  finalOffset = 0

  clear(): void {
    this.length = 0
    this.#units = 0
    this.trailingPositionIncrement = 0
    this.finalOffset = 0
  }

  /** Appends a token. @throws {ServiceError} circuit_breaking_exception when the text has become too many, which could end the process */
  push(term: string, startOffset: number, endOffset: number, type: string, positionIncrement = 1): void {
    const i = this.length
    this.#units += term.length
    if (i >= cutAt || this.#units > MOST_UNITS) throw tooManyTokens(this.#units)
    this.length = i + 1
    this.terms[i] = term
    this.startOffsets[i] = startOffset
    this.endOffsets[i] = endOffset
    this.positionIncrements[i] = positionIncrement
    this.positionLengths[i] = 1
    this.types[i] = type
    this.keywords[i] = false
    this.attributes[i] = undefined
  }

  /** Appends a token of another buffer with all it carries. @throws {ServiceError} as {@link push} */
  append(from: TokenBuffer, index: number): void {
    if (this.length >= cutAt) throw tooManyTokens(0)
    this.#put(this.length++, from, index)
  }

  /** Moves a token within the buffer; `to` is not behind `from`. */
  move(from: number, to: number): void {
    if (from !== to) this.#put(to, this, from)
  }

  /** Takes over another buffer's tokens; what stands behind the last token stays as it is. */
  replaceTokens(from: TokenBuffer): void {
    for (let i = 0; i < from.length; i++) this.#put(i, from, i)
    this.length = from.length
  }

  #put(at: number, from: TokenBuffer, index: number): void {
    this.terms[at] = from.terms[index] as string
    this.startOffsets[at] = from.startOffsets[index] as number
    this.endOffsets[at] = from.endOffsets[index] as number
    this.positionIncrements[at] = from.positionIncrements[index] as number
    this.positionLengths[at] = from.positionLengths[index] as number
    this.types[at] = from.types[index] as string
    this.keywords[at] = from.keywords[index] as boolean
    this.attributes[at] = from.attributes[index]
  }
}

function tooManyTokens(units: number): Error {
  if (cutAt < MOST_TOKENS && units <= MOST_UNITS) {
    wasCut = true
    return CUT
  }
  return new ServiceError(
    'circuit_breaking_exception',
    `[parent] Data too large, a text became more than [${MOST_TOKENS}] tokens or [${MOST_UNITS}] characters of them`,
  )
}

/** Attribute values by attribute class and name, as `_analyze` with `explain` shows them. */
export type TokenAttributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>
