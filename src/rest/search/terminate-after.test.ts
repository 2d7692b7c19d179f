import { describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest } from '../../../test/open-rest.ts'

// Answers are those of Elasticsearch 6.8.23 and OpenSearch 2.19.3 to three documents.

describe.each(['Elasticsearch_6.8', 'OpenSearch_2.19'] as const)('terminate_after in %s', (engineVersion) => {
  it('ends a search that finds more, and tells an end that is none as the version does', async () => {
    const rest = await openRest(engineVersion)
    const notEnded = engineVersion === 'Elasticsearch_6.8' ? undefined : false
    try {
      for (let i = 0; i < 3; i++) await askBackend(rest.backend, 'PUT', `/x/_doc/${i}`, { k: `a${i}` })
      await askBackend(rest.backend, 'POST', '/x/_refresh')
      for (const size of [0, 10]) {
        for (const query of [{ match_all: {} }, { prefix: { 'k.keyword': 'a' } }]) {
          const ended: (boolean | undefined)[] = []
          for (const after of [1, 2, 3, 4]) {
            const body = { terminate_after: after, size, query }
            const { terminated_early } = JSON.parse(
              String((await askBackend(rest.backend, 'POST', '/x/_search', body)).body),
            ) as { terminated_early?: boolean }
            ended.push(terminated_early)
          }
          expect(ended).toEqual([true, true, notEnded, notEnded])
        }
      }
      const pages = async (body: object): Promise<(boolean | undefined)[]> => {
        const told: (boolean | undefined)[] = []
        let answer = await askBackend(rest.backend, 'POST', '/x/_search?scroll=1m', { size: 1, ...body })
        for (let page = 0; page < 3; page++) {
          const { terminated_early, _scroll_id: scroll_id } = JSON.parse(String(answer.body))
          told.push(terminated_early)
          answer = await askBackend(rest.backend, 'POST', '/_search/scroll', { scroll_id, scroll: '1m' })
        }
        return told
      }
      const isCut = engineVersion === 'Elasticsearch_6.8' ? true : undefined
      expect(await pages({ sort: ['_doc'] })).toEqual([undefined, isCut, isCut])
      expect(await pages({ sort: ['k.keyword'] })).toEqual([undefined, undefined, undefined])
      expect(await pages({ sort: ['k.keyword'], terminate_after: 2 })).toEqual([true, true, true])
      expect(await pages({ sort: ['k.keyword'], terminate_after: 9 })).toEqual([notEnded, notEnded, notEnded])
    } finally {
      await rest.close()
    }
  })
})
