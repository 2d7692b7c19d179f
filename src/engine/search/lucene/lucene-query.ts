import type { SearchContext } from './search-context.ts'
import type { Weight } from './weight.ts'

/**
 * A query in Lucene's terms: what a {@link "../queries/query.ts" Query} becomes once fields, analyzers and formats are known.
 * A value; two with the same {@link key} find and score alike.
 */
export abstract class LuceneQuery {
  /** Lucene's toString, which explanations and messages quote. `field` is left out of the text where it is the default one. */
  abstract toString(): string

  /** What tells this query from others: kind and all parameters. */
  get key(): string {
    return `${this.constructor.name}:${this.toString()}`
  }

  /** What a profile calls its kind: Lucene's name, or another query, whose kind it is. */
  get profiledAs(): string | LuceneQuery {
    return this
  }

  /** One step towards queries that can be weighed; itself when there is nothing to do. */
  rewrite(_context: SearchContext): LuceneQuery {
    return this
  }

  /**
   * Gathers statistics.
   *
   * @param boost  product of the boosts around it, a 32-bit float
   */
  abstract createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight

  /** Calls back for this query and those inside it that make a document match (not what it must not match). */
  visit(visitor: (query: LuceneQuery) => void): void {
    visitor(this)
  }
}

/** A query's weight, as {@link LuceneQuery.createWeight} makes it; measured where the search is profiled. */
export function weigh(query: LuceneQuery, context: SearchContext, boost: number, needsScores: boolean): Weight {
  const { profiler } = context
  if (profiler === undefined) return query.createWeight(context, boost, needsScores)
  return profiler.weigh(query, () => query.createWeight(context, boost, needsScores))
}

/** Rewrites until nothing changes, as IndexSearcher.rewrite does. */
export function rewriteFully(query: LuceneQuery, context: SearchContext): LuceneQuery {
  for (let current = query; ; ) {
    const next = current.rewrite(context)
    if (next === current) return current
    current = next
  }
}
