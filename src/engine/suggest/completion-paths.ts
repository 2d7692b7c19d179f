import { selectTop } from '../algorithms/select-top.ts'
import { compareTexts } from '../algorithms/text-order.ts'
import type { SegmentReader } from '../index/segment-reader.ts'
import { hasBit } from '../search/lucene/bit-set.ts'
import type { MatchedRun } from './beginning-walk.ts'
import type { ContextFilter, ContextMatch } from './completion-contexts.ts'
import type { CompletionEntry } from './completion-index.ts'

/** An entry under a context. */
export interface Path {
  /** The place of the entry. */
  readonly at: number
  readonly context: ContextMatch['context']
  readonly score: number
}

/** How a form matches: up to where, and what the weight is multiplied with (0: nothing). */
export interface FormMatch {
  readonly prefix: string
  readonly boost: number
}

/** Entries by context, and how many beginnings they were found by, under each context for itself. */
export interface FoundPaths {
  readonly paths: Path[]
  readonly beginnings: number
}

/** All entries of some runs. */
export function pathsUnder(
  filter: ContextFilter,
  entries: readonly CompletionEntry[],
  runs: readonly MatchedRun<FormMatch>[],
  liveDocs: SegmentReader['liveDocs'],
): FoundPaths {
  const beginnings = new Set<string>()
  const paths: Path[] = []
  for (const { from, to, match } of runs) {
    for (let at = from; at < to; at++) {
      const entry = entries[at] as CompletionEntry
      for (const { boost, context } of filter(entry)) {
        beginnings.add(context === undefined ? match.prefix : `${match.prefix}\0${context.name}\0${context.value}`)
        if (liveDocs !== undefined && !hasBit(liveDocs, entry.doc)) continue
        paths.push({ at, context, score: scoreOf(entry.weight, match.boost + boost) })
      }
    }
  }
  return { paths, beginnings: beginnings.size }
}

/**
 * The same of a field without contexts ({@link pathsUnder} is the plain way); what comes behind as many as are wanted is left out.
 *
 * @param each  wanted, for each beginning
 */
export function pathsAnywhere(
  entries: readonly CompletionEntry[],
  runs: readonly MatchedRun<FormMatch>[],
  liveDocs: SegmentReader['liveDocs'],
  each: number,
): FoundPaths {
  const beginnings = new Set(runs.flatMap(({ from, to, match }) => (from < to ? [match.prefix] : []))).size
  const wanted = each * beginnings
  let paths: Path[] = []
  let last: Path | undefined
  for (const { from, to, match } of runs) {
    for (let at = from; at < to; at++) {
      const { doc, weight } = entries[at] as CompletionEntry
      const score = scoreOf(weight, match.boost)
      if (last !== undefined && (score < last.score || (score === last.score && at >= last.at))) continue
      if (liveDocs !== undefined && !hasBit(liveDocs, doc)) continue
      paths.push({ at, context: undefined, score })
      if (paths.length < 2 * wanted) continue
      paths = selectTop(paths, wanted, comparePaths)
      last = paths.at(-1)
    }
  }
  return { paths, beginnings }
}

/** The best first. */
export function comparePaths(a: Path, b: Path): number {
  if (a.score !== b.score) return b.score - a.score
  return compareTexts(a.context?.value ?? '', b.context?.value ?? '') || a.at - b.at
}

function scoreOf(weight: number, boost: number): number {
  if (boost === 0) return Math.fround(weight)
  return weight === 0 ? Math.fround(boost) : Math.fround(weight * boost)
}
