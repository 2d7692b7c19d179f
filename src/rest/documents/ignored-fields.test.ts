import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../../test/open-rest.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest('OpenSearch_2.19')
})

afterAll(() => rest.close())

describe('values of a document that were passed over', () => {
  it('are told alike whether its segment or its source tells of them', async () => {
    const properties = { n: { type: 'integer', ignore_malformed: true }, m: { type: 'long', ignore_malformed: true } }
    const objects = { type: 'nested', properties: { d: { type: 'date', ignore_malformed: true } } }
    await rest.ask('PUT', '/i', { mappings: { properties: { ...properties, o: objects } } })
    const sources = [{ n: 1 }, { n: 'x' }, { n: 'x', m: ['y', 2] }, { o: [{ d: 'z' }, { d: '2020-01-01' }] }, {}]
    const gets = async (): Promise<unknown> => {
      const { json } = await rest.ask('POST', '/i/_mget', { ids: sources.map((_, i) => String(i)) })
      const { docs } = json as { readonly docs: readonly { readonly _ignored?: unknown }[] }
      return docs.map(({ _ignored }) => _ignored)
    }
    for (const [i, source] of sources.entries()) await rest.ask('PUT', `/i/_doc/${i}`, source)
    const bySource = await gets()
    expect(bySource).toEqual([undefined, ['n'], ['m', 'n'], ['o.d'], undefined])
    await rest.ask('POST', '/i/_refresh')
    expect(await gets()).toEqual(bySource)
    // None of the documents in this segment has any.
    await rest.ask('PUT', '/i/_doc/1?refresh=true', { n: 2 })
    expect(await gets()).toEqual([undefined, undefined, ['m', 'n'], ['o.d'], undefined])
  })
})
