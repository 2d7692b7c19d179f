import type { SearchContext } from '../lucene/search-context.ts'

/** The first and the last of a field's points in an index. */
export interface PointEnds {
  readonly least: number | bigint
  readonly most: number | bigint
}

/** Reads them, deleted documents' too; without points the least is beyond the most. */
export function pointEnds(path: string, { leaves }: SearchContext): PointEnds {
  let least: number | bigint = Number.POSITIVE_INFINITY
  let most: number | bigint = Number.NEGATIVE_INFINITY
  for (const { segment } of leaves) {
    const values = segment.field(path)?.points?.values
    if (values === undefined || values.length === 0) continue
    const [first, last] = [values[0] as number | bigint, values[values.length - 1] as number | bigint]
    if (first < least) least = first
    if (last > most) most = last
  }
  return { least, most }
}
