import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

const CHILDREN: Readonly<Record<string, readonly string[]>> = { a: ['b', 'c'], b: ['d'], c: [], d: [] }
const NAMES = Object.keys(CHILDREN)
const parentOf = (name: string): string | undefined => NAMES.find((parent) => CHILDREN[parent]?.includes(name))

interface Doc {
  readonly id: string
  readonly name: string
  readonly parent: string
  readonly n: number
  readonly k: string
  readonly hasObjects: boolean
}

type Step = { readonly put: Doc } | { readonly remove: string } | 'refresh'

type Tree =
  | { readonly kind: 'all' }
  | { readonly kind: 'k'; readonly k: string }
  | { readonly kind: 'n' }
  | { readonly kind: 'both'; readonly left: Tree; readonly right: Tree }
  | { readonly kind: 'not'; readonly tree: Tree }
  | {
      readonly kind: 'child'
      readonly type: string
      readonly tree: Tree
      readonly mode: 'none' | 'sum' | 'min' | 'max' | 'avg'
      readonly min: number
      readonly max: number
    }
  | { readonly kind: 'parent'; readonly type: string; readonly tree: Tree; readonly score: boolean }

const id = fc.integer({ min: 0, max: 11 }).map(String)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .record({
        id,
        name: fc.constantFrom(...NAMES),
        parent: id,
        n: fc.integer({ min: 0, max: 9 }),
        k: fc.constantFrom('x', 'y', 'z'),
        hasObjects: fc.boolean(),
      })
      .map((put) => ({ put })),
  },
  { weight: 2, arbitrary: id.map((remove) => ({ remove })) },
  { weight: 2, arbitrary: fc.constant('refresh' as const) },
)
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'medium' },
    fc.constant<Tree>({ kind: 'all' }),
    fc.constant<Tree>({ kind: 'n' }),
    fc.constantFrom('x', 'y', 'z').map((k): Tree => ({ kind: 'k', k })),
    fc.record({ kind: fc.constant('both' as const), left: tie('tree'), right: tie('tree') }),
    fc.record({ kind: fc.constant('not' as const), tree: tie('tree') }),
    fc.record({
      kind: fc.constant('child' as const),
      type: fc.constantFrom('b', 'c', 'd'),
      tree: tie('tree'),
      mode: fc.constantFrom('none', 'sum', 'min', 'max', 'avg'),
      min: fc.integer({ min: 0, max: 2 }),
      max: fc.constantFrom(1, 2, 0x7fffffff),
    }),
    fc.record({
      kind: fc.constant('parent' as const),
      type: fc.constantFrom('a', 'b'),
      tree: tie('tree'),
      score: fc.boolean(),
    }),
  ),
}))

function json(node: Tree): object {
  switch (node.kind) {
    case 'all':
      return { match_all: {} }
    case 'k':
      return { constant_score: { filter: { term: { k: node.k } } } }
    case 'n':
      return {
        function_score: { query: { match_all: {} }, field_value_factor: { field: 'n' }, boost_mode: 'replace' },
      }
    case 'both':
      return { bool: { must: [json(node.left)], filter: [json(node.right)] } }
    case 'not':
      return { constant_score: { filter: { bool: { must_not: [json(node.tree)] } } } }
    case 'child': {
      const { type, mode, min, max } = node
      const limits = { min_children: min, ...(max === 0x7fffffff ? {} : { max_children: Math.max(min, max) }) }
      return { has_child: { type, query: json(node.tree), score_mode: mode, ...limits } }
    }
    case 'parent':
      return { has_parent: { parent_type: node.type, query: json(node.tree), score: node.score } }
  }
}

/** Score of a document; undefined: it does not match. All by looking at all documents. */
function scoreOf(node: Tree, doc: Doc, docs: readonly Doc[]): number | undefined {
  switch (node.kind) {
    case 'all':
      return 1
    case 'k':
      return doc.k === node.k ? 1 : undefined
    case 'n':
      return doc.n
    case 'both': {
      const left = scoreOf(node.left, doc, docs)
      return scoreOf(node.right, doc, docs) === undefined ? undefined : left
    }
    case 'not':
      return scoreOf(node.tree, doc, docs) === undefined ? 1 : undefined
    case 'child': {
      if (doc.name !== parentOf(node.type)) return undefined
      const scores = docs
        .filter(({ name, parent }) => name === node.type && parent === doc.id)
        .map((child) => scoreOf(node.tree, child, docs))
        .filter((score) => score !== undefined)
      const most = node.max === 0x7fffffff ? node.max : Math.max(node.min, node.max)
      if (scores.length < Math.max(1, node.min) || scores.length > most) return undefined
      const sum = scores.reduce((total, score) => Math.fround(total + score), 0)
      return {
        none: 1,
        sum,
        min: Math.min(...scores),
        max: Math.max(...scores),
        avg: Math.fround(sum / scores.length),
      }[node.mode]
    }
    case 'parent': {
      if (parentOf(doc.name) !== node.type) return undefined
      const parent = docs.find(({ id: own, name }) => own === doc.parent && name === node.type)
      const score = parent === undefined ? undefined : scoreOf(node.tree, parent, docs)
      return score === undefined || node.score ? score : 1
    }
  }
}

describe('joins', () => {
  let rest: Rest
  let indices = 0

  beforeAll(async () => {
    rest = await openRest('Elasticsearch_6.8')
  })

  afterAll(() => rest.close())

  // biome-ignore lint/suspicious/noExplicitAny: answers of all kinds
  const ask = async (method: string, path: string, body?: object | string): Promise<any> => {
    const answer = await askBackend(rest.backend, method, path, body)
    const text = String(answer.body)
    expect(answer.status, text).toBe(200)
    return JSON.parse(text)
  }

  /** Makes an index of steps; answers what is in it, in the order it was written. */
  const fill = async (index: string, steps: readonly Step[]): Promise<Doc[]> => {
    const properties = {
      j: { type: 'join', relations: { a: ['b', 'c'], b: 'd' } },
      n: { type: 'integer' },
      k: { type: 'keyword' },
      o: { type: 'nested', properties: { k: { type: 'keyword' } } },
    }
    await ask('PUT', `/${index}`, { settings: { number_of_shards: 1 }, mappings: { _doc: { properties } } })
    const docs = new Map<string, Doc>()
    let lines: string[] = []
    const write = async (): Promise<void> => {
      const { errors } = lines.length === 0 ? { errors: false } : await ask('POST', '/_bulk', `${lines.join('\n')}\n`)
      expect(errors).toBe(false)
      lines = []
      await ask('POST', `/${index}/_refresh`)
    }
    for (const one of steps) {
      if (one === 'refresh') await write()
      else if ('remove' in one) {
        lines.push(JSON.stringify({ delete: { _index: index, _type: '_doc', _id: one.remove, routing: 'r' } }))
        docs.delete(one.remove)
      } else {
        const { id: own, name, parent, n, k, hasObjects } = one.put
        const value = parentOf(name) === undefined ? name : { name, parent }
        const objects = hasObjects ? { o: [{ k }, { k: 'x' }] } : {}
        lines.push(JSON.stringify({ index: { _index: index, _type: '_doc', _id: own, routing: 'r' } }))
        lines.push(JSON.stringify({ j: value, n, k, ...objects }))
        docs.delete(own)
        docs.set(own, one.put)
      }
    }
    await write()
    return [...docs.values()]
  }

  it('find what a loop over all documents finds, with the same scores', { timeout: 60_000 }, async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(steps, fc.array(tree, { minLength: 4, maxLength: 8 }), async (written, queries) => {
        const index = `p${indices++}`
        const docs = await fill(index, written)
        for (const query of queries) {
          const answer = (await ask('POST', `/${index}/_search`, { query: json(query), size: 50 })) as {
            hits: { total: number; hits: { _id: string; _score: number }[] }
          }
          const expected = docs.flatMap((doc) => {
            const score = scoreOf(query, doc, docs)
            return score === undefined ? [] : [{ id: doc.id, score: Number(Math.fround(score).toPrecision(6)) }]
          })
          const found = answer.hits.hits.map(({ _id, _score }) => ({ id: _id, score: Number(_score.toPrecision(6)) }))
          // Equal scores stand in the order in which documents were written.
          expect(found).toEqual(expected.sort((left, right) => right.score - left.score))
          expect(answer.hits.total).toBe(expected.length)
        }
        await ask('DELETE', `/${index}`)
      }),
      { numRuns: 40 },
    )
  })

  it('lead aggregations to the children and parents of just their documents', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (written) => {
        const index = `p${indices++}`
        const docs = await fill(index, written)
        for (const type of ['b', 'c', 'd']) {
          const inner = { s: { sum: { field: 'n' } } }
          const aggs = {
            k: {
              terms: { field: 'k', order: { _key: 'asc' } },
              aggs: { down: { children: { type }, aggs: inner }, up: { parent: { type }, aggs: inner } },
            },
          }
          type Inner = { doc_count: number; s: { value: number } }
          const answer = (await ask('POST', `/${index}/_search`, { size: 0, aggs })) as {
            aggregations: { k: { buckets: { key: string; down: Inner; up: Inner }[] } }
          }
          for (const { key, down, up } of answer.aggregations.k.buckets) {
            const own = docs.filter(({ k }) => k === key)
            const parents = new Set(own.filter(({ name }) => name === parentOf(type)).map((doc) => doc.id))
            const wanted = new Set(own.filter(({ name }) => name === type).map(({ parent }) => parent))
            const downwards = docs.filter(({ name, parent }) => name === type && parents.has(parent))
            const upwards = docs.filter((doc) => doc.name === parentOf(type) && wanted.has(doc.id))
            const sum = (list: readonly Doc[]): number => list.reduce((total, { n }) => total + n, 0)
            expect([down.doc_count, down.s.value]).toEqual([downwards.length, sum(downwards)])
            expect([up.doc_count, up.s.value]).toEqual([upwards.length, sum(upwards)])
          }
        }
        await ask('DELETE', `/${index}`)
      }),
      { numRuns: 25 },
    )
  })
})
