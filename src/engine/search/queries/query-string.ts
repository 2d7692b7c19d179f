import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { Analyzer } from '../../analysis/analyzer.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { doubleOfText } from '../../mapping/types/number-value.ts'
import { begunWords } from './begun-words.ts'
import { editsAllowed } from './fuzziness.ts'
import { hasWords } from './has-words.ts'
import { normalizedWord } from './normalized-word.ts'
import type { BoolQuery, MultiMatchQuery, Query, QueryStringQuery } from './query.ts'
import { type AfterTerm, type Expected, unreadable } from './query-string-fault.ts'
import { type QueryRange, type QueryToken, queryTokens, withoutEscapes } from './query-string-tokens.ts'
import { checkRegexLength } from './regex-length.ts'
import {
  type BoostedPatterns,
  defaultPatterns,
  searchedFields,
  searchesAll,
  sortedPatterns,
} from './searched-fields.ts'

/** Deepest nesting of parentheses taken. */
const MAX_DEPTH = 30

type Clause = { readonly occur: 'must' | 'should' | 'must_not'; readonly query: Query }

/** Tokens that a word beside another may not be followed by: it then is a clause of its own. */
const ENDS_RUN: ReadonlySet<QueryToken['kind']> = new Set([':', 'wildcard', 'fuzzy', 'boost', 'and', 'or'])

/** Tokens that are a clause by themselves. */
const BEGINS_CLAUSE: ReadonlySet<QueryToken['kind']> = new Set([
  'quoted',
  'range',
  'regexp',
  'wildcard',
  'prefix',
  'term',
  'bare',
])

/**
 * Reads Lucene's classic query syntax into queries: words, `field:`, "phrases"~2, AND OR NOT + - && || !, groups, ranges,
 * wildcards, `word~1`, `^2`, `_exists_:field`. Words side by side are one text, searched in each field as a whole.
 *
 * @param read  told of each clause that is read: the real servers make it at once, before they look at what follows
 * @throws {ServiceError} query_shard_exception «Failed to parse query [..]»; illegal_argument_exception for a regular
 *   expression that is too long
 */
export function parseQueryString(
  options: QueryStringQuery,
  mapping: IndexMapping,
  maxRegexLength = Number.POSITIVE_INFINITY,
  read?: (clause: Query) => void,
): Query {
  return new QueryStringParser(options, mapping, maxRegexLength, read).parse()
}

class QueryStringParser {
  readonly #o: QueryStringQuery
  readonly #maxRegexLength: number
  readonly #read: ((clause: Query) => void) | undefined
  readonly #mapping: IndexMapping
  readonly #tokens: readonly QueryToken[]
  readonly #defaults: BoostedPatterns
  readonly #analyzer: Analyzer | undefined
  /** Whether every field is a default one. */
  readonly #isAll: boolean
  /** Whether parts that a field cannot take find nothing, rather than being refused. */
  readonly #isLenient: boolean
  #at = 0
  /** What may follow, for faults. */
  #expected: Expected = 'query'
  #isInGroup = false

  constructor(
    options: QueryStringQuery,
    mapping: IndexMapping,
    maxRegexLength: number,
    read: ((clause: Query) => void) | undefined,
  ) {
    this.#o = options
    this.#read = read
    this.#maxRegexLength = maxRegexLength
    this.#mapping = mapping
    const tokens = queryTokens(options.query)
    if (tokens === undefined) throw unreadable(options.query, undefined, 'query', mapping.engineVersion)
    this.#tokens = tokens
    const { defaultField, fields } = options
    const isDefault = defaultField !== undefined || fields.length === 0
    const ofNone = defaultField === undefined ? defaultPatterns(mapping) : [[defaultField, 1] as const]
    const named = isDefault ? ofNone : sortedPatterns(fields)
    this.#isAll = isDefault && searchesAll(named)
    this.#isLenient = options.lenient ?? this.#isAll
    this.#defaults = [...searchedFields(named, mapping)]
    this.#analyzer = options.analyzer === undefined ? undefined : mapping.analyzers.analyzer(options.analyzer)
  }

  parse(): Query {
    if (this.#kind() === 'end') return { kind: 'match_none' }
    const query = this.#group(undefined, 0)
    if (this.#kind() !== 'end') throw this.#failed(this.#expected)
    return query === undefined ? { kind: 'match_none' } : this.#withLeast(query)
  }

  /** What Lucene makes clauses of, outermost groups and the words of one field among it, with how many must match. */
  #withLeast(query: Query): Query {
    const least = this.#o.minimumShouldMatch
    const isClauses = query.kind === 'bool' || (query.kind === 'multi_match' && query.fields.length === 1)
    return least === undefined || !isClauses ? query : { ...query, minimumShouldMatch: least }
  }

  /** @throws {ServiceError} where letters there make no token: the real parser reads none behind them either */
  #kind(ahead = 0): QueryToken['kind'] {
    const { kind } = this.#token(ahead)
    if (kind === 'broken') throw this.#failed(this.#expected)
    return kind
  }

  #token(ahead = 0): QueryToken {
    return this.#tokens[this.#at + ahead] ?? (this.#tokens.at(-1) as QueryToken)
  }

  #take(): QueryToken {
    return this.#tokens[this.#at++] as QueryToken
  }

  /**
   * @param field  undefined: the default fields
   * @returns      undefined when no word of it is left
   */
  #group(field: string | undefined, depth: number): Query | undefined {
    if (depth > MAX_DEPTH) throw unreadable(this.#o.query, undefined, 'query', this.#mapping.engineVersion)
    this.#expected = 'query'
    const clauses: Clause[] = []
    let only: Query | undefined
    let isFirst = true
    do {
      this.#isInGroup = depth > 0
      if (this.#startsRun()) {
        const occur = this.#o.defaultOperator === 'and' ? 'must' : 'should'
        const query = this.#run(field)
        if (query !== undefined) clauses.push({ occur, query })
        isFirst = false
        continue
      }
      const conjunction = isFirst ? undefined : this.#conjunction()
      if (conjunction !== undefined) this.#expected = 'afterOperator'
      const modifier = this.#modifier()
      if (modifier !== undefined) this.#expected = 'afterModifier'
      const query = this.#clause(field, depth)
      if (isFirst && modifier === undefined) only = query
      this.#add(clauses, conjunction, modifier, query)
      isFirst = false
    } while (this.#kind() !== 'end' && this.#kind() !== ')')
    if (clauses.length === 0) return undefined
    if (clauses.length === 1 && only !== undefined) return only
    return {
      kind: 'bool',
      order: clauses.map(({ occur }) => occur),
      must: clauses.filter((c) => c.occur === 'must').map((c) => c.query),
      should: clauses.filter((c) => c.occur === 'should').map((c) => c.query),
      mustNot: clauses.filter((c) => c.occur === 'must_not').map((c) => c.query),
      filter: [],
      adjustPureNegative: true,
      isParsed: true,
    } satisfies BoolQuery
  }

  /** Whether words side by side begin here. */
  #startsRun(): boolean {
    return this.#kind() === 'term' && this.#continuesRun(1)
  }

  #continuesRun(ahead: number): boolean {
    return this.#kind(ahead) === 'term' && !ENDS_RUN.has(this.#kind(ahead + 1))
  }

  #run(field: string | undefined): Query | undefined {
    const words = [this.#take().text]
    while (this.#continuesRun(0)) words.push(this.#take().text)
    this.#expectMore(false, false)
    const query = this.#words(field, withoutEscapes(words.join(' ')))
    if (query !== undefined) this.#read?.(query)
    return query?.kind === 'multi_match' ? { ...query, isRun: true } : query
  }

  #conjunction(): 'and' | 'or' | undefined {
    const kind = this.#kind()
    if (kind !== 'and' && kind !== 'or') return undefined
    this.#at++
    return kind
  }

  #modifier(): '+' | '-' | undefined {
    const kind = this.#kind()
    if (kind !== '+' && kind !== '-' && kind !== 'not') return undefined
    this.#at++
    return kind === '+' ? '+' : '-'
  }

  /**
   * Lucene's own rule: AND makes the clause before it required too; under a default AND, OR makes it optional. What no word
   * is left of is passed over after that.
   */
  #add(
    clauses: Clause[],
    conjunction: 'and' | 'or' | undefined,
    modifier: '+' | '-' | undefined,
    query: Query | undefined,
  ): void {
    const previous = clauses.at(-1)
    const defaultAnd = this.#o.defaultOperator === 'and'
    if (previous !== undefined && previous.occur !== 'must_not') {
      if (conjunction === 'and') clauses[clauses.length - 1] = { ...previous, occur: 'must' }
      else if (conjunction === 'or' && defaultAnd) clauses[clauses.length - 1] = { ...previous, occur: 'should' }
    }
    if (query === undefined) return
    let occur: Clause['occur']
    if (modifier === '-') occur = 'must_not'
    else if (defaultAnd) occur = conjunction === 'or' ? 'should' : 'must'
    else occur = modifier === '+' || conjunction === 'and' ? 'must' : 'should'
    clauses.push({ occur, query })
  }

  #clause(outer: string | undefined, depth: number): Query | undefined {
    let field = outer
    const isNamed = (this.#kind() === 'term' || this.#token().text === '*') && this.#kind(1) === ':'
    if (isNamed) {
      field = withoutEscapes(this.#take().text)
      this.#at++
      this.#expected = 'afterField'
    }
    if (this.#kind() !== '(') return this.#term(field)
    this.#at++
    const inner = this.#group(field, depth + 1)
    this.#isInGroup = depth > 0
    if (this.#kind() !== ')') throw this.#failed({ ...(this.#expected as AfterTerm), isInGroup: true })
    this.#at++
    this.#expectMore(true, false)
    const boost = this.#boost()
    if (boost !== undefined) this.#expectMore(false, false)
    return this.#boosted(inner, boost)
  }

  #term(field: string | undefined): Query | undefined {
    if (!BEGINS_CLAUSE.has(this.#kind())) throw this.#failed(this.#expected)
    const token = this.#take()
    const takesSlop = token.kind !== 'range'
    this.#expectMore(true, takesSlop)
    // A boost and a slop may follow in either order.
    let boost = this.#boost()
    if (boost !== undefined) this.#expectMore(false, takesSlop)
    const slop = takesSlop && this.#kind() === 'fuzzy' ? this.#take().text : undefined
    if (slop !== undefined) this.#expectMore(boost === undefined, false)
    boost ??= this.#boost()
    if (boost !== undefined) this.#expectMore(false, takesSlop && slop === undefined)
    const query = this.#bare(token, field, slop)
    if (query !== undefined) this.#read?.(query)
    return this.#boosted(query, boost)
  }

  #bare(token: QueryToken, field: string | undefined, slop: string | undefined): Query | undefined {
    const { text } = token
    switch (token.kind) {
      case 'quoted':
        return this.#phrase(field, withoutEscapes(text), slop)
      case 'range':
        return this.#range(field, token.range as QueryRange)
      case 'regexp':
        return this.#regexp(field, text)
      case 'wildcard':
        return this.#wildcard(field, text)
      case 'prefix':
        return this.#each(field, (path) => this.#prefix(path, withoutEscapes(text)))
      case 'term':
      case 'bare':
        return slop === undefined ? this.#words(field, withoutEscapes(text)) : this.#fuzzy(field, text, slop)
      default:
        throw this.#failed(this.#expected)
    }
  }

  #expectMore(takesBoost: boolean, takesSlop: boolean): void {
    this.#expected = { isInGroup: this.#isInGroup, takesBoost, takesSlop }
  }

  /** @returns undefined where the field's analyzer leaves nothing of the text */
  #prefix(path: string, text: string): Query | undefined {
    const known = this.#mapping.field(path)
    if (!this.#o.analyzeWildcard || known?.kind !== 'text') {
      const value = this.#normal(path, text)
      return { kind: 'prefix', field: path, value, isParsed: true, ...this.#rewrite(this.#o.rewrite) }
    }
    if (!hasWords(known, text, this.#analyzer, false)) return undefined
    const { defaultOperator: operator, analyzer } = this.#o
    return begunWords(path, text, { operator, lenient: this.#isLenient, analyzer })
  }

  #boost(): number | undefined {
    return this.#kind() === 'boost' ? Number(this.#take().text) : undefined
  }

  #boosted(query: Query | undefined, boost: number | undefined): Query | undefined {
    return query === undefined || boost === undefined ? query : { ...query, boost: (query.boost ?? 1) * boost }
  }

  /** A text in fields; with a field named, `>`, `>=`, `<` and `<=` before it make it a bound. */
  #words(field: string | undefined, text: string): Query | undefined {
    if (field === '_exists_') return this.#anyValue(text)
    const sign = field === undefined ? undefined : /^(>=|<=|>|<)([\s\S]+)$/.exec(text)
    if (sign !== null && sign !== undefined) {
      const [, operator, bound] = sign as unknown as [string, string, string]
      const includes = operator.endsWith('=')
      const isLow = operator.startsWith('>')
      return this.#range(field, {
        low: isLow ? bound : undefined,
        high: isLow ? undefined : bound,
        includesLow: includes || !isLow,
        includesHigh: includes || isLow,
      })
    }
    // From 7.x on a field of the name `*` is looked for, which queries to percolate with may not.
    if (field === undefined && this.#isAll && this.#mapping.engineVersion !== 'Elasticsearch_6.8')
      this.#mapping.field('*')
    return this.#match(field, text, this.#o.type, 0, this.#o.analyzer)
  }

  #phrase(field: string | undefined, text: string, slop: string | undefined): Query | undefined {
    if (field === '_exists_') return this.#anyValue(text)
    return this.#match(
      field,
      text,
      'phrase',
      slopOf(slop) ?? this.#o.phraseSlop,
      this.#o.quoteAnalyzer ?? this.#o.analyzer,
      true,
    )
  }

  #match(
    field: string | undefined,
    text: string,
    type: MultiMatchQuery['type'],
    slop: number,
    analyzer: string | undefined,
    isQuoted = false,
  ): Query | undefined {
    const asked = this.#fieldsOf(field, isQuoted ? this.#o.quoteFieldSuffix : undefined)
    if (asked.length === 0) return { kind: 'match_none', reason: `unmapped field [${field ?? '*'}]` }
    const own = analyzer === undefined ? undefined : this.#mapping.analyzers.analyzer(analyzer)
    const fields = asked.filter(([path]) => hasWords(this.#mapping.field(path), text, own, isQuoted))
    if (fields.length === 0) return undefined
    // Phrases, too, are tied as the words are.
    const isSummed = this.#o.type === 'most_fields' || this.#o.type === 'bool_prefix'
    const tieBreaker = this.#o.tieBreaker ?? (isSummed ? 1 : undefined)
    return {
      kind: 'multi_match',
      text,
      fields,
      isResolved: true,
      type,
      operator: this.#o.defaultOperator,
      prefixLength: 0,
      maxExpansions: 50,
      slop: type === 'phrase' && slop === 0 ? this.#o.phraseSlop : slop,
      lenient: this.#isLenient,
      zeroTermsQuery: 'none',
      autoGenerateSynonymsPhraseQuery: this.#o.autoGenerateSynonymsPhraseQuery,
      ...(analyzer === undefined ? {} : { analyzer }),
      ...(tieBreaker === undefined ? {} : { tieBreaker }),
      ...(this.#o.heard === undefined ? {} : { heard: this.#o.heard }),
    }
  }

  /** Documents with anything in a field: where no names of fields are kept, its terms are gone through. */
  #anyValue(field: string): Query {
    return this.#mapping.keepsFieldNames ? { kind: 'exists', field } : { kind: 'wildcard', field, value: '*' }
  }

  #wildcard(field: string | undefined, pattern: string): Query | undefined {
    if (pattern === '*') {
      const named = field ?? this.#o.defaultField
      if (named === '*' || (named === undefined && this.#isAll)) return { kind: 'match_all' }
      if (named === '_exists_') return { kind: 'exists', field: '*' }
      return named === undefined ? this.#each(undefined, (path) => this.#anyValue(path)) : this.#anyValue(named)
    }
    if (!this.#o.allowLeadingWildcard && /^[*?]/.test(pattern)) {
      const reason = `'*' or '?' not allowed as first character in WildcardQuery`
      throw new ServiceError('query_shard_exception', `Failed to parse query [${this.#o.query}]`, {
        inQueryPhase: true,
        cause: new ServiceError('parse_exception', `Cannot parse '${this.#o.query}': ${reason}`, {
          isJava: true,
          cause: new ServiceError('parse_exception', reason),
        }),
      })
    }
    return this.#each(field, (path) => ({
      kind: 'wildcard',
      field: path,
      // Letters between wildcards are brought to the form of the field's terms, escapes stay.
      value: pattern.replace(/(?:[^*?\\]|\\[\s\S])+/g, (part) =>
        part.includes('\\') ? part : this.#normal(path, part),
      ),
      ...this.#rewrite(this.#o.rewrite),
    }))
  }

  /** @throws {ServiceError} for a distance that is none, whatever the field is */
  #fuzzy(field: string | undefined, text: string, distance: string): Query | undefined {
    // By the word as it is written, which may be longer or shorter than what is looked for.
    const word = withoutEscapes(text)
    const edits = distance === '' ? editsAllowed(this.#o.fuzziness, word) : editsAsked(distance, word)
    return this.#each(field, (path) => ({
      kind: 'fuzzy',
      field: path,
      value: this.#normal(path, word),
      fuzziness: String(edits),
      prefixLength: this.#o.fuzzyPrefixLength,
      maxExpansions: this.#o.fuzzyMaxExpansions,
      transpositions: this.#o.fuzzyTranspositions,
    }))
  }

  #regexp(field: string | undefined, value: string): Query | undefined {
    checkRegexLength(value, '[query_string]', this.#maxRegexLength)
    // 7.10 leaves it to the field, and of those only normalizers change it.
    const isLeft = this.#mapping.engineVersion === 'Elasticsearch_7.10' && this.#analyzer === undefined
    return this.#each(field, (path) => ({
      kind: 'regexp',
      field: path,
      value: isLeft ? value : this.#normal(path, value),
      flags: 'ALL',
      maxDeterminizedStates: this.#o.maxDeterminizedStates,
      ...this.#rewrite(this.#o.rewrite),
    }))
  }

  #rewrite(rewrite: string | undefined): { readonly rewrite?: string } {
    return rewrite === undefined ? {} : { rewrite }
  }

  #range(field: string | undefined, { low, high, includesLow, includesHigh }: QueryRange): Query | undefined {
    const { timeZone } = this.#o
    return this.#each(field, (path) => ({
      kind: 'range',
      field: path,
      relation: 'intersects',
      ...(low === undefined || low === '*' ? {} : { [includesLow ? 'gte' : 'gt']: this.#normal(path, low) }),
      ...(high === undefined || high === '*' ? {} : { [includesHigh ? 'lte' : 'lt']: this.#normal(path, high) }),
      ...(timeZone === undefined ? {} : { timeZone }),
    }))
  }

  #normal(path: string, text: string): string {
    const field = this.#mapping.field(path)
    return field === undefined ? text : normalizedWord(field, text, this.#analyzer)
  }

  #each(field: string | undefined, make: (path: string) => Query | undefined): Query | undefined {
    const fields = this.#fieldsOf(field)
    if (fields.length === 0) return { kind: 'match_none', reason: `unmapped field [${field ?? '*'}]` }
    const queries = fields.flatMap(([path, boost]): Query[] => {
      const query = make(path)
      if (query === undefined) return []
      const one: Query = this.#isLenient ? { kind: 'lenient', query, field: path } : query
      return [boost === 1 ? one : { ...one, boost }]
    })
    if (queries.length < 2) return queries[0]
    const { type, tieBreaker } = this.#o
    return {
      kind: 'dis_max',
      queries,
      tieBreaker: tieBreaker ?? (type === 'most_fields' || type === 'bool_prefix' ? 1 : 0),
    }
  }

  /** @param suffix  of the fields to take instead, where there are such */
  #fieldsOf(field: string | undefined, suffix = ''): BoostedPatterns {
    if (field !== undefined && !(field === '*' && this.#o.defaultField === '*'))
      return [...searchedFields([[field, 1]], this.#mapping, { suffix, isInText: true })]
    return suffix === '' || (this.#isAll && this.#o.suffixesDefaults === false)
      ? this.#defaults
      : [...searchedFields(this.#defaults, this.#mapping, { suffix })]
  }

  #failed(expected: Expected): ServiceError {
    const { kind } = this.#token()
    // Letters that make no token are met while looking ahead, too.
    const token =
      this.#tokens.at(-1)?.kind === 'broken' && kind !== 'broken' ? (this.#tokens.at(-1) as QueryToken) : this.#token()
    // So is a boost's mark behind a word, before it is known that the word stands alone.
    const takesBoost = token.kind === 'broken' && BEGINS_CLAUSE.has(this.#tokens.at(-2)?.kind ?? 'end')
    const behind = takesBoost ? { isInGroup: this.#isInGroup, takesBoost, takesSlop: false } : expected
    return unreadable(this.#o.query, token, behind, this.#mapping.engineVersion)
  }
}

/** Edits that stand behind a word. @throws {ServiceError} number_format_exception, or illegal_argument_exception below 0 */
function editsAsked(distance: string, word: string): number {
  const edits = editsAllowed(distance, word)
  const asked = Number(distance)
  if (asked <= -1) throw illegalArgument(`Valid edit distances are [0, 1, 2] but was [${Math.trunc(asked)}]`)
  return edits
}

/** What stands behind a phrase, as a slop; undefined: nothing that is a number. */
function slopOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  try {
    return Math.trunc(doubleOfText(text))
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
