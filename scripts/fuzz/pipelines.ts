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
  oneOf('a', 'b', 's', 'n', 'o.x', 'l', 'o', 'd', 'nix', 'l.0', 'j', 'csv'),
  '',
  5,
  null,
  '_id',
  'l.9',
  'a.',
)
const value: Made = oneOf('v', 5, 1.5, true, null, [1, 2], { q: 1 }, '{{a}}', '{{{s}}} {{n}}', '{{#l}}{{.}},{{/l}}')
const lenient = { 'ignore_missing?': true }
const to = { 'target_field?': 'target' }
const of = (more: Rule = {}): Rule => together({ field: name, ...lenient }, more)
const PROCESSORS: Readonly<Record<string, readonly [number, Rule]>> = {
  set: [2, { field: name, value, 'override?': false }],
  remove: [1, { field: oneOf(name, [name, name]), ...lenient }],
  rename: [1, of({ target_field: oneOf('z', 'o.z', 'a') })],
  append: [1, { field: name, value: oneOf(value, [1, 'x']) }],
  convert: [
    2,
    of({ type: orWrong(oneOf('integer', 'long', 'float', 'double', 'string', 'boolean', 'auto'), 'x'), ...to }),
  ],
  lowercase: [1, of(to)],
  uppercase: [1, of()],
  trim: [1, of(to)],
  split: [1, of({ separator: orWrong(oneOf(',', '\\s+', ''), '['), ...to })],
  join: [1, { field: name, separator: '-', ...to }],
  gsub: [1, of({ pattern: orWrong(oneOf('a', '[a-z]+', '(.)(.)'), '['), replacement: oneOf('X', '$1', '') })],
  date: [
    1.5,
    {
      field: name,
      formats: orWrong(some(1, 2, oneOf('ISO8601', 'yyyy-MM-dd', 'UNIX', 'UNIX_MS')), []),
      'timezone?': 'Asia/Seoul',
      ...to,
    },
  ],
  dot_expander: [1, { field: orWrong(oneOf('q.r', 'a.b'), 'x', '.x') }],
  fail: [0.3, { message: 'no {{a}}' }],
  foreach: [1, { field: name, processor: deeper(processor, { uppercase: { field: '_ingest._value' } }), ...lenient }],
  json: [1, { field: name, ...to, 'add_to_root?': true }],
  kv: [1, of({ field_split: oneOf(' ', '&'), value_split: '=', 'prefix?': 'p_', ...to })],
  script: [
    1,
    {
      source: orWrong(oneOf('ctx.z = 1', "ctx.remove('a')", 'ctx.n += params.a', 'ctx.o.x = [1,2]'), 'bad('),
      params: { a: 2 },
    },
  ],
  bytes: [1, of(to)],
  urldecode: [1, of(to)],
  sort: [1, { field: name, 'order?': orWrong('desc', 'x'), ...to }],
  drop: [0.2, {}],
}
function processor(c: Context): Rule {
  const [kind, body] = Object.entries(make(c, named(PROCESSORS)))[0] as [string, Json]
  const shared = {
    ignore_failure: maybe(0.1, true),
    tag: maybe(0.1, 't1'),
    if: maybe(0.1, orWrong(oneOf('ctx.n > 3', "ctx.a == 'foo'"), 'bad(')),
  }
  const failing =
    c.depth > 0 ? {} : { on_failure: maybe(0.1, [{ set: { field: 'err', value: '{{_ingest.on_failure_message}}' } }]) }
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
  csv: '1kb',
  'q.r': 'dotted',
}

/** A pipeline tried on a document. */
export const pipelineCall = (c: Context): Call => ({
  kind: 'simulate',
  method: 'POST',
  path: `/_ingest/pipeline/_simulate${c.random.chance(0.15) ? '?verbose' : ''}`,
  body: make(c, {
    pipeline: { processors: some(1, 2, processor) },
    docs: [{ _index: 'i', _type: '_doc', _id: '1', _source: document }],
  }),
})
