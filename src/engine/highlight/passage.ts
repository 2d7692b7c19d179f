import type { MatchedToken } from './matched-tokens.ts'
import type { PassageBreaks } from './passage-breaks.ts'

/** A stretch of a text with its matches. */
export interface Passage {
  readonly start: number
  readonly end: number
  readonly matches: readonly MatchedToken[]
}

/**
 * The best passages of a text, in its order.
 *
 * @param most  how many
 */
export function bestPassages(
  text: string,
  matches: readonly MatchedToken[],
  breaks: PassageBreaks,
  most: number,
): Passage[] {
  const passages: Passage[] = []
  let start = -1
  let end = 0
  let within: MatchedToken[] = []
  const finish = (): void => {
    if (within.length > 0) passages.push({ start, end, matches: within })
    within = []
  }
  for (const match of matches) {
    if (match.start < text.length && match.end > text.length) continue
    if (match.start >= end) {
      finish()
      if (match.start >= text.length) break
      const around = breaks.around(match.start)
      start = Math.max(0, around.start)
      end = Math.min(text.length, around.end)
    }
    within.push(match)
  }
  finish()
  if (passages.length <= most) return passages
  return passages
    .map((passage) => ({ passage, score: passageScore(passage, text.length) }))
    .sort((a, b) => b.score - a.score || b.passage.start - a.passage.start)
    .slice(0, most)
    .map(({ passage }) => passage)
    .sort((a, b) => a.start - b.start)
}

/** The same passages, the best first. */
export function byScore(passages: readonly Passage[], text: string): Passage[] {
  return passages
    .map((passage) => ({ passage, score: passageScore(passage, text.length) }))
    .sort((a, b) => b.score - a.score)
    .map(({ passage }) => passage)
}

const K1 = 1.2
const B = 0.75
/** Length of a passage that is neither short nor long. */
const PIVOT = 87

/** Lucene's PassageScorer: BM25 with the text's passages for documents, the earlier the better. Computed in floats. */
function passageScore({ start, end, matches }: Passage, contentLength: number): number {
  const f = Math.fround
  const inPassage = new Map<string, { count: number; readonly freq: number }>()
  for (const { term, freq } of matches) {
    const seen = inPassage.get(term)
    if (seen === undefined) inPassage.set(term, { count: 1, freq })
    else seen.count++
  }
  const norm = f(f(K1) * f(f(1 - f(B)) + f(f(B) * f((end - start) / PIVOT))))
  const documents = f(1 + f(contentLength / PIVOT))
  let score = 0
  for (const { count, freq } of inPassage.values()) {
    const weight = f(f(f(K1) + 1) * f(Math.log(1 + (documents + 0.5) / (freq + 0.5))))
    score = f(score + f(f(count / f(count + norm)) * weight))
  }
  return f(score * f(1 + f(1 / f(Math.log(PIVOT + start)))))
}
