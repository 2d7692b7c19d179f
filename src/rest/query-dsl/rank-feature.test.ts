import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

let rest: Rest

async function ask(method: string, path: string, body: object | string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return JSON.parse(String((await askBackend(rest.backend, method, path, text)).body))
}

async function scores(query: object): Promise<Record<string, number>> {
  const found = await ask('POST', '/pages/_search', { query })
  return Object.fromEntries(found.hits.hits.map((hit: { _id: string; _score: number }) => [hit._id, hit._score]))
}

beforeAll(async () => {
  rest = await openRest('OpenSearch_2.19')
  await ask('PUT', '/pages', {
    mappings: {
      properties: {
        rank: { type: 'rank_feature' },
        length: { type: 'rank_feature', positive_score_impact: false },
        topics: { type: 'rank_features' },
        title: { type: 'text' },
      },
    },
  })
  const documents = [
    { rank: 8, length: 22, topics: { sports: 20, politics: 4.5 } },
    { rank: 50.3, length: 50, topics: { sports: 3 } },
    { rank: 0.1, length: 1000, title: 'no topics' },
    { title: 'nothing' },
  ]
  const lines = documents.flatMap((document, i) => [{ index: { _index: 'pages', _id: String(i) } }, document])
  const loaded = await ask('POST', '/_bulk?refresh=true', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  expect(loaded.errors).toBe(false)
})

afterAll(() => rest.close())

const float = Math.fround
/** A feature with the nine bits of its fraction that are kept. */
function kept(value: number): number {
  const floats = new Float32Array([value])
  const bits = new Int32Array(floats.buffer)
  bits[0] = ((bits[0] as number) >>> 15) << 15
  return floats[0] as number
}
const shown = (value: number): number => Number(float(value).toPrecision(8))

describe('rank_feature', () => {
  it('keeps nine bits of a feature', () => {
    expect(kept(50.3)).toBe(50.25)
    expect(kept(8)).toBe(8)
  })

  it('scores by saturation around a pivot', async () => {
    const found = await scores({ rank_feature: { field: 'rank', saturation: { pivot: 10 } } })
    for (const [id, value] of Object.entries({ 0: 8, 1: 50.3, 2: 0.1 })) {
      expect(found[id]).toBeCloseTo(shown(1 - float(10 / float(kept(value) + 10))), 6)
    }
  })

  it('takes the average of the frequencies that features are kept as for a pivot that is not given', async () => {
    const floats = new Float32Array([8, 50.3, 0.1])
    const bits = new Int32Array(floats.buffer)
    const average = Math.trunc(bits.reduce((sum, one) => sum + (one >>> 15), 0) / 3)
    const pivot = new Float32Array(new Int32Array([average << 15]).buffer)[0] as number
    const found = await scores({ rank_feature: { field: 'rank', boost: 2 } })
    expect(found['0']).toBeCloseTo(2 * (1 - pivot / (8 + pivot)), 6)
  })

  it('scores by logarithm and sigmoid', async () => {
    expect((await scores({ rank_feature: { field: 'rank', log: { scaling_factor: 4 } } }))['0']).toBeCloseTo(
      Math.log(12),
      6,
    )
    const found = await scores({ rank_feature: { field: 'rank', sigmoid: { pivot: 7, exponent: 0.6 } } })
    expect(found['1']).toBeCloseTo(50.25 ** 0.6 / (50.25 ** 0.6 + 7 ** 0.6), 6)
  })

  it('prefers small values of a field with a negative impact', async () => {
    const found = await scores({ rank_feature: { field: 'length' } })
    expect(found['0']).toBeGreaterThan(found['1'] as number)
    expect(found['1']).toBeGreaterThan(found['2'] as number)
    const refused = await ask('POST', '/pages/_search', {
      query: { rank_feature: { field: 'length', log: { scaling_factor: 1 } } },
    })
    expect(refused.error.root_cause[0].reason).toContain('Cannot use the [log] function')
  })

  it('scores by one of the features of a field', async () => {
    expect(await scores({ rank_feature: { field: 'topics.sports', saturation: { pivot: 20 } } })).toEqual({
      0: 0.5,
      1: shown(1 - float(20 / 23)),
    })
    expect(await scores({ rank_feature: { field: 'topics.weather' } })).toEqual({})
    expect(await scores({ rank_feature: { field: 'unknown' } })).toEqual({})
  })

  it('refuses other fields, functions together, and members it does not know', async () => {
    const reason = async (rank_feature: object): Promise<string> =>
      (await ask('POST', '/pages/_search', { query: { rank_feature } })).error.root_cause[0].reason
    expect(await reason({ field: 'title' })).toContain('only works on [rank_feature] fields')
    expect(await reason({ field: 'rank', log: { scaling_factor: 1 }, saturation: {} })).toBe(
      'Failed to build [feature] after last required field arrived',
    )
    expect(await reason({ field: 'rank', sigmoid: { pivot: 1 } })).toContain('failed to parse field [sigmoid]')
    expect(await reason({ field: 'rank', foo: 1 })).toContain('unknown field [foo]')
  })

  it('is asked in its own way only', async () => {
    const reason = async (query: object): Promise<string> =>
      (await ask('POST', '/pages/_search', { query })).error.root_cause[0].reason
    expect(await reason({ term: { rank: 8 } })).toContain('Queries on [rank_feature] fields are not supported')
    expect(await reason({ exists: { field: 'topics' } })).toContain('do not support [exists] queries')
    const found = await ask('POST', '/pages/_search', { query: { exists: { field: 'rank' } } })
    expect(found.hits.total.value).toBe(3)
  })

  it('refuses values that are no features', async () => {
    const reason = async (document: object): Promise<string> =>
      (await ask('PUT', '/pages/_doc/9', document)).error.caused_by.reason
    expect(await reason({ rank: 0 })).toContain(
      'must be a positive normal float, got: 0.0 for feature rank on field _feature',
    )
    expect(await reason({ rank: [1, 2] })).toContain('do not support indexing multiple values')
    expect(await reason({ topics: 3 })).toContain('must be json objects')
    expect(await reason({ topics: { a: [1] } })).toContain('unexpected token START_ARRAY')
  })
})
