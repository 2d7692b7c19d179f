import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectBoundaries } from './expect-boundaries.ts'
import { longOddTexts } from './odd-texts.ts'
import { type Kind, RULES, type State, sentenceBreaks } from './sentence-breaks.ts'

describe('sentenceBreaks', () => {
  it('answers as if it had looked at the whole text', () => {
    expectBoundaries(sentenceBreaks, allSentences)
  })

  it('knows every boundary', () => {
    fc.assert(
      fc.property(longOddTexts, (text) => {
        const iterator = sentenceBreaks(text)
        const found = [0]
        for (let at = iterator.following(0); at >= 0; at = iterator.following(at)) found.push(at)
        expect(found).toEqual([...new Set(allSentences(text))])
      }),
      { numRuns: 1000 },
    )
  })
})

/** The rules of sentences over a whole text, as plainly as they can be put. */
function allSentences(text: string): number[] {
  const boundaries = [0]
  let state: State = 'inside'
  /** Where the sentence ends if what follows the opening punctuation here proves to begin another. */
  let pending = 0
  /** The first of the full stops that are being looked at. */
  let firstStop = 0
  for (let at = 0; at < text.length; ) {
    const kind = kindOf(text, at)
    if (kind === 'ignored') {
      at++
      continue
    }
    const next: State | 'break' = RULES[state][kind] ?? RULES[state].other
    if (next === 'break') {
      if (state === 'opening') at = pending
      boundaries.push(at)
      state = 'inside'
      continue
    }
    if (next === 'opening' && state !== 'opening') pending = at
    if (next === 'stopped' && state === 'inside') firstStop = at
    state = next
    at++
  }
  if (state === 'opening') breakAtStops(text, firstStop, boundaries)
  if (boundaries[boundaries.length - 1] !== text.length) boundaries.push(text.length)
  return boundaries
}

/** A text that ends where a new sentence might have begun: Java then breaks around each of the full stops before it. */
function breakAtStops(text: string, firstStop: number, boundaries: number[]): void {
  for (let at = firstStop; at < text.length; at++) {
    if (kindOf(text, at) !== 'stop') continue
    if (boundaries[boundaries.length - 1] !== at) boundaries.push(at)
    boundaries.push(at + 1)
  }
}

const IGNORED = /[\p{Mn}\p{Me}\p{Cf}]/u
const CLOSING = /[\p{Pe}\p{Pf}]/u
const BLANK = /[\t\r\f\n\u2028\p{Zs}]/u
const DIGIT = /\p{Nd}/u
const LOWER = /\p{Ll}/u
const LETTER = /\p{L}/u

function kindOf(text: string, at: number): Kind {
  const code = text.charCodeAt(at)
  if (code < 0x80) return ASCII[code] as Kind
  const char = String.fromCodePoint(text.codePointAt(at) as number)
  if (code >= 0xdc00 && code < 0xe000) return 'ignored'
  switch (char) {
    case '।':
    case '॥':
    case '。':
    case '！':
    case '？':
      return 'terminator'
    case '．':
      return 'stop'
    case '\u2029':
      return 'paragraph'
  }
  return classOf(char)
}

function classOf(char: string): Kind {
  if (BLANK.test(char)) return 'blank'
  if (IGNORED.test(char)) return 'ignored'
  if (CLOSING.test(char)) return 'closing'
  if (DIGIT.test(char)) return 'inert'
  if (LOWER.test(char)) return 'lower'
  if (LETTER.test(char)) return 'letter'
  return 'mark'
}

const ASCII: readonly Kind[] = Array.from({ length: 0x80 }, (_, code): Kind => {
  const char = String.fromCharCode(code)
  if (char === '!' || char === '?') return 'terminator'
  if (char === '.') return 'stop'
  if (char === '"' || char === "'") return 'quote'
  if (char === ',') return 'inert'
  return classOf(char)
})
