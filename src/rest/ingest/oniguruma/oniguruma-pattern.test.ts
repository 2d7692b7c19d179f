import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OnigurumaPattern } from './oniguruma-pattern.ts'
import { PatternSyntaxError } from './pattern-syntax-error.ts'
import { PatternInterrupted } from './run-pattern.ts'

interface Recorded {
  readonly pattern: string
  readonly text: string
  /** What the named groups took; absent: no match. */
  readonly groups?: Readonly<Record<string, string>>
  /** Why the pattern is refused. */
  readonly fault?: string
}

// Asked of Elasticsearch 6.8.23's grok processor.
const recorded = JSON.parse(
  readFileSync(new URL('vectors/patterns.json', import.meta.url), 'utf8'),
) as readonly Recorded[]

function ask(pattern: string, text: string): object {
  try {
    const match = new OnigurumaPattern(pattern).search(text)
    return match === undefined ? {} : { groups: Object.fromEntries(match.named) }
  } catch (error) {
    if (error instanceof PatternSyntaxError) return { fault: error.message }
    throw error
  }
}

describe('a pattern of Oniguruma', () => {
  it.each(recorded.map((one) => [one.pattern, one.text, one] as const))(
    'answers %s on %j as the real server does',
    (_, __, { pattern, text, ...answer }) => {
      expect(ask(pattern, text)).toEqual(answer)
    },
  )

  it('keeps account of choices, so that repetitions within one another do not multiply', () => {
    expect(new OnigurumaPattern('(a+)+b').search(`${'a'.repeat(200)}cb`)).toBeUndefined()
    expect(new OnigurumaPattern('^(?:a|a)*?(?:/[\\w.]+)+@').search('a/b.c'.repeat(200))).toBeUndefined()
  })

  it('is broken off when it takes too many steps all the same', () => {
    const again = new OnigurumaPattern('(?<x>a+)+\\k<x>b')
    expect(() => again.search(`${'a'.repeat(60)}cb`)).toThrow(PatternInterrupted)
    const empty = new OnigurumaPattern('(?:a|aa)*(.*)*(.*)*x')
    expect(() => empty.search(`${'a'.repeat(5000)}\nx`)).toThrow(PatternInterrupted)
  })

  it('goes through long texts without a deep stack', () => {
    const pattern = new OnigurumaPattern('^(?:ab|c)*(?<rest>d)$')
    expect(pattern.search(`${'abc'.repeat(100_000)}d`)?.named.get('rest')).toBe('d')
  })
})

describe('a pattern both languages read alike', () => {
  // Nothing but what means the same in JavaScript's syntax, which is the oracle.
  const ATOMS = [
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '(?:a|b)',
    '(?<x>a)',
    '(?:ab|a)',
    '\\w',
    '(?=a)',
    '(?!b)',
    '(?<=a)',
    '(?:)',
  ]
  const TURNS = ['', '', '*', '+', '?', '*?', '+?', '??', '{1,2}', '{2}', '{0,2}?', '{2,}']

  it('finds what JavaScript finds', () => {
    let state = 7
    const pick = <T>(list: readonly T[]): T => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
      return list[(state >> 8) % list.length] as T
    }
    for (let round = 0; round < 1500; round++) {
      let named = false
      // Turns that take nothing are counted differently: what may be empty is not repeated.
      const atom = (depth: number): { readonly source: string; readonly mayBeEmpty: boolean } => {
        if (depth < 2 && pick([true, false, false])) {
          const [left, right] = [sequence(depth + 1), sequence(depth + 1)]
          return { source: `(?:${left.source}|${right.source})`, mayBeEmpty: left.mayBeEmpty || right.mayBeEmpty }
        }
        const one = pick(ATOMS)
        if (one.startsWith('(?<x>') && named) return { source: 'a', mayBeEmpty: false }
        if (one.startsWith('(?<x>')) named = true
        return { source: one, mayBeEmpty: /^\(\?<?[=!]|^\(\?:\)/.test(one) }
      }
      const sequence = (depth: number): { readonly source: string; readonly mayBeEmpty: boolean } => {
        let source = ''
        let mayBeEmpty = true
        for (let count = pick([1, 2, 3]); count > 0; count--) {
          const part = atom(depth)
          const turns = part.mayBeEmpty ? '' : pick(TURNS)
          source += part.source + turns
          if (!part.mayBeEmpty && !/^[*?]|^\{0/.test(turns)) mayBeEmpty = false
        }
        return { source, mayBeEmpty }
      }
      const { source } = sequence(0)
      const text = Array.from({ length: pick([0, 1, 3, 6, 10]) }, () => pick(['a', 'b', 'c'])).join('')
      const own = new OnigurumaPattern(source).search(text)
      const other = new RegExp(source, 'd').exec(text)
      expect([source, text, own?.start, own?.end]).toEqual([
        source,
        text,
        other?.indices?.[0]?.[0],
        other?.indices?.[0]?.[1],
      ])
    }
  })
})
