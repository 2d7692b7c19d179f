import type { PostingsCursor } from '../../../index/segment-reader.ts'
import { ConjunctionIterator } from '../conjunction-scorer.ts'
import { ConstantScorer } from '../constant-score.ts'
import { DisjunctionIterator } from '../disjunction-iterator.ts'
import type { DocIterator } from '../scorer.ts'
import { SpanHeap } from './span-heap.ts'

/** No more places in the current document. Larger than any position. */
export const NO_MORE_POSITIONS = 0x7fffffff

/**
 * Where something stands in the documents of a segment, as Lucene's Spans go through them: in which order and how often
 * decides the score, so each kind below walks exactly as its original does.
 */
export interface Spans {
  /** Documents that may have any. */
  readonly iterator: DocIterator
  /** First position; -1 before {@link next}, NO_MORE_POSITIONS after the last. */
  readonly start: number
  /** Behind the last position. */
  readonly end: number
  /** How loose it is: 0 where the words stand as they were asked for. */
  readonly width: number
  /** Begins with the document that the iterator is on. */
  reset(): void
  /** Moves to the next one; answers its start. */
  next(): number
  /** Tells of the words that the current one was found by: of several at a place the one that was met there. */
  collect(leaf: (word: Spans) => void): void
}

/** The places of one term. */
export class TermSpans implements Spans {
  readonly iterator: PostingsCursor
  readonly width = 0
  start = -1
  #positions: Int32Array = new Int32Array(0)
  #freq = 0
  #at = 0

  constructor(postings: PostingsCursor) {
    this.iterator = postings
  }

  get end(): number {
    return this.start === -1 ? -1 : this.start === NO_MORE_POSITIONS ? NO_MORE_POSITIONS : this.start + 1
  }

  reset(): void {
    this.start = -1
    this.#positions = this.iterator.positions()
    this.#freq = this.iterator.freq
    this.#at = 0
  }

  next(): number {
    this.start = this.#at < this.#freq ? (this.#positions[this.#at++] as number) : NO_MORE_POSITIONS
    return this.start
  }

  collect(leaf: (word: Spans) => void): void {
    leaf(this)
  }
}

/** Any place, so many positions wide: a gap between others. */
export class GapSpans implements Spans {
  readonly iterator: DocIterator
  readonly width: number
  start = -1

  constructor(width: number, iterator: DocIterator) {
    this.width = width
    this.iterator = iterator
  }

  get end(): number {
    return this.start + this.width
  }

  reset(): void {
    this.start = -1
  }

  next(): number {
    return ++this.start
  }

  skipTo(position: number): void {
    this.start = position
  }

  collect(): void {}
}

/** The places of any of several. */
export class OrSpans implements Spans {
  readonly iterator: DocIterator
  readonly #all: readonly Spans[]
  readonly #heap = new SpanHeap<Spans>()
  #begun = false

  constructor(all: readonly Spans[]) {
    this.#all = all
    this.iterator = new DisjunctionIterator(all.map(({ iterator }) => new ConstantScorer(iterator, 0)))
  }

  get start(): number {
    return this.#begun ? (this.#heap.top?.start ?? NO_MORE_POSITIONS) : -1
  }
  get end(): number {
    return this.#begun ? (this.#heap.top?.end ?? NO_MORE_POSITIONS) : -1
  }
  get width(): number {
    return this.#heap.top?.width ?? 0
  }

  reset(): void {
    this.#begun = false
    this.#heap.clear()
  }

  next(): number {
    if (this.#begun) {
      this.#heap.top?.next()
      this.#heap.updateTop()
      return this.start
    }
    this.#begun = true
    const { doc } = this.iterator
    for (const spans of this.#all) {
      if (spans.iterator.doc !== doc) continue
      spans.reset()
      if (spans.next() !== NO_MORE_POSITIONS) this.#heap.add(spans)
    }
    return this.start
  }

  collect(leaf: (word: Spans) => void): void {
    this.#heap.top?.collect(leaf)
  }
}

/** Spans one behind the other, at most `slop` positions between them. */
export class OrderedNearSpans implements Spans {
  readonly iterator: DocIterator
  readonly #all: readonly Spans[]
  readonly #slop: number
  #exhausted = false
  start = -1
  end = -1
  width = 0

  constructor(all: readonly Spans[], slop: number) {
    this.#all = all
    this.#slop = slop
    this.iterator = new ConjunctionIterator(all.map(({ iterator }) => iterator))
  }

  reset(): void {
    for (const spans of this.#all) spans.reset()
    this.start = -1
    this.end = -1
  }

  next(): number {
    const first = this.#all[0] as Spans
    this.#exhausted = false
    while (first.next() !== NO_MORE_POSITIONS && !this.#exhausted) {
      if (this.#stretches(first) && this.width <= this.#slop) return this.start
    }
    this.start = NO_MORE_POSITIONS
    this.end = NO_MORE_POSITIONS
    return NO_MORE_POSITIONS
  }

  /** Moves the others behind the first; false when one of them has no more. */
  #stretches(first: Spans): boolean {
    let previous = first
    let width = 0
    for (let i = 1; i < this.#all.length; i++) {
      const spans = this.#all[i] as Spans
      if (spans instanceof GapSpans) spans.skipTo(previous.end)
      else while (spans.start < previous.end) spans.next()
      if (spans.start === NO_MORE_POSITIONS) {
        this.#exhausted = true
        return false
      }
      width += spans.start - previous.end
      previous = spans
    }
    this.start = first.start
    this.end = previous.end
    this.width = width
    return true
  }

  collect(leaf: (word: Spans) => void): void {
    for (const spans of this.#all) spans.collect(leaf)
  }
}

/** Spans near each other in any order: the window around them at most `slop` positions longer than they are. */
export class UnorderedNearSpans implements Spans {
  readonly iterator: DocIterator
  readonly #all: readonly Spans[]
  readonly #slop: number
  readonly #heap = new SpanHeap<Spans>()
  #totalLength = 0
  #maxEnd = -1
  #state: 'before' | 'inside' | 'behind' = 'before'

  constructor(all: readonly Spans[], slop: number) {
    this.#all = all
    this.#slop = slop
    this.iterator = new ConjunctionIterator(all.map(({ iterator }) => iterator))
  }

  get start(): number {
    if (this.#state === 'inside') return (this.#heap.top as Spans).start
    return this.#state === 'before' ? -1 : NO_MORE_POSITIONS
  }
  get end(): number {
    if (this.#state === 'inside') return this.#maxEnd
    return this.#state === 'before' ? -1 : NO_MORE_POSITIONS
  }
  get width(): number {
    return this.#maxEnd - (this.#heap.top as Spans).start
  }

  reset(): void {
    this.#state = 'before'
    for (const spans of this.#all) spans.reset()
  }

  next(): number {
    if (this.#state === 'behind') return NO_MORE_POSITIONS
    const isFirst = this.#state === 'before'
    this.#state = 'inside'
    if (!(isFirst ? this.#begin() : this.#move())) return this.#finish()
    while (!this.#isNear()) if (!this.#move()) return this.#finish()
    return this.start
  }

  #finish(): number {
    this.#state = 'behind'
    return NO_MORE_POSITIONS
  }

  #begin(): boolean {
    this.#heap.clear()
    this.#totalLength = 0
    this.#maxEnd = -1
    for (const spans of this.#all) {
      if (spans.next() === NO_MORE_POSITIONS) return false
      this.#heap.add(spans)
      this.#maxEnd = Math.max(this.#maxEnd, spans.end)
      this.#totalLength += spans.end - spans.start
    }
    return true
  }

  #move(): boolean {
    const top = this.#heap.top as Spans
    const length = top.end - top.start
    if (top.next() === NO_MORE_POSITIONS) return false
    this.#totalLength += top.end - top.start - length
    this.#maxEnd = Math.max(this.#maxEnd, top.end)
    this.#heap.updateTop()
    return true
  }

  #isNear(): boolean {
    return this.#maxEnd - (this.#heap.top as Spans).start - this.#totalLength <= this.#slop
  }

  collect(leaf: (word: Spans) => void): void {
    for (const spans of this.#all) spans.collect(leaf)
  }
}

/** Those of some spans that a check lets through. */
export class FilteredSpans implements Spans {
  readonly iterator: DocIterator
  readonly #in: Spans
  readonly #accept: (spans: Spans) => 'yes' | 'no' | 'no more'
  start = -1

  constructor(spans: Spans, accept: (spans: Spans) => 'yes' | 'no' | 'no more') {
    this.#in = spans
    this.iterator = spans.iterator
    this.#accept = accept
  }

  get end(): number {
    return this.start === -1 ? -1 : this.start === NO_MORE_POSITIONS ? NO_MORE_POSITIONS : this.#in.end
  }
  get width(): number {
    return this.#in.width
  }

  reset(): void {
    this.#in.reset()
    this.start = -1
  }

  next(): number {
    for (;;) {
      this.start = this.#in.next()
      if (this.start === NO_MORE_POSITIONS) return this.start
      const answer = this.#accept(this.#in)
      if (answer === 'yes') return this.start
      if (answer === 'no more') {
        this.start = NO_MORE_POSITIONS
        return this.start
      }
    }
  }

  collect(leaf: (word: Spans) => void): void {
    this.#in.collect(leaf)
  }
}

/**
 * Spans that none of others is near.
 *
 * @param pre   positions before a span that have to be free
 * @param post  positions behind it
 */
export function spansWithout(include: Spans, exclude: Spans, pre: number, post: number): Spans {
  let checkedDoc = -1
  return new FilteredSpans(include, (candidate) => {
    const { doc } = include.iterator
    if (exclude.iterator.doc < doc) exclude.iterator.advance(doc)
    if (exclude.iterator.doc !== doc) return 'yes'
    if (checkedDoc !== doc) {
      checkedDoc = doc
      exclude.reset()
      exclude.next()
    }
    while (exclude.end <= candidate.start - pre) if (exclude.next() === NO_MORE_POSITIONS) return 'yes'
    return exclude.start - post >= candidate.end ? 'yes' : 'no'
  })
}

/** Large spans that have a small one inside, or small ones inside a large one. */
export class ContainmentSpans implements Spans {
  readonly iterator: DocIterator
  readonly #big: Spans
  readonly #little: Spans
  readonly #shown: 'big' | 'little'
  #state: 'before' | 'inside' | 'behind' = 'before'

  constructor(big: Spans, little: Spans, shown: 'big' | 'little') {
    this.#big = big
    this.#little = little
    this.#shown = shown
    this.iterator = new ConjunctionIterator([big.iterator, little.iterator])
  }

  get #source(): Spans {
    return this.#shown === 'big' ? this.#big : this.#little
  }
  get start(): number {
    if (this.#state === 'inside') return this.#source.start
    return this.#state === 'before' ? -1 : NO_MORE_POSITIONS
  }
  get end(): number {
    if (this.#state === 'inside') return this.#source.end
    return this.#state === 'before' ? -1 : NO_MORE_POSITIONS
  }
  get width(): number {
    return this.#source.width
  }

  reset(): void {
    this.#state = 'before'
    this.#big.reset()
    this.#little.reset()
  }

  next(): number {
    if (this.#state === 'behind') return NO_MORE_POSITIONS
    this.#state = (this.#shown === 'big' ? this.#nextBig() : this.#nextLittle()) ? 'inside' : 'behind'
    return this.start
  }

  #nextBig(): boolean {
    const big = this.#big
    const little = this.#little
    while (big.next() !== NO_MORE_POSITIONS) {
      while (little.start < big.start) if (little.next() === NO_MORE_POSITIONS) return false
      if (big.end >= little.end) return true
    }
    return false
  }

  #nextLittle(): boolean {
    const big = this.#big
    const little = this.#little
    while (little.next() !== NO_MORE_POSITIONS) {
      while (big.end < little.end) if (big.next() === NO_MORE_POSITIONS) return false
      if (big.start <= little.start) return true
    }
    return false
  }

  collect(leaf: (word: Spans) => void): void {
    this.#big.collect(leaf)
    this.#little.collect(leaf)
  }
}
