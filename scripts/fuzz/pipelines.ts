import {
  type Context,
  deeper,
  type Json,
  type Made,
  make,
  maybe,
  named,
  oneOf,
  orWrong,
  type Rule,
  some,
  together,
} from './grammar.ts'
import type { Call } from './searches.ts'

const name: Made = orWrong(
  oneOf('a', 'b', 's', 'n', 'o.x', 'l', 'o', 'd', 'nix', 'l.0', 'j', 'csv', 'w', 'log', 'ua', 'h', 'm', '_source.a'),
  '',
  5,
  null,
  '_id',
  'l.9',
  'a.',
)
const value: Made = oneOf(
  'v',
  5,
  1.5,
  true,
  null,
  [1, 2],
  { q: 1 },
  '',
  '{{a}}',
  '{{{s}}} {{n}}',
  '{{#l}}{{.}},{{/l}}',
  '{{_source.o}} {{_index}}',
  '{{o.x}}{{^nix}}none{{/nix}}',
  '{{_ingest.pipeline}}',
  ['{{a}}', { '{{b}}': '{{l.0}}' }],
)
const lenient = { 'ignore_missing?': true }
const to = { 'target_field?': 'target' }
const of = (more: Rule = {}): Rule => together({ field: name, ...lenient }, more)
/** Members that only versions after 6.8 know. */
const since7 =
  (rule: Rule): Made =>
  (c) =>
    c.typeless ? make(c, rule) : undefined
/** Those that only OpenSearch knows. */
const openSearch =
  (rule: Rule): Made =>
  (c) =>
    isOpenSearch(c) ? make(c, rule) : undefined
const isOpenSearch = (c: Context): boolean => c.typeless && !c.lacking.includes('flat_object')
const fields: Made = oneOf(name, [name, name])
const ips: Made = oneOf('10.0.0.1', '8.8.8.8', '2001:db8::1', 'x', 5)
/** A processor for each value of a list. */
const ofEach: Made = oneOf(
  { uppercase: { field: '_ingest._value' } },
  { convert: { field: '_ingest._value', type: oneOf('string', 'integer') } },
  { set: { field: '_ingest._value.z', value: '{{_ingest._value.p}}' } },
  { append: { field: 'seen', value: '{{_ingest._value}}' } },
  { remove: { field: '_ingest._value.p', ...lenient } },
  { rename: { field: '_ingest._value.p', target_field: '_ingest._value.q', ignore_failure: maybe(0.3, true) } },
  { drop: { if: "ctx._ingest._value == 'a'" } },
  {
    trim: {
      field: '_ingest._value',
      on_failure: [{ set: { field: '_ingest._value', value: 'failed {{_ingest.on_failure_message}}' } }],
    },
  },
  { foreach: { field: '_ingest._value', processor: { lowercase: { field: '_ingest._value' } } } },
)
const PROCESSORS: Readonly<Record<string, readonly [number, Rule]>> = {
  set: [2, { field: oneOf(name, '{{o.x}}'), value, 'override?': false, 'ignore_empty_value?': since7(true) }],
  remove: [
    1,
    (c) =>
      c.random.chance(0.15)
        ? { exclude_field: openSearch(fields), ...lenient }
        : { field: oneOf(fields, '{{s}}', '_id', '_version'), ...lenient },
  ],
  rename: [
    1,
    of({
      field: oneOf(name, '{{o.x}}'),
      target_field: oneOf('z', 'o.z', 'a', 'l.0', '{{o.x}}'),
      'override_target?': openSearch(true),
    }),
  ],
  append: [1, { field: name, value: oneOf(value, [1, 'x']), 'allow_duplicates?': since7(false) }],
  convert: [
    2,
    of({ type: orWrong(oneOf('integer', 'long', 'float', 'double', 'string', 'boolean', 'auto'), 'x'), ...to }),
  ],
  lowercase: [1, of(to)],
  uppercase: [1, of(to)],
  trim: [1, of(to)],
  split: [1, of({ separator: orWrong(oneOf(',', '\\s+', ''), '['), 'preserve_trailing?': since7(true), ...to })],
  join: [1, { field: name, separator: '-', ...to }],
  gsub: [1, of({ pattern: orWrong(oneOf('a', '[a-z]+', '(.)(.)'), '['), replacement: oneOf('X', '$1', '') })],
  date: [
    1.5,
    {
      field: name,
      formats: orWrong(
        some(
          1,
          2,
          oneOf('ISO8601', 'yyyy-MM-dd', 'UNIX', 'UNIX_MS', 'TAI64N', 'dd/MM', 'strict_date_time', 'MMM d yyyy'),
        ),
        [],
      ),
      'timezone?': oneOf('Asia/Seoul', 'x', '{{o.x}}'),
      'locale?': oneOf('en', 'KOREAN', 'fr-FR'),
      'output_format?': since7(orWrong(oneOf('yyyy/MM/dd', 'epoch_millis', "HH:mm:ss'Z'"), 'bad[')),
      ...to,
    },
  ],
  date_index_name: [
    0.7,
    {
      field: name,
      'date_formats?': [oneOf('yyyy-MM-dd', 'UNIX', 'ISO8601')],
      date_rounding: orWrong(oneOf('M', 'd', 'y', 'h'), 'x'),
      'index_name_prefix?': oneOf('p-', '{{o.x}}-'),
      'index_name_format?': oneOf('yyyy-MM', 'yyyy'),
      'timezone?': 'Asia/Seoul',
    },
  ],
  dissect: [
    1,
    of({
      pattern: orWrong(
        oneOf(
          '%{x} %{y}',
          '%{x->} %{y}',
          '%{+x} %{+x}',
          '%{*k}=%{&k} %{}',
          '%{?k}=%{z}',
          '%{x/y},%{z}',
          '%{x},%{+x/2},%{+x/1}',
        ),
        'none',
      ),
      'append_separator?': '-',
    }),
  ],
  grok: [
    1,
    of({
      patterns: orWrong(
        some(
          1,
          2,
          oneOf(
            '%{WORD:w1} %{GREEDYDATA:rest}',
            '%{IP:ip}',
            '%{NUMBER:num:int}',
            '%{NUMBER:num:float}',
            '(?<q>[a-z]+)',
            '%{MINE:mine}',
            '%{COMBINEDAPACHELOG}',
            '^%{TIMESTAMP_ISO8601:ts}$',
          ),
        ),
        [],
        ['%{NOPE:x}'],
        ['('],
      ),
      pattern_definitions: { MINE: '[A-Z]+' },
      'trace_match?': true,
    }),
  ],
  csv: [
    1,
    since7(
      of({
        target_fields: oneOf(['c1', 'c2'], ['c1', 'c2', 'c3'], 'c1'),
        'separator?': orWrong(oneOf(';', '|'), 'ab', ''),
        'quote?': "'",
        'trim?': true,
        'empty_value?': oneOf('none', 5),
      }),
    ),
  ],
  html_strip: [0.7, since7(of(to))],
  user_agent: [
    0.7,
    of({
      field: oneOf(name, 'ua'),
      ...to,
      'properties?': some(1, 3, oneOf('name', 'os', 'device', 'version', 'original')),
    }),
  ],
  fingerprint: [
    0.8,
    openSearch({
      'fields?': some(1, 2, name),
      'exclude_fields?': some(1, 2, name),
      'hash_method?': orWrong(oneOf('MD5@2.16.0', 'SHA-1@2.16.0', 'SHA-256@2.16.0', 'SHA3-256@2.16.0'), 'MD5'),
      ...to,
      ...lenient,
    }),
  ],
  copy: [
    0.7,
    openSearch({
      source_field: name,
      target_field: oneOf('z', 'o.z', 'a'),
      ...lenient,
      'override_target?': true,
      'remove_source?': true,
    }),
  ],
  remove_by_pattern: [
    0.7,
    openSearch((c: Context) => ({
      [c.random.chance(0.6) ? 'field_pattern' : 'exclude_field_pattern']: oneOf('a*', '*', ['l*', '*s*'], 'o.*'),
    })),
  ],
  community_id: [
    0.5,
    openSearch({
      source_ip_field: 'net.s',
      'source_port_field?': 'net.sp',
      destination_ip_field: 'net.d',
      'destination_port_field?': 'net.dp',
      iana_protocol_number_field: oneOf('net.p', 'nix'),
      'protocol_field?': 'net.t',
      'seed?': orWrong(7, -1),
      ...to,
      ...lenient,
    }),
  ],
  pipeline: [1, { name: oneOf('fuzz_in', 'fuzz_out', 'fuzz_loop', 'fuzz_none', since7('fuzz_{{o.x}}')) }],
  dot_expander: [1, { field: orWrong(oneOf('q.r', 'a.b'), 'x', '.x') }],
  fail: [0.3, { message: 'no {{a}}' }],
  foreach: [
    1.5,
    {
      field: oneOf(name, 'l', 'll'),
      processor: oneOf(deeper(processor, { uppercase: { field: '_ingest._value' } }), ofEach, ofEach),
      ...lenient,
    },
  ],
  json: [1, { field: name, ...to, 'add_to_root?': true }],
  kv: [
    1,
    of({
      field_split: oneOf(' ', '&', ', '),
      value_split: oneOf('=', ':'),
      'prefix?': 'p_',
      'include_keys?': ['k', 'a'],
      'exclude_keys?': ['a'],
      'trim_key?': 'k',
      'trim_value?': 'v12',
      'strip_brackets?': true,
      ...to,
    }),
  ],
  script: [
    1,
    {
      source: orWrong(
        oneOf(
          'ctx.z = 1',
          "ctx.remove('a')",
          'ctx.n += params.a',
          'ctx.o.x = [1,2]',
          "ctx._index = 'other'",
          "ctx['_id'] = ctx.a",
          'for (e in ctx.l) { ctx.z = e }',
          'ctx.z = ctx.l.stream().map(x -> x.toString()).collect(Collectors.toList())',
          'ctx.z = Processors.bytes(ctx.csv)',
          'ctx.z = Processors.json(ctx.j)',
          'ctx.z = Processors.lowercase(ctx.a)',
          since7('ctx.z = Processors.urlDecode(ctx.s)'),
          'ctx.z = new Date().getTime() > 0',
          'if (ctx.n instanceof Integer) { ctx.z = ctx.n / 2 } else { ctx.remove("n") }',
          'ctx.z = ctx._source.a',
          'ctx._ingest.x = 1',
        ),
        'bad(',
        'ctx.foo.bar()',
        'return',
      ),
      params: { a: 2 },
    },
  ],
  bytes: [1, of(to)],
  urldecode: [1, of(to)],
  sort: [1, { field: oneOf(name, 'l'), 'order?': orWrong('desc', 'x'), ...to }],
  drop: [0.2, {}],
}
const FAILURE =
  '{{_ingest.on_failure_message}} {{_ingest.on_failure_processor_type}} {{_ingest.on_failure_processor_tag}} {{_ingest.on_failure_pipeline}}'
function processor(c: Context): Rule {
  const [made] = Object.entries<Json>(make(c, named(PROCESSORS)))
  // One that the version does not know.
  if (made === undefined) return processor(c)
  const [kind, body] = made
  const shared = {
    ignore_failure: maybe(0.1, true),
    tag: maybe(0.1, 't1'),
    description: maybe(0.1, since7('what for')),
    if: maybe(
      0.15,
      orWrong(
        oneOf(
          'ctx.n > 3',
          "ctx.a == 'foo'",
          'ctx.l.contains(1)',
          'ctx.o?.x != null',
          "ctx.containsKey('a')",
          { source: 'ctx.n == params.p', params: { p: 5 } },
          'ctx.a = 1; return true',
        ),
        'bad(',
        { id: 'nonesuch' },
      ),
    ),
  }
  const failing =
    c.depth > 0
      ? {}
      : {
          on_failure: maybe(
            0.12,
            oneOf([{ set: { field: 'err', value: FAILURE } }], [{ remove: { field: name } }], [{ drop: {} }], []),
          ),
        }
  return { [kind]: together(body, shared, failing, { foo: orWrong(undefined, 1) }) }
}
const document = {
  a: oneOf('foo', 'Bar baz', ' x ', 'a,b,c', 7, null),
  b: oneOf(true, 'true', 'no', '1'),
  s: oneOf('hello world 12', '10.0.0.1', 'k=v k2=v2', 'a=1&b=2', '한글 x', '%41%20b', '1kb'),
  n: oneOf(5, 2.5, '12', '0x1F', '1e3', -3),
  o: oneOf({ x: 1, y: 'q' }, { x: 'z' }, {}),
  l: oneOf([1, 2, 3], ['b', 'a', 'c'], [], ['x', 1], [{ p: 1 }]),
  d: oneOf('2015-03-04', '2015-03-04T05:06:07Z', '1425445567', 1425445567000, 'x'),
  j: oneOf('{"a":1,"b":[2]}', '[1,2]', '5', 'nojson', 'null'),
  csv: oneOf('1kb', 'a,b,c', '"a ""b""", c ,', 'a;b;c'),
  w: oneOf('  foo   bar  ', 'x,y,z', 'Mar 4 2015'),
  log: oneOf(
    '127.0.0.1 - - [11/Dec/2013:00:01:45 -0800] "GET /x HTTP/1.1" 200 3891 "http://c.com/" "Mozilla/5.0"',
    'WORD 12',
    'a=1 b=2 c=3',
  ),
  ua: oneOf(
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_9_2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/33.0.1750.149 Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 13_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Mobile/15E148 Safari/604.1',
    'curl/7.64.1',
    'x',
  ),
  h: oneOf('<b>bold</b> &amp; <i>x', 'plain', '<p>a</p><p>b</p>'),
  m: oneOf({ x: [1, { y: 2 }] }, 3_000_000_000, 1e20),
  ll: oneOf([['A', 'B'], ['C']], [{ p: 'x' }, { p: 2 }], ['A ', 1], null),
  net: { s: ips, sp: oneOf(80, 'x', 70_000), d: ips, dp: 443, p: oneOf(6, 17, 1, 300), t: oneOf('tcp', 'UDP', 'nope') },
  'q.r': 'dotted',
}

/** Pipelines that others run, and those that indices name. */
const pipeline = (c: Context): Json =>
  make(c, {
    'description?': 'd',
    'version?': 3,
    processors: some(1, 2, processor),
    on_failure: maybe(0.15, [{ set: { field: 'failed', value: FAILURE } }]),
  })
export const STORED_PIPELINES: Readonly<Record<string, Json>> = {
  fuzz_in: {
    processors: [
      { set: { field: 'in', value: '{{_ingest.pipeline}}' } },
      { fail: { if: 'ctx.n == 5', message: 'five' } },
    ],
  },
  fuzz_out: {
    processors: [
      { pipeline: { name: 'fuzz_in', tag: 'out' } },
      { set: { field: 'out', value: '{{_ingest.pipeline}}' } },
    ],
  },
  fuzz_loop: { processors: [{ pipeline: { name: 'fuzz_loop' } }] },
}

/** A pipeline tried on a document or two. */
const simulation = (c: Context): Call => {
  const call = simulated(c)
  // 6.8 ends over one that calls itself, where it is to tell of every processor.
  const isDeadly = !c.typeless && /fuzz_loop/.test(JSON.stringify(call))
  return isDeadly ? { ...call, path: call.path.replace('?verbose', '') } : call
}
const simulated = (c: Context): Call => {
  const verbose = c.random.chance(0.2) ? '?verbose' : ''
  const docs = some(1, 2, { _index: 'i', _id: '1', 'routing?': 'r', _source: document })
  if (c.random.chance(0.1))
    return {
      kind: 'simulate',
      method: 'POST',
      path: `/_ingest/pipeline/${c.random.pick(['fuzz_in', 'fuzz_out', 'fuzz_loop', 'fuzz_none'])}/_simulate${verbose}`,
      body: make(c, { docs }),
    }
  return {
    kind: 'simulate',
    method: 'POST',
    path: `/_ingest/pipeline/_simulate${verbose}`,
    body: make(c, { pipeline, docs }),
  }
}

/** A pipeline tried, put, asked for or taken away, or documents that go through one. */
export const pipelineCall = (c: Context): Call => {
  const stored = (): string => c.random.pick(['fuzz_x', 'fuzz_y', 'fuzz_final'])
  const asked = (): string =>
    c.random.pick(['fuzz_in', 'fuzz_out', 'fuzz_loop', 'fuzz_none', '_none', stored(), stored()])
  const at = (name: string, id = ''): string => `/${name}/_doc${id}?pipeline=${asked()}&refresh=true`
  const index = (): string => c.random.pick([`${c.index}_1`, `${c.index}_piped`, `${c.index}_final`])
  const line = (): string => {
    const member = c.random.chance(0.3) ? `,"pipeline":"${asked()}"` : ''
    const op = c.random.pick(['index', 'index', 'create', 'update'])
    const type = c.typeless ? '' : ',"_type":"_doc"'
    const made = JSON.stringify(make(c, document))
    return `{"${op}":{"_index":"${index()}","_id":"${c.random.whole(1, 6)}"${type}${op === 'update' ? '' : member}}}\n${
      op === 'update' ? `{"doc":{"u":1},"upsert":${made}}` : made
    }\n`
  }
  return c.random.pick<() => Call>([
    () => simulation(c),
    () => simulation(c),
    () => simulation(c),
    () => simulation(c),
    () => simulation(c),
    () => ({ kind: 'put pipeline', method: 'PUT', path: `/_ingest/pipeline/${stored()}`, body: pipeline(c) }),
    () => ({ kind: 'put pipeline', method: 'PUT', path: `/_ingest/pipeline/${stored()}`, body: pipeline(c) }),
    () => ({
      kind: c.random.pick(['get pipeline']),
      method: 'GET',
      path: `/_ingest/pipeline${c.random.pick(['/fuzz_*', '/fuzz_x', '/fuzz_x,fuzz_none', '/nix'])}`,
    }),
    () => ({
      kind: 'piped document',
      method: 'PUT',
      path: at(index(), `/${c.random.whole(1, 6)}`),
      body: make(c, document),
    }),
    () => ({ kind: 'piped document', method: 'PUT', path: `/${index()}/_doc/1?refresh=true`, body: make(c, document) }),
    () => ({
      kind: 'piped bulk',
      method: 'POST',
      path: `/_bulk?refresh=true${c.random.chance(0.5) ? `&pipeline=${asked()}` : ''}`,
      // OpenSearch answers items that fail in several pipelines in the order of its tables.
      body: Array.from({ length: isOpenSearch(c) ? 1 : c.random.whole(1, 3) }, line).join(''),
    }),
  ])()
}

/** Everything that calls about pipelines leave behind, by path. */
export const piped = (c: Context): readonly string[] => [`/${c.index}_*/_search?size=50`, '/_ingest/pipeline/fuzz_*']
