/** A stretch of positions, both ends in it, and how many positions of it nothing asked for takes. */
export interface Interval {
  readonly start: number
  readonly end: number
  readonly gaps: number
}

/** Alternatives: none that has another in it. Ascending by end. */
export function eitherOf(lists: readonly (readonly Interval[])[]): readonly Interval[] {
  const [only] = lists
  if (lists.length === 1 && only !== undefined && isAscending(only)) return narrowest(only)
  const all = lists.flat().sort((a, b) => a.end - b.end || b.start - a.start)
  const kept: Interval[] = []
  let lastStart = -1
  for (const interval of all) {
    // By end, then the shortest first: one that does not begin behind all before it has one of them in it.
    if (interval.start <= lastStart) continue
    kept.push(interval)
    lastStart = interval.start
  }
  return kept
}

function isAscending(list: readonly Interval[]): boolean {
  for (let i = 1; i < list.length; i++) {
    const [before, interval] = [list[i - 1] as Interval, list[i] as Interval]
    if (interval.end < before.end || interval.start < before.start) return false
  }
  return true
}

/** The same of one list whose beginnings and ends ascend: as it is sorted already. */
function narrowest(list: readonly Interval[]): readonly Interval[] {
  const kept: Interval[] = []
  for (let i = 0; i < list.length; i++) {
    const interval = list[i] as Interval
    const last = kept.at(-1)
    if (last !== undefined && interval.start <= last.start) continue
    if (last !== undefined && interval.end === last.end) kept[kept.length - 1] = interval
    else kept.push(interval)
  }
  return kept
}

/** One of each list directly behind the other. */
export function inBlock(lists: readonly (readonly Interval[])[]): Interval[] {
  const [first = [], ...others] = lists
  const byStart = others.map((list) => new Map(list.map((interval) => [interval.start, interval])))
  const found: Interval[] = []
  for (const interval of first) {
    let { end, gaps } = interval
    const isWhole = byStart.every((starts) => {
      const next = starts.get(end + 1)
      if (next === undefined) return false
      end = next.end
      gaps += next.gaps
      return true
    })
    if (isWhole) found.push({ start: interval.start, end, gaps })
  }
  return found
}

/** One of each list behind the other, as near as can be. */
export function inOrder(lists: readonly (readonly Interval[])[]): readonly Interval[] {
  const [first = [], ...others] = lists
  const at = others.map(() => 0)
  const found: Interval[] = []
  for (const interval of first) {
    let { end, gaps } = interval
    for (let i = 0; i < others.length; i++) {
      const list = others[i] as readonly Interval[]
      let k = at[i] as number
      while (k < list.length && (list[k] as Interval).start <= end) k++
      at[i] = k
      const next = list[k]
      if (next === undefined) return eitherOf([found])
      gaps += next.start - end - 1 + next.gaps
      end = next.end
    }
    found.push({ start: interval.start, end, gaps })
  }
  return eitherOf([found])
}

/** One of each list in any order, as near as can be; they may overlap. */
export function inAnyOrder(lists: readonly (readonly Interval[])[]): readonly Interval[] {
  if (lists.some((list) => list.length === 0)) return []
  const at = lists.map(() => 0)
  const current = (i: number): Interval => lists[i]?.[at[i] as number] as Interval
  const found: Interval[] = []
  for (;;) {
    let first = 0
    let last = 0
    let taken = 0
    for (let i = 0; i < lists.length; i++) {
      const { start, end, gaps } = current(i)
      const lead = current(first)
      if (start < lead.start || (start === lead.start && end > lead.end)) first = i
      if (end > current(last).end) last = i
      taken += end - start + 1 - gaps
    }
    const { start } = current(first)
    const { end } = current(last)
    found.push({ start, end, gaps: Math.max(0, end - start + 1 - taken) })
    at[first] = (at[first] as number) + 1
    if ((at[first] as number) >= (lists[first] as readonly Interval[]).length) return eitherOf([found])
  }
}

/** So many neighbours of a list at a time: the same thing asked for several times in any order. */
export function repeated(list: readonly Interval[], count: number): Interval[] {
  const found: Interval[] = []
  for (let i = 0; i + count <= list.length; i++) {
    const part = list.slice(i, i + count)
    const { start } = part[0] as Interval
    const { end } = part[count - 1] as Interval
    const taken = part.reduce((sum, interval) => sum + interval.end - interval.start + 1 - interval.gaps, 0)
    found.push({ start, end, gaps: Math.max(0, end - start + 1 - taken) })
  }
  return found
}

/** How intervals may be related to others. */
export type IntervalRelation =
  | 'containing'
  | 'contained_by'
  | 'not_containing'
  | 'not_contained_by'
  | 'overlapping'
  | 'not_overlapping'
  | 'before'
  | 'after'

/** Those that have (or, by a relation with `not_`, have not) such a relation to any of some others. */
export function related(
  list: readonly Interval[],
  relation: IntervalRelation,
  others: readonly Interval[],
): Interval[] {
  if (relation === 'not_containing') return notContaining(list, others)
  const isNegated = relation.startsWith('not_')
  const holds = RELATIONS[relation.replace('not_', '') as keyof typeof RELATIONS]
  return list.filter((interval) => others.some((other) => holds(interval, other)) !== isNegated)
}

/** As the original walks: those that reach over the end of one are left out as well. Both lists ascend. */
function notContaining(list: readonly Interval[], others: readonly Interval[]): Interval[] {
  let k = 0
  return list.filter((interval) => {
    let other = others[k]
    while (other !== undefined && other.start < interval.start && other.end < interval.end) other = others[++k]
    return other === undefined || other.start > interval.end
  })
}

const RELATIONS = {
  containing: (a: Interval, b: Interval): boolean => b.start >= a.start && b.end <= a.end,
  contained_by: (a: Interval, b: Interval): boolean => b.start <= a.start && b.end >= a.end,
  overlapping: (a: Interval, b: Interval): boolean => b.start <= a.end && b.end >= a.start,
  // Before what stands at the beginning is the beginning itself, to Lucene.
  before: (a: Interval, b: Interval): boolean => a.end <= Math.max(0, b.start - 1),
  after: (a: Interval, b: Interval): boolean => a.start > b.end,
}
