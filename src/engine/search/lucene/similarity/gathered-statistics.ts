import type { CollectionStatistics } from './collection-statistics.ts'
import type { TermStatistics } from './term-similarity.ts'

/** What stands in for an index' own statistics where its terms are scored. */
export interface StatisticsInstead {
  field(own: CollectionStatistics): CollectionStatistics
  term(field: string, own: TermStatistics): TermStatistics
}

/**
 * Statistics over several indices (`dfs_query_then_fetch`): what the weights of a query ask of each of them is noted
 * first, and the sums are what all of them score by.
 */
export class GatheredStatistics implements StatisticsInstead {
  readonly #fields = new Map<string, CollectionStatistics>()
  readonly #terms = new Map<string, TermStatistics>()

  /** Notes what `weigh` asks of an index. */
  gather(weigh: (noting: StatisticsInstead) => void): void {
    const fields = new Map<string, CollectionStatistics>()
    const terms = new Map<string, TermStatistics>()
    weigh({
      field: (own) => noted(fields, own.field, own),
      term: (field, own) => noted(terms, termKey(field, own), own),
    })
    for (const [name, found] of fields) this.#fields.set(name, sumOfFields(this.#fields.get(name), found))
    for (const [key, found] of terms) this.#terms.set(key, sumOfTerms(this.#terms.get(key), found))
  }

  field(own: CollectionStatistics): CollectionStatistics {
    return this.#fields.get(own.field) ?? own
  }

  term(field: string, own: TermStatistics): TermStatistics {
    return this.#terms.get(termKey(field, own)) ?? own
  }
}

const termKey = (field: string, { term }: TermStatistics): string => `${field}\u0000${term}`

function noted<T>(known: Map<string, T>, key: string, own: T): T {
  known.set(key, own)
  return own
}

function sumOfFields(a: CollectionStatistics | undefined, b: CollectionStatistics): CollectionStatistics {
  if (a === undefined) return b
  return {
    field: b.field,
    maxDoc: a.maxDoc + b.maxDoc,
    docCount: a.docCount + b.docCount,
    sumTotalTermFreq: sumOrUnknown(a.sumTotalTermFreq, b.sumTotalTermFreq),
    sumDocFreq: a.sumDocFreq + b.sumDocFreq,
  }
}

function sumOfTerms(a: TermStatistics | undefined, b: TermStatistics): TermStatistics {
  if (a === undefined) return b
  const totalTermFreq = sumOrUnknown(a.totalTermFreq, b.totalTermFreq)
  return { term: b.term, docFreq: a.docFreq + b.docFreq, totalTermFreq }
}

const sumOrUnknown = (a: number, b: number): number => (a < 0 || b < 0 ? -1 : a + b)
