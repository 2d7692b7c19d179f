import type { EngineVersion } from '../../engine-version.ts'
import { inVersion, type ScriptContext } from '../../script/script-context.ts'
import { TIME_CLASSES, TIME_CLASSES_7 } from '../../script/time/time-classes.ts'
import type { ClassDefinition } from '../../script/values/script-class.ts'
import { DOC_VALUES_CLASSES, DOC_VALUES_CLASSES_7 } from './doc-values-classes.ts'
import { EMIT_FUNCTIONS } from './emit-functions.ts'
import { SCORE_FUNCTIONS } from './score-functions.ts'
import { STORED_FIELD_CLASS } from './stored-fields.ts'
import { TERM_FUNCTIONS } from './term-functions.ts'

/** Places of a search where scripts run. */
export type SearchContextName =
  | 'filter'
  | 'score'
  | 'field'
  | 'number_sort'
  | 'string_sort'
  | 'aggs'
  | 'terms_set'
  | 'aggs_init'
  | 'aggs_map'
  | 'aggs_combine'
  | 'aggs_reduce'
  | 'derived_field'

const classes = [...DOC_VALUES_CLASSES, ...TIME_CLASSES, STORED_FIELD_CLASS]
const classes7 = [...DOC_VALUES_CLASSES_7, ...TIME_CLASSES_7, STORED_FIELD_CLASS]

/** One context for all that 6.x reads from documents: what comes out is looked at when it has run. */
const SEARCH_6: ScriptContext = {
  name: 'search',
  variables: { params: 'Map', _score: 'double', doc: 'Map', _value: 'def', ctx: 'Map' },
  returns: 'Object',
  classes,
}

function common(classes: readonly ClassDefinition[]) {
  return {
    filter: { name: 'filter', variables: { params: 'Map', doc: 'Map' }, returns: 'boolean', classes },
    score: { name: 'score', variables: { params: 'Map', doc: 'Map', _score: 'double' }, returns: 'double', classes },
    terms_set: { name: 'terms_set', variables: { params: 'Map', doc: 'Map' }, returns: 'Number', classes },
    aggs_init: { name: 'aggs_init', variables: { params: 'Map', state: 'Map' }, returns: 'void', classes },
    aggs_map: {
      name: 'aggs_map',
      variables: { params: 'Map', state: 'Map', doc: 'Map', _score: 'double' },
      returns: 'void',
      classes,
    },
    derived_field: {
      name: 'derived_field',
      variables: { params: 'Map', doc: 'Map' },
      returns: 'void',
      classes,
      functions: EMIT_FUNCTIONS,
    },
    aggs_combine: { name: 'aggs_combine', variables: { params: 'Map', state: 'Map' }, returns: 'Object', classes },
    aggs_reduce: { name: 'aggs_reduce', variables: { params: 'Map', states: 'List' }, returns: 'Object', classes },
  } as const satisfies Partial<Record<SearchContextName, ScriptContext>>
}

const CONTEXTS_6: Readonly<Record<SearchContextName, ScriptContext>> = {
  ...common(classes),
  field: SEARCH_6,
  number_sort: SEARCH_6,
  string_sort: SEARCH_6,
  aggs: { ...SEARCH_6, name: 'aggs' },
}

const CONTEXTS_7: Readonly<Record<SearchContextName, ScriptContext>> = {
  ...common(classes7),
  score: { ...common(classes7).score, argumentCount: 1, functions: SCORE_FUNCTIONS },
  field: { name: 'field', variables: { params: 'Map', doc: 'Map' }, returns: 'Object', classes: classes7 },
  number_sort: {
    name: 'number_sort',
    variables: { params: 'Map', doc: 'Map', _score: 'double' },
    returns: 'double',
    classes: classes7,
  },
  string_sort: {
    name: 'string_sort',
    variables: { params: 'Map', doc: 'Map', _score: 'double' },
    returns: 'String',
    classes: classes7,
  },
  aggs: {
    name: 'aggs',
    variables: { params: 'Map', doc: 'Map', _score: 'double', _value: 'def' },
    returns: 'Object',
    classes: classes7,
  },
}

const OPENSEARCH_SCORE: ScriptContext = { ...CONTEXTS_7.score, functions: [...SCORE_FUNCTIONS, ...TERM_FUNCTIONS] }

/** What scripts may name at a place of a search, and what they answer. */
export function searchContext(name: SearchContextName, engineVersion: EngineVersion): ScriptContext {
  if (name === 'score' && engineVersion === 'OpenSearch_2.19') return inVersion(OPENSEARCH_SCORE, engineVersion)
  return inVersion((engineVersion === 'Elasticsearch_6.8' ? CONTEXTS_6 : CONTEXTS_7)[name], engineVersion)
}
