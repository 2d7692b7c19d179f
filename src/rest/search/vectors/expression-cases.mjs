/** What expressions are asked about, and how answers are told: shared by record-expressions.mjs and the test. */

export const PROPERTIES = {
  n: { type: 'integer' }, l: { type: 'long' }, d: { type: 'double' }, f: { type: 'float' }, b: { type: 'boolean' },
  k: { type: 'keyword' }, t: { type: 'text' }, dt: { type: 'date' }, g: { type: 'geo_point' }, ip: { type: 'ip' },
  s: { type: 'scaled_float', scaling_factor: 100 }, nodv: { type: 'integer', doc_values: false },
  ft: { type: 'text', fielddata: true }, bin: { type: 'binary', doc_values: true }, r: { type: 'integer_range' },
  o: { properties: { x: { type: 'integer' } } },
}

/** Lines of JSON: some numbers are more than doubles. */
export const DOCUMENTS = [
  '{"n":5,"l":9007199254740993,"d":2.5,"f":1.5,"b":true,"k":"a","t":"hello","dt":"2020-02-29T13:14:15.678Z","g":{"lat":40.7,"lon":-74},"ip":"1.2.3.4","s":1.23,"nodv":1,"ft":"hello world","o":{"x":3}}',
  '{"n":[3,1,2,10],"l":[7,-7],"d":[0.5,-0.25],"b":[true,false],"k":["b","a"],"dt":["2019-12-31T23:59:59.999Z","1899-01-01T00:00:00Z"],"g":[{"lat":1,"lon":2},{"lat":3,"lon":4}],"f":[1,2,3]}',
  '{"t":"empty"}',
  '{"n":-7,"l":-1,"d":-3.75,"f":0,"b":false,"dt":"2015-06-15","s":-5,"g":{"lat":-90,"lon":180}}',
  '{"n":2147483647,"l":1152921504606846976,"d":1e300,"f":3e38,"dt":253402300799999}',
]

const buckets = (kind, script) => ({
  size: 0,
  aggs: {
    h: {
      histogram: { field: 'n', interval: 1e9, min_doc_count: 1 },
      aggs: {
        m: { max: { field: 'd' } },
        c: { value_count: { field: 'n' } },
        x: { [kind]: { buckets_path: { m: 'm', c: 'c' }, script } },
      },
    },
  },
})

/** Bodies of searches that ask an expression, by its place. */
export const PLACES = {
  field: (script) => ({ _source: false, sort: ['_doc'], script_fields: { x: { script } } }),
  sort: (script) => ({ _source: false, sort: { _script: { type: 'number', script } } }),
  score: (script) => ({ _source: false, query: { function_score: { query: { match_all: {} }, script_score: { script }, boost_mode: 'replace' } } }),
  filter: (script) => ({ _source: false, sort: ['_doc'], query: { script: { script } } }),
  agg: (script) => ({ size: 0, aggs: { a: { stats: { script } } } }),
  aggv: (script) => ({ size: 0, aggs: { a: { sum: { field: 'n', script } } } }),
  aggk: (script) => ({ size: 0, aggs: { a: { terms: { field: 'k', script } } } }),
  terms: (script) => ({ size: 0, aggs: { a: { terms: { script } } } }),
  bs: (script) => buckets('bucket_script', script),
  bsel: (script) => buckets('bucket_selector', script),
  tset: (script) => ({ _source: false, query: { terms_set: { k: { terms: ['a', 'b'], minimum_should_match_script: script } } } }),
}

function fault({ type, reason, script_stack, caused_by }) {
  const told = `${type}: ${reason}`
    .replace(/^(query_shard_exception: failed to create query: ).*$/s, '$1')
    .replace(/(CompiledExpression@)[0-9a-f]+/, '$1')
  return [told, ...(script_stack === undefined ? [] : script_stack), ...(caused_by === undefined ? [] : fault(caused_by))]
}

/** An answer without what differs from run to run. Whether it is an error is told, not by which status. */
export function shown(status, json) {
  if (status >= 400) return fault(json.error.failed_shards?.[0]?.reason ?? json.error.caused_by ?? json.error)
  // JSON has no other way to tell of a zero's sign.
  const signed = (value) => (Object.is(value, -0) ? '-0' : value)
  return json.aggregations ?? json.hits.hits.map((hit) => [hit._id, ...(hit.fields?.x ?? hit.sort ?? [hit._score]).map(signed)])
}
