import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IntervalRelation } from '../../engine/search/lucene/positions/interval-lists.ts'
import type { IntervalFilter, IntervalRule, Query } from '../../engine/search/queries/query.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { inField, notBuilt, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { parsingException } from '../parsing-exception.ts'
import { type MemberKind, parseMembers } from './object-parser.ts'
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

const expected = (token: string, found: string): ServiceError =>
  parsingException(`Expected [${token}] but got [${found}]`)

/** `intervals`. */
export function intervals(body: unknown, queries: QueryContext): Query {
  const { engineVersion } = queries
  if (isObject(body) && Object.keys(body).length === 0)
    throw expected('FIELD_NAME', 'END_OBJECT').at(body, undefined, 'end')
  const [field, json] = singleField('intervals', body)
  if (!isObject(json)) throw expected('START_OBJECT', tokenName(json)).at(body as object, field)
  const { boost: _boost, _name, ...rules } = json
  const base = new QueryReader('intervals', json).base()
  const [first, second] = Object.entries(rules)
  if (first === undefined)
    throw parsingException('Missing intervals from interval query definition').at(json, undefined, 'end')
  if (second !== undefined)
    throw parsingException(`Only one interval rule can be specified, found [${first[0]}] and [${second[0]}]`).at(
      json,
      second[0],
      'name',
    )
  return { kind: 'intervals', field, rule: parseRule(json, first[0], { depth: 1, engineVersion, queries }), ...base }
}

/** A rule as it stands inside others: an object with its name. */
function innerRule(json: { readonly [name: string]: unknown }, scope: RuleScope): IntervalRule {
  const [first, second] = Object.keys(json)
  if (first === undefined || second !== undefined) throw expected('FIELD_NAME', 'END_OBJECT').at(json, undefined, 'end')
  return parseRule(json, first, scope)
}

/** The rules of a list, or the one there is. */
function innerRules(given: unknown, scope: RuleScope): IntervalRule[] {
  const list = Array.isArray(given) ? (given as readonly unknown[]) : [given]
  return list.map((json, i) => {
    if (isObject(json)) return innerRule(json, scope)
    const next = tokenName(list[i + 1])
    throw expected('FIELD_NAME', i + 1 < list.length ? next : 'END_ARRAY').at(list, i, 'next')
  })
}

const WORD = { analyzer: 'text', use_field: 'text' } as const
const ORDER = { max_gaps: 'int', ordered: 'boolean', filter: 'object' } as const

/** Members of rules, the one that each needs first. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, MemberKind>>>> = {
  match: { query: 'text', ...ORDER, ...WORD },
  all_of: { intervals: 'objects', ...ORDER },
  any_of: { intervals: 'objects', filter: 'object' },
  prefix: { prefix: 'text', ...WORD },
  wildcard: { pattern: 'text', ...WORD },
  fuzzy: { term: 'text', fuzziness: 'value', prefix_length: 'int', transpositions: 'boolean', ...WORD },
}

/** What OpenSearch knows besides. */
const OF_OPENSEARCH: typeof MEMBERS = {
  match: { mode: 'text' },
  all_of: { mode: 'text' },
  wildcard: { max_expansions: 'int' },
  regexp: {
    pattern: 'text',
    flags: 'text',
    flags_value: 'int',
    use_field: 'text',
    max_expansions: 'int',
    case_insensitive: 'boolean',
  },
}

type Read = Readonly<Record<string, unknown>>

function parseRule(outer: { readonly [name: string]: unknown }, name: string, scope: RuleScope): IntervalRule {
  if (scope.depth > MAX_DEPTH) throw illegalArgument('intervals are nested too deep')
  const isOpenSearch = scope.engineVersion === 'OpenSearch_2.19'
  const known = { ...MEMBERS[name], ...(isOpenSearch ? OF_OPENSEARCH[name] : {}) }
  const [needed] = Object.keys(known)
  if (needed === undefined)
    throw parsingException(
      `Unknown interval type [${name}], expecting one of [match, any_of, all_of, prefix, wildcard${isOpenSearch ? ', regexp' : ''}]`,
    ).at(outer, name, 'name')
  const json = outer[name]
  if (!isObject(json)) throw parseFault(`[${name}] Expected START_OBJECT but was: ${tokenName(json)}`).at(outer, name)
  return ruleOf(name, parseMembers(name, json, known, [needed]), scope)
}

function ruleOf(name: string, read: Read, scope: RuleScope): IntervalRule {
  const text = (key: string): string | undefined => read[key] as string | undefined
  const word = { ...optional('analyzer', text('analyzer')), ...optional('useField', text('use_field')) }
  const expansions = optional('maxExpansions', read['max_expansions'] as number | undefined)
  const order = () => {
    if (read['ordered'] !== undefined) scope.queries.warnings?.note('ordered_intervals')
    return { maxGaps: (read['max_gaps'] as number | undefined) ?? -1, ...orderOf(read) }
  }
  const rules = () => inField(name, 'intervals', () => innerRules(read['intervals'], deeper(scope)))
  const filter = () =>
    isObject(read['filter']) ? { filter: inField(name, 'filter', () => readFilter(read['filter'], scope)) } : {}
  switch (name) {
    case 'match':
      return { kind: 'match', query: String(read['query']), ...order(), ...word, ...filter() }
    case 'all_of':
      return { kind: 'all_of', rules: rules(), ...order(), ...filter() }
    case 'any_of':
      return { kind: 'any_of', rules: rules(), ...filter() }
    case 'prefix':
      return { kind: 'prefix', value: String(read['prefix']), ...word }
    case 'wildcard':
      return { kind: 'wildcard', value: String(read['pattern']), ...word, ...expansions }
    case 'regexp':
      return { ...readRegexp(read), ...expansions }
    default:
      return {
        kind: 'fuzzy',
        value: String(read['term']),
        fuzziness: inField(name, 'fuzziness', () => fuzzinessOf(read['fuzziness'])),
        prefixLength: (read['prefix_length'] as number | undefined) ?? 0,
        transpositions: (read['transpositions'] as boolean | undefined) ?? true,
        ...word,
      }
  }
}

/** @throws {ServiceError} illegal_argument_exception */
function fuzzinessOf(value: unknown): string {
  if (value === undefined) return 'AUTO'
  if (value === null || typeof value === 'boolean')
    throw illegalArgument(`Can't parse fuzziness on token: [${tokenName(value)}]`)
  if (value === '') throw illegalArgument("fuzziness can't be null!")
  return String(value)
}

/** Flags by the bit that stands for each. */
const FLAG_BITS = ['INTERSECTION', 'COMPLEMENT', 'EMPTY', 'ANYSTRING', 'AUTOMATON', 'INTERVAL']

/** `regexp`. @throws {ServiceError} x_content_parse_exception */
function readRegexp(read: Read): IntervalRule & { readonly kind: 'regexp' } {
  const bits = read['flags_value'] as number | undefined
  const flags =
    bits === undefined || read['flags'] !== undefined
      ? String(read['flags'] ?? 'ALL')
      : FLAG_BITS.filter((_, i) => (bits & (1 << i)) !== 0).join('|')
  const unknown = flags
    .toUpperCase()
    .split('|')
    .find((flag) => flag !== '' && flag !== 'ALL' && flag !== 'NONE' && !FLAG_BITS.includes(flag))
  if (unknown !== undefined) {
    throw notBuilt('regexp', illegalArgument(`Unknown regexp flag [${unknown}]`))
  }
  return {
    kind: 'regexp',
    value: String(read['pattern']),
    flags,
    caseInsensitive: read['case_insensitive'] === true,
    ...optional('useField', read['use_field'] as string | undefined),
  }
}

/** `mode`, or `ordered` where there is none. @throws {ServiceError} illegal_argument_exception */
function orderOf(read: Read): { readonly ordered: boolean; readonly noOverlap?: boolean } {
  const mode = (read['mode'] as string | undefined)?.toLowerCase()
  switch (mode) {
    case undefined:
      return { ordered: read['ordered'] === true }
    case 'ordered':
    case 'unordered':
      return { ordered: mode === 'ordered' }
    case 'unordered_no_overlap':
      return { ordered: false, noOverlap: true }
    default:
      throw illegalArgument(`no mode can be parsed from ordinal ${mode}`)
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

function readFilter(given: unknown, scope: RuleScope): IntervalFilter {
  const json = given as { readonly [name: string]: unknown }
  const [relation, second] = Object.keys(json)
  if (relation === undefined) throw expected('FIELD_NAME', 'END_OBJECT').at(json, undefined, 'end')
  const rule = json[relation]
  if (relation === 'script') {
    if (isObject(rule)) return { relation, script: readScript(rule, scope.queries) }
    throw parseFault(`[script] Expected START_OBJECT but was: ${tokenName(rule)}`).at(json, relation)
  }
  if (!isObject(rule)) throw expected('START_OBJECT', tokenName(rule)).at(json, relation)
  const read = innerRule(rule, deeper(scope))
  if (second !== undefined) throw expected('END_OBJECT', 'FIELD_NAME').at(json, second, 'name')
  if (!RELATIONS.has(relation)) throw illegalArgument(`Unknown filter type [${relation}]`)
  return { relation: relation as IntervalRelation, rule: read }
}
