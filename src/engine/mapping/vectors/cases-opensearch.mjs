// Cases of what newer servers have: field types (`search_as_you_type` needs the module mapper-extras) and parameters.
const field = (type, more = {}) => ({ properties: { f: { type, ...more } } })
const asYouType = (more) => field('search_as_you_type', more)
const flat = (more) => field('flat_object', more)
const PLAIN = ['text', 'keyword', 'long', 'half_float', 'date', 'date_nanos', 'boolean', 'ip', 'binary', 'geo_point']
const MORE = ['integer_range', 'date_range', 'ip_range', 'wildcard', 'match_only_text', 'search_as_you_type', 'flat_object']
const ONCE_COMMON = { boost: 2, index: true, store: false, doc_values: false, similarity: 'BM25', index_options: 'docs' }

export const settings = {
  'index.analysis.normalizer.low.type': 'custom',
  'index.analysis.normalizer.low.filter': ['lowercase'],
  'index.analysis.analyzer.my.type': 'custom',
  'index.analysis.analyzer.my.tokenizer': 'standard',
}

export const creates = [
  asYouType(),
  ...[1, 2, 4, 5, 'x', 2.7, null, '3'].map((size) => asYouType({ max_shingle_size: size })),
  ...[true, false, 'x'].map((values) => asYouType({ doc_values: values })),
  ...['analyzer', 'search_analyzer', 'search_quote_analyzer'].map((name) => asYouType({ [name]: 'simple' })),
  asYouType({ analyzer: 'nope' }),
  asYouType({ analyzer: 'simple', search_analyzer: 'simple' }),
  asYouType({ index_options: 'docs', norms: false, term_vector: 'yes', store: true, similarity: 'boolean' }),
  asYouType({ fielddata: true }),
  asYouType({ index_prefixes: {} }),
  asYouType({ copy_to: 'z', fields: { k: { type: 'keyword' }, s: { type: 'search_as_you_type' } } }),
  asYouType({ index: false, position_increment_gap: 3 }),
  flat(),
  ...['ignore_above', 'index', 'store', 'copy_to', 'fields', 'null_value', 'properties', 'boost', 'meta'].map((name) =>
    flat({ [name]: name === 'fields' || name === 'properties' ? {} : 1 }),
  ),
  field('text', { fields: { o: { type: 'flat_object' } } }),
  ...PLAIN.flatMap((type) => [field(type, { meta: { b: '2', a: '1' } }), field(type, { meta: 'x' })]),
  ...[{}, [], null, { a: 1 }, { a: null }, { a: ['b'] }, { a: 'b'.repeat(51) }, { ['k'.repeat(21)]: 'b' }].map((meta) =>
    field('keyword', { meta }),
  ),
  field('geo_point', { meta: null }),
  field('keyword', { meta: Object.fromEntries([...'abcdef'].map((name) => [name, '1'])) }),
  ...[...PLAIN, ...MORE].flatMap((type) =>
    Object.entries(ONCE_COMMON).map(([name, value]) => field(type, { [name]: value })),
  ),
]

export const merges = [
  [asYouType(), asYouType({ max_shingle_size: 2, store: true, analyzer: 'simple' })],
  [asYouType({ norms: false }), asYouType()],
  [asYouType(), asYouType({ norms: false })],
  [asYouType(), field('text')],
  [flat(), field('keyword')],
  [flat(), { properties: { f: { properties: { a: { type: 'keyword' } } } } }],
  [flat(), flat()],
  [field('keyword', { meta: { a: 'b' } }), field('keyword')],
  [field('keyword', { meta: { a: 'b' } }), field('keyword', { meta: { c: 'd' } })],
]

const FLAT_SOURCES = [
  { f: { a: 'x', b: { c: 1 } } },
  { f: null },
  { f: [] },
  { f: [{ a: 1 }, null, [{ b: 2 }]] },
  { f: 'x' },
  { f: 7 },
  { f: true },
  { f: ['x'] },
  { f: [{ a: 1 }, 'x'] },
  { 'f.a': 1 },
  { f: { 'a.b': 1, '': 2 } },
]
export const documents = [
  { mapping: flat(), sources: FLAT_SOURCES.map((source) => JSON.stringify(source)) },
  {
    mapping: { properties: { n: { type: 'nested', properties: { f: { type: 'flat_object' } } } } },
    sources: ['{"n":[{"f":{"a":1}},{"f":3}]}', '{"n":{"f":{"a":1}}}'],
  },
  {
    mapping: asYouType({ index: false }),
    sources: ['{"f":"x"}', '{"f":null}', '{"f":{"a":1}}', '{"g":"x"}'],
  },
  { mapping: asYouType(), sources: ['{"f":["a",1,true,null,2.5]}', '{"f":{"a":1}}', '{"f":[{}]}'] },
]
