/** Why a document has its score (or does not match): a tree as Lucene builds it. */
export interface Explanation {
  /** 0 when it does not match. */
  readonly value: number
  /** True where Lucene 8+ keeps an integer: shown without `.0`. */
  readonly integer?: boolean
  /** True where Lucene 8+ keeps a double. */
  readonly double?: boolean
  readonly match: boolean
  readonly description: string
  readonly details: readonly Explanation[]
}

/** An explanation of a match. */
export function explainMatch(value: number, description: string, details: readonly Explanation[] = []): Explanation {
  return { value, match: true, description, details }
}

/** An explanation of a match with a whole number, as Lucene 8+ shows counts. */
export function explainCount(value: number, description: string): Explanation {
  return { value, integer: true, match: true, description, details: [] }
}

/** An explanation of a match with a double, as Lucene 8+ shows what is not a score yet. */
export function explainDouble(value: number, description: string, details: readonly Explanation[] = []): Explanation {
  return { value, double: true, match: true, description, details }
}

/** An explanation of why there is no match. */
export function explainNoMatch(description: string, details: readonly Explanation[] = []): Explanation {
  return { value: 0, match: false, description, details }
}
