import type { ServiceError } from '../../../errors.ts'
import { illegalInQueryPhase } from '../../search/query-phase.ts'
import type { SearchScript } from '../../search/script/search-script.ts'

/** How surprising it is that so many of a set's documents hold a term. */
export type SignificanceHeuristic = SignificanceFormula | { readonly kind: 'script'; readonly script: SearchScript }

/** A heuristic that needs no script. */
export type SignificanceFormula =
  | { readonly kind: 'jlh' | 'percentage' }
  | {
      readonly kind: 'mutual_information' | 'chi_square' | 'gnd'
      readonly backgroundIsSuperset: boolean
      readonly includeNegatives: boolean
    }

/** Documents of the set and of everything, with the term and in all. */
export interface TermFrequencies {
  readonly subsetFreq: number
  readonly subsetSize: number
  readonly supersetFreq: number
  readonly supersetSize: number
}

/**
 * Score of a term; not above 0: insignificant.
 *
 * @source Manning, Raghavan, Schütze, «Introduction to Information Retrieval», 13.5; Cilibrasi and Vitányi, «The Google
 * Similarity Distance»; Elasticsearch's JLH
 */
export function significance(heuristic: SignificanceFormula, frequencies: TermFrequencies): number {
  const { subsetFreq, subsetSize, supersetFreq, supersetSize } = frequencies
  switch (heuristic.kind) {
    case 'jlh': {
      if (subsetSize === 0 || supersetSize === 0) return 0
      const inside = subsetFreq / subsetSize
      // A term the background does not know counts as seen once.
      const around = Math.max(1, supersetFreq) / supersetSize
      const change = inside - around
      return change <= 0 ? 0 : change * (inside / around)
    }
    case 'percentage':
      return supersetFreq === 0 ? 0 : subsetFreq / supersetFreq
    case 'mutual_information': {
      const { n00, n01, n10, n11, n0, n1, outside, inside, n } = contingency(
        frequencies,
        heuristic.backgroundIsSuperset,
      )
      const score =
        (informationOf(n00, n0, outside, n) +
          informationOf(n01, n0, inside, n) +
          informationOf(n10, n1, outside, n) +
          informationOf(n11, n1, inside, n)) /
        Math.log(2)
      if (Number.isNaN(score)) return -Infinity
      return !heuristic.includeNegatives && n11 / inside < n10 / outside ? -Infinity : score
    }
    case 'chi_square': {
      const { n00, n01, n10, n11, n0, n1, outside, inside, n } = contingency(
        frequencies,
        heuristic.backgroundIsSuperset,
      )
      if (!heuristic.includeNegatives && n11 / inside < n10 / outside) return -Infinity
      return (n * (n11 * n00 - n01 * n10) ** 2) / (inside * n1 * n0 * outside)
    }
    case 'gnd': {
      const { n1: fx, inside: fy, n11: fxy, n } = contingency(frequencies, heuristic.backgroundIsSuperset)
      if (fxy === 0) return 0
      if (fx === fy && fx === fxy) return 1
      const distance =
        (Math.max(Math.log(fx), Math.log(fy)) - Math.log(fxy)) / (Math.log(n) - Math.min(Math.log(fx), Math.log(fy)))
      return Math.exp(-distance)
    }
  }
}

/**
 * First digit: the document holds the term; second: it is in the set.
 *
 * @throws {ServiceError} illegal_argument_exception for a superset that does not hold the set
 */
function contingency(
  { subsetFreq, subsetSize, supersetFreq, supersetSize }: TermFrequencies,
  isSuperset: boolean,
): {
  readonly n00: number
  readonly n01: number
  readonly n10: number
  readonly n11: number
  readonly n0: number
  readonly n1: number
  readonly outside: number
  readonly inside: number
  readonly n: number
} {
  if (isSuperset) {
    if (subsetFreq > supersetFreq) throw notIncluded('subsetFreq > supersetFreq')
    if (subsetSize > supersetSize) throw notIncluded('subsetSize > supersetSize')
    if (supersetFreq - subsetFreq > supersetSize - subsetSize)
      throw notIncluded('supersetFreq - subsetFreq > supersetSize - subsetSize')
  }
  const n01 = subsetSize - subsetFreq
  const n11 = subsetFreq
  const n00 = supersetSize - supersetFreq - (isSuperset ? n01 : 0)
  const n10 = supersetFreq - (isSuperset ? n11 : 0)
  return {
    n00,
    n01,
    n10,
    n11,
    n0: n00 + n01,
    n1: n10 + n11,
    outside: n00 + n10,
    inside: n01 + n11,
    n: n00 + n01 + n10 + n11,
  }
}

function notIncluded(what: string): ServiceError {
  const advice =
    'does your background filter not include all documents in the bucket? If so and it is intentional, set "background_is_superset": false'
  return illegalInQueryPhase(`${what}, ${advice}`)
}

function informationOf(both: number, row: number, column: number, all: number): number {
  const numerator = Math.abs(all * both)
  const factor = both / all
  if (numerator < 1e-7 && factor < 1e-7) return 0
  return factor * Math.log(numerator / Math.abs(row * column))
}
