import type { EngineVersion } from '../../engine/engine-version.ts'
import type { UseListener } from '../../engine/script/deprecated-use.ts'
import { isObject } from '../../is-object.ts'
import { list } from '../query-dsl/query-options.ts'
import { noteDateFormat } from './date-format-deprecations.ts'
import type { Deprecation } from './deprecations.ts'
import { scriptListener } from './script-deprecations.ts'
import type { Warnings } from './warnings.ts'

type Body = { readonly [name: string]: unknown }
type Note = (name: Deprecation, ...words: readonly string[]) => void

/** Members of a query that are deprecated. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, Deprecation>>>> = {
  bool: { mustNot: 'must_not', disable_coord: 'disable_coord' },
  ids: { type: 'ids_type', types: 'ids_type' },
  multi_match: { cutoff_frequency: 'multi_match_cutoff', use_dis_max: 'multi_match_dis_max' },
  query_string: {
    use_dis_max: 'query_string_dis_max',
    split_on_whitespace: 'split_on_whitespace',
    auto_generate_phrase_queries: 'auto_phrases',
    lowercase_expanded_terms: 'query_string_lowercase',
    locale: 'query_string_locale',
    all_fields: 'query_string_all_fields',
  },
  simple_query_string: {
    all_fields: 'simple_all_fields',
    lowercase_expanded_terms: 'simple_lowercase',
    locale: 'simple_locale',
  },
}

/** Members of what a query says of its field. */
const FIELD_MEMBERS: Readonly<Record<string, Readonly<Record<string, Deprecation>>>> = {
  common: { disable_coord: 'common_coord' },
  match: { cutoff_frequency: 'match_cutoff' },
  terms: { type: 'lookup_type' },
}

/** Queries that are deprecated as a whole. */
const QUERIES: Readonly<Record<string, Deprecation>> = {
  type: 'type_query',
  common: 'common_terms',
  field_masking_span: 'field_masking_span',
}

/** Queries of one field, which is their first member. */
const OF_A_FIELD: ReadonlySet<string> = new Set([
  'common',
  'match',
  'match_bool_prefix',
  'match_phrase',
  'prefix',
  'range',
  'span_term',
  'term',
  'terms',
  'terms_set',
  'wildcard',
])

/** Those of them that look for one term, or for several one by one. */
const OF_TERMS: ReadonlySet<string> = new Set(['match', 'match_phrase', 'span_term', 'term', 'terms_set'])

/** What is said of the fields that a query of several names. */
const ofFields = ({ fields, default_field: field, type }: Body, note: Note): void => {
  if (type === 'boolean') note('boolean_type')
  for (const named of [...list(fields), field]) {
    const [name] = String(named).split('^')
    if (name === '_type') note('type_field')
    else if (name === '_field_names') note('field_names')
  }
}

const OTHERS: Readonly<Record<string, (body: Body, note: Note) => void>> = {
  has_child: (body, note) => {
    if (Number(body['min_children'] ?? 1) === 0) note('no_min_children')
  },
  exists: ({ field }, note) => {
    if (field === '_type') note('type_field')
  },
  function_score: (body, note) => {
    for (const part of [body, ...list(body['functions'])]) {
      if (!isObject(part)) continue
      const { random_score: random, field_value_factor: factor } = part
      if (isObject(random) && random['seed'] !== undefined) {
        const { field } = random
        if (field === undefined) note('seed_alone')
        if (field === undefined || field === '_id') note('id_fielddata')
      }
      if (isObject(factor) && factor['field'] === '_id') note('id_fielddata')
      if (Number(part['weight']) < 0) note('negative_weight')
    }
  },
  geo_shape: (body, note) => {
    for (const value of Object.values(body)) {
      const shape = isObject(value) ? value['indexed_shape'] : undefined
      if (isObject(shape) && shape['type'] !== undefined) note('shape_type')
    }
  },
  multi_match: ofFields,
  query_string: ofFields,
  simple_query_string: ofFields,
  percolate: ({ document_type: type }, note) => {
    if (typeof type === 'string') note('percolated_type')
  },
  more_like_this: (body, note) => {
    const documents = [...list(body['like']), ...list(body['unlike'])].filter(isObject)
    if (documents.some((document) => document['_type'] !== undefined)) note('like_type')
  },
}

/** Notes what a query uses that is deprecated; those inside it are noted by themselves. */
export function noteQuery(name: string, body: unknown, warnings: Warnings): void {
  const rule = RULES.get(name)
  if (rule !== undefined && isObject(body)) rule(body, warnings)
}

/** Notes phrases in fields without words, which only 6.x minds: an index finds them as it makes the query. */
export function phraseListener(context: {
  readonly engineVersion: EngineVersion
  readonly warnings?: Warnings | undefined
}): { readonly heard?: UseListener } {
  return context.engineVersion === 'Elasticsearch_6.8' ? scriptListener(context.warnings) : NOBODY
}

const NOBODY = {}

type Rule = (body: Body, warnings: Warnings) => void

/** What is looked at in each query: one look-up for those of which nothing is deprecated. */
const RULES: ReadonlyMap<string, Rule> = new Map(
  [...new Set([MEMBERS, QUERIES, OTHERS].flatMap(Object.keys).concat([...OF_A_FIELD]))].map((name) => [
    name,
    ruleOf(name),
  ]),
)

function ruleOf(name: string): Rule {
  const whole = QUERIES[name]
  const members = MEMBERS[name]
  const other = OTHERS[name]
  const isOfField = OF_A_FIELD.has(name)
  return (body, warnings) => {
    if (whole !== undefined) warnings.note(whole)
    if (members !== undefined) noteMembers(body, members, warnings)
    if (other !== undefined) other(body, (deprecation, ...words) => warnings.note(deprecation, ...words))
    if (isOfField) noteField(name, body, warnings)
  }
}

/** Of a query of one field: which it is, and what is said of it. */
function noteField(name: string, body: Body, warnings: Warnings): void {
  const members = FIELD_MEMBERS[name]
  for (const field in body) {
    if (field === '_type') {
      warnings.note('type_field')
      if (name === 'range') warnings.note('type_range')
    } else if (field === '_field_names' && OF_TERMS.has(name)) warnings.note('field_names')
    const value = body[field]
    if (!isObject(value)) continue
    if (members !== undefined) noteMembers(value, members, warnings)
    if (name === 'range') noteDateFormat(value['format'], warnings)
  }
}

function noteMembers(body: Body, members: Readonly<Record<string, Deprecation>>, warnings: Warnings): void {
  for (const member in members) if (body[member] !== undefined) warnings.note(members[member] as Deprecation)
}
