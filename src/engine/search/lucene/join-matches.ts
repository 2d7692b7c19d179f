import type { BitSet } from './bit-set.ts'
import { emptyBits, hasBit, setBit } from './bit-set.ts'
import type { ChildScoreMode } from './block-join-query.ts'
import type { JoinColumn, JoinOrdinals } from './join-ordinals.ts'

const fround = Math.fround

/** What of the documents on one side of a join counts for those on the other. */
export interface JoinRules {
  readonly scoreMode: ChildScoreMode
  /** Documents there must be for one id, at least and at most. */
  readonly min: number
  readonly max: number
}

/** Gathers the ids of documents found on one side of a join, and their scores: GlobalOrdinalsWithScoreCollector. */
export class JoinMatches {
  readonly ordinals: JoinOrdinals
  readonly #rules: JoinRules
  readonly #found: BitSet
  /** 32-bit floats; undefined: nobody asks for scores. */
  readonly #scores: Float32Array | undefined
  readonly #counts: Int32Array | undefined

  constructor(ordinals: JoinOrdinals, rules: JoinRules, isScored: boolean) {
    this.ordinals = ordinals
    this.#rules = rules
    const { size } = ordinals
    this.#found = emptyBits(size)
    if (isScored) this.#scores = new Float32Array(size)
    if (hasLimits(rules) || (isScored && rules.scoreMode === 'avg')) this.#counts = new Int32Array(size)
  }

  /** Adds documents of a segment. */
  add(column: JoinColumn, docs: Int32Array, scores: Float32Array, count: number): void {
    for (let i = 0; i < count; i++) {
      const ordinal = column.ordinal(docs[i] as number)
      if (ordinal < 0) continue
      if (this.#scores !== undefined) this.#addScore(this.#scores, ordinal, scores[i] as number)
      if (this.#counts !== undefined) this.#counts[ordinal]!++
      setBit(this.#found, ordinal)
    }
  }

  #addScore(scores: Float32Array, ordinal: number, score: number): void {
    if (!hasBit(this.#found, ordinal)) {
      scores[ordinal] = score
      return
    }
    const before = scores[ordinal] as number
    switch (this.#rules.scoreMode) {
      case 'min':
        scores[ordinal] = Math.min(before, score)
        return
      case 'max':
        scores[ordinal] = Math.max(before, score)
        return
      case 'sum':
      case 'avg':
        scores[ordinal] = before + score
        return
      case 'none':
    }
  }

  /** Whether documents with an id match. */
  has(ordinal: number): boolean {
    if (!hasBit(this.#found, ordinal)) return false
    if (this.#counts === undefined || !hasLimits(this.#rules)) return true
    const count = this.#counts[ordinal] as number
    return count >= this.#rules.min && count <= this.#rules.max
  }

  /** Score of the documents with an id that matches. */
  score(ordinal: number): number {
    if (this.#scores === undefined) return 1
    const score = this.#scores[ordinal] as number
    return this.#rules.scoreMode === 'avg' ? fround(score / (this.#counts?.[ordinal] as number)) : score
  }
}

function hasLimits({ min, max }: JoinRules): boolean {
  return min > 1 || max < 0x7fffffff
}
