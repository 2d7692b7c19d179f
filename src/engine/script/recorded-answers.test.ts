import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors.ts'
import { compileScript } from './compile/compile-script.ts'
import { scriptValueOf } from './values/script-json.ts'
import { type ScriptValue, textOf } from './values/script-value.ts'
import { PARAMS } from './vectors/scripts.mjs'
import { TEST_CONTEXT } from './write-contexts.ts'

/** What a server answered: the result as text, or the error. */
interface Answer {
  readonly source: string
  readonly result?: string
  readonly reason?: string
  readonly stack?: readonly string[]
  readonly causes?: readonly { readonly type: string; readonly reason: string | null }[]
}

const recorded = JSON.parse(
  readFileSync(new URL('vectors/answers-elasticsearch-6.8.json', import.meta.url), 'utf8'),
) as Answer[]

/** Scripts that are answered otherwise on purpose, and why. */
const DIFFERENT: readonly (readonly [why: string, scripts: readonly string[]])[] = [
  ['a comment may end the script without a line of its own', ['// only a comment', '5 // comment']],
  [
    "the words are those of the server's Java",
    ["params.l['a']", 'int[] a = null; return a.length', 'int[] a = null; return a[0]', 'throw null'],
  ],
  [
    'the error is right, its place is told more closely',
    [
      'String s = null; return s?.length()',
      'def s = 5; s[0] = 1',
      'List l = [1, 2, 3]; for (x in l) { if (x == 1) { l.add(9) } } return l',
      "Map m = ['a': 1, 'b': 2]; for (k in m.keySet()) { m.remove(k) } return m",
    ],
  ],
]
const different = new Set(DIFFERENT.flatMap(([, scripts]) => scripts))

function answerOf(source: string): Answer {
  try {
    const result = compileScript({ source }, TEST_CONTEXT).run({ params: scriptValueOf(PARAMS) })
    return { source, result: textOf(result as ScriptValue) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const causes: { type: string; reason: string | null }[] = []
    for (let { cause } = error.detail; cause !== undefined; cause = cause.detail.cause) {
      causes.push({ type: cause.type, reason: cause.reason })
    }
    const stack = error.detail.metadata?.['script_stack'] as readonly string[]
    return { source, reason: error.reason, stack, causes }
  }
}

describe('a script', () => {
  it.each(recorded.filter(({ source }) => !different.has(source)).map((answer) => [answer.source, answer] as const))(
    'answers %s as Elasticsearch 6.8 does',
    (source, answer) => {
      expect(answerOf(source)).toEqual(answer)
    },
  )

  it.each([...different])('answers %s otherwise', (source) => {
    const answer = recorded.find((one) => one.source === source)
    expect(answer).toBeDefined()
    expect(answerOf(source)).not.toEqual(answer)
  })
})
