import { REST_API } from '../../src/rest/rest-api.ts'
import { MORE_PATHS, OPENSEARCH_PATHS } from '../../src/rest/router.ts'

/*
 * Requests of somebody who is after an index that is denied: every path of the route table, crossed with the ways there are to name
 * an index in a path, a query string and a body, and to make two parsers read one request in two ways.
 */

/** The denied index; others of its kind begin so. */
export const DENIED = 'wombat'

/** Words that stand in the denied index alone, or in what belongs to it. */
export const SECRETS = {
  name: DENIED,
  field: 'quokka',
  content: 'numbat',
  alias: 'bilby',
  analyzer: 'bandicoot',
  template: 'potoroo',
  pipeline: 'dunnart',
  script: 'kowari',
  /** In a template, a pipeline and a script. */
  stored: 'cuscus',
} as const

/** A request as it goes over the wire. */
export interface LeakRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  /** All that it says, decoded: words that an answer may repeat. */
  readonly says: string
  /** It names the denied index outright and nothing that only some domains have: whether the index is there must not show. */
  readonly isPlain: boolean
}

/** One row of the route table. */
export interface RoutedPath {
  readonly endpoint: string
  readonly path: string
  readonly method: string
}

/** What real servers answer besides what is in the table. */
const UNLISTED: readonly (readonly [path: string, ...methods: string[]])[] = [
  ['/{index}/_search/point_in_time', 'POST', 'DELETE'],
  ['/_search/point_in_time/_all', 'GET', 'DELETE'],
  ['/_cat/pit_segments/_all', 'GET'],
  ['/_list/indices', 'GET'],
  ['/_resolve/index/{index}', 'GET'],
  ['/_data_stream/{index}', 'GET', 'PUT', 'DELETE'],
  ['/{index}/_async_search', 'POST'],
  ['/{index}/_eql/search', 'POST'],
  ['/{index}/_graph/explore', 'GET', 'POST'],
  ['/{index}/_xpack/graph/_explore', 'POST'],
  ['/{index}/_rollup_search', 'GET'],
  ['/{index}/_ilm/explain', 'GET'],
  ['/{index}/_ccr/info', 'GET'],
  ['/{index}/_freeze', 'POST'],
  ['/{index}/_migration/deprecations', 'GET'],
  ['/_migration/deprecations', 'GET'],
  ['/_xpack/migration/assistance/{index}', 'GET'],
  ['/_xpack/sql', 'POST'],
  ['/_sql', 'POST'],
  ['/_plugins/_sql', 'POST'],
  ['/_search/pipeline', 'GET'],
  ['/_dangling', 'GET'],
  ['/_remote/info', 'GET'],
  ['/_cluster/state/{metric}/{index}/x', 'GET'],
  ['/_nodes/{node_id}/info/{metric}', 'GET'],
  ['/{index}/_mappings/field/{fields}', 'GET'],
  ['/{index}/_block/write', 'PUT'],
  ['/{index}/_tier', 'POST'],
  ['/{index}/_recovery_source', 'GET'],
  ['/{index}/{type}/{id}/_percolate', 'GET'],
  ['/_all/{index}/_search', 'GET'],
  ['/{index}/_unknown', 'GET', 'PUT', 'POST', 'DELETE'],
]

/** All paths with their methods; HEAD beside GET, and methods that a path does not have. */
export function routedPaths(): readonly RoutedPath[] {
  const rows: RoutedPath[] = []
  const add = (endpoint: string, path: string, methods: readonly string[]) => {
    for (const method of methods) rows.push({ endpoint, path, method })
    if (methods.includes('GET') && !methods.includes('HEAD')) rows.push({ endpoint, path, method: 'HEAD' })
  }
  for (const [endpoint, { paths }] of Object.entries(REST_API))
    for (const [path, ...methods] of paths) add(endpoint, path, methods)
  for (const [endpoint, path, ...methods] of [...MORE_PATHS, ...OPENSEARCH_PATHS]) add(endpoint, path, methods)
  for (const [path, ...methods] of UNLISTED) add('', path, methods)
  return rows
}

/** Names of the denied index as it is called; by these alone two domains are compared. */
const PLAIN_NAMES = [DENIED, DENIED, DENIED, `public,${DENIED}`, `${DENIED},public`, `<${DENIED}>`] as const

/** Ways to name it that stand for more, or that one reader might take for it. */
const NAMES = [
  ...PLAIN_NAMES,
  `<${DENIED}{x}>`,
  `-${DENIED}`,
  `+${DENIED}`,
  `${DENIED}-shut`,
  `.${DENIED}`,
  `.${DENIED},*`,
  'w*',
  '*t',
  'w*t,-public',
  '*',
  '_all',
  '*,-public',
  '-public',
  `*,-${DENIED}*`,
  `*,-${DENIED}*,${DENIED}`,
  `public,*,-${DENIED}`,
  '.*',
  SECRETS.alias,
  'bil*',
  'both',
  `${SECRETS.alias},public`,
  DENIED.toUpperCase(),
  ` ${DENIED}`,
  `${DENIED} `,
  `public, ${DENIED}`,
  `${DENIED}\u0000`,
  'ｗombat',
  '*:*',
  `local:${DENIED}`,
  `${DENIED}:${DENIED}`,
  `${DENIED}#`,
  `${DENIED}::data`,
  '',
  ',',
  `,${DENIED}`,
  '?ombat',
  '_primary',
  'public',
  'public',
  'pub*',
] as const

/** A source of chance, the same every time: mulberry32. */
export class Chance {
  #seed: number

  constructor(seed: number) {
    this.#seed = seed
  }

  below(bound: number): number {
    this.#seed = (this.#seed + 0x6d2b79f5) >>> 0
    let t = Math.imul(this.#seed ^ (this.#seed >>> 15), this.#seed | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * bound)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
}

const { field, content, alias, template, pipeline, script } = SECRETS
/** Ids of documents, pipelines and scripts. */
export const IDS = ['1', pipeline, script, 'kow*', 'dun*', template, '*', 'mine', '_search', DENIED] as const

const VALUES: Readonly<Record<string, readonly string[]>> = {
  index: NAMES,
  alias: [DENIED, alias, 'both', 'turning'],
  name: [DENIED, alias, 'bil*', '*', '_all', template, 'pot*', 'mine', 'public', 'index.*', pipeline],
  target: [DENIED, `${DENIED}-2`, 'public-2', 'made'],
  new_index: [DENIED, `${DENIED}-2`, 'public-2'],
  id: IDS,
  type: ['_doc', 'public', '_all', '*', DENIED],
  metric: ['_all', 'indices', 'metadata', 'routing_table', 'docs', 'search', 'blocks', DENIED, 'ingest', 'process'],
  index_metric: ['_all', 'docs', 'fielddata', 'search'],
  node_id: ['_local', '_all', DENIED, '*'],
  fields: ['*', field, 'quo*', 'a'],
  repository: ['kept', '*', '_all'],
  snapshot: ['one', '*', '_all', '_current'],
  target_snapshot: ['two'],
  task_id: ['x:1', '_all', '*'],
  scroll_id: ['_all', 'DnF1ZXJ5VGhlbkZldGNo'],
  context: ['score', 'ingest'],
  thread_pool_patterns: ['*', 'search'],
}

const lines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** Queries that look documents up, or show what there is. @param name  of an index */
function query(chance: Chance, name: string): object {
  const lookup = { index: name, id: '1', path: 'a' }
  return chance.pick<() => object>([
    () => ({ match_all: {} }),
    () => ({ terms: { a: chance.below(2) === 0 ? lookup : { ...lookup, type: '_doc' } } }),
    () => ({ bool: { must_not: [{ terms: { a: lookup } }] } }),
    () => ({ wrapper: { query: base64({ terms: { a: lookup } }) } }),
    () => ({ wrapper: { query: base64({ wrapper: { query: base64({ terms: { a: lookup } }) } }) } }),
    () => ({
      more_like_this: {
        fields: ['a', field],
        like: [{ _index: name, _type: '_doc', _id: '1' }],
        min_term_freq: 1,
        min_doc_freq: 1,
      },
    }),
    () => ({ more_like_this: { fields: ['a'], like: { _index: name, _id: '1' }, unlike: [{ _index: name, _id: 1 }] } }),
    () => ({ geo_shape: { shape: { indexed_shape: { index: name, type: '_doc', id: '1', path: 'shape' } } } }),
    () => ({ percolate: { field: 'q', index: name, type: '_doc', id: '1' } }),
    () => ({ percolate: { field: 'q', documents: [{ a: 'x' }], index: name } }),
    () => ({ term: { _index: name } }),
    () => ({ query_string: { query: `_index:${name}` } }),
    () => ({ indices: { indices: [name], query: { match_all: {} }, no_match_query: 'none' } }),
    () => ({ has_child: { type: 'a', query: { terms: { a: lookup } }, ignore_unmapped: true } }),
    () => ({ nested: { path: 'n', query: { terms: { a: lookup } }, ignore_unmapped: true } }),
    () => ({ function_score: { functions: [{ filter: { terms: { a: lookup } }, weight: 2 }] } }),
    () => ({ script: { script: { source: `doc['_index'].value == params.n`, params: { n: name } } } }),
    () => ({ match: { [field]: content } }),
  ])()
}

function search(chance: Chance, name: string): object {
  const own = query(chance, name)
  return chance.pick<() => object>([
    () => ({ query: own }),
    () => ({ post_filter: own }),
    () => ({ aggs: { a: { filter: own, aggs: { i: { terms: { field: '_index' } } } } } }),
    () => ({ aggs: { a: { global: {}, aggs: { i: { terms: { field: '_index' } } } } } }),
    () => ({ query: { match_all: {} }, rescore: { window_size: 1, query: { rescore_query: own } } }),
    () => ({ query: { match_all: {} }, indices_boost: [{ [name]: 2 }] }),
    () => ({ query: { match_all: {} }, indices_boost: { [name]: 2 } }),
    () => ({ suggest: { s: { text: 'numbot', term: { field } }, c: { prefix: 'n', completion: { field } } } }),
    () => ({
      suggest: {
        s: { text: 'x', phrase: { field: 'a', collate: { query: { source: own }, params: { field_name: 'a' } } } },
      },
    }),
    () => ({ query: { match_all: {} }, highlight: { fields: { a: { highlight_query: own } } } }),
    () => ({ query: own, profile: true }),
    () => ({ query: own, explain: true, sort: ['_index'] }),
    () => ({ query: own, slice: { id: 0, max: 2 }, collapse: { field: 'a' } }),
    () => ({ script_fields: { s: { script: { id: script } } } }),
    () => ({ pit: { id: 'x', keep_alive: '1m' }, query: own }),
    () => ({ docvalue_fields: [field, '*'], stored_fields: ['*'], _source: [field] }),
  ])()
}

/** Bodies of all kinds; which endpoint gets one is left to chance, for the most part. */
function bodyText(chance: Chance, endpoint: string, name: string): string | undefined {
  const item = { _index: name, _type: '_doc', _id: '1' }
  const header = chance.pick<object>([{ index: name }, { index: [name, 'public'] }, { indices: name }, {}])
  const kinds: Readonly<Record<string, () => string>> = {
    bulk: () =>
      chance.pick([
        lines({ index: item }, { a: 'x' }, { delete: item }),
        lines({ update: { ...item, _source: true } }, { doc: {}, doc_as_upsert: true }),
        lines({ index: { _index: 'public', _type: '_doc', pipeline } }, { a: 'x' }),
        lines({ create: item, index: { _index: 'public' } }, { a: 1 }),
        `\n \n${lines({ delete: item })}`,
        lines({ index: { _index: 'public', _type: '_doc' } }, { query: query(chance, name) }),
      ]),
    mget: () => JSON.stringify(chance.pick<object>([{ docs: [item, { ...item, _index: 'public' }] }, { ids: ['1'] }])),
    msearch: () => lines(header, search(chance, name), {}, { query: { match_all: {} } }),
    msearch_template: () => lines(header, { source: search(chance, name) }, { index: 'public' }, { id: script }),
    mtermvectors: () => JSON.stringify({ docs: [{ ...item, fields: [field, 'a'] }] }),
    reindex: () =>
      JSON.stringify(
        chance.pick<object>([
          { source: { index: name }, dest: { index: 'made' } },
          { source: { index: ['public', name], query: query(chance, name) }, dest: { index: 'made' } },
          { source: { index: 'public' }, dest: { index: name } },
          { source: { index: 'public' }, dest: { index: 'made', pipeline } },
          { source: { index: 'public' }, dest: { index: 'made' }, script: { source: `ctx._index = '${name}'` } },
          { source: { index: 'public' }, dest: { index: 'made' }, script: { id: script } },
          { source: { remote: { host: 'http://127.0.0.1:9' }, index: name }, dest: { index: 'made' } },
          { source: {}, dest: { index: 'made' } },
        ]),
      ),
    'indices.update_aliases': () =>
      JSON.stringify({
        actions: [
          chance.pick<object>([
            { add: { index: name, alias: 'mine' } },
            { add: { indices: ['public', name], aliases: ['mine'] } },
            { add: { index: 'public', alias: 'mine', filter: query(chance, name) } },
            { add: { index: 'public', alias: DENIED } },
            { add: { index: 'public', alias, is_write_index: true } },
            { remove: { index: name, alias } },
            { remove: { index: '*', alias: '*' } },
            { remove_index: { index: name } },
          ]),
        ],
      }),
    'indices.put_template': () =>
      JSON.stringify({
        index_patterns: [chance.pick([name, 'wom*', 'public*', '*'])],
        aliases: { [chance.pick(['mine', DENIED, alias, '{index}'])]: {} },
        order: 9,
      }),
    'indices.put_index_template': () =>
      JSON.stringify({
        index_patterns: [chance.pick([name, 'wom*', 'public*', '*'])],
        priority: 900,
        template: { aliases: { [chance.pick(['mine', DENIED, '{index}'])]: {} } },
      }),
    'ingest.put_pipeline': () =>
      JSON.stringify({
        processors: [
          chance.pick<object>([
            { set: { field: '_index', value: name } },
            { set: { field: '{{where}}', value: name } },
            { script: { source: `ctx._index = '${name}'` } },
            { script: { id: script } },
            { pipeline: { name: pipeline } },
            { rename: { field: 'a', target_field: '_index' } },
            { date_index_name: { field: 'a', index_name_prefix: name, date_rounding: 'd' } },
            { foreach: { field: 'a', processor: { set: { field: '_index', value: name } } } },
            { trim: { field: 'a', on_failure: [{ set: { field: '_index', value: name } }] } },
          ]),
        ],
      }),
    'ingest.simulate': () =>
      JSON.stringify({
        ...(chance.below(2) === 0
          ? {
              pipeline: {
                processors: [chance.pick<object>([{ pipeline: { name: pipeline } }, { script: { id: script } }])],
              },
            }
          : {}),
        docs: [{ _index: name, _id: '1', _source: { a: 'x' } }],
      }),
    scripts_painless_execute: () =>
      JSON.stringify({
        script: { source: `doc['${field}'].value` },
        context: 'score',
        context_setup: { index: name, document: {} },
      }),
    put_script: () => JSON.stringify({ script: { lang: 'painless', source: `ctx._index = '${name}'` } }),
    'indices.analyze': () =>
      JSON.stringify({
        index: name,
        text: 'a',
        ...(chance.below(2) === 0 ? { field } : { analyzer: SECRETS.analyzer }),
      }),
    'cluster.allocation_explain': () => JSON.stringify({ index: name, shard: 0, primary: true }),
    'cluster.reroute': () => JSON.stringify({ commands: [{ cancel: { index: name, shard: 0, node: 'x' } }] }),
    render_search_template: () =>
      JSON.stringify(chance.pick<object>([{ id: script }, { source: '{"a":"{{x}}"}', params: { x: name } }])),
    search_template: () =>
      JSON.stringify(
        chance.pick<object>([
          { id: script },
          { source: search(chance, name) },
          {
            source: '{"query":{"terms":{"a":{"{{m}}":"{{n}}","id":"1","path":"a"}}}}',
            params: { m: 'index', n: name },
          },
        ]),
      ),
    rank_eval: () =>
      JSON.stringify({
        requests: [{ id: 'r', request: { query: query(chance, name) }, ratings: [{ ...item, rating: 1 }] }],
        metric: { precision: { k: 20 } },
      }),
    'indices.create': () =>
      JSON.stringify({ aliases: { [chance.pick([DENIED, alias, 'mine'])]: { filter: query(chance, name) } } }),
    'indices.put_alias': () => JSON.stringify({ index: name, alias: DENIED, filter: query(chance, name) }),
    'indices.rollover': () =>
      JSON.stringify({ conditions: { max_docs: 0 }, aliases: { [chance.pick([DENIED, alias])]: {} } }),
    'indices.put_settings': () =>
      JSON.stringify({ index: { default_pipeline: pipeline, number_of_replicas: 0, index: name } }),
    'indices.put_mapping': () => JSON.stringify({ properties: { extra: { type: 'alias', path: 'a' } } }),
    'snapshot.create': () => JSON.stringify({ indices: name, include_global_state: chance.below(2) === 0 }),
    'snapshot.restore': () =>
      JSON.stringify({
        indices: name,
        rename_pattern: '(.+)',
        rename_replacement: chance.pick(['made_$1', DENIED, alias]),
      }),
    update: () =>
      JSON.stringify(
        chance.pick<object>([
          { doc: { a: 'x' }, doc_as_upsert: true, _source: true },
          { script: { source: `ctx._index = '${name}'` }, upsert: {} },
          { script: { id: script } },
        ]),
      ),
    update_by_query: () => JSON.stringify({ query: query(chance, name), script: { source: `ctx._index = '${name}'` } }),
    scroll: () => JSON.stringify({ scroll_id: 'x', scroll: '1m' }),
    '': () => JSON.stringify({ query: `SELECT * FROM ${name}`, indices: [name], index: name }),
  }
  const made = Object.hasOwn(kinds, endpoint) && chance.below(8) > 0 ? kinds[endpoint] : undefined
  if (made !== undefined) return made()
  switch (chance.below(6)) {
    case 0:
      return undefined
    case 1:
      return chance.pick(Object.values(kinds))()
    case 2:
      return JSON.stringify({ a: 'x', index: name, indices: [name], _index: name })
    default:
      return JSON.stringify(search(chance, name))
  }
}

/** Parameters that name indices, that ask for more, or that change how a request is read. */
function parameters(chance: Chance, name: string, body: string | undefined): [string, string][] {
  const one = (): [string, string] =>
    chance.pick<() => [string, string]>([
      () => ['index', name],
      () => ['indices', name],
      () => ['name', chance.pick([name, alias])],
      () => ['ignore_unavailable', 'true'],
      () => ['allow_no_indices', 'true'],
      () => ['expand_wildcards', chance.pick(['all', 'open,closed', 'closed', 'hidden', 'none'])],
      () => ['level', chance.pick(['indices', 'shards'])],
      () => ['fields', '*'],
      () => ['fielddata_fields', '*'],
      () => ['groups', '*'],
      () => ['metric', '_all'],
      () => ['filter_path', chance.pick(['**', '*', `**.${field}`, `-**.${field}`, 'error.reason'])],
      () => ['format', chance.pick(['yaml', 'json', 'cbor', 'smile', 'text'])],
      () => ['h', '*'],
      () => ['help', ''],
      () => ['v', ''],
      () => ['detailed', 'true'],
      () => ['error_trace', 'true'],
      () => ['human', 'true'],
      () => ['q', chance.pick([`_index:${name}`, `${field}:${content}`, '*'])],
      () => ['pipeline', pipeline],
      () => ['scroll', '1m'],
      () => ['wait_for_completion', 'false'],
      () => ['explain', 'true'],
      () => ['verbose', 'true'],
      () => ['include_defaults', 'true'],
      () => ['flat_settings', 'true'],
      () => ['routing', name],
      () => ['preference', `_shards:0|_local`],
      () => ['_source', field],
      () => ['stored_fields', '*'],
      () => ['realtime', 'false'],
      () => ['refresh', 'true'],
      () => ['require_alias', 'true'],
      () => ['type', chance.pick(['_doc', DENIED])],
      () => ['_method', 'DELETE'],
      () => ['source', body ?? '{}'],
      () => ['source', JSON.stringify(search(chance, name))],
      () => ['source_content_type', chance.pick(['application/json', 'application/yaml'])],
      () => ['include_type_name', chance.pick(['true', 'false'])],
      () => ['timeout', '1ms'],
      () => ['dry_run', 'true'],
      () => ['scroll_id', '_all'],
    ])()
  return Array.from({ length: 1 + chance.below(6) }, one)
}

/** Writes a body so that readers who are not equally strict read it differently. */
function disguise(chance: Chance, text: string): string {
  switch (chance.below(14)) {
    case 0:
      return text.replaceAll(/"(_?ind(?:ex|ices))":/g, '"$1":"public","$1":')
    case 1:
      return text.replaceAll(/"(_?ind(?:ex|ices))":("[^"]*"|\[[^\]]*\])/g, '"$1":$2,"$1":"public"')
    case 2:
      return text.replaceAll(/"(_?)index"/g, '"$1\\u0069ndex"')
    case 3:
      return text.replaceAll(DENIED, [...DENIED].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join(''))
    case 4:
      return `\ufeff${text}`
    case 5:
      return text.replaceAll('\n', '\r')
    case 6:
      return text.replaceAll('\n', '\r\n')
    case 7:
      return `${text}${text}`
    case 8:
      return text.replace('{', `{/* */"index":"${DENIED}",`)
    case 9:
      return text.replace('{', `{"__proto__":{"index":"${DENIED}"},`)
    default:
      return text
  }
}

/** Writes a path so that a router and a policy might read it differently. */
function disguisePath(chance: Chance, path: string): string {
  switch (chance.below(16)) {
    case 0:
      return path.replaceAll(DENIED, '%77%6Fmbat')
    case 1:
      return path.replace('/', '//')
    case 2:
      return path.replace('/', '/./')
    case 3:
      return `/public/..${path}`
    case 4:
      return path.replace(/^\/([^/]*)\//, '/$1%2F')
    case 5:
      return `${path}/`
    case 6:
      return `/public%2f..${path}`
    case 7:
      return path.replaceAll('%', '%25')
    case 8:
      return path.replace('/_', '/;a=b/_')
    default:
      return path
  }
}

const TYPES = [
  'application/json; charset=UTF-8',
  'application/x-ndjson',
  'application/yaml',
  'application/cbor',
  'application/smile',
  'text/plain',
  'application/vnd.elasticsearch+json; compatible-with=7',
] as const

/** What of a request is odd. */
const TRICKS = ['name', 'name', 'path', 'body', 'body', 'disguise', 'query', 'header'] as const

/** Endpoints that without an index in their path do not go over all. */
const NAMING: ReadonlySet<string> = new Set([
  'bulk',
  'mget',
  'mtermvectors',
  'indices.update_aliases',
  'scripts_painless_execute',
])

/** What may stand for the denied index, or is there only with it: whether it is there shows by that. */
const STANDING_FOR_MORE = new RegExp(`\\*|_all|both|${[alias, template, pipeline, script].join('|')}`)

/** A text and what it wraps, twice. */
function unwrapped(text: string): string {
  const inner = (outer: string): string =>
    (outer.match(/[A-Za-z0-9+/]{24,}={0,2}/g) ?? []).map((part) => Buffer.from(part, 'base64').toString()).join(' ')
  const once = inner(text)
  return `${text} ${once} ${inner(once)}`
}

/**
 * A request to a path of the table: with one trick or two, so that all else about it is as it should be.
 *
 * @param n      how many were made of it before: every other one is plain
 * @param typed  bodies name types, which later versions do not take
 */
export function leakRequest(
  chance: Chance,
  { endpoint, path, method }: RoutedPath,
  n: number,
  typed: boolean,
): LeakRequest {
  const isPlain = n % 2 === 0
  const names = isPlain ? PLAIN_NAMES : NAMES
  const tricks = new Set([chance.pick(TRICKS), chance.pick(TRICKS)])
  // What a path names at once is refused at once: most go in by one's own index.
  const name = tricks.has('name') ? chance.pick(names) : 'public'
  const isEvil = name === 'public' && chance.below(5) > 0
  const other = isEvil ? chance.pick(names) : chance.pick([name, 'public'])
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, parameter: string) =>
    encodeURIComponent(parameter === 'index' ? name : chance.pick(VALUES[parameter] ?? [DENIED, '*'])),
  )
  const takesBody = method === 'POST' || method === 'PUT' || tricks.has('body')
  const made = takesBody ? bodyText(chance, endpoint, other) : undefined
  const text = typed ? made : made?.replaceAll(/"_?type":"_doc",?/g, '').replaceAll(',}', '}')
  const disguised = text === undefined || isPlain || !tricks.has('disguise') ? text : disguise(chance, text)
  const asked = tricks.has('query') ? parameters(chance, chance.pick(names), text) : []
  // What an endpoint does not take makes it refuse the rest unread.
  const taken =
    `${REST_API[endpoint]?.parameters ?? ''} index name type metric source source_content_type filter_path format h v`.split(
      ' ',
    )
  const query = chance.below(4) === 0 ? asked : asked.filter(([parameter]) => taken.includes(parameter))
  const target = isPlain || !tricks.has('path') ? filled : disguisePath(chance, filled)
  const search = new URLSearchParams(query).toString().replaceAll('+', '%20')
  const headers: Record<string, string> = {}
  if (disguised !== undefined) {
    headers['content-type'] = /bulk|msearch/.test(endpoint) ? 'application/x-ndjson' : 'application/json'
    if (tricks.has('header') && chance.below(2) === 0) headers['content-type'] = chance.pick(TYPES)
  }
  if (tricks.has('header')) headers[chance.pick(['x-http-method-override', 'x-method-override'])] = 'DELETE'
  if (tricks.has('header')) headers[chance.pick(['x-original-url', 'x-rewrite-url'])] = `/${DENIED}/_search`
  if (tricks.has('header'))
    headers['accept'] = chance.pick(['application/yaml', 'application/cbor', 'text/plain', '*/*'])
  const isWide = tricks.has('disguise') && !isPlain && chance.below(10) === 0
  const said = `${filled} ${decodeURIComponent(filled)} ${query.join(' ')} ${text ?? ''}`
  return {
    method,
    target: search === '' ? target : `${target}?${search}`,
    headers,
    body: disguised === undefined ? undefined : Buffer.from(disguised, isWide ? 'utf16le' : 'utf8'),
    says: unwrapped(`${said} ${disguised ?? ''} ${Object.values(headers).join(' ')}`),
    isPlain: isPlain && (path.includes('{index}') || NAMING.has(endpoint)) && !STANDING_FOR_MORE.test(said),
  }
}
