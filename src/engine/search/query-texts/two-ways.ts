import type { SetQuery } from '../lucene/set-query.ts'
import { type Telling, ToldSetQuery } from '../lucene/told-set-query.ts'
import type { QueryContext } from '../queries/query-context.ts'

/** What a question is called by the two ways to answer it. */
export interface TwoWays {
  readonly byIndex: string
  readonly byColumn: string
}

/** What there is of a field to ask. */
interface Asked {
  readonly path: string
  readonly index: boolean
  readonly docValues: boolean
}

/** Lucene's name of its kind; undefined: that of what is asked here. */
function kindOf({ index, docValues }: Asked, isPoints: boolean): string | undefined {
  if (index && docValues) return 'IndexOrDocValuesQuery'
  return isPoints && !docValues ? 'PointRangeQuery' : undefined
}

/**
 * A query about a field as the real server tells of it, which has an index and a column to ask and takes what is cheaper.
 * What it tells of a document, it read in the column. Before Lucene 9 it names the index alone, where both are there.
 *
 * @param isPoints  whether the index is asked for a range of points
 * @param rewritten  the names once the query is rewritten, where they change
 */
export function toldTwoWays(
  query: SetQuery,
  field: Asked,
  isPoints: boolean,
  ways: () => TwoWays,
  context: QueryContext,
  rewritten?: () => TwoWays,
): ToldSetQuery {
  const { isLucene9 } = context.search
  const telling = ({ byIndex, byColumn }: TwoWays): Telling => {
    if (!field.index && isLucene9) return { whole: byColumn, explained: byColumn }
    if (!field.docValues) return { whole: byIndex, explained: byIndex }
    const both = `IndexOrDocValuesQuery(indexQuery=${byIndex}, dvQuery=${byColumn})`
    return { whole: isLucene9 ? both : byIndex, explained: byColumn }
  }
  return new ToldSetQuery(query, () => telling(ways()), {
    pointsOf: isPoints && (field.index || !isLucene9) ? field.path : undefined,
    kind: kindOf(field, isPoints),
    rewritten: rewritten === undefined ? undefined : () => telling(rewritten()),
  })
}
