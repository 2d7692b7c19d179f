import { ServiceError } from '../../../errors.ts'
import { luceneGeneration } from '../../analysis/automaton/lucene-generation.ts'
import { RegexpAutomaton } from '../../analysis/lucene-regexp.ts'
import { packageOf } from '../../engine-version.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { TYPED_METADATA } from '../../mapping/metadata-fields.ts'
import { FuzzyQuery } from '../lucene/fuzzy-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { MultiTermQuery } from '../lucene/multi-term-query.ts'
import { type IntervalNode, IntervalQuery } from '../lucene/positions/interval-query.ts'
import type { PhrasePlace } from '../lucene/positions/phrase-query.ts'
import { faultInQueryPhase } from '../query-phase.ts'
import { scriptedNode } from '../script/interval-script.ts'
import { prefixTerms } from '../terms/prefix-terms.ts'
import { regexpTerms } from '../terms/regexp-terms.ts'
import { checkClauses } from './boolean-queries.ts'
import { fuzzyQuery } from './fuzziness.ts'
import { allOf, anyOf, extendedBy, type IntervalOrder, relatedTo } from './interval-sources.ts'
import { normalizedWord } from './normalized-word.ts'
import { wildcardQuery, wordPrefixQuery } from './pattern-queries.ts'
import type { IntervalRule, IntervalsQuery } from './query.ts'
import {
  askedPath,
  creating,
  failedToCreate,
  fieldOf,
  hasOwnPositions,
  illegalQuery,
  type QueryContext,
  typeName,
} from './query-context.ts'
import { intervalText } from './text-places.ts'
import { graphWaysByStretch, type TokenGraph } from './token-graph.ts'

/** A rule about words of a field. */
type WordRule = Exclude<IntervalRule, { readonly kind: 'all_of' | 'any_of' }>

/** Terms a prefix or pattern may stand for. */
const MAX_EXPANSIONS = 128

/** The DSL's `intervals`: rules about where words stand. */
export function intervalsQuery(query: IntervalsQuery, context: QueryContext): LuceneQuery {
  const isKnown = (path: string): boolean =>
    fieldOf(path, context) !== undefined || TYPED_METADATA[context.search.engineVersion].has(path)
  if (![query.field, ...fieldsUsed(query.rule)].every(isKnown)) return new MatchNoDocsQuery('')
  return new IntervalQuery(askedField(query.field, context), ruleNode(query.rule, query.field, context))
}

const askedField = (path: string, context: QueryContext): string => fieldOf(path, context)?.path ?? path

/** Fields that rules look into in place of the query's; the real servers do not look for those of filters. */
function fieldsUsed(rule: IntervalRule): readonly string[] {
  const own = 'useField' in rule && rule.useField !== undefined ? [rule.useField] : []
  const inner = 'rules' in rule ? rule.rules : []
  return [...own, ...inner.flatMap(fieldsUsed)]
}

function ruleNode(rule: IntervalRule, path: string, context: QueryContext): IntervalNode {
  switch (rule.kind) {
    case 'match':
      return filtered(matchNode(rule, searched(rule, path, context), context), rule, path, context)
    case 'all_of': {
      const parts = rule.rules.map((inner) => ruleNode(inner, path, context))
      return filtered(allOf(parts, rule.maxGaps, orderOf(rule), context), rule, path, context)
    }
    case 'any_of': {
      const parts = rule.rules.map((inner) => ruleNode(inner, path, context))
      return filtered(anyOf(parts), rule, path, context)
    }
    case 'regexp':
      return regexpNode(rule, searched(rule, path, context), context)
    case 'prefix':
    case 'wildcard':
    case 'fuzzy':
      return termsNode(rule, searched(rule, path, context), { ...context, mayBeExpensive: true })
  }
}

function orderOf({ ordered, noOverlap }: IntervalRule & { kind: 'match' | 'all_of' }): IntervalOrder {
  if (noOverlap) return 'unordered_no_overlap'
  return ordered ? 'ordered' : 'unordered'
}

/** The field a rule is about. @throws {ServiceError} when it has no positions */
function searched(rule: WordRule, path: string, context: QueryContext): FieldMapping {
  const asked = rule.useField ?? path
  const own = fieldOf(asked, context)
  const isTyped = own?.kind === 'text' && (own.typeName === 'search_as_you_type' || own.subField?.kind === 'prefix')
  // Of what is searched as it is typed only the words of a text have to be told.
  const isOpen = isTyped && rule.kind !== 'match' && rule.kind !== 'prefix' && rule.kind !== 'regexp'
  const isDerived = own?.derived !== undefined
  if (!isDerived && own?.kind === 'text' && (!isTyped || isOpen) && own.index && hasOwnPositions(own)) return own
  const shown = own === undefined ? asked : askedPath(own)
  const isWorded = rule.kind === 'match' || rule.kind === 'prefix'
  const reason =
    !isDerived && (!isWorded || (own?.kind === 'text' && !isTyped))
      ? `Cannot create intervals over field [${shown}] with no positions indexed`
      : `Can only use interval queries on text fields - not on [${shown}] which is of type [${own === undefined ? asked : typeName(own)}]`
  throw illegalQuery(context, reason)
}

function matchNode(rule: IntervalRule & { kind: 'match' }, field: FieldMapping, context: QueryContext): IntervalNode {
  const { places, graph } = intervalText(field, rule.query, knownAnalyzer(rule.analyzer, context), context)
  const parts = graph === undefined ? placeNodes(field.path, places) : graphNodes(field.path, graph, context)
  return allOf(parts, rule.maxGaps, orderOf(rule), context)
}

/** Words at places; the positions of words left out before one belong to it, unless it is all there is. */
function placeNodes(path: string, places: readonly PhrasePlace[]): IntervalNode[] {
  const [only] = places
  const isSingle = places.length === 1 && only?.terms.length === 1
  let next = isSingle ? (only?.position ?? 0) : 0
  return places.map(({ terms, position }) => {
    const before = position - next
    next = position + 1
    return extendedBy(anyOf(terms.map((term) => ({ kind: 'term', field: path, term }))), before)
  })
}

/** Stretches of a graph one behind the other: the ways through one, each without a gap, or the words of its only way. */
function graphNodes(path: string, graph: TokenGraph, context: QueryContext): IntervalNode[] {
  return graphWaysByStretch(graph).flatMap(({ ways, isSplit }) => {
    if (!isSplit) return wayNodes(path, ways[0] ?? [])
    checkClauses(ways.length, context)
    return [anyOf(ways.map((way) => allOf(wayNodes(path, way), 0, 'ordered', context)))]
  })
}

function wayNodes(path: string, way: readonly PhrasePlace[]): IntervalNode[] {
  let next = 0
  return way.map(({ terms, position }) => {
    const before = position - next
    next = position + 1
    return extendedBy({ kind: 'term', field: path, term: terms[0] as string }, before)
  })
}

/** An analyzer that is not there is as good as none, as in the real server. */
function knownAnalyzer(name: string | undefined, { search }: QueryContext): string | undefined {
  return name === undefined || search.mapping.analyzers.analyzer(name) === undefined ? undefined : name
}

function filtered(
  part: IntervalNode,
  { filter }: IntervalRule & { kind: 'match' | 'all_of' | 'any_of' },
  path: string,
  context: QueryContext,
): IntervalNode {
  if (filter === undefined) return part
  if (filter.relation === 'script') return scriptedNode(part, filter.script, context)
  return relatedTo(part, filter.relation, ruleNode(filter.rule, path, context), context)
}

function termsNode(
  rule: IntervalRule & { kind: 'prefix' | 'wildcard' | 'fuzzy' },
  field: FieldMapping,
  context: QueryContext,
): IntervalNode {
  const analyzer = rule.analyzer === undefined ? undefined : context.search.mapping.analyzers.analyzer(rule.analyzer)
  // Prefixes alone do without, as in the real server.
  if (rule.analyzer !== undefined && analyzer === undefined && rule.kind !== 'prefix') {
    const called = `${packageOf(context.search.engineVersion)}.index.analysis.NamedAnalyzer.normalize(String, String)`
    const reason = `Cannot invoke "${called}" because "analyzer" is null`
    throw failedToCreate(context, new ServiceError('null_pointer_exception', reason))
  }
  const value = normalizedWord(field, rule.value, analyzer)
  const indexed = rule.kind === 'prefix' ? indexedPrefix(field, value, context) : undefined
  if (indexed !== undefined) return indexed
  const terms = new Set<string>()
  if (rule.kind === 'fuzzy') {
    const { fuzziness, prefixLength, transpositions } = rule
    const options = { fuzziness, prefixLength, transpositions, maxExpansions: MAX_EXPANSIONS }
    const query = fuzzyQuery(field.path, value, options, context)
    if (query instanceof FuzzyQuery) {
      for (const { bytes } of query.expansions(context.search)) terms.add(bytes.toString('utf8'))
    }
  } else {
    const pattern = { field: field.path, value }
    const query =
      rule.kind !== 'prefix'
        ? // Its letters are as they are to be.
          wildcardQuery({ kind: 'wildcard', ...pattern }, { ...context, isParsed: true })
        : context.search.engineVersion === 'Elasticsearch_7.10'
          ? misreadPrefixQuery(field.path, value)
          : wordPrefixQuery({ kind: 'prefix', ...pattern }, field, context)
    if (query instanceof MultiTermQuery) for (const term of termsOf(query, field.path, context)) terms.add(term)
  }
  const limit = rule.kind === 'wildcard' ? rule.maxExpansions : undefined
  return eitherTerm(field.path, terms, `${rule.value}${rule.kind === 'prefix' ? '*' : ''}`, limit)
}

/**
 * What 7.10 finds for a prefix: it takes each byte of it for a character, and so those behind it, which have to be below U+0100.
 * Beginnings in Hangul are never found.
 */
function misreadPrefixQuery(path: string, value: string): MultiTermQuery {
  const prefix = Buffer.from(Buffer.from(value).toString('latin1'))
  return new MultiTermQuery(path, `${value}*`, (terms) => {
    const { from, to } = prefixTerms(terms, prefix)
    const ordinals: number[] = []
    for (let ordinal = from; ordinal < to; ordinal++) if (LATIN1.test(terms.termText(ordinal))) ordinals.push(ordinal)
    return ordinals
  })
}

const LATIN1 = /^[\0-\xff]*$/

function regexpNode(
  { value, flags, caseInsensitive, maxExpansions }: IntervalRule & { kind: 'regexp' },
  field: FieldMapping,
  context: QueryContext,
): IntervalNode {
  const automaton = creating(
    context,
    () =>
      new RegexpAutomaton(value, { flags, caseInsensitive, lucene: luceneGeneration(context.search.engineVersion) }),
  )
  const query = new MultiTermQuery(field.path, `/${value}/`, (terms) => regexpTerms(terms, automaton))
  return eitherTerm(field.path, new Set(termsOf(query, field.path, context)), value, maxExpansions)
}

/** A beginning that is indexed as a term of its own, or, too short by some characters, stands for some of those. */
function indexedPrefix(field: FieldMapping, prefix: string, context: QueryContext): IntervalNode | undefined {
  const prefixes = field.kind === 'text' ? field.prefixes : undefined
  if (prefixes?.subField?.kind !== 'prefix') return undefined
  const { minChars, maxChars } = prefixes.subField
  const { length } = Buffer.from(prefix)
  if (length > maxChars) return undefined
  if (length >= minChars) return { kind: 'term', field: prefixes.path, term: prefix }
  const pattern = prefix + '?'.repeat(minChars - length)
  const query = wildcardQuery(
    { kind: 'wildcard', field: prefixes.path, value: pattern },
    { ...context, isParsed: true },
  )
  const terms = query instanceof MultiTermQuery ? termsOf(query, prefixes.path, context) : []
  const word: IntervalNode = { kind: 'term', field: field.path, term: prefix }
  return { kind: 'or', parts: [eitherTerm(prefixes.path, new Set(terms), pattern), word] }
}

function* termsOf(query: MultiTermQuery, path: string, context: QueryContext): Iterable<string> {
  for (const { segment } of context.search.leaves) {
    const dictionary = segment.field(path)?.terms
    if (dictionary === undefined) continue
    for (const ordinal of query.ordinals(dictionary)) yield dictionary.termText(ordinal)
  }
}

/** @throws {ServiceError} illegal_state_exception when a pattern stands for too many terms */
function eitherTerm(path: string, terms: ReadonlySet<string>, pattern: string, limit = MAX_EXPANSIONS): IntervalNode {
  if (terms.size > limit) {
    throw faultInQueryPhase(
      'illegal_state_exception',
      `Automaton [${pattern}] expanded to too many terms (limit ${limit})`,
    )
  }
  return { kind: 'or', parts: [...terms].map((term) => ({ kind: 'term', field: path, term })), pattern }
}
