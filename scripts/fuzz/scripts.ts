import { type Context, type Field, field, type Json, type Made, make, oneOf } from './grammar.ts'
import { word } from './values.ts'

/** A kind of field whose values scripts read. */
type Of = 'number' | 'keyword' | 'date' | 'boolean' | 'geo_point'

/** The path of a field of that kind; undefined: there is none. */
function fieldOf(c: Context, of: Of): string | undefined {
  for (let tries = 0; tries < 4; tries++) {
    const f: Field = field(of)(c)
    const fits = of === 'number' ? /long|integer|short|byte|double|float/.test(f.type) : f.type === of
    if (fits && !f.type.endsWith('_range')) return f.path
  }
  return undefined
}

/** A value of a field, mostly only where there is one. */
function value(c: Context, of: Of, none: string, read = (one: string) => one): string {
  const path = fieldOf(c, of)
  if (path === undefined) return none
  const one = read(`doc['${path}'].value`)
  return c.random.chance(0.15) ? one : `(doc['${path}'].${c.random.pick(['size() == 0', 'empty'])} ? ${none} : ${one})`
}

const quoted = (c: Context): string => `'${String(make(c, word)).replace(/['\\\n]/g, '')}'`

/** An expression that is a number. */
export function numeric(c: Context, depth = 0): string {
  const inner = (): string => numeric(c, depth + 1)
  const leaves: readonly (() => string)[] = [
    () => c.random.pick(['1', '2.5', '3L', '0', '-4', '0.1f', '7', '10', '1e3']),
    () => value(c, 'number', '0'),
    () => value(c, 'number', '0'),
    () => value(c, 'number', '1.5'),
    () =>
      `doc['${fieldOf(c, c.random.pick(['number', 'keyword', 'date'])) ?? '_id'}'].${c.random.pick(['size()', 'length'])}`,
    () =>
      c.random.pick([
        'params.n',
        'params.list.size()',
        'params.list[0]',
        'params.map.a',
        "params['n']",
        'params.list.length',
      ]),
    () => value(c, 'date', '0L', (one) => `${one}.${c.random.pick(DATES)}`),
    () => value(c, 'geo_point', '0', (one) => `${one}.${c.random.pick(['lat', 'lon', 'getLat()'])}`),
    () => {
      const path = fieldOf(c, 'geo_point')
      const how = c.random.pick(['arcDistance', 'planeDistance'])
      return path === undefined ? '2' : `(doc['${path}'].size() == 0 ? 1 : doc['${path}'].${how}(37.5, 127.0))`
    },
    () =>
      `${worded(c, 2)}.${c.random.pick(['length()', "indexOf('o')", 'hashCode()', "compareTo('m')", 'codePointAt(0)'])}`,
  ]
  if (depth > 2) return c.random.pick(leaves)()
  return c.random.pick([
    ...leaves,
    () => `${inner()} ${c.random.pick(['+', '-', '*', '/', '%', '+', '*'])} ${inner()}`,
    () => `(${inner()} ${c.random.pick(['+', '-', '*', '/', '%', '&', '<<'])} ${inner()})`,
    () => `Math.${c.random.pick(['max', 'min', 'pow', 'hypot', 'floorDiv'])}(${inner()}, ${inner()})`,
    () =>
      `Math.${c.random.pick(['abs', 'floor', 'ceil', 'round', 'sqrt', 'log', 'log10', 'signum', 'exp', 'cbrt', 'rint'])}(${inner()})`,
    () => `(${c.random.pick(['int', 'long', 'double', 'float', 'short', 'byte', 'char'])}) (${inner()})`,
    () => `(${truth(c, depth + 1)} ? ${inner()} : ${inner()})`,
    () => `-(${inner()})`,
    () => `${c.random.pick(['Integer.parseInt', 'Long.parseLong', 'Double.parseDouble'])}('12')`,
    () =>
      `${c.random.pick(['Integer', 'Long', 'Double'])}.${c.random.pick(['compare', 'max', 'sum'])}(${inner()}, ${inner()})`,
  ])()
}
const DATES = [
  ...['year', 'monthValue', 'dayOfMonth', 'dayOfYear', 'hour', 'minute', 'getYear()', 'getHour()', 'nano'],
  ...['toInstant().toEpochMilli()', 'toEpochSecond()', 'dayOfWeekEnum.value', 'getDayOfWeekEnum().getValue()'],
  ...['plusDays(3).getDayOfMonth()', 'minusMonths(1).monthValue', 'withHour(5).hour', 'toLocalDate().lengthOfMonth()'],
  ...['getMillis()', 'millis', 'getMonthOfYear()', 'dayOfWeek'],
]

/** An expression that is a text. */
export function worded(c: Context, depth = 0): string {
  const inner = (): string => worded(c, depth + 1)
  const leaves: readonly (() => string)[] = [
    () => quoted(c),
    () => value(c, 'keyword', "''"),
    () => value(c, 'keyword', "'none'"),
    () => c.random.pick(['params.t', "params.map['b']", 'params.words[1]']),
    () => value(c, 'date', "''", (one) => `${one}.toString()`),
    () =>
      value(
        c,
        'date',
        "'-'",
        (one) =>
          `${one}.format(DateTimeFormatter.${c.random.pick(["ofPattern('yyyy-MM')", "ofPattern('EEE dd')", 'ISO_LOCAL_DATE'])})`,
      ),
  ]
  if (depth > 2) return c.random.pick(leaves)()
  return c.random.pick([
    ...leaves,
    () => `${inner()} + ${c.random.pick([numeric(c, depth + 2), inner(), 'null', 'true', "'-'"])}`,
    () =>
      `${inner()}.${c.random.pick(['toUpperCase()', 'toLowerCase()', 'trim()', 'substring(0, 1)', 'substring(1)', "replace('o', '0')", "concat('!')", 'intern()', 'toString()', "splitOnToken('o')[0]", 'replaceAll(/[aeiou]/, m -> m.group().toUpperCase())'])}`,
    () => `String.${c.random.pick(['valueOf', 'valueOf'])}(${numeric(c, depth + 1)})`,
    () => `String.join(',', ${c.random.pick(['params.words', listed(c)])})`,
    () =>
      `${c.random.pick(['Integer.toString(3)', 'Long.toHexString(255L)', "String.format('%s-%d', new def[] {'a', 3})"])}`,
    () => `(${truth(c, depth + 1)} ? ${inner()} : ${inner()})`,
    () => `new StringBuilder(${inner()}).${c.random.pick(['reverse()', "append('x')", 'append(3)'])}.toString()`,
  ])()
}

/** An expression that is true or false. */
export function truth(c: Context, depth = 0): string {
  const inner = (): string => truth(c, depth + 1)
  const leaves: readonly (() => string)[] = [
    () => `${numeric(c, depth + 2)} ${c.random.pick(['>', '<', '>=', '<=', '==', '!='])} ${numeric(c, depth + 2)}`,
    () => `${worded(c, depth + 2)} ${c.random.pick(['==', '!='])} ${worded(c, depth + 2)}`,
    () =>
      `${worded(c, depth + 2)}.${c.random.pick(["contains('o')", "startsWith('f')", "endsWith('s')", "equals('fox')", 'isEmpty()', "equalsIgnoreCase('FOX')", "matches('f.*')"])}`,
    () => value(c, 'boolean', 'false'),
    () => `doc.containsKey('${c.random.pick([fieldOf(c, 'number') ?? 'a', 'nowhere'])}')`,
    () =>
      `doc['${fieldOf(c, c.random.pick(['number', 'keyword', 'date', 'boolean'])) ?? '_id'}'].${c.random.pick(['empty', 'isEmpty()', "contains('fox')", 'contains(3L)', 'contains(1)'])}`,
    () => `${worded(c, depth + 2)} ${c.random.pick(['=~', '==~'])} /${c.random.pick(['fo.*', '[a-f]+', '^\\w+$'])}/`,
    () =>
      `${numeric(c, depth + 2)} instanceof ${c.random.pick(['Integer', 'Long', 'Double', 'Number', 'String', 'def'])}`,
    () => `params.${c.random.pick(['words', 'list'])}.contains(${c.random.pick([worded(c, 2), numeric(c, 2)])})`,
    () =>
      value(
        c,
        'date',
        'false',
        (one) =>
          `${one}.${c.random.pick(["isAfter(ZonedDateTime.parse('2020-01-01T00:00:00Z'))", "isBefore(ZonedDateTime.parse('2019-06-01T00:00:00Z'))"])}`,
      ),
  ]
  if (depth > 1) return c.random.pick(leaves)()
  return c.random.pick([
    ...leaves,
    () => `!(${inner()})`,
    () => `${inner()} ${c.random.pick(['&&', '||', '^'])} ${inner()}`,
    () => `(${inner()} ${c.random.pick(['&&', '||'])} ${inner()})`,
  ])()
}

/** An expression that is a list, a map or something else that is shown. */
export function listed(c: Context): string {
  const path = fieldOf(c, c.random.pick(['number', 'keyword', 'date'])) ?? '_id'
  return c.random.pick([
    () => `doc['${path}']`,
    () => `[${numeric(c, 2)}, ${worded(c, 2)}]`,
    () => `['a': ${numeric(c, 2)}, 'b': ${worded(c, 2)}]`,
    () =>
      `doc['${path}'].stream().map(v -> ${c.random.pick(["'' + v", 'v', 'String.valueOf(v).length()'])}).collect(Collectors.toList())`,
    () =>
      `doc['${path}'].stream().${c.random.pick(['distinct()', 'sorted()', 'limit(1)', 'skip(1)', 'filter(v -> v != null)'])}.collect(Collectors.toList())`,
    () => `params.words.stream().map(w -> w.toUpperCase()).sorted().collect(Collectors.toList())`,
    () => 'params.list',
    () => 'params.map',
    () => 'new ArrayList(params.list)',
    () => `new HashSet([1, 2, 2])`,
    () => 'null',
    () => `doc['${path}'].size() > 1 ? doc['${path}'].get(1) : null`,
    () => `params._source`,
    () => `params['_source']['${path}']`,
    () => `params._source.containsKey('${path}')`,
    () => `new int[] {1, 2}`,
  ])()
}

/** Statements that come to a number. */
function summing(c: Context): string {
  const path = fieldOf(c, 'number') ?? 'n'
  const keyword = fieldOf(c, 'keyword') ?? 'k'
  return c.random.pick([
    `double s = 0; for (v in doc['${path}']) { s += v } return s`,
    `def s = 0; for (def v : doc['${path}']) { s = s + v; } return s;`,
    `int n = 0; for (int i = 0; i < doc['${keyword}'].length; i++) { if (doc['${keyword}'][i].length() > 3) n++ } return n`,
    `long best = Long.MIN_VALUE; for (v in doc['${path}']) { if (v > best) { best = (long) v } } best`,
    `def m = new HashMap(); for (k in doc['${keyword}']) { m.put(k, m.getOrDefault(k, 0) + 1) } return m.size()`,
    `if (doc['${path}'].size() == 0) { return 0 } else { return ${numeric(c, 2)} }`,
    `def x = ${numeric(c, 2)}; x += ${numeric(c, 2)}; x *= 2; return x`,
    `int x = 3; while (x < 10) { x += x } return x + ${numeric(c, 2)}`,
    `double f(double a) { return a * 2 } return f(${numeric(c, 2)})`,
    `def f = (a, b) -> a + b; return f.apply(${numeric(c, 2)}, 1)`,
    `return doc['${path}'].stream().mapToDouble(v -> v).${c.random.pick(['sum()', 'max().orElse(0)', 'average().orElse(-1)', 'count()'])}`,
    `try { return Integer.parseInt(${worded(c, 2)}) } catch (NumberFormatException e) { return -1 }`,
    `doc['${path}'].size() == 0 ? 0 : Collections.max(doc['${path}'])`,
  ])
}

const PARAMS: Json = { n: 3, t: 'fox', list: [3, 1, 2.5], words: ['fox', 'Dog', 'über'], map: { a: 5, b: 'x' } }

/** A script of that source, with the parameters that it may read. */
const scriptOf = (source: string): Json => (source.includes('params') ? { source, params: PARAMS } : { source })

/** A script that is a number. */
export const numberScript: Made = (c) => scriptOf(c.random.chance(0.3) ? summing(c) : numeric(c))
/** A script that is a number that scores may be. */
export const scoreScript: Made = (c) => {
  const made = numeric(c)
  return scriptOf(
    c.random.pick([
      `Math.abs(${made})`,
      `Math.max(0, ${made})`,
      `_score * Math.abs(${made})`,
      `_score + 1 + Math.abs(${made})`,
      made,
      `saturation(Math.abs(${made}), 2)`,
      `sigmoid(Math.abs(${made}) + 1, 2, 1)`,
      ...decays(c),
    ]),
  )
}
function decays(c: Context): readonly string[] {
  const [number, date, point] = [fieldOf(c, 'number'), fieldOf(c, 'date'), fieldOf(c, 'geo_point')]
  const kind = c.random.pick(['Linear', 'Exp', 'Gauss'])
  const made: string[] = []
  const guarded = (path: string, call: string): string => `doc['${path}'].size() == 0 ? 0 : ${call}`
  if (number !== undefined)
    made.push(guarded(number, `decayNumeric${kind}(5.0, 10.0, 0.0, 0.5, doc['${number}'].value)`))
  if (date !== undefined)
    made.push(guarded(date, `decayDate${kind}('2020-01-01T00:00:00Z', '30d', '0', 0.5, doc['${date}'].value)`))
  if (point !== undefined)
    made.push(guarded(point, `decayGeo${kind}('37.5,127', '1000km', '0km', 0.5, doc['${point}'].value)`))
  return made
}
/** A script that is a text. */
export const textScript: Made = (c) => scriptOf(worded(c))
/** A script that is true or false. */
export const truthScript: Made = (c) => scriptOf(truth(c))
/** A script that is anything that can be shown. */
export const anyScript: Made = (c) =>
  scriptOf(c.random.pick([() => numeric(c), () => worded(c), () => truth(c), () => listed(c), () => summing(c)])())

/** A script over numbers of buckets, by the names `a` and `b`. */
export const bucketScript = (isTruth: boolean): Made =>
  oneOf(
    ...(isTruth
      ? [
          'params.a > params.b',
          'params.a != null && params.a >= 2',
          'params.a % 2 == 0',
          'params.a > 1 || params.b < 5',
        ]
      : [
          'params.a + params.b',
          'params.a / params.b',
          'params.b == 0 ? 0 : params.a / params.b * 100',
          'Math.round(params.a * 10) / 10.0',
          'Math.max(params.a, params.b)',
          'params.a > 3 ? params.a : null',
          'def x = params.a; if (x > 2) { x = x - params.b } return x',
          'params.a',
          '(int) params.a',
          'Math.log(params.a)',
          'Double.NaN',
          "params.a + ''",
        ]),
  )

/** A metric by scripts as people write them, over a number and a word. */
export const scriptedMetric: Made = (c) => {
  const [number, keyword] = [fieldOf(c, 'number') ?? 'l', fieldOf(c, 'keyword') ?? 'k']
  return oneOf(
    {
      init_script: 'state.sums = []',
      map_script: `if (doc['${number}'].size() > 0) { state.sums.add(doc['${number}'].value) }`,
      combine_script: 'double t = 0; for (s in state.sums) { t += s } return t',
      reduce_script: 'double t = 0; for (s in states) { t += s } return t',
    },
    {
      init_script: 'state.m = [:]',
      map_script: `for (k in doc['${keyword}']) { state.m.put(k, state.m.getOrDefault(k, 0) + 1) }`,
      combine_script: 'return state.m',
      reduce_script:
        'Map all = new TreeMap(); for (s in states) { if (s != null) for (e in s.entrySet()) { all.merge(e.key, e.value, (x, y) -> x + y) } } return all',
    },
    {
      init_script: 'state.n = 0; state.least = Double.MAX_VALUE',
      map_script: `state.n++; if (!doc['${number}'].empty && doc['${number}'].value < state.least) state.least = doc['${number}'].value`,
      combine_script: "return ['n': state.n, 'least': state.least]",
      reduce_script: 'return states',
    },
    {
      params: { factor: 3 },
      init_script: 'state.list = new ArrayList()',
      map_script: `state.list.add(doc['${number}'].size() * params.factor)`,
      combine_script: 'return state.list.stream().mapToLong(v -> v).sum()',
      reduce_script: 'return states.stream().filter(s -> s != null).mapToLong(s -> s).sum()',
    },
    {
      map_script: `state.last = doc['${keyword}'].size() == 0 ? 'none' : doc['${keyword}'].value`,
      combine_script: 'state',
      reduce_script: 'states.size()',
    },
    {
      init_script: 'state.t = 0L',
      map_script: (inner: Context) => `state.t += (${numeric(inner, 2)})`,
      combine_script: 'return state.t',
      reduce_script: 'return states[0]',
    },
  )
}
