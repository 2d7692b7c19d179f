import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'
import { chainOf } from './vectors/script-faults.mjs'

// What Elasticsearch 6.8.23 answered to searches with scripts; recorded by `node record-scripts.mjs URL FILE` in vectors.

interface Recorded {
  readonly mapping: object
  readonly documents: readonly object[]
  readonly cases: readonly {
    readonly name: string
    readonly body: object
    readonly parameters?: string
    readonly answer: { readonly text?: string; readonly fault?: readonly Fault[] }
  }[]
}

const recorded = JSON.parse(
  readFileSync(new URL('vectors/scripts-elasticsearch-6.8.json', import.meta.url), 'utf8'),
) as Recorded

/** Cases that are answered otherwise, and why. */
const DIFFERENT: readonly (readonly [why: string, cases: readonly string[]])[] = [
  [
    'classes of Java that scripts do not have here',
    [
      'script_fields: date format(DateTimeFormatter.ISO_DATE)',
      'script_fields: date get(ChronoField.YEAR)',
      'script_fields: date getLong(ChronoField.EPOCH_DAY)',
      'script_fields: returns new Date(0L)',
      'script_fields: returns BigInteger.valueOf(5)',
      'script_fields: returns new BigDecimal("1.50")',
    ],
  ],
  [
    'the error is right, its words are others',
    [
      'script_fields: values doc["k"].nope',
      'script_fields: values doc.keySet()',
      'script_fields: returns Map m = new HashMap(); m.put(1,1); return m',
      'script_fields: returns (String) (def) 1',
      'script_fields: compile 1 = 2',
      'script query: null',
      'script query: params missing',
      'script_score: null',
      'terms_set: null',
      'agg: scripted_metric reduce params',
      'agg: scripted_metric runtime map',
      'agg: scripted_metric unmapped no hits',
      'agg: bucket: null',
      'agg: bucket: missing param',
      'agg: bucket: selector null',
      'agg: bucket: selector missing',
      'agg: bucket: moving_fn null',
    ],
  ],
  ['an empty script does nothing', ['script_fields: returns ', 'agg: script empty']],
  ['the real server adds a filter for nested documents', ['script_score explain']],
  ['Java puts what computeIfAbsent makes before others', ['agg: scripted_metric map of lists']],
]
const different = new Set(DIFFERENT.flatMap(([, cases]) => cases))

interface Fault {
  readonly stack?: readonly string[]
}

/** Faults without the place in the script: src/engine/script tests what is said of it. */
function placeless(faults: readonly Fault[] | undefined): readonly Fault[] | undefined {
  return faults?.map(({ stack, ...fault }) =>
    stack === undefined ? fault : { ...fault, stack: stack.filter((line) => !line.endsWith('^---- HERE')) },
  )
}

describe('searches with scripts', () => {
  let rest: Rest

  async function ask(method: string, path: string, body: string): Promise<string> {
    return String((await askBackend(rest.backend, method, path, body)).body)
  }

  beforeAll(async () => {
    rest = await openRest('Elasticsearch_6.8')
    const { mapping, documents } = recorded
    // One segment, however long loading takes: what a script sees beyond a list's end depends on the document before.
    const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' }
    expect(await ask('PUT', '/ps_recorded', JSON.stringify({ settings, mappings: { _doc: mapping } }))).toContain(
      '"acknowledged":true',
    )
    const lines = documents.flatMap((document, i) => [
      JSON.stringify({ index: { _index: 'ps_recorded', _type: '_doc', _id: String(i) } }),
      JSON.stringify(document),
    ])
    expect(await ask('POST', '/_bulk?refresh=true', `${lines.join('\n')}\n`)).toContain('"errors":false')
  })

  afterAll(() => rest.close())

  it.each(recorded.cases.filter(({ name }) => !different.has(name)).map((one) => [one.name, one] as const))(
    'answers %s as the real server does',
    async (_, { body, parameters, answer }) => {
      const text = await ask('POST', `/ps_recorded/_search${parameters ?? ''}`, JSON.stringify(body))
      if (answer.text !== undefined) {
        expect(text.slice(text.indexOf('"hits":'))).toBe(answer.text)
        return
      }
      expect(text).toContain('"error":')
      expect(placeless(chainOf((JSON.parse(text) as { error: object }).error))).toEqual(placeless(answer.fault))
    },
  )
})
