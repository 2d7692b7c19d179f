import { list } from '../query-dsl/query-options.ts'
import { isObject } from '../query-dsl/query-reader.ts'
import { noteDateFormat } from './date-format-deprecations.ts'
import type { Deprecation } from './deprecations.ts'
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
  'match',
  'match_phrase',
  'prefix',
  'range',
  'term',
  'terms',
  'wildcard',
])

/** Whether a query of several fields names `_type` among them. */
const ofTypes = ({ fields, default_field: field }: Body, note: Note): void => {
  if ([...list(fields), field].some((name) => /^_type(?:\^|$)/.test(String(name)))) note('type_field')
}

const OTHERS: Readonly<Record<string, (body: Body, note: Note) => void>> = {
  exists: ({ field }, note) => {
    if (field === '_type') note('type_field')
  },
  function_score: (body, note) => {
    for (const part of [body, ...list(body['functions'])]) {
      if (!isObject(part)) continue
      const random = part['random_score']
      if (isObject(random) && random['seed'] !== undefined && random['field'] === undefined) {
        note('seed_alone')
        note('id_fielddata')
      }
      if (Number(part['weight']) < 0) note('negative_weight')
    }
  },
  geo_shape: (body, note) => {
    for (const value of Object.values(body)) {
      const shape = isObject(value) ? value['indexed_shape'] : undefined
      if (isObject(shape) && shape['type'] !== undefined) note('shape_type')
    }
  },
  multi_match: ofTypes,
  query_string: ofTypes,
  simple_query_string: ofTypes,
  more_like_this: (body, note) => {
    const documents = [...list(body['like']), ...list(body['unlike'])].filter(isObject)
    if (documents.some((document) => document['_type'] !== undefined)) note('like_type')
  },
}

/** Notes what a query uses that is deprecated; those inside it are noted by themselves. */
export function noteQuery(name: string, body: unknown, warnings: Warnings): void {
  if (!isObject(body)) return
  const note: Note = (deprecation, ...words) => warnings.note(deprecation, ...words)
  if (Object.hasOwn(QUERIES, name)) note(QUERIES[name] as Deprecation)
  if (Object.hasOwn(MEMBERS, name)) noteMembers(body, MEMBERS[name] as Readonly<Record<string, Deprecation>>, note)
  if (Object.hasOwn(OTHERS, name)) OTHERS[name]?.(body, note)
  if (!OF_A_FIELD.has(name)) return
  if (body['_type'] !== undefined) note('type_field')
  if (body['_field_names'] !== undefined && (name === 'term' || name === 'terms')) note('field_names')
  if (name === 'range') {
    for (const value of Object.values(body)) if (isObject(value)) noteDateFormat(value['format'], warnings)
  }
  const ofField = FIELD_MEMBERS[name]
  if (ofField === undefined) return
  for (const value of Object.values(body)) if (isObject(value)) noteMembers(value, ofField, note)
}

function noteMembers(body: Body, members: Readonly<Record<string, Deprecation>>, note: Note): void {
  for (const member in members) if (body[member] !== undefined) note(members[member] as Deprecation)
}
