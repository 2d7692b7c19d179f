import {
  type Context,
  deeper,
  type Field,
  type Json,
  type Made,
  make,
  maybe,
  named,
  oneOf,
  type Rule,
  some,
  whole,
} from './grammar.ts'

/** Words that analyzers take differently. */
const WORDS =
  "quick brown fox Foxes jumps jumping over lazy dog dogs the a and not running ran Über naïve café 한국 한국어 서울 검색 엔진 東京 大学 😀 👍🏽 wi-fi U.S.A. can't foo_bar foo.bar PowerShot x1 12 3.7 2020-01-01 QUICK Fox ﬁsh straße İstanbul σς a/b C++ 100%".split(
    ' ',
  )

export const word: Made = oneOf(...WORDS)

/** Some words with something between them. */
export const text =
  (most = 8): Made =>
  (c) => {
    let made = ''
    for (let n = c.random.whole(0, c.random.whole(1, most)); n > 0; n--) {
      made += `${make(c, word)}${c.random.pick([' ', ' ', ' ', ' ', ', ', '. ', '-', '\n', '! '])}`
    }
    return made.trimEnd()
  }

/** A word with up to two letters changed. */
export const misspelt: Made = (c) => {
  const letters = [...String(make(c, word))]
  for (let n = c.random.whole(0, 2); n > 0; n--) {
    letters.splice(c.random.whole(0, letters.length), c.random.whole(0, 1), ...c.random.pick(['', 'a', 'z', 'qu']))
  }
  return letters.join('')
}

const two = (n: number): string => String(n).padStart(2, '0')

/** A moment as a date field of the format takes it. */
export const moment =
  (format?: string): Made =>
  (c) => {
    const year = c.random.pick([1969, 1970, 2019, 2020, 2021, 2024])
    const [month, day] = [two(c.random.whole(1, 12)), two(c.random.whole(1, 28))]
    const [hour, minute, second] = [two(c.random.whole(0, 23)), two(c.random.whole(0, 59)), two(c.random.whole(0, 59))]
    const date = `${year}-${month}-${day}`
    const clock = `${hour}:${minute}:${second}`
    switch (format) {
      case 'yyyy-MM-dd':
      case 'strict_date':
        return date
      case 'yyyy/MM/dd HH:mm:ss||epoch_second':
        return oneOf(`${year}/${month}/${day} ${clock}`, whole(0, 2e9))
      case 'dd.MM.yyyy||yyyy':
        return oneOf(`${day}.${month}.${year}`, year)
      case 'basic_date':
      case 'yyyyMMdd':
        return date.replaceAll('-', '')
      case 'date_hour_minute':
        return `${date}T${hour}:${minute}`
      case 'epoch_second':
        return oneOf(whole(0, 2e9), 1.5)
      case "yyyy-MM-dd'T'HH:mm:ssZ":
        return `${date}T${clock}${c.random.pick(['+0000', '+0900', '-05:00', 'Z'])}`
      case 'week_date':
        return `${year}-W${two(c.random.whole(1, 52))}-${c.random.whole(1, 7)}`
      case 'MM/yyyy':
        return `${month}/${year}`
      default:
        return oneOf(
          date,
          `${date}T${clock}Z`,
          `${date}T${clock}.${c.random.whole(100, 999)}${c.random.pick(['Z', '+09:00', '-0330', ''])}`,
          whole(-1e12, 2e12),
          `${year}`,
          `${year}-${month}`,
          `${date}T${hour}`,
          `${date}T${hour}:${minute}`,
        )
    }
  }

/** A place in each of the ways to write one. */
export const place: Made = (c) => {
  const lat = c.random.pick([0, 37.5, 37.57, -33.9, 90, -90, 51.5, 40.7])
  const lon = c.random.pick([0, 127, 126.97, 151.2, 180, -180, -0.12, -74])
  const hash = oneOf('wydm9q', 'gcpvj0', 's000', 'u')
  return oneOf({ lat, lon }, { lat: `${lat}`, lon }, `${lat},${lon}`, [lon, lat], `POINT (${lon} ${lat})`, hash)
}

const bounds = (low: Rule, high: Rule): Rule =>
  oneOf({ gte: low, lte: high }, { gt: low, lt: high }, { gte: low }, { lt: high }, { from: low, to: high })
const SMALL = [0, 1, 2, 3, 5, 12, 100, -7]
const FRACTIONS = [0, -0, 1.5, 2.25, 0.1, -3.7, 12, 3.25]

/** An object of any shape. */
const flat: Made = (c) => {
  const value = oneOf(word, word, text(2), whole(0, 3), 1.5, true, null, '', some(0, 3, word))
  const inner: Rule = c.depth < 2 ? deeper(flat) : value
  return { 'a?': value, b: oneOf({ c: value, 'd?': inner }, value), 'd.e?': value, 'x?': some(1, 2, inner) }
}

/** A shape of some hundred kilometres. */
export const shape: Made = (c) => {
  const [x, y] = [c.random.pick([0, 10, 20.5, 127, -74]), c.random.pick([0, 10, 37.5, -33])]
  const [w, h] = [c.random.pick([1, 5, 15]), c.random.pick([1, 4, 12])]
  const ring = [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
    [x, y],
  ]
  return oneOf(
    { type: 'point', coordinates: [x, y] },
    {
      type: 'linestring',
      coordinates: [
        [x, y],
        [x + w, y + h],
      ],
    },
    { type: 'polygon', coordinates: [ring] },
    {
      type: 'envelope',
      coordinates: [
        [x, y + h],
        [x + w, y],
      ],
    },
    {
      type: 'multipoint',
      coordinates: [
        [x, y],
        [x + w, y],
      ],
    },
    `POINT (${x} ${y})`,
    `POLYGON ((${ring.map((one) => one.join(' ')).join(', ')}))`,
  )
}

const simple = {
  match: [2, { t0: oneOf(text(3), { query: text(3), 'operator?': 'and' }) }],
  match_phrase: [1, { t0: text(2) }],
  term: [1, { k0: word }],
  terms: [1, { k0: some(1, 3, word) }],
  prefix: [0.5, { k0: oneOf('q', 'f', 'do') }],
  wildcard: [0.3, { t0: oneOf('f*', '*o*') }],
  range: [0.5, { k0: { gte: oneOf('a', 'f'), 'lt?': 'q' } }],
  query_string: [0.5, { query: oneOf('t0:fox', 'quick AND dog', 'k0:"fox" OR t0:la*'), 'default_field?': 't0' }],
  exists: [0.3, { field: oneOf('k0', 't0') }],
  match_all: [0.2, {}],
} as const
/** A query for documents that are yet to come. */
const percolated: Made = (c) =>
  c.depth < 1 && c.random.chance(0.4)
    ? {
        bool: {
          'must?': some(1, 2, deeper(percolated)),
          'should?': some(1, 3, deeper(percolated)),
          'must_not?': deeper(percolated),
          'filter?': deeper(percolated),
          'minimum_should_match?': oneOf(1, 2, '50%'),
        },
      }
    : named(simple)

/** What a field of each type may hold. */
const VALUES: Readonly<Record<string, (f: Json) => Rule>> = {
  percolator: () => percolated,
  geo_shape: () => shape,
  long: () => oneOf(...SMALL, 9007199254740993n, 9223372036854775807n, -9223372036854775808n),
  integer: () => oneOf(...SMALL, 2147483647, -2147483648),
  short: () => oneOf(...SMALL, 32767, -32768),
  byte: () => oneOf(...SMALL, 127, -128),
  double: () => oneOf(...FRACTIONS, 1e300, 1e-10),
  float: () => oneOf(...FRACTIONS, 3e38, 1e-10, 16777217),
  half_float: () => oneOf(...FRACTIONS, 65504, 1e-7, 2049),
  scaled_float: () => oneOf(...FRACTIONS, 99.99, 0.005, 1e6),
  token_count: () => whole(0, 5),
  rank_feature: () => oneOf(1, 2.5, 0.1, 100, '3', -1),
  rank_features: () => ({ 'x?': oneOf(1, 2.5, 30, '3'), y: oneOf(0.1, 7, 100) }),
  date: (f) => moment(f.format),
  date_nanos: (f) => moment(f.format),
  boolean: () => oneOf(true, false, 'true', 'false', ''),
  unsigned_long: () => oneOf(0, 1, 12, 9223372036854775808n, 18446744073709551615n),
  wildcard: () => oneOf(word, word, text(2)),
  match_only_text: () => text(),
  ip: () => oneOf('10.0.0.1', '10.0.0.2', '192.168.1.254', '255.255.255.255', '::1', '2001:db8::1', '::ffff:10.0.0.5'),
  geo_point: () => place,
  keyword: () => oneOf(word, word, word, text(2)),
  text: () => text(),
  search_as_you_type: () => text(),
  flat_object: () => flat,
  binary: () => oneOf('aGVsbG8=', 'U29tZSBiaW5hcnkgYmxvYg==', '', 'AAEC'),
  completion: (f) =>
    oneOf(
      text(2),
      some(1, 2, word),
      { input: word, weight: whole(0, 10), ...contextsOf(f) },
      { input: some(1, 2, word), ...contextsOf(f) },
    ),
  integer_range: () => bounds(whole(-5, 9), whole(9, 20)),
  long_range: () => bounds(whole(-5, 9), whole(9, 20)),
  float_range: () => bounds(oneOf(-2.25, 0.1, 1), oneOf(1.5, 3.3)),
  double_range: () => bounds(oneOf(-2.25, 0.1, 1), oneOf(1.5, 3.3)),
  date_range: (f) => bounds(moment(f.format), moment(f.format)),
  ip_range: () => oneOf('10.0.0.0/8', '2001:db8::/32', bounds('10.0.0.1', '10.0.0.9')),
}

const contextsOf = ({ contexts }: Json): Json =>
  contexts === undefined
    ? {}
    : { contexts: { 'cat?': oneOf('x', 'y', ['x', 'z']), ...(contexts.length > 1 ? { 'loc?': place } : {}) } }

const ODD_VALUES: readonly Rule[] = [
  ...[null, '', [], [null], {}, true, false, 12, '12', 3.7, '3.7', -1, '1e3', 1e20, 'abc', ' 5 ', '0x10', 'NaN'],
  ...[[1, [2, [3]]], [1, null, 'x'], { a: 1 }, [{ a: 1 }, { a: [2, 3] }], '2020-01-01', '한국어 검색', '😀', '00'],
]

/** What a query may look for in a field: often what is there, else what could be, now and then anything. */
export const sought =
  (f: Field): Made =>
  (c) => {
    if (c.random.chance(c.wrong)) return oneOf('', 'abc', 12, 3.7, true, 'now', '2020', -1, 'NaN', '10.0.0.0/8', 1e12)
    const held = c.random.chance(0.5) && c.documents.length > 0 ? heldBy(c, f.path) : undefined
    if (held !== undefined) return held
    const of: Readonly<Record<string, string>> = { integer_range: 'integer', date_range: 'date', ip_range: 'ip' }
    if (f.type.endsWith('_range')) return VALUES[of[f.type] ?? 'float']?.(f)
    if (['completion', 'binary', 'geo_point', 'text', 'search_as_you_type'].includes(f.type))
      return oneOf(word, text(4))
    return VALUES[f.type]?.(f) ?? word
  }

function heldBy(c: Context, path: string): Json {
  let held = c.random.pick(c.documents)
  for (const name of path.split('.')) {
    if (Array.isArray(held)) held = c.random.pick(held)
    if (typeof held === 'object' && held !== null && name in held) held = held[name]
  }
  if (Array.isArray(held)) held = c.random.pick(held)
  return typeof held === 'object' ? undefined : held
}

/** A document of a mapping: most fields, one value or several, some of them odd. */
export function documentOf(properties: Json): Made {
  return () => {
    const members = Object.entries(properties)
      .filter(([, f]) => (f as Json).type !== 'alias')
      .map(([name, f]) => [name, maybe(0.7, fieldValue(f))])
    return { ...Object.fromEntries(members), dyn1: maybe(0.15, oneOf(...ODD_VALUES)), dyn: maybe(0.1, { w: word }) }
  }
}

function fieldValue(f: Json): Made {
  return (c) => {
    if (c.random.chance(0.06)) return oneOf(...ODD_VALUES, null)
    if (f.type === 'join') return oneOf('q', { name: 'q' }, { name: 'ans', parent: oneOf('0', '1', '2') })
    if (f.properties !== undefined) {
      const one = documentOf(f.properties)
      return c.random.chance(f.type === 'nested' ? 0.6 : 0.15) ? some(0, 3, one) : one
    }
    const one = (VALUES[f.type] ?? (() => word))(f)
    return c.random.chance(0.17) && f.type !== 'completion' ? some(0, 3, one) : one
  }
}
