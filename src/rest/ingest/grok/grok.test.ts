import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { JsonNumber } from '../../../engine/mapping/lossless-json.ts'
import { IngestDocument } from '../ingest-document.ts'
import { Grok } from './grok.ts'
import { expandGrok, forbidCircles } from './grok-expression.ts'
import { builtInPatterns } from './pattern-bank.ts'

interface Recorded {
  readonly lines: readonly string[]
  /** What a line's fields are, by the pattern's name and the line's number; absent: no match. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, object>>>>
}

const recorded = JSON.parse(readFileSync(new URL('vectors/bank-6.8.json', import.meta.url), 'utf8')) as Recorded

const bank = builtInPatterns('Elasticsearch_6.8')

function fieldsOf(grok: Grok, text: string): object | undefined {
  const captures = grok.captures(text)
  if (captures === undefined) return undefined
  const document = new IngestDocument({}, {})
  for (const [path, value] of captures) document.set(path, value instanceof JsonNumber ? value.value : value)
  return document.source
}

describe('the patterns that come with grok', () => {
  it.each(Object.entries(recorded.fields))(
    'take the fields out of lines that the real server does: %s',
    (name, own) => {
      const grok = new Grok(expandGrok(`%{${name}:x}`, bank))
      const found = recorded.lines.flatMap((line, index) => {
        const fields = fieldsOf(grok, line)
        return fields === undefined ? [] : [[index, fields] as const]
      })
      expect(Object.fromEntries(found)).toEqual(own)
    },
  )

  it('differ by version', () => {
    expect(bank.has('MAVEN_VERSION')).toBe(false)
    expect(builtInPatterns('OpenSearch_2.19').get('TZ')).toBe('(?:[APMCE][SD]T|UTC)')
  })
})

describe('an expression', () => {
  const grok = (expression: string, own: Readonly<Record<string, string>> = {}): Grok =>
    new Grok(expandGrok(expression, new Map([...bank, ...Object.entries(own)])))

  it('gives values their types', () => {
    const fields = fieldsOf(
      grok('%{NUMBER:a:int} %{NUMBER:b:float} %{NUMBER:c:double} %{WORD:d:boolean} %{WORD:e:nope}'),
      '1 1.1 2 TRUE x',
    )
    expect(fields).toEqual({ a: 1, b: 1.1, c: 2, d: true, e: 'x' })
    expect(() => grok('%{NUMBER:a:int}').captures('1.5')).toThrow('For input string: "1.5"')
  })

  it('takes definitions of its own', () => {
    expect(fieldsOf(grok('%{PAIR:whole}', { PAIR: '%{WORD:k}=%{NOTSPACE:v}' }), 'a=b')).toEqual({
      whole: 'a=b',
      k: 'a',
      v: 'b',
    })
    expect(() => grok('%{NOPE}')).toThrow("Unable to find pattern [NOPE] in Grok's pattern dictionary")
  })

  it('may not name itself, nor have no end', () => {
    expect(() => forbidCircles(new Map([['A', '%{A}']]))).toThrow('circular reference in pattern [A][%{A}]')
    const three = new Map([
      ['A', '%{B}'],
      ['B', '%{C}'],
      ['C', '%{A}'],
    ])
    expect(() => forbidCircles(three)).toThrow(
      'circular reference in pattern [C][%{A}] back to pattern [A] via patterns [B]',
    )
    const doubling = new Map(
      Array.from({ length: 60 }, (_, index) => [`P${index}`, `%{P${index + 1}}%{P${index + 1}}`] as const),
    )
    expect(() => expandGrok('%{P0}', new Map([...doubling, ['P60', 'x']]))).toThrow()
  })
})
