import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import { type BitSet, hasBit } from './bit-set.ts'
import type { DocIterator, Scorer, TwoPhase } from './scorer.ts'

/** Documents that all cursors have. The cheapest leads; sets of bits are only asked. */
export class ConjunctionIterator implements DocIterator {
  readonly cost: number
  doc = -1
  readonly #lead: DocIterator
  readonly #others: readonly DocIterator[]
  readonly #bits: readonly BitSet[]

  /** @param isAsked  whether an iterator may be left where it is and its set of bits asked; by default none is */
  constructor(iterators: readonly DocIterator[], isAsked: (iterator: DocIterator) => boolean = () => false) {
    const [lead, ...others] = [...iterators].sort((a, b) => a.cost - b.cost) as [DocIterator, ...DocIterator[]]
    this.#lead = lead
    this.#bits = others.filter(isAsked).map((it) => it.bits as BitSet)
    this.#others = others.filter((it) => !isAsked(it))
    this.cost = lead.cost
  }

  nextDoc(): number {
    return this.#agree(this.#lead.nextDoc())
  }

  advance(target: number): number {
    return this.#agree(this.#lead.advance(target))
  }

  #agree(doc: number): number {
    const lead = this.#lead
    const others = this.#others
    const bits = this.#bits
    candidate: while (doc !== NO_MORE_DOCS) {
      for (let i = 0; i < bits.length; i++) {
        if (!hasBit(bits[i] as BitSet, doc)) {
          doc = lead.nextDoc()
          continue candidate
        }
      }
      for (let i = 0; i < others.length; i++) {
        const other = others[i] as DocIterator
        const at = other.doc < doc ? other.advance(doc) : other.doc
        if (at > doc) {
          doc = at === NO_MORE_DOCS ? NO_MORE_DOCS : lead.advance(at)
          continue candidate
        }
      }
      break
    }
    this.doc = doc
    return doc
  }
}

/** Documents that all of several queries match; the score is the sum of those that score. */
export class ConjunctionScorer implements Scorer {
  readonly cost: number
  readonly twoPhase: TwoPhase | undefined
  readonly #iterator: DocIterator
  readonly #scoring: readonly Scorer[]

  /** @param scoring  those of `required` whose scores count, in the order of their clauses */
  constructor(required: readonly Scorer[], scoring: readonly Scorer[]) {
    // A check looks where its approximation stands, so that one must move.
    const checked = new Set(required.map((scorer) => scorer.twoPhase?.approximation))
    this.#iterator = new ConjunctionIterator(
      required.map((scorer) => scorer.twoPhase?.approximation ?? scorer),
      (iterator) => iterator.bits !== undefined && !checked.has(iterator),
    )
    this.#scoring = scoring
    this.cost = this.#iterator.cost
    const checks = required.flatMap((scorer) => (scorer.twoPhase === undefined ? [] : [scorer.twoPhase]))
    this.twoPhase = checks.length === 0 ? undefined : allChecks(this.#iterator, checks)
  }

  get doc(): number {
    return this.#iterator.doc
  }

  nextDoc(): number {
    return this.#confirm(this.#iterator.nextDoc())
  }

  advance(target: number): number {
    return this.#confirm(this.#iterator.advance(target))
  }

  // score = (float) sum of scores, in double
  score(): number {
    const scoring = this.#scoring
    let sum = 0
    for (let i = 0; i < scoring.length; i++) sum += (scoring[i] as Scorer).score()
    return Math.fround(sum)
  }

  #confirm(doc: number): number {
    if (this.twoPhase !== undefined)
      while (doc !== NO_MORE_DOCS && !this.twoPhase.matches()) doc = this.#iterator.nextDoc()
    return doc
  }
}

function allChecks(approximation: DocIterator, checks: readonly TwoPhase[]): TwoPhase {
  const [only] = checks
  if (checks.length === 1 && only !== undefined) return { approximation, matches: () => only.matches() }
  return {
    approximation,
    matches() {
      for (const check of checks) if (!check.matches()) return false
      return true
    },
  }
}
