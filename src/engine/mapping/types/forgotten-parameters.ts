import type { FieldType } from './field-type.ts'

/** What any field could be given once: taken from 7 on, and forgotten, where it means nothing to a type. */
const ONCE_COMMON: ReadonlySet<string> = new Set([
  'store',
  'index',
  'doc_values',
  'boost',
  'index_options',
  'similarity',
])

/** Families whose fields have a boost of their own. */
const BOOSTED: ReadonlySet<string> = new Set([
  'text',
  'keyword',
  'match_only_text',
  'date',
  'date_nanos',
  'boolean',
  'range',
])

/** Families whose fields have a similarity, and a choice of what is indexed. */
const SCORED: ReadonlySet<string> = new Set(['text', 'keyword', 'match_only_text', 'search_as_you_type'])

/** Whether a type takes a parameter and does nothing with it, from 7 on. */
export function isForgotten(type: FieldType, parameter: string): boolean {
  if (!ONCE_COMMON.has(parameter) || SIX_STILL.has(type.name) || type.family === 'geo_shape') return false
  if (parameter === 'boost' && !BOOSTED.has(type.family)) return true
  if ((parameter === 'similarity' || parameter === 'index_options') && !SCORED.has(type.family)) return true
  if (parameter === 'index' && type.name === 'binary') return true
  return type.parameters.every(({ name, isLegacy }) => isLegacy === true || name !== parameter)
}

/** Types that still refuse unknown parameters as 6.x did, all of them. */
export const SIX_STILL: ReadonlySet<string> = new Set(['flat_object', 'percolator', 'join', 'constant_keyword'])
