import { describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest } from '../../../test/open-rest.ts'
import recorded from './vectors/skipped-shards.json' with { type: 'json' }

describe('shards of which nothing can match', () => {
  it.each(['Elasticsearch_6.8', 'OpenSearch_2.19'] as const)('are counted as %s counts them', async (engineVersion) => {
    const rest = await openRest(engineVersion)
    const ask = async (method: string, path: string, body: object) =>
      JSON.parse(String((await askBackend(rest.backend, method, path, body)).body)) as {
        readonly _scroll_id?: string
        readonly _shards?: { readonly total: number; readonly skipped: number }
      }
    for (const { name, properties, documents } of recorded.indices) {
      const mappings = engineVersion === 'Elasticsearch_6.8' ? { _doc: { properties } } : { properties }
      await ask('PUT', `/${name}`, { settings: { number_of_shards: 1 }, mappings })
      for (const [i, document] of documents.entries()) await ask('PUT', `/${name}/_doc/${i}?refresh=true`, document)
    }
    await ask('POST', '/_aliases', { actions: recorded.aliases })
    for (const { path, body, skipped } of recorded.searches) {
      const answer = await ask('POST', path, body)
      expect({ path, body, skipped: answer._shards?.skipped }).toEqual({ path, body, skipped: skipped[engineVersion] })
      if (answer._scroll_id === undefined) continue
      const next = await ask('POST', '/_search/scroll', { scroll_id: answer._scroll_id })
      expect(next._shards).toMatchObject({ total: 1, successful: 1, skipped: 0 })
    }
    await rest.close()
  })
})
