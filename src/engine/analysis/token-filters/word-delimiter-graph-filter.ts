import type { TokenFilter } from '../analyzer.ts'
import { RewritingFilter } from './rewriting-filter.ts'
import { WordDelimiterIterator } from './word-delimiter-iterator.ts'
import { catenates, generatesParts, type WordDelimiterOptions } from './word-delimiter-options.ts'

/** A part or parts joined: from one position of the word to another, and the stretch of the term it covers. */
interface Part {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Divides words as `word_delimiter` does, with position lengths that make the result a correct graph.
 *
 * @source Lucene, WordDelimiterGraphFilter
 */
export function wordDelimiterGraphFilter(options: WordDelimiterOptions): TokenFilter {
  const iterator = new WordDelimiterIterator(options)
  return new RewritingFilter((tokens, out) => {
    let increment = 0
    let lastStart = 0
    for (let i = 0; i < tokens.length; i++) {
      if (options.ignoreKeywords && tokens.keywords[i] === true) {
        out.append(tokens, i)
        continue
      }
      const term = tokens.terms[i] as string
      increment += tokens.positionIncrements[i] as number
      iterator.setText(term)
      iterator.next()
      if ((iterator.current === 0 && iterator.end === term.length) || options.isProtected(term)) {
        out.append(tokens, i)
        out.positionIncrements[out.length - 1] = increment
        increment = 0
        continue
      }
      if (iterator.end === -1) {
        if (!options.preserveOriginal) continue
        out.append(tokens, i)
        increment = 0
        continue
      }
      const tokenStart = tokens.startOffsets[i] as number
      const tokenEnd = tokens.endOffsets[i] as number
      // Offsets inside the token are known only while the term is the text it covers.
      const exact = options.adjustOffsets && tokenEnd - tokenStart === term.length
      let position = 0
      for (const part of partsOf(term, iterator, options)) {
        out.append(tokens, i)
        const at = out.length - 1
        out.terms[at] = part.text
        const start = Math.max(exact ? tokenStart + part.start : tokenStart, lastStart)
        out.startOffsets[at] = start
        out.endOffsets[at] = Math.max(exact ? tokenStart + part.end : tokenEnd, lastStart)
        lastStart = start
        out.positionIncrements[at] = increment + part.from - position
        out.positionLengths[at] = part.to - part.from
        increment = 0
        position = part.from
      }
    }
  }, 'keyword')
}

/** Parts that stand together, joined. */
interface Joined {
  text: string
  count: number
  kind: number
  from: number
  start: number
  end: number
}

function partsOf(term: string, iterator: WordDelimiterIterator, o: WordDelimiterOptions): readonly Part[] {
  const parts: Part[] = []
  let position = 0
  let lastJoinedCount = 0
  const part = () => {
    const { current, end } = iterator
    parts.push({ from: position, to: position + 1, start: current, end, text: term.slice(current, end) })
    position++
  }
  const join = (joined: Joined | undefined): Joined => {
    const { current, end } = iterator
    const into = joined ?? { text: '', count: 0, kind: iterator.kind(), from: position, start: current, end }
    into.text += term.slice(current, end)
    into.count++
    into.end = end
    return into
  }
  const flush = (joined: Joined) => {
    if (position === joined.from) position++
    lastJoinedCount = joined.count
    if (joined.count !== 1 || !generatesParts(o, joined.kind)) parts.push({ ...joined, to: position })
  }
  if (iterator.isSingleWord()) {
    part()
    iterator.next()
  } else {
    let joined: Joined | undefined
    let joinedAll: Joined | undefined
    for (; iterator.end !== -1; iterator.next()) {
      const kind = iterator.kind()
      if (joined !== undefined && (joined.kind & kind) === 0) {
        flush(joined)
        joined = undefined
      }
      if (catenates(o, kind)) joined = join(joined)
      if (o.catenateAll) joinedAll = join(joinedAll)
      if (generatesParts(o, kind)) part()
    }
    if (joined !== undefined) flush(joined)
    if (joinedAll !== undefined && joinedAll.count > lastJoinedCount) {
      if (position === joinedAll.from) position++
      parts.push({ ...joinedAll, to: position })
    }
  }
  const original = { from: 0, to: Math.max(position, 1), start: 0, end: term.length, text: term }
  // The array's order, which is kept among equals, decides the rest.
  if (o.sortsByOffset) {
    parts.sort((a, b) => a.start - b.start || b.end - a.end)
    return o.preserveOriginal ? [original, ...parts] : parts
  }
  if (o.preserveOriginal) parts.push(original)
  return parts.sort((a, b) => a.from - b.from || b.to - a.to)
}
