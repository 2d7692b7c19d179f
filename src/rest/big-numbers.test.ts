import { expect, it } from 'vitest'
import { askBackend } from '../../test/ask-backend.ts'
import { openRest } from '../../test/open-rest.ts'

const BIG = '9007199254740993123'
const TEMPLATE = `"dynamic_templates":[{"a":{"match":"x*","mapping":{"type":"keyword","ignore_above":${BIG}}}}]`
const CONTEXT = `"properties":{"c":{"type":"completion","contexts":[{"name":"x","type":"geo","precision":${BIG}}]}}`
const SCRIPT = `{"source":{"a":${BIG}}}`

it.each(['OpenSearch_2.19', 'Elasticsearch_7.10', 'Elasticsearch_6.8'] as const)(
  'numbers that JavaScript cannot hold are no fault of the domain where they mean nothing (%s)',
  async (version) => {
    const rest = await openRest(version)
    const mapping = (text: string): string => (version === 'Elasticsearch_6.8' ? `{"_doc":{${text}}}` : `{${text}}`)
    const calls: readonly (readonly [method: string, path: string, body: string])[] = [
      ['PUT', '/a', `{"mappings":${mapping(`${TEMPLATE},${CONTEXT}`)}}`],
      ['PUT', '/b', '{}'],
      ['PUT', version === 'Elasticsearch_6.8' ? '/b/_doc/_mapping' : '/b/_mapping', `{${TEMPLATE}}`],
      ['PUT', '/_template/t', `{"index_patterns":["c*"],"order":1,"mappings":${mapping(TEMPLATE)}}`],
      ['PUT', '/_template/u', `{"index_patterns":["c*"],"order":2,"mappings":${mapping(TEMPLATE)}}`],
      ['PUT', '/c1', `{"mappings":${mapping(TEMPLATE)}}`],
      ['GET', '/b/_inverted', ''],
      ['POST', '/b/_search', `{"query":{"script":{"script":${SCRIPT}}}}`],
      ['POST', '/b/_search', `{"script_fields":{"a":{"script":${SCRIPT}}}}`],
      ['POST', '/b/_search', `{"query":{"template":{"match":{"t":{"u":${BIG}}},"term":{"k":"a"}}}}`],
      ['POST', '/b/_search', `{"derived":{"d":{"type":"long","script":${SCRIPT}}},"query":{"term":{"d":1}}}`],
      ['POST', '/b/_update/1', `{"script":${SCRIPT},"upsert":{}}`],
      ['PUT', '/_ingest/pipeline/p', `{"processors":[{"set":{"field":"a","value":${BIG}}},{"script":${SCRIPT}}]}`],
      ['PUT', '/_snapshot/r/s', `{"metadata":{"a":${BIG}}}`],
    ]
    for (const [method, path, body] of calls) {
      const answer = await askBackend(rest.backend, method, path, body)
      expect(answer.status, `${method} ${path} ${body}: ${String(answer.body)}`).toBeLessThan(500)
    }
    await rest.close()
  },
)
