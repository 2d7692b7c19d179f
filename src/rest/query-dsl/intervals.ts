import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IntervalRelation } from '../../engine/search/lucene/interval-lists.ts'
import type { IntervalFilter, IntervalRule, Query } from '../../engine/search/query.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { inField, notBuilt, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { optional } from './query-options.ts'
import { type QueryContext, QueryReader, singleField } from './query-reader.ts'
import { readScript } from './read-script.ts'

/** Where a rule stands. */
interface RuleScope {
  readonly depth: number
  readonly engineVersion: EngineVersion
  readonly queries: QueryContext
}

const deeper = (scope: RuleScope): RuleScope => ({ ...scope, depth: scope.depth + 1 })

/** Deepest nesting of rules taken. */
const MAX_DEPTH = 30

/** `intervals`. */
export function intervals(body: unknown, queries: QueryContext): Query {
  const { engineVersion } = queries
  const [field, json] = singleField('intervals', body)
  if (!isObject(json))
    throw new ServiceError('parsing_exception', 'Expected [START_OBJECT] but got [VALUE_STRING]').at(
      body as object,
      field,
    )
  const { boost: _boost, _name, ...rules } = json
  const reader = new QueryReader('intervals', json)
  const base = reader.base()
  const [first, second] = Object.entries(rules)
  if (first === undefined)
    throw new ServiceError('parsing_exception', 'Missing intervals from interval query definition').at(
      json,
      undefined,
      'end',
    )
  if (second !== undefined)
    throw new ServiceError(
      'parsing_exception',
      `Only one interval rule can be specified, found [${first[0]}] and [${second[0]}]`,
    ).at(json, second[0], 'name')
  return { kind: 'intervals', field, rule: parseRule(json, first[0], { depth: 1, engineVersion, queries }), ...base }
}

/** A rule as it stands inside others: an object with its name. */
function innerRule(json: unknown, scope: RuleScope): IntervalRule {
  const entries = isObject(json) ? Object.entries(json) : []
  const [first] = entries
  if (!isObject(json) || first === undefined || entries.length > 1) throw noName(json)
  return parseRule(json, first[0], scope)
}

function noName(json: unknown): ServiceError {
  const fault = new ServiceError('parsing_exception', 'Expected [FIELD_NAME] but got [END_OBJECT]')
  return isObject(json) && Object.keys(json).length === 0 ? fault.at(json, undefined, 'end') : fault
}

function parseRule(outer: { readonly [name: string]: unknown }, name: string, scope: RuleScope): IntervalRule {
  const json = outer[name]
  if (scope.depth > MAX_DEPTH) throw new ServiceError('illegal_argument_exception', 'intervals are nested too deep')
  const reader = new QueryReader(name, json)
  const rule = readRule(name, reader, scope, outer)
  for (const key of Object.keys(json as object)) {
    if (!reader.wasRead(key)) throw parseFault(`[${name}] unknown field [${key}]`).at(json as object, key, 'field')
  }
  return rule
}

function readRule(name: string, reader: QueryReader, scope: RuleScope, outer: object): IntervalRule {
  const required = (key: string): string => {
    const text = reader.raw(key)
    if (typeof text === 'string') return text
    if (text === undefined) throw new ServiceError('illegal_argument_exception', `Required [${key}]`)
    const reason = `[${name}] ${key} doesn't support values of type: ${tokenName(text)}`
    throw reader.at(key, parseFault(reason))
  }
  const word = () => ({
    ...optional('analyzer', reader.text('analyzer')),
    ...optional('useField', reader.text('use_field')),
  })
  const rules = (): IntervalRule[] => {
    const list = reader.raw('intervals')
    if (!Array.isArray(list)) throw new ServiceError('illegal_argument_exception', 'Required [intervals]')
    return inField(name, 'intervals', () => list.map((json) => innerRule(json, deeper(scope))))
  }
  const filter = () =>
    optional(
      'filter',
      reader.has('filter') ? inField(name, 'filter', () => readFilter(reader.raw('filter'), scope)) : undefined,
    )
  const order = () => {
    if (reader.has('ordered')) scope.queries.warnings?.note('ordered_intervals')
    return { maxGaps: reader.number('max_gaps') ?? -1, ...orderOf(reader) }
  }
  const isOpenSearch = scope.engineVersion === 'OpenSearch_2.19'
  const expansions = () =>
    optional(
      'maxExpansions',
      isOpenSearch && reader.has('max_expansions') ? reader.number('max_expansions') : undefined,
    )
  if (name === 'regexp' && isOpenSearch) return { ...readRegexp(reader, required('pattern')), ...expansions() }
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
      return { kind: 'wildcard', value: required('pattern'), ...word(), ...expansions() }
    case 'fuzzy':
      return {
        kind: 'fuzzy',
        value: required('term'),
        fuzziness: reader.text('fuzziness') ?? 'AUTO',
        prefixLength: reader.number('prefix_length') ?? 0,
        transpositions: reader.boolean('transpositions', true),
        ...word(),
      }
    default:
      throw new ServiceError(
        'parsing_exception',
        `Unknown interval type [${name}], expecting one of [match, any_of, all_of, prefix, wildcard${isOpenSearch ? ', regexp' : ''}]`,
      ).at(outer, name, 'name')
  }
}

/** Flags by the bit that stands for each. */
const FLAG_BITS = ['INTERSECTION', 'COMPLEMENT', 'EMPTY', 'ANYSTRING', 'AUTOMATON', 'INTERVAL']

/** `regexp`. @throws {ServiceError} x_content_parse_exception */
function readRegexp(reader: QueryReader, value: string): IntervalRule & { readonly kind: 'regexp' } {
  const bits = reader.number('flags_value')
  const flags =
    bits === undefined || reader.has('flags')
      ? (reader.text('flags') ?? 'ALL')
      : FLAG_BITS.filter((_, i) => (bits & (1 << i)) !== 0).join('|')
  const unknown = flags
    .toUpperCase()
    .split('|')
    .find((flag) => flag !== '' && flag !== 'ALL' && flag !== 'NONE' && !FLAG_BITS.includes(flag))
  if (unknown !== undefined) {
    throw notBuilt('regexp', new ServiceError('illegal_argument_exception', `Unknown regexp flag [${unknown}]`))
  }
  return {
    kind: 'regexp',
    value,
    flags,
    caseInsensitive: reader.boolean('case_insensitive', false),
    ...optional('useField', reader.text('use_field')),
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

function readFilter(json: unknown, scope: RuleScope): IntervalFilter {
  const [entry] = isObject(json) ? Object.entries(json) : []
  if (entry === undefined) throw noName(json)
  const [relation, rule] = entry
  if (relation === 'script') {
    if (isObject(rule)) return { relation, script: readScript(rule, scope.queries) }
    throw parseFault(`[script] Expected START_OBJECT but was: ${tokenName(rule)}`).at(json as object, relation)
  }
  if (!RELATIONS.has(relation))
    throw new ServiceError('illegal_argument_exception', `Unknown filter type [${relation}]`)
  return { relation: relation as IntervalRelation, rule: innerRule(rule, deeper(scope)) }
}
