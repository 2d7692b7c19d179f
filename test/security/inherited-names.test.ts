import { describe, expect, it } from 'vitest'
import { openRest } from '../open-rest.ts'

/*
 * Names that JavaScript's objects have of themselves are names like any others wherever people give them: every call is answered as
 * the same one with a name of the same length that no object has.
 */

const NAMES = [
  ['__proto__', '__prota__'],
  ['constructor', 'constructos'],
  ['valueOf', 'valueOg'],
  ['hasOwnProperty', 'hasOwnPropertz'],
] as const

type Call = readonly [method: string, path: string, body?: string]

function calls(name: string, typed: boolean): readonly Call[] {
  const vectors = typed ? '/x/_doc/_termvectors' : '/x/_termvectors'
  const search = (body: string): Call => ['POST', '/x/_search', body]
  const simulate = (processor: string): Call => [
    'POST',
    '/_ingest/pipeline/_simulate',
    `{"pipeline":{"processors":[${processor}]},"docs":[{"_source":{"a":"x","${name}":{"${name}":1}}}]}`,
  ]
  return [
    ['PUT', '/x/_doc/1?refresh=true', `{"${name}":"v w","k":{"${name}":1},"t":"a b"}`],
    ['GET', '/x/_mapping'],
    ['GET', `/x/_doc/1?_source=${name},k.${name}`],
    ['GET', `/x/_search?q=${name}:v&filter_path=hits.hits._source.${name}`],
    search(
      `{"query":{"match":{"${name}":"v"}},"_source":["${name}"],"docvalue_fields":["${name}.keyword"],"highlight":{"fields":{"${name}":{}}},"script_fields":{"${name}":{"script":"1"}},"sort":["${name}.keyword"]}`,
    ),
    search(`{"size":0,"aggs":{"${name}":{"terms":{"field":"${name}.keyword"}}}}`),
    search(`{"size":0,"aggs":{"a":{"matrix_stats":{"fields":["k.${name}"]}}}}`),
    search(`{"aggs":{"a":{"terms":{"field":"t","value_type":"${name}"}}}}`),
    search(`{"aggs":{"a":{"range":{"field":"k","ranges":[{"${name}":1}]}}}}`),
    ['POST', '/x/_update_by_query?refresh=true', `{"script":"ctx._source['${name}']='v z'"}`],
    ['POST', '/_reindex?refresh=true', `{"source":{"index":"x","_source":["${name}"]},"dest":{"index":"y"}}`],
    ['GET', `/y/_search?q=${name}:z`],
    ['POST', '/x/_forcemerge?max_num_segments=1'],
    ['GET', `/x/_search?q=${name}:z`],
    ['POST', vectors, `{"doc":{"${name}":"v ${name}"},"fields":["${name}"]}`],
    ['POST', vectors, `{"doc":{"t":"v"},"filter":{"${name}":1}}`],
    ['PUT', '/x/_settings', `{"${name}":1}`],
    ['PUT', '/_cluster/settings', `{"transient":{"${name}":1}}`],
    ['PUT', '/z', `{"aliases":{"${name}":{}}}`],
    ['POST', '/x/_rollover', `{"conditions":{"${name}":1}}`],
    ['GET', `/_nodes/${name}`],
    ['GET', `/_nodes/stats/${name}`],
    ['GET', `/_nodes/stats/indices/${name}`],
    ['PUT', `/_ingest/pipeline/${name}`, '{"processors":[]}'],
    ['GET', '/_nodes/stats/ingest?filter_path=nodes.*.ingest.pipelines'],
    simulate(`{"set":{"field":"${name}.polluted","value":1}}`),
    simulate(`{"gsub":{"field":"a","pattern":"\\\\p{${name}}","replacement":""}}`),
    [
      'POST',
      '/_analyze',
      `{"text":"a","tokenizer":"standard","filter":[{"type":"word_delimiter","type_table":["a => ${name}"]}]}`,
    ],
  ]
}

async function answers(version: 'OpenSearch_2.19' | 'Elasticsearch_6.8', name: string): Promise<readonly string[]> {
  const rest = await openRest(version)
  try {
    const told: string[] = []
    for (const [method, path, body] of calls(name, version === 'Elasticsearch_6.8')) {
      const { status, json } = await rest.ask(method, path, body)
      told.push(`${method} ${path} ${body ?? ''}: ${status} ${JSON.stringify(json)}`)
    }
    return told
  } finally {
    await rest.close()
  }
}

const steady = (text: string, name: string): string =>
  text
    .replaceAll(name, 'NAME')
    .replaceAll(name.toLowerCase(), 'NAME')
    .replaceAll(/[\w-]{20,}|\d{4}-\d\d-[\dT:.]+Z|\[[\w-]{7}\]|"[\w-]{7}"/g, 'ID')
    .replaceAll(/"\w*(?:took|timestamp|millis)":\d+,?/g, '')

describe.each(['OpenSearch_2.19', 'Elasticsearch_6.8'] as const)('in a domain of %s', (version) => {
  it.each(NAMES)('%s is a name like %s', async (name, other) => {
    const told = await answers(version, name)
    const expected = await answers(version, other)
    expect(told.map((text) => steady(text, name))).toEqual(expected.map((text) => steady(text, other)))
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(told.join('\n')).not.toMatch(/: 5\d\d \{"error/)
  })
})
