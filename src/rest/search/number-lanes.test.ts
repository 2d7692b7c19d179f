import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

/** Numbers as they are written in scripts, and what documents and parameters have. */
const LEAVES = [
  ...["doc['n'].value", "doc['big'].value", "doc['d'].value", "doc['f'].value", "doc['i'].value", "doc['few'].value"],
  ...["doc['b'].value", "doc['k'].value", 'params.i', 'params.l', 'params.x', 'params.s', 'params.none', '_score'],
  ...['0', '7', '-3', '2147483647', '5L', '9007199254740993L', '2.5', '1e300', '3.5f', "doc['few'].size()"],
]
const OPERATORS = ['+', '-', '*', '/', '%', '+', '-', '*', '<', '<=', '>', '>=', '==', '!=']

interface Tree {
  /** With each leaf as it is, and with each handed through a function, which leaves the lanes nothing. */
  readonly quick: string
  readonly plain: string
}

/** Constants are what they are in both, so that both have the same types. */
const plainLeaf = (text: string): string =>
  text === '_score'
    ? 'sameDouble(_score)'
    : text.startsWith('doc') || text.startsWith('params')
      ? `same(${text})`
      : text
const leaf = fc.constantFrom(...LEAVES).map((text): Tree => ({ quick: text, plain: plainLeaf(text) }))
const expression: fc.Memo<Tree> = fc.memo((depth) => {
  if (depth <= 1) return leaf
  const inner = expression(depth - 1)
  const joined = (text: (...parts: string[]) => string, parts: readonly Tree[]): Tree => ({
    quick: text(...parts.map(({ quick }) => quick)),
    plain: text(...parts.map(({ plain }) => plain)),
  })
  return fc.oneof(
    leaf,
    fc
      .tuple(inner, fc.constantFrom(...OPERATORS), inner)
      .map(([a, op, b]) => joined((x, y) => `(${x} ${op} ${y})`, [a, b])),
    fc.tuple(inner, inner, inner).map((all) => joined((x, y, z) => `(${x} > ${y} ? ${z} : ${y})`, all)),
    fc.tuple(inner, fc.constantFrom('log', 'abs', 'sqrt')).map(([a, name]) => joined((x) => `Math.${name}(${x})`, [a])),
    inner.map((a) => joined((x) => `(-${x})`, [a])),
  )
})

describe('arithmetic of scripts without boxes', () => {
  let domain: Rest

  beforeAll(async () => {
    domain = await openRest('OpenSearch_2.19')
    const types = {
      n: 'long',
      big: 'long',
      d: 'double',
      f: 'float',
      i: 'integer',
      few: 'long',
      b: 'boolean',
      k: 'keyword',
    }
    const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]))
    await askBackend(domain.backend, 'PUT', '/x', { mappings: { properties } })
    const documents = [
      { n: 0, big: '9223372036854775807', d: 0.5, f: 1.5, i: 2147483647, few: 1 },
      { n: -7, big: '4503599627370497', d: -0.0, f: 0.1, i: -2147483648, few: [3, 2] },
      { n: '9007199254740991', big: '-9007199254740991', d: 1e300, f: 3.4e38, i: 0, few: 5 },
      { n: 3, big: '-9223372036854775808', d: -2.75, f: -1, i: 3, few: 0 },
      { n: 94906267, big: '9007199254740992', d: '4503599627370496.5', f: 16777217, i: -1 },
    ]
    for (const [i, document] of documents.entries())
      await askBackend(domain.backend, 'PUT', `/x/_doc/${i}`, { ...document, b: i % 2 === 0, k: `k${i}` })
    await askBackend(domain.backend, 'POST', '/x/_refresh')
  })
  afterAll(() => domain.close())

  const params = { i: 4, l: 30_000_000_000, x: 0.25, s: 'text', none: null }
  const plainly = (source: string): string =>
    `def same(def value) { return value } double sameDouble(double value) { return value } return ${source}`

  /** What an answer holds but where in a script its faults are, and how long it took. */
  async function answer(body: object): Promise<unknown> {
    const { status, body: text } = await askBackend(domain.backend, 'POST', '/x/_search?request_cache=false', body)
    const { took: _took, error, ...rest } = JSON.parse(String(text))
    if (error === undefined) return rest
    const { type, reason } = error.failed_shards?.[0]?.reason?.caused_by ?? error.root_cause?.[0] ?? error
    // What a member is read as is refused by other words than what a function answers.
    if (/^cannot (?:implicitly cast def|convert MethodHandle)/.test(reason)) return { status, reason: 'no such cast' }
    return { status, type, reason: String(reason).replace(/\[<?[^\]]*\]/g, '') }
  }

  const same =
    (make: (source: string) => object) =>
    async ({ quick, plain }: Tree): Promise<void> => {
      expect(await answer(make(`return ${quick}`))).toEqual(await answer(make(plainly(plain))))
    }
  const query = { range: { i: { gte: -2147483648 } } }

  it.each<[string, (source: string) => object]>([
    ['fields', (source) => ({ query, sort: '_doc', script_fields: { s: { script: { source, params } } } })],
    ['averages', (source) => ({ size: 0, query, aggs: { a: { stats: { script: { source, params } } } } })],
    ['sorts', (source) => ({ query, sort: { _script: { type: 'number', script: { source, params } } } })],
  ])('comes to the same in %s', async (_name, make) => {
    await fc.assert(fc.asyncProperty(expression(4), same(make)), { numRuns: 120 })
  })

  it('comes to the same in filters', async () => {
    const make = (source: string): object => ({
      query: { bool: { filter: { script: { script: { source, params } } } } },
    })
    const test = fc.tuple(expression(3), fc.constantFrom('<', '>=', '==', '!='), expression(3))
    const whole = test.map(
      ([a, op, b]): Tree => ({ quick: `${a.quick} ${op} ${b.quick}`, plain: `${a.plain} ${op} ${b.plain}` }),
    )
    await fc.assert(fc.asyncProperty(whole, same(make)), { numRuns: 120 })
  })
})
