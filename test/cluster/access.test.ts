import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nodeHash } from '../../src/access/signature/node-hash.ts'
import { signRequest } from '../../src/access/signature/sign-request.ts'
import { sendExactly } from '../security/echo-domain.ts'
import { answerJson, FakeCluster } from './fake-cluster.ts'
import { type ServedCluster, serveCluster } from './served-cluster.ts'

/* What callers with rights to some indices only can reach through the domain. Everything refused must not reach the cluster. */

const METADATA = {
  indices: {
    books: { aliases: ['reading'], settings: { index: {} } },
    'books-old': { aliases: [], settings: { index: {} } },
    secret: { aliases: ['hidden-door', 'both'], settings: { index: {} } },
    '.secret-system': { aliases: [], settings: { index: { hidden: 'true' } } },
    piped: { aliases: [], settings: { index: { default_pipeline: 'route' } } },
    'secret-piped': { aliases: [], settings: { index: { default_pipeline: 'theirs' } } },
    '.ds-reviews-000001': { aliases: [], settings: { index: { hidden: 'true' } } },
    '.ds-events-000001': { aliases: [], settings: { index: { hidden: 'true' } } },
    'secret-behind': { aliases: [], settings: { index: { hidden: 'true' } } },
    shapes: { aliases: [] },
    stored: { aliases: [], mappings: { _doc: { properties: { q: { type: 'percolator' } } } } },
  },
  data_stream: {
    data_stream: {
      'secret-events': { indices: [{ index_name: '.ds-events-000001' }] },
      reviews: { indices: [{ index_name: '.ds-reviews-000001' }] },
      restored: { indices: [{ index_name: 'secret-behind' }] },
    },
    data_stream_aliases: { events: { data_streams: ['secret-events'] } },
  },
  ingest: {
    pipeline: [
      { id: 'route', config: { processors: [{ set: { field: '_index', value: 'secret' } }] } },
      { id: 'tidy', config: { processors: [{ trim: { field: 'title' } }] } },
      { id: 'script', config: { processors: [{ script: { source: "ctx._index = 'secret'" } }] } },
      { id: 'stored', config: { processors: [{ script: { id: 'routing' } }, { pipeline: { name: 'run' } }] } },
      { id: 'theirs', config: { processors: [] } },
    ],
  },
  templates: {
    old: { index_patterns: ['sec*'], settings: { index: { default_pipeline: 'to-come' } } },
    routed: { index_patterns: ['none', 'routed-*'], settings: { index: { default_pipeline: 'route' } } },
  },
  index_template: {
    index_template: {
      new: { index_patterns: ['secret-*'], composed_of: ['part'] },
      'secret-rival': { index_patterns: ['books-o*', 'secret-*'], priority: 7 },
    },
  },
  component_template: {
    component_template: { part: { template: { settings: { index: { final_pipeline: 'of-part' } } } } },
  },
}

/** Where things are stored by names of their own. */
const STORED = ['_index_template', '_ingest/pipeline', '_scripts', '_template']

const lines = (...values: object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const terms = (index: string) => ({ query: { terms: { tag: { index, id: '1', path: 'tags' } } } })
const like = (one: object) => ({ query: { more_like_this: { fields: ['a'], like: [one] } } })
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')

/** Refused to somebody who may do everything but for `secret` and what belongs to it. */
const BYPASSES: readonly (readonly [what: string, method: string, path: string, body?: object | string])[] = [
  ['the index itself', 'GET', '/secret/_search'],
  ['an alias over it', 'GET', '/hidden-door/_search'],
  ['an alias over it, by a document', 'GET', '/hidden-door/_doc/1'],
  ['an alias over it, to write', 'PUT', '/hidden-door/_doc/1', { a: 1 }],
  ['a list', 'GET', '/books,secret/_search'],
  ['a list, encoded', 'GET', '/books%2Csecret/_search'],
  ['a wildcard', 'GET', '/sec*/_search'],
  ['a wildcard for aliases', 'GET', '/hidden-*/_search'],
  ['everything', 'GET', '/_search'],
  ['_all', 'GET', '/_all/_search'],
  ['*', 'POST', '/*/_search', {}],
  ['an exclusion that excludes something else', 'GET', '/*,-books/_search'],
  ['an exclusion before any pattern', 'GET', '/-books/_search'],
  ['hidden indices, which exclusions leave', 'GET', '/*,-secret,.secret*,-*/_search?expand_wildcards=all'],
  ['a name excluded but named', 'GET', '/secret,*,-secret/_search'],
  ['deleting by a wildcard', 'DELETE', '/s*'],
  ['deleting everything', 'DELETE', '/_all'],
  ['a data stream by its index', 'GET', '/.ds-events-000001/_search'],
  ['a data stream by its alias', 'GET', '/events/_search'],
  ['a data stream for what is behind it', 'GET', '/restored/_search'],
  ['an index that would be behind a data stream', 'GET', '/.ds-secret-000001/_search'],
  ['a date math name', 'GET', '/%3Csecret-%7Bnow%2Fd%7D%3E/_search'],
  ['a date math name without math', 'GET', '/%3Csecret%3E/_search'],
  ['an index of another cluster', 'GET', '/other:books/_search'],
  ['an encoded slash', 'GET', '/secret%2F_search'],
  ['a document with an encoded slash', 'GET', '/secret/_doc/a%2Fb'],
  ['the index by the query', 'GET', '/_cat/count?index=secret'],
  ['the index by the query, of a bulk', 'POST', '/_bulk?index=secret', lines({ index: {} }, { a: 1 })],
  ['an item of a bulk', 'POST', '/_bulk', lines({ index: { _index: 'secret' } }, { a: 1 })],
  ['an item of a bulk below another index', 'POST', '/books/_bulk', lines({ delete: { _index: 'secret', _id: '1' } })],
  ['an item of a bulk by an alias', 'POST', '/_bulk', lines({ create: { _index: 'both', _id: '1' } }, { a: 1 })],
  [
    'an item behind an empty line',
    'POST',
    '/_bulk',
    `\n \n${lines({ update: { _index: 'secret', _id: '1' } }, { doc: {} })}`,
  ],
  [
    'a document of an mget',
    'POST',
    '/_mget',
    {
      docs: [
        { _index: 'books', _id: '1' },
        { _index: 'secret', _id: '1' },
      ],
    },
  ],
  [
    'a document of an mget below another index',
    'GET',
    `/books/_mget?source_content_type=application/json&source=${encodeURIComponent('{"docs":[{"_index":"secret","_id":"1"}]}')}`,
  ],
  ['a document of mtermvectors', 'POST', '/_mtermvectors', { docs: [{ _index: 'secret', _id: '1' }] }],
  ['a search of several', 'POST', '/_msearch', lines({ index: 'books' }, {}, { index: 'secret' }, {})],
  ['a search of several, as an array', 'POST', '/books/_msearch', lines({ index: ['books', 'sec*'] }, {})],
  ['a search of several over everything', 'POST', '/_msearch', lines({}, {})],
  ['a lookup in a search of several', 'POST', '/_msearch', lines({ index: 'books' }, terms('secret'))],
  ['a terms lookup', 'POST', '/books/_search', terms('secret')],
  ['a terms lookup in one that is not there yet', 'POST', '/books/_search', terms('secret-next')],
  [
    'documents to be like in one that is not there yet',
    'POST',
    '/books/_search',
    { query: { more_like_this: { like: [{ _index: 'secret-next', _id: '1' }] } } },
  ],
  ['a terms lookup by an alias', 'POST', '/books/_search', terms('hidden-door')],
  [
    'a terms lookup of a field called term',
    'POST',
    '/books/_search',
    { query: { terms: { term: { index: 'secret', id: '1', path: 'a' } } } },
  ],
  [
    'a terms lookup in the query string',
    'GET',
    `/books/_search?source_content_type=application/json&source=${encodeURIComponent(JSON.stringify(terms('secret')))}`,
  ],
  [
    'a terms lookup deep inside',
    'POST',
    '/books/_search',
    { aggs: { a: { filter: { bool: { must: [terms('secret').query] } } } } },
  ],
  ['a terms lookup of a count', 'POST', '/books/_count', terms('secret')],
  ['a terms lookup of a deletion', 'POST', '/books/_delete_by_query', terms('secret')],
  ['a terms lookup in an alias', 'PUT', '/books/_alias/mine', { filter: terms('secret').query }],
  ['a terms lookup in a stored query', 'PUT', '/stored/_doc/1', terms('secret')],
  ['a terms lookup in a stored query of a bulk', 'POST', '/stored/_bulk', lines({ index: {} }, terms('secret'))],
  ['a wrapped query', 'POST', '/books/_search', { query: { wrapper: { query: base64(terms('secret').query) } } }],
  ['a wrapped query that is no JSON', 'POST', '/books/_search', { query: { wrapper: { query: 'OikKBfo=' } } }],
  ['an item of a bulk for a pattern', 'POST', '/_bulk', lines({ index: { _index: 'secret*,-x' } }, { a: 1 })],
  ['an alias called like a pattern', 'PUT', '/books/_alias/secret*,-x'],
  ['a copy called like a pattern', 'POST', '/books/_clone/secret*,-x'],
  ['everything else excluded', 'GET', '/secret,-books/_search'],
  ['escaped names', 'POST', '/books/_search', JSON.stringify(terms('secret')).replace('"index"', '"\\u0069ndex"')],
  [
    'documents to be like',
    'POST',
    '/books/_search',
    { query: { more_like_this: { like: [{ _index: 'secret', _id: '1' }] } } },
  ],
  [
    'an indexed shape',
    'POST',
    '/books/_search',
    { query: { geo_shape: { l: { indexed_shape: { index: 'secret', id: '1' } } } } },
  ],
  [
    'a percolated document',
    'POST',
    '/books/_search',
    { query: { percolate: { field: 'q', index: 'secret', id: '1' } } },
  ],
  ['a boost', 'POST', '/books/_search', { indices_boost: [{ secret: 2 }] }],
  ['a point in time', 'POST', '/_search', { pit: { id: 'abc' } }],
  ['a point in time below an index', 'POST', '/books/_search', { pit: { id: 'abc' } }],
  ['making a point in time', 'POST', '/books,secret/_search/point_in_time?keep_alive=1m'],
  ['a search template', 'POST', '/books/_search/template', { source: JSON.stringify(terms('secret')) }],
  ['a stored template that is not to be read, at fault', 'POST', '/books/_search/template', { id: 'secret-s' }],
  [
    'the profile of one',
    'POST',
    '/books/_search/template',
    { id: 'secret-s', source: '{"query":{"match_all":{}}}', profile: true },
  ],
  ['search templates', 'POST', '/_msearch/template', lines({ index: 'books' }, { id: 't' })],
  ['an asynchronous search', 'POST', '/books/_async_search', {}],
  ['an asynchronous search by its id', 'GET', '/_async_search/abc'],
  ['an asynchronous search of a plugin', 'GET', '/_plugins/_asynchronous_search/abc'],
  ['SQL', 'POST', '/_plugins/_sql', { query: 'select * from secret' }],
  ['PPL', 'POST', '/_plugins/_ppl', { query: 'source=secret' }],
  ['a command nobody knows', 'POST', '/books/_unknown/thing', {}],
  ['a scroll of another', 'POST', '/_search/scroll', { scroll_id: 'theirs' }],
  [
    'a scroll of another by the source',
    'GET',
    `/_search/scroll/own?source_content_type=application/json&source=${encodeURIComponent('{"scroll_id":"theirs"}')}`,
  ],
  ['an alias by its body', 'PUT', '/books/_alias/mine', { index: 'secret' }],
  ['a search template over it', 'POST', '/secret/_search/template', { source: {} }],
  ['ending points in time of others', 'DELETE', '/_search/point_in_time', { pit_id: ['theirs'] }],
  ['ending all points in time', 'DELETE', '/_search/point_in_time/_all'],
  ['a scroll of another by the path', 'GET', '/_search/scroll/theirs'],
  ['ending all scrolls', 'DELETE', '/_search/scroll/_all'],
  ['reindexing from it', 'POST', '/_reindex', { source: { index: 'secret' }, dest: { index: 'books' } }],
  ['reindexing to it', 'POST', '/_reindex', { source: { index: 'books' }, dest: { index: 'secret' } }],
  ['reindexing from everywhere', 'POST', '/_reindex', { source: { index: '*' }, dest: { index: 'books' } }],
  [
    'reindexing by a script',
    'POST',
    '/_reindex',
    { source: { index: 'books' }, dest: { index: 'b' }, script: { source: 'x' } },
  ],
  [
    'reindexing from another server',
    'POST',
    '/_reindex',
    { source: { index: 'books', remote: { host: 'http://x' } }, dest: { index: 'b' } },
  ],
  ['an alias for it', 'POST', '/_aliases', { actions: [{ add: { index: 'secret', alias: 'mine' } }] }],
  ['an alias for a wildcard', 'POST', '/_aliases', { actions: [{ add: { indices: ['s*'], alias: 'mine' } }] }],
  ['an alias by the path', 'PUT', '/s*/_alias/mine'],
  ['removing it', 'POST', '/_aliases', { actions: [{ remove_index: { index: 'secret' } }] }],
  ['a pipeline that writes elsewhere', 'PUT', '/books/_doc/1?pipeline=route', { a: 1 }],
  ['a pipeline with a script', 'PUT', '/books/_doc/1?pipeline=script', { a: 1 }],
  ['a pipeline of an item', 'POST', '/books/_bulk', lines({ index: { pipeline: 'route' } }, { a: 1 })],
  ['the pipeline of an index', 'PUT', '/piped/_doc/1', { a: 1 }],
  ['giving an index one', 'PUT', '/books/_settings', { index: { default_pipeline: 'route' } }],
  ['giving a new index one', 'PUT', '/brand-new', { settings: { 'index.final_pipeline': 'script' } }],
  ['giving a copy one', 'POST', '/books/_clone/copy', { settings: { final_pipeline: 'script' } }],
  [
    'giving indices to come one',
    'PUT',
    '/_index_template/mine',
    { index_patterns: ['books-*'], template: { settings: { index: { default_pipeline: 'route' } } } },
  ],
  ['a pipeline that a new index gets', 'PUT', '/routed-1/_doc/1', { a: 1 }],
  ['a pipeline that a new index of a bulk gets', 'POST', '/_bulk', lines({ index: { _index: 'routed-1' } }, { a: 1 })],
  ['a pipeline that a copy gets', 'POST', '/_reindex', { source: { index: 'books' }, dest: { index: 'routed-1' } }],
  [
    'making a pipeline that writes elsewhere',
    'PUT',
    '/_ingest/pipeline/mine',
    { processors: [{ set: { field: '_index', value: 'books' } }] },
  ],
  ['a pipeline of nothing known', 'PUT', '/_ingest/pipeline/mine', { processors: [null] }],
  ...['theirs', 'to-come', 'of-part', 'run'].map(
    (name) => [`the pipeline ${name}, which is used`, 'PUT', `/_ingest/pipeline/${name}`, { processors: [] }] as const,
  ),
  ['removing a pipeline that is used', 'DELETE', '/_ingest/pipeline/theirs'],
  ['removing pipelines, some used', 'DELETE', '/_ingest/pipeline/t*'],
  [
    'trying out a pipeline that is not to be read',
    'POST',
    '/_ingest/pipeline/_simulate',
    { pipeline: { processors: [{ foreach: { processor: { pipeline: { name: 'secret-p' } } } }] }, docs: [] },
  ],
  ['trying it out by the query', 'POST', '/_ingest/pipeline/_simulate?id=secret-p', { docs: [] }],
  [
    'trying out a script that is not to be read',
    'POST',
    '/_ingest/pipeline/_simulate',
    { pipeline: { processors: [{ script: { id: 'secret-s' } }] }, docs: [] },
  ],
  ['removing a script of a pipeline', 'DELETE', '/_scripts/routing'],
  ['an alias alone, over it', 'GET', '/_alias/hidden-door'],
  ['an alias alone, over it, as a table', 'GET', '/_cat/aliases/hidden-door'],
  ['what a name stands for', 'GET', '/_resolve/index/books,hidden-door'],
  ['what names there are', 'GET', '/_resolve/index/*'],
  ['a template at fault over it', 'POST', '/hidden-door/_search/template', { source: '{' }],
  ['an alias alone, also over it', 'HEAD', '/_alias/reading,both'],
  ['aliases alone, by a pattern', 'GET', '/_alias/hid*'],
  ['all aliases', 'GET', '/_alias/*'],
  ['aliases but for some', 'GET', '/_alias/-reading'],
  [
    'a name that is a number of another text',
    'POST',
    '/books/_search',
    '{"query":{"terms":{"a":{"index":2024.10,"id":1}}}}',
  ],
  ['a document to be like without an id', 'POST', '/books/_search', like({ _index: 'secret-next', doc: { a: 1 } })],
  ['a boost of one that is not there yet', 'POST', '/books/_search', { indices_boost: [{ 'secret-next': 2 }] }],
  ['a stored query that is wrapped in no JSON', 'PUT', '/stored/_doc/1', { q: { wrapper: { query: 'LS0tCmE6IDEK' } } }],
  ['a stored query of one that is not there yet', 'PUT', '/stored/_doc/1', terms('secret-next')],
  ['a part of a stored query', 'POST', '/stored/_update/1', { doc: { q: { terms: { a: { index: 'secret' } } } } }],
  ['a stored query made by a script', 'POST', '/stored/_update/1', { script: { source: 'ctx._source.q = x' } }],
  [
    'a stored query made by a script of a bulk',
    'POST',
    '/_bulk',
    lines({ update: { _index: 'stored', _id: '1' } }, { script: { source: 'ctx._source.q = x' } }),
  ],
  ['stored queries made by a query', 'POST', '/stored/_update_by_query', {}],
  ['stored queries made of copies', 'POST', '/_reindex', { source: { index: 'books' }, dest: { index: 'stored' } }],
  ['a stored query made by a pipeline', 'PUT', '/stored/_doc/1?pipeline=tidy', { a: 1 }],
  ['a field for queries', 'PUT', '/books/_mapping', { properties: { q: { type: 'percolator' } } }],
  ['an index for queries', 'PUT', '/brand-new', { mappings: { properties: { q: { type: 'percolator' } } } }],
  [
    'a template for queries',
    'PUT',
    '/_template/own',
    { index_patterns: ['books-*'], mappings: { properties: { q: { type: 'percolator' } } } },
  ],
  ['what all indices are', 'GET', '/_cat/indices'],
  ['their mappings', 'GET', '/_mapping'],
  ['the state of the cluster', 'GET', '/_cluster/state'],
  ['statistics', 'GET', '/_stats'],
  ['analysis of it', 'POST', '/_analyze', { index: 'secret', text: 'a' }],
  ['analysis of it by the query', 'GET', '/_analyze?index=secret&text=a'],
  ['a copy of it', 'POST', '/secret/_clone/mine'],
  ['a copy over it', 'POST', '/books/_clone/secret'],
  ['a rollover of an alias over it', 'POST', '/hidden-door/_rollover'],
  ['a snapshot', 'PUT', '/_snapshot/r/s', { indices: 'secret' }],
  ['a body that is no JSON', 'POST', '/books/_search', 'query:\n  match_all: {}\n'],
  ['ranked evaluation', 'POST', '/books/_rank_eval', {}],
  ['its name as an alias', 'PUT', '/books/_alias/secret-next'],
  ['its name as an alias by the body', 'PUT', '/books/_alias', { alias: 'secret-next' }],
  ['its name as an alias by the query', 'PUT', '/books/_alias?name=secret-next'],
  [
    'its name among aliases',
    'POST',
    '/_aliases',
    { actions: [{ add: { index: 'books', aliases: ['a', 'secret-next'] } }] },
  ],
  ['its name as an alias of a new index', 'PUT', '/brand-new', { aliases: { 'secret-next': {} } }],
  ['its name as an alias of a copy', 'POST', '/books/_clone/copy', { aliases: { 'secret-next': {} } }],
  [
    'being what an alias over it writes to',
    'POST',
    '/_aliases',
    { actions: [{ add: { index: 'books', alias: 'hidden-door', is_write_index: true } }] },
  ],
  ['being behind an alias over it', 'PUT', '/books/_alias/both'],
  ['an alias over it as one of a new index', 'PUT', '/brand-new', { aliases: { 'hidden-door': {} } }],
  ['an alias over it as one of a copy', 'POST', '/books/_clone/copy', { aliases: { 'hidden-door': {} } }],
  [
    'an alias over it as one of a template',
    'PUT',
    '/_template/mine',
    { index_patterns: 'books*', aliases: { 'hidden-door': {} } },
  ],
  [
    'which templates a new one cannot stand beside',
    'PUT',
    '/_index_template/mine',
    { index_patterns: ['books-*'], priority: 7 },
  ],
  ['a template for it', 'PUT', '/_template/mine', { index_patterns: ['books*', 'secret-*'] }],
  ['a template for everything', 'PUT', '/_template/mine', { index_patterns: ['*'] }],
  ['a template for it, in the old words', 'PUT', '/_template/mine', { template: 's*' }],
  ['a template for it by the query', 'PUT', '/_template/mine?template=secret*', {}],
  [
    'its name as an alias of a template',
    'PUT',
    '/_template/mine',
    { index_patterns: 'books*', aliases: { 'secret-a': {} } },
  ],
  [
    'an alias of a template that may be called so',
    'PUT',
    '/_template/mine',
    { index_patterns: 'b*', aliases: { '{index}': {} } },
  ],
  ['replacing a template of it', 'PUT', '/_template/theirs', { index_patterns: ['books*'] }],
  ['removing a template of it', 'DELETE', '/_template/theirs'],
  ['an index template for it', 'PUT', '/_index_template/mine', { index_patterns: ['secret-*'], template: {} }],
  ['an index template of parts', 'PUT', '/_index_template/mine', { index_patterns: ['books-*'], composed_of: ['a'] }],
  ['parts of templates', 'PUT', '/_component_template/mine', { template: {} }],
  [
    'a script of a pipeline',
    'PUT',
    '/_scripts/routing',
    { script: { lang: 'painless', source: "ctx._index = 'books'" } },
  ],
  ['tasks with what they do', 'GET', '/_tasks?detailed=true'],
  ['tasks with what they do, as a table', 'GET', '/_cat/tasks?detailed'],
  ['a task', 'GET', '/_tasks/node:1'],
  ['what came of tasks', 'GET', '/.tasks/_search'],
  ['what came of a task', 'GET', '/.tasks/_doc/node:1'],
  ['stopping a task', 'POST', '/_tasks/node:1/_cancel'],
  ['stopping all tasks', 'POST', '/_tasks/_cancel'],
  ['slowing a task down', 'POST', '/_reindex/node:1/_rethrottle?requests_per_second=1'],
  ['what waits to be done', 'GET', '/_cluster/pending_tasks'],
  ['what nodes are at', 'GET', '/_nodes/hot_threads'],
  ['fields in memory', 'GET', '/_nodes/stats/indices/fielddata?fields=*'],
  ['the health of each index', 'GET', '/_cluster/health?level=indices'],
]

/** Let through to the same caller. */
const PASSES: typeof BYPASSES = [
  ['a document', 'GET', '/books/_doc/1'],
  ['a document called like an index', 'GET', '/books/_doc/secret'],
  ['a search', 'POST', '/books/_search', { query: { match: { title: 'secret' } } }],
  ['an alias', 'GET', '/reading/_search'],
  ['a wildcard', 'GET', '/book*/_search'],
  ['a bulk', 'POST', '/_bulk', lines({ index: { _index: 'books' } }, { a: 1, index: 'x' })],
  ['an mget', 'POST', '/_mget', { docs: [{ _index: 'books', _id: '1' }] }],
  ['searches', 'POST', '/_msearch', lines({ index: 'books' }, terms('books-old'))],
  ['a field called index', 'POST', '/books/_search', { query: { term: { index: 'secret' } } }],
  ['a document that looks like a lookup', 'PUT', '/books/_doc/1', terms('secret')],
  ['a stored query', 'PUT', '/stored/_doc/1', { q: terms('books').query }],
  ['giving an index a pipeline that stays', 'PUT', '/books/_settings', { index: { default_pipeline: 'tidy' } }],
  ['a document of a new index', 'PUT', '/brand-new/_doc/1', { a: 1 }],
  ['a script', 'POST', '/books/_update/1', { script: { source: 'ctx._source.a = 1' } }],
  ['a field of a document called index', 'PUT', '/books/_doc/1', { index: 'secret', id: 1 }],
  [
    'an aggregation sorted by one called index',
    'POST',
    '/books/_search',
    { aggs: { a: { terms: { order: { index: 'asc' } } } } },
  ],
  ['an alias alone', 'GET', '/_alias/reading'],
  ['an alias alone, as a table', 'GET', '/_cat/aliases/reading'],
  ['aliases alone, by a pattern', 'GET', '/_alias/read*,none'],
  ['a pipeline', 'PUT', '/_ingest/pipeline/mine', { processors: [{ trim: { field: 'a' } }] }],
  ['removing a pipeline', 'DELETE', '/_ingest/pipeline/tidy'],
  ['removing a script', 'DELETE', '/_scripts/own'],
  [
    'trying out a pipeline',
    'POST',
    '/_ingest/pipeline/_simulate',
    { pipeline: { processors: [{ pipeline: { name: 'tidy' } }] } },
  ],
  ['a search template', 'POST', '/books/_search/template', { source: '{"query":{"match_all":{}}}' }],
  ['a point in time', 'POST', '/books/_search/point_in_time?keep_alive=1m'],
  ['a pipeline that stays', 'PUT', '/books/_doc/1?pipeline=tidy', { a: 1 }],
  [
    'a document with fields that look like names',
    'PUT',
    '/books/_doc/1',
    { index: 'a:b*', pit: { id: 1 }, collate: 1 },
  ],
  ['a data stream', 'GET', '/reviews/_search'],
  ['health', 'GET', '/_cluster/health'],
  ['nodes', 'GET', '/_cat/nodes'],
  ['aliases of its own', 'POST', '/_aliases', { actions: [{ add: { index: 'books', alias: 'mine' } }] }],
  ['reindexing', 'POST', '/_reindex', { source: { index: 'books' }, dest: { index: 'books-old' } }],
  ['tasks', 'GET', '/_tasks'],
  ['a script', 'PUT', '/_scripts/own', { script: { lang: 'painless', source: 'ctx.a = 1' } }],
  ['a template', 'PUT', '/_template/own', { index_patterns: ['books-*'], aliases: { 'all-{index}': {}, reading: {} } }],
  ['removing a template', 'DELETE', '/_template/own'],
  ['making an index', 'PUT', '/brand-new', { mappings: { properties: { a: { type: 'text', index: false } } } }],
]

describe.each(['OpenSearch_2.19', 'Elasticsearch_7.10', 'Elasticsearch_6.8'])(
  'somebody who may do everything but for one index of %s',
  (engineVersion) => {
    let cluster: FakeCluster
    let domain: ServedCluster
    beforeAll(async () => {
      cluster = await FakeCluster.start({ metadata: METADATA })
      domain = await serveCluster([cluster.url], {
        engineVersion,
        statements: [
          { Effect: 'Allow', Action: 'es:*', Resource: '$/*' },
          {
            Effect: 'Deny',
            Action: 'es:*',
            Resource: ['secret*', '.secret*', ...STORED.map((folder) => `${folder}/secret*`)].map(
              (path) => `$/${path}`,
            ),
          },
        ],
      })
    })
    beforeEach(() => {
      cluster.seen.length = 0
    })
    afterAll(async () => {
      await domain.stop()
      await cluster.stop()
    })

    it.each(named(BYPASSES))('is refused $what', async ({ method, path, body }) => {
      const type = typeof body === 'string' && body.startsWith('query:') ? { 'content-type': 'application/yaml' } : {}
      const json =
        typeof body === 'string' && body.startsWith('{"query') ? { 'content-type': 'application/json' } : type
      expect((await domain.ask(method, path, body, json)).status).toBe(403)
      expect(cluster.seen).toEqual([])
    })

    it('gets nothing forwarded that cannot be read here', async () => {
      const wide = Buffer.from(JSON.stringify(terms('secret')), 'utf16le').toString('latin1')
      for (const [method, path, body] of [
        ['PUT', '/stored/_doc/1', wide],
        ['POST', '/books/_search', wide],
        ['POST', '/books/_search', '/* comment */ {}'],
        ['POST', '/books/_search', '{"query":{},"query":{}}'],
        ['POST', '/_bulk', '{"index":{"_index":"books"}}\n{}'],
        ['GET', '/books/%2E%2E/secret/_search', undefined],
      ] as const) {
        const answer = await domain.ask(method, path, body, { 'content-type': 'application/json' })
        expect([400, 403], `${method} ${path} ${body}`).toContain(answer.status)
      }
      expect(cluster.seen).toEqual([])
    })

    it.each(named(PASSES))('is let through: $what', async ({ method, path, body }) => {
      expect((await domain.ask(method, path, body)).text).toBe('{"echoed":true}')
      expect(cluster.seen).toHaveLength(1)
    })

    it('is served nothing while what the cluster says of its state is none', async () => {
      for (const state of [[], null, 'text', {}, { metadata: { indices: {} } }]) {
        cluster.state = state
        const { status } = await domain.ask('GET', '/reading/_search')
        cluster.state = undefined
        expect(status, JSON.stringify(state)).toBe(503)
      }
      expect(cluster.seen).toEqual([])
      expect((await domain.ask('GET', '/reading/_search')).status).toBe(200)
    })

    it('is judged by aliases as they are at the moment', async () => {
      expect((await domain.ask('GET', '/reading/_search')).status).toBe(200)
      const changed = structuredClone(METADATA)
      changed.indices.secret.aliases.push('reading')
      cluster.metadata = changed
      cluster.stateUuid++
      expect((await domain.ask('GET', '/reading/_search')).status).toBe(403)
      cluster.metadata = METADATA
      cluster.stateUuid++
    })
  },
)

describe('a task of somebody with rights to some indices', () => {
  it('is told of to who may see what it works on', async () => {
    const cluster = await FakeCluster.start({
      metadata: METADATA,
      handle: (seen, response) => {
        if (!seen.url.includes('wait_for_completion=false')) return false
        answerJson(response, 200, { task: 'node:7' })
        return true
      },
    })
    const allowed = ['$/books/*', '$/books-old/*', '$/_reindex', '$/_tasks/*']
    const domain = await serveCluster([cluster.url], {
      statements: [{ Effect: 'Allow', Action: 'es:*', Resource: allowed }],
    })
    expect((await domain.ask('GET', '/_tasks/node:7')).status).toBe(403)
    const copy = { source: { index: 'books' }, dest: { index: 'books-old' } }
    expect((await domain.ask('POST', '/_reindex?wait_for_completion=false', copy)).text).toBe('{"task":"node:7"}')
    expect((await domain.ask('GET', '/_tasks/node:7')).status).toBe(200)
    expect((await domain.ask('POST', '/_tasks/node:7/_cancel')).status).toBe(200)
    expect((await domain.ask('GET', '/_tasks/node:8')).status).toBe(403)
    await domain.stop()
    await cluster.stop()
  })
})

describe('scrolls of somebody with rights to some indices', () => {
  it('go on for who began them, while the index is theirs', async () => {
    const cluster = await FakeCluster.start({
      metadata: METADATA,
      handle: (seen, response) => {
        const context = seen.url.includes('point_in_time') ? { pit_id: 'cGl0' } : { _scroll_id: 'c2Nyb2xs==' }
        answerJson(response, 200, { ...context, hits: {} })
        return true
      },
    })
    const domain = await serveCluster([cluster.url], {
      statements: [
        { Effect: 'Allow', Action: 'es:*', Resource: ['$/books/*', '$/_search/scroll', '$/_search/scroll/*'] },
      ],
    })
    expect((await domain.ask('POST', '/_search/scroll', { scroll_id: 'c2Nyb2xs==' })).status).toBe(403)
    expect((await domain.ask('POST', '/books/_search?scroll=1m', {})).status).toBe(200)
    expect((await domain.ask('POST', '/_search/scroll', { scroll_id: 'c2Nyb2xs==', scroll: '1m' })).status).toBe(200)
    expect((await domain.ask('DELETE', '/_search/scroll', { scroll_id: ['c2Nyb2xs==', 'other'] })).status).toBe(403)
    expect((await domain.ask('DELETE', '/_search/scroll', { scroll_id: ['c2Nyb2xs=='] })).status).toBe(200)
    // Of another who may do everything, over the same index: not known, and so not shared.
    expect((await domain.ask('POST', '/_search/scroll', { scroll_id: 'c2Nyb2xsMg==' })).status).toBe(403)
    await domain.stop()
    await cluster.stop()
  })

  it('and points in time too', async () => {
    const cluster = await FakeCluster.start({
      metadata: METADATA,
      handle: (_seen, response) => {
        answerJson(response, 200, { pit_id: 'cGl0' })
        return true
      },
    })
    const domain = await serveCluster([cluster.url], {
      statements: [
        { Effect: 'Allow', Action: 'es:*', Resource: ['$/books/*', '$/_search', '$/_search/point_in_time'] },
      ],
    })
    const search = { pit: { id: 'cGl0' }, query: { match_all: {} } }
    expect((await domain.ask('POST', '/_search', search)).status).toBe(403)
    expect((await domain.ask('POST', '/books/_search/point_in_time?keep_alive=1m')).status).toBe(200)
    expect((await domain.ask('POST', '/_search', search)).status).toBe(200)
    expect((await domain.ask('POST', '/_search', {})).status).toBe(403)
    expect((await domain.ask('DELETE', '/_search/point_in_time', { pit_id: ['cGl0'] })).status).toBe(200)
    await domain.stop()
    await cluster.stop()
  })
})

describe('what somebody began', () => {
  it('is for nobody else who may see as much', async () => {
    const cluster = await FakeCluster.start({
      metadata: METADATA,
      handle: (seen, response) => {
        if (seen.url.includes('point_in_time?')) answerJson(response, 200, { pit_id: 'cGl0' })
        else if (seen.url.includes('=false')) answerJson(response, 200, { task: 'node:7' })
        else answerJson(response, 200, { _scroll_id: 'c2Nyb2xs==', hits: {} })
        return true
      },
    })
    const resources = ['$/books/*', '$/books-old/*', '$/_search*', '$/_reindex', '$/_tasks/*']
    const domain = await serveCluster([cluster.url], {
      statements: [{ Effect: 'Allow', Action: 'es:*', Resource: resources }],
    })
    const person = { Username: 'mina', Password: 'correct horse battery' }
    await domain.ask('POST', '/-/pool/sign-up', person)
    const { Credentials } = (await domain.ask('POST', '/-/pool/sign-in', person)).json
    const { host, port } = new URL(domain.url)
    const mina = async (method: string, target: string, body?: object) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = await signRequest(
        { method, target, headers: { host, 'content-type': 'application/json' }, body: text },
        {
          accessKeyId: Credentials.AccessKeyId,
          secretAccessKey: Credentials.SecretKey,
          sessionToken: Credentials.SessionToken,
        },
        { region: 'us-east-1', hash: nodeHash },
      )
      return sendExactly({ port: Number(port), ca: undefined }, { method, target, headers, body: text })
    }
    const scroll = { scroll_id: 'c2Nyb2xs==' }
    const copy = { source: { index: 'books' }, dest: { index: 'books-old' } }
    const pit = { pit: { id: 'cGl0' } }
    expect((await mina('POST', '/books/_search?scroll=1m', {})).status).toBe(200)
    expect((await mina('POST', '/books/_search/point_in_time?keep_alive=1m')).status).toBe(200)
    expect((await mina('POST', '/_reindex?wait_for_completion=false', copy)).status).toBe(200)
    for (const ask of [domain.ask, mina]) {
      const statuses = [
        await ask('POST', '/_search/scroll', scroll),
        await ask('POST', '/_search', pit),
        await ask('GET', '/_tasks/node:7'),
        await ask('DELETE', '/_search/scroll', scroll),
      ].map(({ status }) => status)
      expect(statuses).toEqual(ask === mina ? [200, 200, 200, 200] : [403, 403, 403, 403])
    }
    await domain.stop()
    await cluster.stop()
  })
})

describe('what an answer of the cluster tells besides', () => {
  it('is not for who may not read it where it is stored', async () => {
    const cluster = await FakeCluster.start({
      metadata: METADATA,
      handle: (_seen, response) => {
        response.writeHead(200, { 'content-type': 'application/json', warning: '299 - "secret-rival"' }).end('{}')
        return true
      },
    })
    const ask = async (denied: readonly string[], ...call: Parameters<ServedCluster['ask']>) => {
      const domain = await serveCluster([cluster.url], {
        statements: [
          { Effect: 'Allow', Action: 'es:*', Resource: '$/*' },
          { Effect: 'Deny', Action: 'es:*', Resource: denied },
        ],
      })
      const { headers } = await domain.ask(...call)
      await domain.stop()
      return headers
    }
    const template = { index_patterns: ['books-n*'] }
    const isWarned = async (denied: string) =>
      (await ask([denied], 'PUT', '/_index_template/mine', template)).has('warning')
    expect(await isWarned('$/absent')).toBe(true)
    expect(await isWarned('$/_template/x')).toBe(false)
    expect(await isWarned('$/_index_template/secret-rival')).toBe(false)
    cluster.seen.length = 0
    await ask(['$/absent'], 'GET', '/_cluster/state')
    expect(cluster.seen.at(-1)?.url).toContain('-metadata.index-graveyard')
    await cluster.stop()
  })
})

describe('somebody with rights to one index', () => {
  it('is told what names stand for, and looks up by an alias', async () => {
    const cluster = await FakeCluster.start({ metadata: METADATA })
    const paths = ['books', 'books/*', '_bulk', '_mget', '_cat/*', '_resolve/*'].map((path) => `$/${path}`)
    const domain = await serveCluster([cluster.url], {
      statements: [{ Effect: 'Allow', Action: 'es:*', Resource: paths }],
    })
    for (const [method, path, body] of [
      ['POST', '/books/_search', terms('reading')],
      ['GET', '/_cat/count/reading'],
      ['GET', '/_resolve/index/books,reading'],
    ] as const)
      expect((await domain.ask(method, path, body)).status, path).toBe(200)
    // What is named in several requests is judged as each would be at its path.
    for (const [method, path, body] of [
      ['POST', '/_bulk', lines({ index: { _index: 'reading' } }, { a: 1 })],
      ['POST', '/_mget', { docs: [{ _index: 'reading', _id: '1' }] }],
      ['POST', '/books/_search', terms('both')],
      ['POST', '/books/_search', terms('shapes')],
      ['GET', '/_cat/count/both'],
      ['GET', '/_resolve/index/b*'],
      ['PUT', '/books/_alias/reading'],
    ] as const)
      expect((await domain.ask(method, path, body)).status, path).toBe(403)
    await domain.stop()
    await cluster.stop()
  })
})

describe('where there are no types', () => {
  it('what looks like one is the path of a plugin', async () => {
    const cluster = await FakeCluster.start({ metadata: METADATA })
    const domain = await serveCluster([cluster.url], {
      statements: [
        { Effect: 'Allow', Action: 'es:*', Resource: '$/*' },
        { Effect: 'Deny', Action: 'es:*', Resource: '$/secret*' },
      ],
    })
    expect((await domain.ask('GET', '/views/mine/_search')).status).toBe(403)
    expect(cluster.seen).toEqual([])
    await domain.stop()
    await cluster.stop()
  })
})

describe('somebody who may do everything', () => {
  it('is asked nothing more, and unknown commands pass', async () => {
    const cluster = await FakeCluster.start({ metadata: METADATA })
    const domain = await serveCluster([cluster.url], {
      statements: [{ Effect: 'Allow', Action: ['es:ESHttpGet', 'es:ESHttpPost'], Resource: '$/*' }],
    })
    expect((await domain.ask('POST', '/_plugins/_sql', { query: 'select 1' })).status).toBe(200)
    expect((await domain.ask('GET', '/_async_search/x')).status).toBe(200)
    expect((await domain.ask('PUT', '/books/_doc/1', {})).status).toBe(403)
    // It amounts to DELETE, which is not allowed.
    const removal = { actions: [{ remove_index: { index: 'books' } }] }
    expect((await domain.ask('POST', '/_aliases', removal)).status).toBe(403)
    await domain.stop()
    await cluster.stop()
  })
})

function named(cases: typeof BYPASSES) {
  return cases.map(([what, method, path, body]) => ({ what, method, path, body }))
}
