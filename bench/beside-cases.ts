import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One request as it is sent. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: Buffer | undefined
}

/** Sends a request, and resolves once its answer is read. */
export type Send = (call: Call) => Promise<unknown>

/** One large request, and what has to be there before it. */
export interface Case {
  readonly name: string
  readonly prepare?: (send: Send) => Promise<unknown>
  /** Made when it is due: many are large. */
  readonly call: () => Call
  /** The answer is read so many bytes a second. */
  readonly readRate?: number
}

const get = (path: string): Call => ({ method: 'GET', path })
const put = (path: string, body: string): Call => ({ method: 'PUT', path, body: Buffer.from(body) })
const post = (path: string, body = ''): Call => ({ method: 'POST', path, body: Buffer.from(body) })

const list = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join()

const WORDS = 'the quick brown fox jumps over lazy dogs while seven wizards brew strange potions at midnight'.split(' ')
/** About so many characters of words, the same for the same number. */
function prose(chars: number, seed: number): string {
  const words: string[] = []
  let state = seed
  for (let length = 0; length < chars; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    const word = `${WORDS[(state >>> 8) % WORDS.length]}${(state >>> 16) % 50}`
    words.push(word)
    length += word.length + 1
  }
  return words.join(' ')
}

/** A body of a bulk: documents of a number, a keyword and a text of so many characters. */
function bulkLines(count: number, chars: number, from = 0): string {
  let lines = ''
  for (let i = from; i < from + count; i++) {
    lines += `{"index":{"_id":"${i}"}}\n{"n":${i},"k":"key${i % 1_000}","t":"${prose(chars, i)}"}\n`
  }
  return lines
}

const MAPPING = '{"mappings":{"properties":{"n":{"type":"long"},"k":{"type":"keyword"},"t":{"type":"text"}}}}'

/** Makes index `b` of so many documents. */
const documents =
  (count: number, chars: number) =>
  async (send: Send): Promise<void> => {
    await send(put('/b', MAPPING))
    const step = Math.max(1, Math.min(5_000, Math.floor(2 ** 22 / (chars + 60))))
    for (let i = 0; i < count; i += step) await send(post('/b/_bulk', bulkLines(Math.min(step, count - i), chars, i)))
    await send(post('/b/_refresh'))
  }

async function indices(send: Send): Promise<void> {
  for (let i = 0; i < 1_000; i++) await send(put(`/index-${i}`, '{"mappings":{"properties":{"n":{"type":"long"}}}}'))
}

const FIELDS = 100_000
const fields = (count: number) => `"mappings":{"properties":{${list(count, (i) => `"f${i}":{"type":"keyword"}`)}}}`
const manyFields = (send: Send) =>
  send(put('/b', `{"settings":{"index.mapping.total_fields.limit":${FIELDS}},${fields(FIELDS)}}`))

/** Where snapshots go. */
export const snapshotFolder = join(tmpdir(), 'chaja-beside-snapshots')
const repository = async (send: Send): Promise<void> => {
  await send(put('/_snapshot/r', `{"type":"fs","settings":{"location":"${snapshotFolder}"}}`))
}

const SLOW_SCRIPT =
  '{"script":{"script":{"source":"int s = 0; for (int i = 0; i < 200; i++) { s += i * (int) doc[\\"n\\"].value } return s != 1"}}}'

/** What is asked beside light requests. */
export const CASES: readonly Case[] = [
  // Documents
  { name: 'a document of 10 million numbers', call: () => put('/a/_doc/2', `{"n":[${'1,'.repeat(9_999_999)}1]}`) },
  { name: 'a document of a million fields', call: () => put('/a/_doc/2', `{${list(1_000_000, (i) => `"f${i}":1`)}}`) },
  {
    name: 'a document of 300,000 objects',
    call: () => put('/a/_doc/2', `{"o":[${list(300_000, (i) => `{"x":${i},"y":"v${i}"}`)}]}`),
  },
  {
    name: 'a document of 50,000 nested objects',
    prepare: (send) =>
      send(
        put(
          '/b',
          '{"settings":{"index.mapping.nested_objects.limit":1000000},"mappings":{"properties":{"o":{"type":"nested"}}}}',
        ),
      ),
    call: () => put('/b/_doc/2', `{"o":[${list(50_000, (i) => `{"x":${i},"y":"v${i}"}`)}]}`),
  },
  { name: 'a document of a text of 50 MB', call: () => put('/a/_doc/2', `{"t":"${prose(50e6, 1)}"}`) },
  {
    name: 'update of a document of 20 MB',
    prepare: (send) => send(put('/a/_doc/2', `{"t":"${prose(20e6, 1)}"}`)),
    call: () => post('/a/_update/2', '{"doc":{"n":1}}'),
  },
  {
    name: 'update of a document of 2 million numbers by a script',
    prepare: (send) => send(put('/a/_doc/2', `{"n":[${'1,'.repeat(1_999_999)}1]}`)),
    call: () => post('/a/_update/2', '{"script":"ctx._source.m = 1"}'),
  },
  {
    name: 'update of a small document by one of 20 MB',
    prepare: (send) => send(put('/a/_doc/2', '{"n":1}')),
    call: () => post('/a/_update/2', `{"doc":{"t":"${prose(20e6, 1)}"}}`),
  },
  {
    name: 'two documents of 10 million numbers',
    prepare: (send) => send(put('/a/_doc/3', `{"n":[${'1,'.repeat(9_999_999)}1]}`)),
    call: () => put('/a/_doc/2', `{"n":[${'1,'.repeat(9_999_999)}1]}`),
  },
  {
    name: 'a document nested a million deep',
    call: () => put('/a/_doc/2', `{"n":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`),
  },
  {
    name: 'get of a document of 50 MB',
    prepare: (send) => send(put('/b/_doc/2', `{"t":"${prose(50e6, 1)}"}`)),
    call: () => get('/b/_doc/2'),
  },
  {
    name: 'get of a part of a document of 50 MB',
    prepare: (send) => send(put('/b/_doc/2', `{"n":1,"t":"${prose(50e6, 1)}"}`)),
    call: () => get('/b/_doc/2?_source=n'),
  },
  { name: '_mget of a million ids', call: () => post('/a/_mget', `{"ids":[${list(1_000_000, (i) => `"${i}"`)}]}`) },
  {
    name: '_mget of 10,000 documents of 10 KB',
    prepare: documents(10_000, 10_000),
    call: () => post('/b/_mget', `{"ids":[${list(10_000, (i) => `"${i}"`)}]}`),
  },
  {
    name: '_mtermvectors of 5,000 documents',
    prepare: documents(5_000, 1_000),
    call: () =>
      post(
        '/b/_mtermvectors',
        `{"ids":[${list(5_000, (i) => `"${i}"`)}],"parameters":{"fields":["t"],"term_statistics":true}}`,
      ),
  },
  {
    name: '_termvectors of a text of 10 MB',
    prepare: (send) => send(put('/b/_doc/2', `{"t":"${prose(10e6, 1)}"}`)),
    call: () => get('/b/_termvectors/2?fields=t'),
  },
  // Bulks
  { name: '_bulk of 90 MB', call: () => post('/a/_bulk', bulkLines(400_000, 150)) },
  {
    name: '_bulk of 20 documents of 500,000 numbers',
    call: () => post('/a/_bulk', `{"index":{}}\n{"n":[${'1,'.repeat(499_999)}1]}\n`.repeat(20)),
  },
  {
    name: '_bulk of 9 texts of 10 MB',
    call: () => post('/a/_bulk', `{"index":{}}\n{"t":"${prose(10e6, 1)}"}\n`.repeat(9)),
  },
  {
    name: '_bulk of 20,000 new fields',
    prepare: (send) => send(put('/b', `{"settings":{"index.mapping.total_fields.limit":${FIELDS}}}`)),
    call: () =>
      post(
        '/b/_bulk',
        Array.from({ length: 200 }, (_, d) => `{"index":{}}\n{${list(100, (i) => `"f${d}_${i}":1`)}}\n`).join(''),
      ),
  },
  {
    name: '_bulk of 100,000 through a pipeline with a script',
    prepare: (send) =>
      send(
        put(
          '/_ingest/pipeline/p',
          '{"processors":[{"script":{"source":"ctx.m = ctx.n * 2"}},{"set":{"field":"s","value":"{{k}}"}}]}',
        ),
      ),
    call: () => post('/a/_bulk?pipeline=p', bulkLines(100_000, 100)),
  },
  {
    name: '_bulk of 9 texts of 10 MB through a pipeline',
    prepare: (send) => send(put('/_ingest/pipeline/p', '{"processors":[{"set":{"field":"s","value":"x"}}]}')),
    call: () => post('/a/_bulk?pipeline=p', `{"index":{}}\n{"t":"${prose(10e6, 1)}"}\n`.repeat(9)),
  },
  {
    name: 'a document of 2 million numbers through a pipeline',
    prepare: (send) => send(put('/_ingest/pipeline/p', '{"processors":[{"set":{"field":"s","value":"x"}}]}')),
    call: () => put('/a/_doc/2?pipeline=p', `{"n":[${'1,'.repeat(1_999_999)}1]}`),
  },
  // By query
  {
    name: '_reindex of 20 documents of 4 MB',
    prepare: async (send) => {
      for (let i = 0; i < 20; i++) await send(put(`/b/_doc/${i}`, `{"t":"${prose(4e6, i)}"}`))
      await send(post('/b/_refresh'))
    },
    call: () => post('/_reindex', '{"source":{"index":"b","size":10},"dest":{"index":"c"}}'),
  },
  {
    name: '_reindex of 5,000 documents of 10 KB',
    prepare: documents(5_000, 10_000),
    call: () => post('/_reindex', '{"source":{"index":"b","size":5000},"dest":{"index":"c"}}'),
  },
  {
    name: '_update_by_query of 100,000 by a script',
    prepare: documents(100_000, 100),
    call: () => post('/b/_update_by_query?scroll_size=10000', '{"script":"ctx._source.n++"}'),
  },
  {
    name: '_delete_by_query of 200,000',
    prepare: documents(200_000, 50),
    call: () => post('/b/_delete_by_query?scroll_size=10000', '{"query":{"match_all":{}}}'),
  },
  {
    name: '_delete_by_query of what a script finds',
    prepare: documents(100_000, 50),
    call: () => post('/b/_delete_by_query', `{"query":${SLOW_SCRIPT}}`),
  },
  {
    name: '_simulate of 20,000 documents',
    call: () =>
      post(
        '/_ingest/pipeline/_simulate',
        `{"pipeline":{"processors":[{"script":{"source":"ctx.m = ctx.n * 2"}},{"grok":{"field":"t","patterns":["%{WORD:w} %{WORD:v}"]}}]},"docs":[${list(20_000, (i) => `{"_source":{"n":${i},"t":"some words ${i}"}}`)}]}`,
      ),
  },
  // Searches
  {
    name: '_msearch of 10,000 lines',
    prepare: documents(20_000, 100),
    call: () => post('/b/_msearch', '{}\n{"query":{"match":{"t":"fox7 midnight3"}}}\n'.repeat(5_000)),
  },
  {
    name: '_search for 10,000 documents of 10 KB',
    prepare: documents(10_000, 10_000),
    call: () => post('/b/_search', '{"size":10000}'),
  },
  {
    name: 'scroll for 10,000 documents of 10 KB',
    prepare: documents(10_000, 10_000),
    call: () => post('/b/_search?scroll=1m', '{"size":10000}'),
  },
  {
    name: '100 MB for a slow reader',
    prepare: documents(10_000, 10_000),
    call: () => post('/b/_search', '{"size":10000}'),
    readRate: 20e6,
  },
  {
    name: '_search for parts of 5,000 documents of 20 KB',
    prepare: documents(5_000, 20_000),
    call: () => post('/b/_search', '{"size":5000,"_source":["n"]}'),
  },
  {
    name: 'highlights of 5,000 documents of 20 KB',
    prepare: documents(5_000, 20_000),
    call: () => post('/b/_search', '{"size":5000,"query":{"match":{"t":"fox7"}},"highlight":{"fields":{"t":{}}}}'),
  },
  {
    name: 'terms of 65,536 ids',
    prepare: documents(100_000, 20),
    call: () => post('/b/_search', `{"query":{"terms":{"k":[${list(65_536, (i) => `"key${i}"`)}]}}}`),
  },
  {
    name: '_explain of 65,536 terms',
    prepare: documents(1_000, 20),
    call: () => post('/b/_explain/1', `{"query":{"terms":{"k":[${list(65_536, (i) => `"key${i}"`)}]}}}`),
  },
  {
    name: '_validate/query of 65,536 terms',
    prepare: documents(1_000, 20),
    call: () => post('/b/_validate/query', `{"query":{"terms":{"k":[${list(65_536, (i) => `"key${i}"`)}]}}}`),
  },
  {
    name: 'a query nested 100,000 deep',
    call: () =>
      post('/a/_search', `{"query":{"bool":{"must":${'{"bool":{"must":'.repeat(100_000)}{}${'}}'.repeat(100_000)}}}}`),
  },
  {
    name: 'ids of 65,536',
    prepare: documents(100_000, 20),
    call: () => post('/b/_search', `{"query":{"ids":{"values":[${list(65_536, (i) => `"${i}"`)}]}}}`),
  },
  {
    name: 'a query_string of 900 words',
    prepare: documents(100_000, 100),
    call: () =>
      post(
        '/b/_search',
        `{"query":{"query_string":{"query":"${Array.from({ length: 900 }, (_, i) => `${WORDS[i % 16]}${i % 50}`).join(' ')}"}}}`,
      ),
  },
  {
    name: 'a match of a text of 1 MB',
    prepare: documents(1_000, 100),
    call: () => post('/b/_search', `{"query":{"match":{"t":"${prose(1e6, 3)}"}}}`),
  },
  {
    name: 'a script over 100,000 documents',
    prepare: documents(100_000, 50),
    call: () => post('/b/_search', `{"query":${SLOW_SCRIPT}}`),
  },
  {
    name: 'the same with a scroll',
    prepare: documents(100_000, 50),
    call: () => post('/b/_search?scroll=1m', `{"query":${SLOW_SCRIPT}}`),
  },
  {
    name: 'the same by a template',
    prepare: documents(100_000, 50),
    call: () => post('/b/_search/template', `{"source":{"query":${SLOW_SCRIPT}}}`),
  },
  {
    name: 'the same in _msearch/template',
    prepare: documents(100_000, 50),
    call: () => post('/b/_msearch/template', `{}\n{"source":{"query":${SLOW_SCRIPT}}}\n`),
  },
  {
    name: 'the same in _rank_eval',
    prepare: documents(100_000, 50),
    call: () =>
      post(
        '/b/_rank_eval',
        `{"requests":[{"id":"1","request":{"query":${SLOW_SCRIPT}},"ratings":[]}],"metric":{"precision":{}}}`,
      ),
  },
  {
    name: 'the same in a filter of an alias',
    prepare: async (send) => {
      await documents(100_000, 50)(send)
      await send(post('/_aliases', `{"actions":[{"add":{"index":"b","alias":"f","filter":${SLOW_SCRIPT}}}]}`))
    },
    call: () => get('/f/_count'),
  },
  {
    name: '_search in a point in time by a script',
    prepare: documents(100_000, 50),
    call: () =>
      post(
        '/b/_search',
        `{"sort":[{"_script":{"type":"number","script":"int s = 0; for (int i = 0; i < 200; i++) { s += i } return s","order":"asc"}}]}`,
      ),
  },
  {
    name: 'a scripted_metric that keeps everything',
    prepare: documents(100_000, 50),
    call: () =>
      post(
        '/b/_search',
        '{"size":0,"aggs":{"m":{"scripted_metric":{"init_script":"state.l = []","map_script":"for (int i = 0; i < 500; i++) { state.l.add(i * 1.5) }","combine_script":"return state.l","reduce_script":"return states.size()"}}}}',
      ),
  },
  {
    name: 'percentiles in 100,000 buckets',
    prepare: documents(100_000, 50),
    call: () =>
      post(
        '/b/_search',
        '{"size":0,"aggs":{"n":{"terms":{"field":"n","size":60000,"order":{"p[50]":"asc"}},"aggs":{"p":{"percentiles":{"field":"n","percents":[50]}}}}}}',
      ),
  },
  {
    name: 'top hits in 10,000 buckets',
    prepare: documents(100_000, 200),
    call: () =>
      post(
        '/b/_search',
        '{"size":0,"aggs":{"n":{"histogram":{"field":"n","interval":10},"aggs":{"t":{"top_hits":{"size":10}}}}}}',
      ),
  },
  { name: '_field_caps of 100,000 fields', prepare: manyFields, call: () => get('/b/_field_caps?fields=*') },
  {
    name: '_validate/query of a match of 1 MB',
    prepare: documents(1_000, 100),
    call: () => post('/b/_validate/query?explain=true', `{"query":{"match":{"t":"${prose(1e6, 3)}"}}}`),
  },
  {
    name: '_analyze of 10 MB',
    prepare: (send) => send(put('/b', '{"settings":{"index.analyze.max_token_count":100000000}}')),
    call: () => post('/b/_analyze', `{"text":"${prose(10e6, 1)}"}`),
  },
  { name: '_analyze of 10 MB, refused', call: () => post('/_analyze', `{"text":"${prose(10e6, 1)}"}`) },
  // Indices and the cluster
  {
    name: '100,000 synonyms',
    call: () =>
      put(
        '/b',
        `{"settings":{"analysis":{"filter":{"s":{"type":"synonym","synonyms":[${list(100_000, (i) => `"word${i} => other${i}"`)}]}},"analyzer":{"a":{"tokenizer":"standard","filter":["lowercase","s"]}}}}}`,
      ),
  },
  {
    name: 'a mapping of 100,000 fields',
    call: () => put('/b', `{"settings":{"index.mapping.total_fields.limit":${FIELDS}},${fields(FIELDS)}}`),
  },
  { name: 'a mapping of a million fields, refused', call: () => put('/b', `{${fields(1_000_000)}}`) },
  { name: '_mapping of 100,000 fields', prepare: manyFields, call: () => get('/_mapping') },
  {
    name: '_mapping of 100,000 fields, filtered',
    prepare: manyFields,
    call: () => get('/_mapping?filter_path=*.mappings.properties.f1*'),
  },
  { name: '_cluster/state of 100,000 fields', prepare: manyFields, call: () => get('/_cluster/state') },
  {
    name: 'one more of 100,000 fields',
    prepare: manyFields,
    call: () => put('/b/_mapping', '{"properties":{"f5":{"type":"keyword"}}}'),
  },
  { name: 'a document in 100,000 fields', prepare: manyFields, call: () => put('/b/_doc/1', '{"f5":"x"}') },
  { name: '_stats of 1,000 indices', prepare: indices, call: () => get('/_stats?level=shards') },
  { name: '_cluster/state of 1,000 indices', prepare: indices, call: () => get('/_cluster/state') },
  { name: '_mapping of 1,000 indices', prepare: indices, call: () => get('/_mapping') },
  { name: '_settings of 1,000 indices', prepare: indices, call: () => get('/_settings?include_defaults=true') },
  { name: '_cat/indices of 1,000 indices', prepare: indices, call: () => get('/_cat/indices?v') },
  {
    name: '_alias of 20,000 aliases',
    prepare: async (send) => {
      for (let from = 0; from < 20_000; from += 2_000)
        await send(
          post('/_aliases', `{"actions":[${list(2_000, (i) => `{"add":{"index":"a","alias":"x${from + i}"}}`)}]}`),
        )
    },
    call: () => get('/_alias'),
  },
  {
    name: '20,000 aliases made',
    call: () => post('/_aliases', `{"actions":[${list(20_000, (i) => `{"add":{"index":"a","alias":"x${i}"}}`)}]}`),
  },
  { name: '_cat/shards of 1,000 indices', prepare: indices, call: () => get('/_cat/shards?v&h=*') },
  { name: '_nodes/stats of 1,000 indices', prepare: indices, call: () => get('/_nodes/stats?level=shards') },
  { name: '_search in 1,000 indices', prepare: indices, call: () => get('/_search') },
  { name: '1,000 indices removed', prepare: indices, call: () => ({ method: 'DELETE', path: '/index-*' }) },
  {
    name: '_forcemerge of 300,000 documents',
    prepare: documents(300_000, 100),
    call: () => post('/b/_forcemerge?max_num_segments=1'),
  },
  {
    name: '_refresh after a bulk of 20 MB',
    prepare: async (send) => {
      await send(post('/b/_bulk', bulkLines(100_000, 150)))
    },
    call: () => post('/b/_refresh'),
  },
  {
    name: 'a snapshot of 300,000 documents',
    prepare: async (send) => {
      await documents(300_000, 100)(send)
      await repository(send)
    },
    call: () => put('/_snapshot/r/s?wait_for_completion=true', '{"indices":"b"}'),
  },
  {
    name: 'a restore of 300,000 documents',
    prepare: async (send) => {
      await documents(300_000, 100)(send)
      await repository(send)
      await send(put('/_snapshot/r/s?wait_for_completion=true', '{"indices":"b"}'))
      await send({ method: 'DELETE', path: '/b' })
    },
    call: () => post('/_snapshot/r/s/_restore?wait_for_completion=true'),
  },
  {
    name: '_split of 300,000 documents',
    prepare: async (send) => {
      await send(put('/b', `{"settings":{"number_of_shards":1},${MAPPING.slice(1)}`))
      await documents(300_000, 100)(send)
      await send(put('/b/_settings', '{"index.blocks.write":true}'))
    },
    call: () => post('/b/_clone/c'),
  },
]
