import type { Call, Case, Send } from './beside-cases.ts'

const put = (path: string, body: string): Call => ({ method: 'PUT', path, body: Buffer.from(body) })
const post = (path: string, body: string): Call => ({ method: 'POST', path, body: Buffer.from(body) })

const list = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join()

/** Makes index `b`, whose texts `t` are analyzed so. */
const analyzed = (analysis: string) => (send: Send) =>
  send(
    put(
      '/b',
      `{"settings":{"index.max_ngram_diff":1000,"index.max_shingle_diff":1000,"analysis":${analysis}},"mappings":{"properties":{"t":{"type":"text","analyzer":"a"}}}}`,
    ),
  )

const pipeline = (processors: string) => (send: Send) =>
  send(put('/_ingest/pipeline/p', `{"processors":[${processors}]}`))

/** About so many characters of words that are all different. */
function words(chars: number): string {
  let text = ''
  for (let i = 0; text.length < chars; i++) text += `w${(i * 7919) % 100_003} `
  return text
}

/** A square hole of a polygon, the i-th of a row of 60. */
function hole(i: number): string {
  const x = -80 + (i % 60) * 2.5
  const y = -70 + Math.floor(i / 60) * 2.5
  return `[[${x},${y}],[${x},${y + 1}],[${x + 1},${y + 1}],[${x + 1},${y}],[${x},${y}]]`
}

/** No pattern of `(a+)+b` fits it, which takes for ever to find out. */
const ENDLESS = 'a'.repeat(40)

/** Requests of somebody who may write and means ill: few bytes that are much work. */
export const HOSTILE_CASES: readonly Case[] = [
  {
    name: 'a dynamic template by (a+)+b',
    prepare: (send) =>
      send(
        put(
          '/b',
          '{"mappings":{"dynamic_templates":[{"x":{"match":"(a+)+b","match_pattern":"regex","mapping":{"type":"keyword"}}}]}}',
        ),
      ),
    call: () => put('/b/_doc/1', `{"${ENDLESS}":1}`),
  },
  {
    name: 'highlights by a wildcard of 20 stars',
    prepare: (send) => send(put('/b/_doc/1?refresh=true', `{"t":"${'a'.repeat(200)} b"}`)),
    call: () =>
      post(
        '/b/_search',
        `{"query":{"bool":{"should":[{"match":{"t":"b"}},{"wildcard":{"t":"${'*a'.repeat(20)}?b"}}]}},"highlight":{"fields":{"t":{}}}}`,
      ),
  },
  {
    name: 'filter_path of 20 double stars',
    call: () => ({ method: 'GET', path: `/_nodes?filter_path=${'**.'.repeat(20)}x` }),
  },
  {
    name: 'a polygon of 3,000 holes',
    prepare: (send) => send(put('/b', '{"mappings":{"properties":{"g":{"type":"geo_shape"}}}}')),
    call: () =>
      put(
        '/b/_doc/1',
        `{"g":{"type":"polygon","coordinates":[[[-90,-80],[90,-80],[90,80],[-90,80],[-90,-80]],${list(3_000, hole)}]}}`,
      ),
  },
  {
    name: 'n-grams up to 500 of 100 KB',
    prepare: analyzed(
      '{"tokenizer":{"f":{"type":"ngram","min_gram":1,"max_gram":500}},"analyzer":{"a":{"tokenizer":"f"}}}',
    ),
    call: () => put('/b/_doc/1', `{"t":"${words(100_000)}"}`),
  },
  {
    name: '_analyze of 4 MB by n-grams, refused',
    call: () => post('/_analyze', `{"tokenizer":"ngram","text":"${words(4e6)}"}`),
  },
  {
    name: '_analyze of 100 KB by n-grams up to 100, refused',
    prepare: analyzed(
      '{"tokenizer":{"f":{"type":"ngram","min_gram":1,"max_gram":100}},"analyzer":{"a":{"tokenizer":"f"}}}',
    ),
    call: () => post('/b/_analyze', `{"analyzer":"a","text":"${words(100_000)}"}`),
  },
  {
    name: 'shingles up to 50 of 500 KB',
    prepare: analyzed(
      '{"filter":{"s":{"type":"shingle","min_shingle_size":2,"max_shingle_size":50}},"analyzer":{"a":{"tokenizer":"whitespace","filter":["s"]}}}',
    ),
    call: () => put('/b/_doc/1', `{"t":"${words(500_000)}"}`),
  },
  {
    name: 'a text of 5 MB through synonyms',
    prepare: analyzed(
      '{"filter":{"s":{"type":"synonym","synonyms":["x => y"]}},"analyzer":{"a":{"tokenizer":"standard","filter":["s"]}}}',
    ),
    call: () => put('/b/_doc/1', `{"t":"${words(5e6)}"}`),
  },
  {
    name: '100 processors by (a+)+b, ignored',
    prepare: pipeline(
      list(100, () => '{"gsub":{"field":"t","ignore_failure":true,"pattern":"(a+)+b","replacement":""}}'),
    ),
    call: () => put('/a/_doc/9?pipeline=p', `{"t":"${ENDLESS}"}`),
  },
  {
    name: 'a text split into 2 million parts',
    prepare: pipeline('{"split":{"field":"t","separator":","}}'),
    call: () => put('/a/_doc/9?pipeline=p', `{"t":"${'a,'.repeat(2e6)}"}`),
  },
  {
    name: '_simulate?verbose of 200 processors and 100,000 numbers',
    call: () =>
      post(
        '/_ingest/pipeline/_simulate?verbose',
        `{"pipeline":{"processors":[${list(200, (i) => `{"set":{"field":"f${i}","value":${i}}}`)}]},"docs":[{"_source":{"n":[${list(100_000, String)}]}}]}`,
      ),
  },
  {
    name: 'a bulk of 50 through kv by (a+)+b',
    prepare: pipeline('{"kv":{"field":"t","field_split":"(a+)+b","value_split":"(a+)+c"}}'),
    call: () => post('/a/_bulk?pipeline=p', `{"index":{}}\n{"t":"${ENDLESS}"}\n`.repeat(50)),
  },
  {
    name: 'a bulk of 50 through 5,000 formats of dates',
    prepare: pipeline(`{"date":{"field":"t","formats":[${list(5_000, (i) => `"yyyy'${i}'MMdd"`)}]}}`),
    call: () => post('/a/_bulk?pipeline=p', `{"index":{}}\n{"t":"x"}\n`.repeat(50)),
  },
  {
    name: 'more_like_this of a stored text of 10 MB',
    prepare: (send) => send(put('/b/_doc/1?refresh=true', `{"t":"${words(10e6)}"}`)),
    call: () =>
      post(
        '/b/_search',
        '{"query":{"more_like_this":{"fields":["t"],"like":[{"_index":"b","_id":"1"}],"min_doc_freq":1}}}',
      ),
  },
  {
    name: 'nested inner hits of 30,000 objects',
    prepare: async (send) => {
      await send(
        put(
          '/b',
          '{"settings":{"index.mapping.nested_objects.limit":1000000,"index.max_inner_result_window":100000},"mappings":{"properties":{"o":{"type":"nested"}}}}',
        ),
      )
      await send(put('/b/_doc/1?refresh=true', `{"o":[${list(30_000, (i) => `{"x":${i},"y":"v${i}"}`)}]}`))
    },
    call: () =>
      post(
        '/b/_search',
        '{"query":{"nested":{"path":"o","query":{"match_all":{}},"inner_hits":{"size":30000}}},"_source":false}',
      ),
  },
  {
    name: 'query_string of 1,000 fuzzy words, refused',
    prepare: (send) => send(put('/b/_doc/1?refresh=true', `{"t":"${words(2e6)}"}`)),
    call: () =>
      post(
        '/b/_search',
        `{"query":{"query_string":{"query":"${words(7_000).replaceAll(' ', '~ ')}","default_field":"t"}}}`,
      ),
  },
  {
    name: "a percolator's query of 3 MB",
    prepare: (send) =>
      send(
        put('/b', '{"mappings":{"properties":{"q":{"type":"percolator"},"t":{"type":"text"},"k":{"type":"keyword"}}}}'),
      ),
    call: () =>
      put(
        '/b/_doc/1',
        `{"q":{"bool":{"should":[${list(100, (i) => `{"terms":{"k":[${list(3_000, (j) => `"${i} ${j}"`)}]}}`)}]}}}`,
      ),
  },
  {
    name: '300 groks of long patterns',
    call: () =>
      put(
        '/_ingest/pipeline/p',
        `{"processors":[${list(300, (i) => `{"grok":{"field":"t","patterns":["${'%{COMMONAPACHELOG} '.repeat(5)}${i}"]}}`)}]}`,
      ),
  },
  {
    name: '_delete_by_query in 1,000 slices',
    prepare: (send) => send(post('/b/_bulk?refresh=true', '{"index":{}}\n{"n":1}\n'.repeat(10_000))),
    call: () => post('/b/_delete_by_query?slices=1000', '{"query":{"match_all":{}}}'),
  },
  {
    name: 'auto_date_histogram with a value of year 250,000 for those without',
    prepare: async (send) => {
      await send(put('/b', '{"mappings":{"_doc":{"properties":{"d":{"type":"date"},"n":{"type":"long"}}}}}'))
      await send(post('/b/_doc/_bulk?refresh=true', '{"index":{}}\n{"d":"2020-01-01"}\n{"index":{}}\n{"n":1}\n'))
    },
    call: () =>
      post('/b/_search', '{"size":0,"aggs":{"a":{"auto_date_histogram":{"field":"d","buckets":10,"missing":8e15}}}}'),
  },
  {
    name: 'highlights of 10 MB in a scroll',
    prepare: async (send) => {
      await send(put('/b', '{"settings":{"index.highlight.max_analyzed_offset":20000000}}'))
      await send(put('/b/_doc/1?refresh=true', `{"t":"${words(10e6)}"}`))
    },
    call: () =>
      post('/b/_search?scroll=1m', '{"query":{"match":{"t":"w7919"}},"_source":false,"highlight":{"fields":{"t":{}}}}'),
  },
  {
    name: 'pipelines calling each other',
    prepare: async (send) => {
      for (let i = 0; i < 14; i++) {
        const next = `{"pipeline":{"name":"p${i + 1}"}}`
        const end = '{"set":{"field":"n","value":1}}'
        await send(put(`/_ingest/pipeline/p${i}`, `{"processors":[${i === 13 ? end : `${next},${next}`}]}`))
      }
    },
    call: () => post('/a/_bulk?pipeline=p0', '{"index":{}}\n{"t":"x"}\n'.repeat(10)),
  },
]
