import type { IntervalRelation } from '../../engine/search/lucene/interval-lists.ts'
import type { IntervalFilter, IntervalRule, Query } from '../../engine/search/query.ts'
import { ServiceError } from '../../errors.ts'
import { optional } from './query-options.ts'
import { isObject, QueryReader, singleField } from './query-reader.ts'

/** Deepest nesting of rules taken. */
const MAX_DEPTH = 30

/** `intervals`. */
export function intervals(body: unknown): Query {
  const [field, json] = singleField('intervals', body)
  if (!isObject(json)) throw new ServiceError('parsing_exception', 'Expected [START_OBJECT] but got [VALUE_STRING]')
  const { boost: _boost, _name, ...rules } = json
  const reader = new QueryReader('intervals', json)
  const base = reader.base()
  const [first, second] = Object.entries(rules)
  if (first === undefined)
    throw new ServiceError('parsing_exception', 'Missing intervals from interval query definition')
  if (second !== undefined)
    throw new ServiceError(
      'parsing_exception',
      `Only one interval rule can be specified, found [${first[0]}] and [${second[0]}]`,
    )
  return { kind: 'intervals', field, rule: parseRule(first[0], first[1], 1), ...base }
}

/** A rule as it stands inside others: an object with its name. */
function innerRule(json: unknown, depth: number): IntervalRule {
  const entries = isObject(json) ? Object.entries(json) : []
  const [first] = entries
  if (first === undefined || entries.length > 1)
    throw new ServiceError('parsing_exception', 'Expected [FIELD_NAME] but got [END_OBJECT]')
  return parseRule(first[0], first[1], depth)
}

function parseRule(name: string, json: unknown, depth: number): IntervalRule {
  if (depth > MAX_DEPTH) throw new ServiceError('illegal_argument_exception', 'intervals are nested too deep')
  const reader = new QueryReader(name, json)
  const rule = readRule(name, reader, depth)
  for (const key of Object.keys(json as object)) {
    if (!reader.wasRead(key)) throw new ServiceError('x_content_parse_exception', `[${name}] unknown field [${key}]`)
  }
  return rule
}

function readRule(name: string, reader: QueryReader, depth: number): IntervalRule {
  const required = (key: string): string => {
    const text = reader.text(key)
    if (text === undefined) throw new ServiceError('illegal_argument_exception', `Required [${key}]`)
    return text
  }
  const word = () => ({
    ...optional('analyzer', reader.text('analyzer')),
    ...optional('useField', reader.text('use_field')),
  })
  const rules = (): IntervalRule[] => {
    const list = reader.raw('intervals')
    if (!Array.isArray(list)) throw new ServiceError('illegal_argument_exception', 'Required [intervals]')
    return list.map((json) => innerRule(json, depth + 1))
  }
  const filter = () => optional('filter', reader.has('filter') ? readFilter(reader.raw('filter'), depth) : undefined)
  const order = () => ({ maxGaps: reader.number('max_gaps') ?? -1, ...orderOf(reader) })
  switch (name) {
    case 'match':
      return { kind: 'match', query: required('query'), ...order(), ...word(), ...filter() }
    case 'all_of':
      return { kind: 'all_of', rules: rules(), ...order(), ...filter() }
    case 'any_of':
      return { kind: 'any_of', rules: rules(), ...filter() }
    case 'prefix':
      return { kind: 'prefix', value: required('prefix'), ...word() }
    case 'wildcard':
      return { kind: 'wildcard', value: required('pattern'), ...word() }
    case 'fuzzy':
      return {
        kind: 'fuzzy',
        value: required('term'),
        fuzziness: reader.text('fuzziness') ?? 'AUTO',
        prefixLength: reader.number('prefix_length') ?? 0,
        transpositions: reader.boolean('transpositions', true),
        ...word(),
      }
    case 'regexp':
      throw new ServiceError('parsing_exception', '[regexp] of [intervals] is not supported by this domain')
    default:
      throw new ServiceError(
        'parsing_exception',
        `Unknown interval type [${name}], expecting one of [match, any_of, all_of, prefix, wildcard]`,
      )
  }
}

/** `mode`, or `ordered` where there is none. @throws {ServiceError} illegal_argument_exception */
function orderOf(reader: QueryReader): { readonly ordered: boolean; readonly noOverlap?: boolean } {
  const ordered = reader.boolean('ordered', false)
  const mode = reader.text('mode')?.toLowerCase()
  switch (mode) {
    case undefined:
      return { ordered }
    case 'ordered':
    case 'unordered':
      return { ordered: mode === 'ordered' }
    case 'unordered_no_overlap':
      return { ordered: false, noOverlap: true }
    default:
      throw new ServiceError('illegal_argument_exception', `no mode can be parsed from ordinal ${mode}`)
  }
}

const RELATIONS: ReadonlySet<string> = new Set<IntervalRelation>([
  'containing',
  'contained_by',
  'not_containing',
  'not_contained_by',
  'overlapping',
  'not_overlapping',
  'before',
  'after',
])

function readFilter(json: unknown, depth: number): IntervalFilter {
  const [entry] = isObject(json) ? Object.entries(json) : []
  if (entry === undefined) throw new ServiceError('parsing_exception', 'Expected [FIELD_NAME] but got [END_OBJECT]')
  const [relation, rule] = entry
  if (relation === 'script')
    throw new ServiceError('parsing_exception', '[script] of an intervals filter is not supported by this domain')
  if (!RELATIONS.has(relation))
    throw new ServiceError('illegal_argument_exception', `Unknown filter type [${relation}]`)
  return { relation: relation as IntervalRelation, rule: innerRule(rule, depth + 1) }
}
