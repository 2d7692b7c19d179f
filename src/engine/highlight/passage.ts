import type { MatchedToken } from './matched-tokens.ts'
import type { PassageBreaks } from './passage-breaks.ts'

/** A stretch of a text with its matches. */
export interface Passage {
  readonly start: number
  readonly end: number
  readonly matches: readonly MatchedToken[]
}

/** Which passages to show. */
export interface PassageChoice {
  /** How many. */
  readonly most: number
  /** The best first, not in the order of the text. */
  readonly byScore: boolean
}

/** The best passages of a text, in the order to show them. */
export function bestPassages(
  text: string,
  matches: readonly MatchedToken[],
  breaks: PassageBreaks,
  { most, byScore }: PassageChoice,
): readonly Passage[] {
  const passages = passagesOf(text, matches, breaks)
  if (passages.length <= (byScore ? 1 : most)) return passages
  const freqs = new Map<string, number>()
  for (const { term } of matches) freqs.set(term, (freqs.get(term) ?? 0) + 1)
  const best = passages
    .map((passage) => ({ passage, score: scorePassage(passage, freqs, text.length) }))
    .sort((a, b) => b.score - a.score || b.passage.start - a.passage.start)
    .slice(0, most)
    .sort((a, b) => (byScore && b.score - a.score) || a.passage.start - b.passage.start)
  return best.map(({ passage }) => passage)
}

/** All passages with matches, in the order of the text. */
function passagesOf(text: string, matches: readonly MatchedToken[], breaks: PassageBreaks): Passage[] {
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
  return passages
}

const K1 = 1.2
const B = 0.75
/** Length of a passage that is neither short nor long. */
const PIVOT = 87

/**
 * Lucene's PassageScorer: BM25 with the text's passages for documents, the earlier the better. Computed in floats.
 *
 * @param freqs  how often each term was found in the text
 */
function scorePassage(
  { start, end, matches }: Passage,
  freqs: ReadonlyMap<string, number>,
  contentLength: number,
): number {
  const f = Math.fround
  const counts = new Map<string, number>()
  for (const { term } of matches) counts.set(term, (counts.get(term) ?? 0) + 1)
  const norm = f(f(K1) * f(f(1 - f(B)) + f(f(B) * f((end - start) / PIVOT))))
  const documents = f(1 + f(contentLength / PIVOT))
  let score = 0
  for (const [term, count] of counts) {
    const freq = freqs.get(term) as number
    const weight = f(f(f(K1) + 1) * f(Math.log(1 + (documents + 0.5) / (freq + 0.5))))
    score = f(score + f(f(count / f(count + norm)) * weight))
  }
  return f(score * f(1 + f(1 / f(Math.log(PIVOT + start)))))
}
