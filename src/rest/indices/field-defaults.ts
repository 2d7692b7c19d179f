import type { EngineVersion } from '../../engine/engine-version.ts'
import { DEFAULT_DATE_FORMAT } from '../../engine/mapping/dates/create-date-format.ts'
import type { FieldMapping } from '../../engine/mapping/field-mapping.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'

type Definition = { readonly [name: string]: Json }

const BOOST = { boost: new JavaDouble(1) }

/**
 * What a field's mapping is where it says nothing, as a version shows it (`include_defaults`).
 *
 * @param type  as the mapping names it
 */
export function fieldDefaults(type: string, field: FieldMapping | undefined, version: EngineVersion): Definition {
  if (field === undefined || type === 'alias') return {}
  return version === 'Elasticsearch_6.8' ? defaultsOfSix(type, field) : defaultsOfSeven(type, field, version)
}

/** 6.x shows Lucene's view of every field. */
function defaultsOfSix(type: string, field: FieldMapping): Definition {
  if (type === 'completion') return COMPLETION_6
  if (type === 'join') return { eager_global_ordinals: true }
  if (type === 'geo_shape')
    return { orientation: 'RIGHT', coerce: false, ignore_malformed: false, ignore_z_value: true }
  const common = {
    ...BOOST,
    index: type !== 'binary' && field.index,
    store: field.store,
    doc_values: type !== 'binary' && field.docValues,
    term_vector: 'no',
    norms: type === 'text' || type === 'binary' || type === 'geo_point' || type === 'ip' || type === 'phrase',
    ...(field.index && type !== 'binary'
      ? { index_options: type === 'keyword' || type === 'boolean' || type === 'parent' ? 'docs' : 'positions' }
      : {}),
    eager_global_ordinals: false,
    similarity: 'BM25',
  }
  switch (field.kind) {
    case 'text':
      return field.subField === undefined
        ? { ...common, ...TEXT, ...(field.fielddata ? FREQUENCY_FILTER : {}), include_in_all: true }
        : common
    case 'keyword':
      if (type === 'parent') return common
      return {
        ...common,
        null_value: null,
        include_in_all: true,
        ignore_above: 2_147_483_647,
        normalizer: null,
        split_queries_on_whitespace: false,
      }
    case 'number':
      return { ...common, ignore_malformed: false, coerce: true, null_value: null, include_in_all: false }
    case 'date':
      return {
        ...common,
        ignore_malformed: false,
        null_value: null,
        include_in_all: false,
        format: DEFAULT_DATE_FORMAT,
        locale: '',
      }
    case 'boolean':
      return { ...common, null_value: null }
    case 'ip':
      return { ...common, null_value: null, ignore_malformed: false, include_in_all: false }
    case 'geo_point':
      return { ...common, ignore_malformed: false, ignore_z_value: true, null_value: null }
    case 'range':
      return {
        ...common,
        ...(type === 'date_range' ? { format: DEFAULT_DATE_FORMAT, locale: '' } : {}),
        coerce: true,
        include_in_all: false,
      }
    case 'binary':
    case 'opaque':
      return common
  }
}

const FREQUENCY_FILTER = {
  fielddata_frequency_filter: { min: new JavaDouble(0), max: new JavaDouble(2_147_483_647), min_segment_size: 0 },
}

const ANALYZERS = { analyzer: 'default', search_analyzer: 'default', search_quote_analyzer: 'default' }

const AS_YOU_TYPE = {
  max_shingle_size: 3,
  similarity: null,
  index_options: 'positions',
  norms: true,
  term_vector: 'no',
}

const TEXT = {
  ...ANALYZERS,
  position_increment_gap: -1,
  fielddata: false,
}

const COMPLETION_6 = {
  analyzer: 'simple',
  preserve_separators: true,
  preserve_position_increments: true,
  max_input_length: 50,
}

/** Of fields whose values a script makes. */
const DERIVED = { properties: {}, prefilter_field: '', format: DEFAULT_DATE_FORMAT, ignore_malformed: false }

/** Of types that have parameters of their own alone. */
function fewDefaults(type: string, version: EngineVersion): Definition | undefined {
  const meta = { meta: {} }
  switch (type) {
    case 'join':
    case 'constant_keyword':
      return {}
    case 'percolator':
      return meta
    case 'rank_features':
      return version === 'OpenSearch_2.19' ? { ...meta, positive_score_impact: true } : meta
    case 'rank_feature':
      return { ...meta, positive_score_impact: true }
    case 'wildcard':
      return { null_value: null, ignore_above: 2_147_483_647, normalizer: 'default', doc_values: false, ...meta }
    default:
      return undefined
  }
}

/** 7.x and later show the parameters that a type has. */
function defaultsOfSeven(type: string, field: FieldMapping, version: EngineVersion): Definition {
  if (field.derived !== undefined) return DERIVED
  const few = fewDefaults(type, version)
  if (few !== undefined) return few
  const meta = { meta: {} }
  const common = { index: field.index, doc_values: field.docValues, store: field.store, ...meta }
  switch (field.kind) {
    case 'text': {
      if (field.subField !== undefined) return { ...BOOST, ...common, doc_values: false }
      if (type === 'search_as_you_type') return { ...common, ...AS_YOU_TYPE, ...ANALYZERS, ...meta }
      return {
        ...BOOST,
        index: field.index,
        store: field.store,
        ...meta,
        index_options: 'positions',
        term_vector: 'no',
        norms: true,
        similarity: null,
        eager_global_ordinals: false,
        ...FREQUENCY_FILTER,
        index_prefixes: null,
        index_phrases: false,
        ...TEXT,
      }
    }
    case 'keyword':
      if (type === 'flat_object' || type === 'parent') return { ...BOOST, ...common, doc_values: true }
      return {
        ...common,
        ...BOOST,
        null_value: null,
        eager_global_ordinals: false,
        ignore_above: 2_147_483_647,
        index_options: 'docs',
        norms: false,
        similarity: null,
        normalizer: 'default',
        split_queries_on_whitespace: false,
      }
    case 'number':
      if (type === 'token_count') return { ...common, enable_position_increments: true, null_value: null }
      return { ...common, ignore_malformed: false, coerce: true, null_value: null }
    case 'date':
      return {
        ...common,
        ...BOOST,
        format: DEFAULT_DATE_FORMAT,
        ...(version === 'OpenSearch_2.19' ? { print_format: 'strict_date_optional_time' } : {}),
        locale: '',
        null_value: null,
        ignore_malformed: false,
      }
    case 'boolean':
      return { ...common, ...BOOST, null_value: null }
    case 'ip':
      return { ...common, ignore_malformed: false, null_value: null }
    case 'geo_point':
      return { ...common, ...BOOST, ignore_malformed: false, ignore_z_value: true, null_value: null }
    case 'range':
      return {
        ...common,
        ...BOOST,
        coerce: true,
        ...(version === 'OpenSearch_2.19' ? { ignore_malformed: false } : {}),
        ...(type === 'date_range' ? { format: DEFAULT_DATE_FORMAT, locale: '' } : {}),
      }
    case 'binary':
      return { ...meta, store: field.store, doc_values: false }
    case 'opaque':
      if (type === 'geo_shape') {
        const shape = { ignore_malformed: false, ignore_z_value: true, coerce: false, orientation: 'RIGHT' }
        return { ...common, ...BOOST, ...shape }
      }
      return type === 'completion' ? { ...COMPLETION_6, search_analyzer: 'simple', ...meta } : common
  }
}
