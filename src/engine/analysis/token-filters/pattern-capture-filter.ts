import type { TokenFilter } from '../analyzer.ts'
import type { JavaPattern } from '../java-pattern.ts'
import { RewritingFilter } from './rewriting-filter.ts'

/** Emits what the groups of patterns match, all patterns together from left to right. @source Lucene, PatternCaptureGroupTokenFilter */
export function patternCaptureFilter(patterns: readonly JavaPattern[], preserveOriginal: boolean): TokenFilter {
  return new RewritingFilter((tokens, out) => {
    for (let i = 0; i < tokens.length; i++) {
      const term = tokens.terms[i] as string
      const captures = mergedCaptures(term, patterns, preserveOriginal)
      if (preserveOriginal || captures.length === 0) out.append(tokens, i)
      for (const [k, capture] of captures.entries()) {
        out.append(tokens, i)
        out.terms[out.length - 1] = capture
        if (preserveOriginal || k > 0) out.positionIncrements[out.length - 1] = 0
      }
    }
  })
}

interface Capture {
  readonly text: string
  readonly start: number
}

function mergedCaptures(term: string, patterns: readonly JavaPattern[], preserveOriginal: boolean): readonly string[] {
  const queues = patterns.map((pattern) => {
    const captures: Capture[] = []
    for (const match of pattern.matches(term)) {
      for (let g = 1; g <= pattern.groupCount; g++) {
        const group = pattern.group(match, g)
        if (group === undefined || group.text === '') continue
        if (preserveOriginal && group.text.length === term.length) continue
        captures.push(group)
      }
    }
    return captures
  })
  const merged: string[] = []
  for (;;) {
    let first: Capture[] | undefined
    for (const queue of queues) {
      const start = queue[0]?.start
      if (start !== undefined && (first === undefined || start < (first[0] as Capture).start)) first = queue
    }
    const capture = first?.shift()
    if (capture === undefined) return merged
    merged.push(capture.text)
  }
}
