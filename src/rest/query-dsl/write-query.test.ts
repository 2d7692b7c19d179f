import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { writeQuery } from './write-query.ts'

// What Elasticsearch 6.8.23 quoted of a `must` clause beside one that cannot be made, on one line: {"query":{"bool":{"must":[…, {"term":{"n":"x"}}]}}}.
const recorded = JSON.parse(
  readFileSync(new URL('../search/vectors/written-queries-6.8.json', import.meta.url), 'utf8'),
) as readonly { readonly query: object; readonly written: string }[]

describe('a query as messages of 6.x quote it', () => {
  it.each(recorded.map((one) => [JSON.stringify(one.query), one] as const))(
    'writes %s',
    (_name, { query, written }) => {
      expect(writeQuery(query)?.replace(/\n */g, ' ')).toBe(written)
    },
  )

  it('lays it out over lines', () => {
    expect(writeQuery({ ids: { values: ['😀'] } })).toBe(
      '{\n  "ids" : {\n    "type" : [ ],\n    "values" : [\n      "\\uD83D\\uDE00"\n    ],\n    "boost" : 1.0\n  }\n}',
    )
  })

  it('writes what was looked up, or else how', () => {
    const query = { terms: { k: { index: 'i', id: '1', path: 'p' } } }
    expect(writeQuery(query, () => ['a'])?.replace(/\n */g, ' ')).toBe(`{ "terms" : { "k" : [ "a" ], "boost" : 1.0 } }`)
    expect(writeQuery(query)).toContain(`"path" : "p"`)
  })
})
