/** What a parser does with a token that is no value: goes on behind it (in a list: at its items), refuses it, or reads it all the same. */
type Course = 'pass' | 'refuse' | 'read'

/** How the loop of a query's parser goes over the members of its object. */
export interface MemberLoop {
  readonly nulls: Course
  /** Of lists that no member is said to be; `empty`: only what stands in them is refused. */
  readonly lists: Course | 'empty'
  readonly objects: Exclude<Course, 'pass'>
  /** What is said of a member that is not known, or not as what begins with this token. */
  readonly refusal: (name: string, key: string, token: string) => string
}

const unsupported = (name: string, key: string): string => `[${name}] query does not support [${key}]`

const isValue = (token: string): boolean => token.startsWith('VALUE_') && token !== 'VALUE_NULL'

const unknownToken = (name: string, key: string, token: string): string =>
  isValue(token) ? unsupported(name, key) : `[${name}] unknown token [${token}] after [${key}]`

/** Loops that know values, and objects by their names. */
const PASSING: MemberLoop = { nulls: 'pass', lists: 'pass', objects: 'refuse', refusal: unsupported }
const NO_LISTS: MemberLoop = { ...PASSING, lists: 'refuse' }
const REFUSING: MemberLoop = { ...NO_LISTS, nulls: 'refuse' }
/** Loops that know values alone. */
const VALUES: MemberLoop = { ...REFUSING, refusal: unknownToken }
/** Loops that do not look at what they read. */
const READING: MemberLoop = { nulls: 'read', lists: 'read', objects: 'read', refusal: unsupported }
const NO_OBJECTS: MemberLoop = { ...READING, objects: 'refuse' }

function noFunction(_name: string, key: string, token: string): string {
  if (token === 'START_OBJECT') return 'no [query] registered for [function_score]'
  return `failed to parse [function_score] query. ${token === 'START_ARRAY' ? 'array' : 'field'} [${key}] is not supported`
}

const LOOPS: Readonly<Record<string, MemberLoop>> = {
  match_none: VALUES,
  match: VALUES,
  match_phrase: VALUES,
  match_phrase_prefix: VALUES,
  match_bool_prefix: VALUES,
  multi_match: VALUES,
  exists: VALUES,
  terms: VALUES,
  term: READING,
  range: READING,
  prefix: READING,
  wildcard: READING,
  regexp: READING,
  span_term: READING,
  intervals: READING,
  dis_max: { ...NO_OBJECTS, lists: 'refuse' },
  span_or: { ...READING, lists: 'refuse' },
  span_not: NO_OBJECTS,
  span_first: NO_OBJECTS,
  span_containing: NO_OBJECTS,
  span_within: NO_OBJECTS,
  field_masking_span: NO_OBJECTS,
  span_field_masking: NO_OBJECTS,
  span_near: REFUSING,
  parent_id: REFUSING,
  mlt: NO_LISTS,
  geo_bounding_box: {
    ...PASSING,
    refusal: (name, key) => `failed to parse [${name}] query. unexpected field [${key}]`,
  },
  geo_polygon: {
    ...REFUSING,
    refusal: (name, key, token) =>
      token === 'START_ARRAY' || token === 'VALUE_NULL'
        ? `[${name}] unexpected token type [${token}]`
        : unsupported(name, key),
  },
  bool: {
    ...PASSING,
    lists: 'empty',
    refusal: (name, key, token) =>
      token === 'START_ARRAY' ? `${name} query does not support [${key}]` : unsupported(name, key),
  },
  constant_score: {
    ...REFUSING,
    refusal: (name, key, token) =>
      token === 'VALUE_NULL' || token === 'START_ARRAY' ? `unexpected token [${token}]` : unsupported(name, key),
  },
  type: { ...REFUSING, refusal: (name, key) => `[${name}] filter doesn't support [${key}]` },
  fuzzy: {
    ...REFUSING,
    refusal: (name, key, token) =>
      isValue(token) ? unsupported(name, key) : `[${name}] unexpected token [${token}] after [${key}]`,
  },
  terms_set: {
    ...REFUSING,
    refusal: (name, key, token) => (token === 'VALUE_NULL' ? unknownToken : unsupported)(name, key, token),
  },
  query_string: {
    ...REFUSING,
    refusal: (name, key, token) => (token === 'START_ARRAY' ? unsupported : unknownToken)(name, key, token),
  },
  simple_query_string: {
    ...REFUSING,
    refusal: (name, key, token) => {
      if (isValue(token)) return `[${name}] unsupported field [${key}]`
      return (token === 'START_ARRAY' ? unsupported : unknownToken)(name, key, token)
    },
  },
  function_score: { ...NO_LISTS, refusal: noFunction },
  'shape of later versions': { ...PASSING, refusal: (_name, key) => `query does not support [${key}]` },
  'function_score functions': { ...PASSING, refusal: noFunction },
}

/** The loop of a query's parser; of those that are not told apart, one that goes on at whatever is no value. */
export const loopOf = (name: string): MemberLoop => (Object.hasOwn(LOOPS, name) && LOOPS[name]) || PASSING
