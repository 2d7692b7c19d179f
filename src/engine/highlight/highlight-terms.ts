import type { Analyzer } from '../analysis/analyzer.ts'
import { luceneGeneration } from '../analysis/automaton/lucene-generation.ts'
import type { LuceneGeneration } from '../analysis/automaton/regexp-parser.ts'
import { luceneRegexp } from '../analysis/lucene-regexp.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { FieldMapping, TextField } from '../mapping/field-mapping.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import { crossedBy } from '../search/queries/cross-fields-query.ts'
import { isQuery } from '../search/queries/is-query.ts'
import type { LikedTerm } from '../search/queries/more-like-this-query.ts'
import { isShortBeginning as isShort, prefixFieldOf } from '../search/queries/prefix-field.ts'
import type {
  BoostingQuery,
  IntervalRule,
  MoreLikeThisQuery,
  MultiMatchQuery,
  Query,
  RangeEnd,
  RangeQuery,
  SpanDslQuery,
} from '../search/queries/query.ts'
import { hasOwnPositions, normalized } from '../search/queries/query-context.ts'
import { parseQueryString } from '../search/queries/query-string.ts'
import { searchAnalyzer } from '../search/queries/search-analyzer.ts'
import { type BoostedPatterns, defaultPatterns } from '../search/queries/searched-fields.ts'
import { parseSimpleQueryString } from '../search/queries/simple-query-string.ts'
import { endsInWord, runsOf, wayPlaces } from '../search/queries/text-places.ts'
import {
  type GraphStretch,
  type GraphWay,
  graphStretches,
  graphWays,
  type TokenGraph,
  tokenGraph,
} from '../search/queries/token-graph.ts'
import { wildcardPattern } from '../search/queries/wildcard-pattern.ts'
import { eitherCase, literalPattern } from '../search/terms/either-case.ts'
import { wildcardTest } from '../search/terms/wildcard-terms.ts'
import { editsBetween } from './edits-between.ts'
import { type Phrase, type PhrasePart, partsOf, type SpanTree } from './phrase.ts'

/** Words by how they are written (prefixes, wildcards, regular expressions) or what they are like (fuzzy words). */
export interface Pattern {
  readonly name: string
  readonly accepts: (term: string) => boolean
  readonly weight: (term: string) => number
}

/**
 * What of a text a query is about. Each weighs what the boosts around it come to; of what is asked for twice the last is told.
 */
export interface HighlightTerms {
  /** Weights by term. */
  readonly terms: ReadonlyMap<string, number>
  /** Each counts as one term. */
  readonly patterns: readonly Pattern[]
  readonly phrases: readonly Phrase[]
  /** Their order in the query: tags of the fast vector highlighter take turns by it. */
  readonly numbers: ReadonlyMap<string | Pattern | Phrase, number>
}

/** What is known of an index where queries are rewritten for it. */
export interface RewritingIndex {
  /** What a `more_like_this` looks for. */
  readonly liked: (query: MoreLikeThisQuery) => readonly LikedTerm[]
  readonly hasTerm: (path: string, term: string) => boolean
}

export type HighlighterType = 'unified' | 'plain' | 'fvh'

/**
 * The terms of a query that concern a field, prohibited ones left out.
 *
 * @param field        undefined: of every field (`require_field_match: false`)
 * @param highlighter  which reads some queries in its own way
 * @param index        undefined: queries are read as they are asked
 */
export function highlightTerms(
  query: Query,
  field: FieldMapping | undefined,
  mapping: IndexMapping,
  engineVersion: EngineVersion = 'Elasticsearch_6.8',
  highlighter: HighlighterType = 'unified',
  index?: RewritingIndex,
): HighlightTerms {
  const collector = new Collector(field?.path, mapping, luceneGeneration(engineVersion), highlighter, index)
  collector.visit(query)
  collector.leaveOutCrossed()
  return collector
}

class Collector implements HighlightTerms {
  readonly terms = new Map<string, number>()
  readonly patterns: Pattern[] = []
  readonly phrases: Phrase[] = []
  readonly numbers = new Map<string | Pattern | Phrase, number>()
  /** What the boosts around what is read come to. */
  #weight = 1
  /** Of the `span_first` that is read: how many positions what is found may stand in. */
  #within: number | undefined
  /** Whether some words are looked for by where they stand. */
  #isPlaced = false
  /** Whether what is read is looked for in several fields as if they were one. */
  #isCrossing = false
  /** Whether words of phrases that are only begun are left out. */
  #isWithoutBegun = false
  /** Whether patterns are left out, but for words that may be misspelt. */
  #isWithoutPatterns = false
  /** Terms that are looked for in no other way. */
  readonly #crossed = new Set<string>()
  readonly #path: string | undefined
  readonly #mapping: IndexMapping
  readonly #lucene: LuceneGeneration
  readonly #highlighter: HighlighterType
  readonly #index: RewritingIndex | undefined

  constructor(
    path: string | undefined,
    mapping: IndexMapping,
    lucene: LuceneGeneration,
    highlighter: HighlighterType,
    index: RewritingIndex | undefined,
  ) {
    this.#path = path
    this.#mapping = mapping
    this.#lucene = lucene
    this.#highlighter = highlighter
    this.#index = index
  }

  /** Besides words that are looked for by where they stand, Lucene's unified highlighter does not see terms of crossed fields. */
  leaveOutCrossed(): void {
    if (this.#highlighter !== 'unified' || !this.#isPlaced) return
    for (const term of this.#crossed) this.terms.delete(term)
  }

  visit(query: Query): void {
    const isSpan = query.kind.startsWith('span_')
    // Of spans the fast vector highlighter takes single words only.
    if (isSpan && this.#highlighter === 'fvh' && query.kind !== 'span_term') return
    if (PLACED.has(query.kind)) {
      const spans = this.#spanTree(query as SpanDslQuery)
      if (spans !== undefined) {
        this.#addSpans(spans)
        return
      }
    }
    this.#weighing(isSpan ? 1 : query.boost, () => this.#read(query))
  }

  /** What is read meanwhile weighs so many times as much. */
  #weighing(boost: number | undefined, read: () => void): void {
    const outer = this.#weight
    if (boost !== undefined) this.#weight = Math.fround(outer * boost)
    read()
    this.#weight = outer
  }

  #read(query: Query): void {
    switch (query.kind) {
      case 'bool':
        for (const part of [...query.must, ...query.should, ...query.filter]) this.visit(part)
        return
      case 'constant_score':
        this.visit(query.filter)
        return
      case 'dis_max':
        for (const part of query.queries) this.visit(part)
        return
      case 'boosting':
        this.#boosting(query)
        return
      case 'nested':
      case 'function_score':
        this.#readRewritten(query.query)
        return
      case 'script_score':
        this.#scriptScore(query.query)
        return
      // What they look for is in other documents.
      case 'has_child':
      case 'has_parent':
        return
      case 'query_string':
        this.visit(parseQueryString(query, this.#mapping))
        return
      case 'intervals':
        // The fast vector highlighter knows none.
        if (this.#highlighter !== 'fvh') this.#intervals(query.field, query.rule)
        return
      case 'span_term':
        this.#isPlaced ||= this.#concerns(query.field)
        this.#term(query.field, String(query.value))
        return
      case 'span_near':
      case 'span_or':
        for (const part of query.clauses) this.visit(part)
        return
      case 'span_not':
        this.visit(query.include)
        return
      case 'span_first':
        this.#spanFirst(query)
        return
      case 'span_multi':
        this.visit(query.match)
        return
      case 'span_containing':
      case 'span_within':
        this.visit(query.big)
        this.visit(query.little)
        return
      case 'simple_query_string':
        this.visit(parseSimpleQueryString(query, this.#mapping))
        return
      case 'multi_match':
        this.#multiMatch(query)
        return
      case 'common':
        for (const { term } of this.#analyze(query.field, query.text, query.analyzer).words)
          this.#term(query.field, term)
        return
      case 'match':
        this.#match(query.field, query.text, query)
        return
      case 'match_phrase':
        this.#phrase(query.field, query.text, { slop: query.slop, analyzer: query.analyzer, prefix: false })
        return
      case 'match_phrase_prefix':
        this.#phrase(query.field, query.text, { slop: query.slop, analyzer: query.analyzer, prefix: true })
        return
      case 'term':
        this.#term(query.field, String(query.value))
        return
      case 'either_case_term':
        this.#eitherCase(query.field, literalPattern(String(query.value)))
        return
      case 'terms':
        for (const value of query.values) this.#term(query.field, String(value))
        return
      case 'terms_set':
        for (const value of query.terms) this.#term(query.field, String(value))
        return
      case 'prefix':
        if (query.caseInsensitive) this.#eitherCase(query.field, `${literalPattern(query.value)}*`)
        else this.#prefix(query.field, query.value, query.isParsed)
        return
      case 'wildcard':
        if (query.caseInsensitive) this.#eitherCase(query.field, query.value)
        else this.#pattern(query.field, query.value, wildcardTest(this.#wildcard(query.field, query.value)))
        return
      case 'regexp':
        if (this.#concerns(query.field))
          this.#pattern(
            query.field,
            query.value,
            luceneRegexp(query.value, {
              ...(query.caseInsensitive ? { caseInsensitive: true } : {}),
              lucene: this.#lucene,
            }),
          )
        return
      case 'range':
        this.#range(query)
        return
      case 'fuzzy':
        this.#fuzzy(
          query.field,
          query.value,
          query.fuzziness,
          query.prefixLength,
          query.transpositions ?? this.#mapping.engineVersion !== 'Elasticsearch_6.8',
        )
        return
      case 'more_like_this':
        for (const { path, term, boost } of this.#index?.liked(query) ?? [])
          this.#weighing(boost, () => this.#term(path, term))
        return
      default:
        this.#visitInner(query)
    }
  }

  /** From 7.x on the unified highlighter rewrites these as for an index without words, in which none begins as asked. */
  #readRewritten(query: Query): void {
    const outer = this.#isWithoutBegun
    this.#isWithoutBegun = this.#highlighter === 'unified' && this.#mapping.engineVersion !== 'Elasticsearch_6.8'
    this.visit(query)
    this.#isWithoutBegun = outer
  }

  /** The fast vector highlighter does not look into it, the plain one sees of its patterns only words that may be misspelt. */
  #scriptScore(query: Query): void {
    if (this.#highlighter === 'fvh') return
    const outer = this.#isWithoutPatterns
    this.#isWithoutPatterns = this.#highlighter === 'plain'
    this.#readRewritten(query)
    this.#isWithoutPatterns = outer
  }

  /** In 6.x the fast vector highlighter sees what should not be found too, the others none of its patterns. */
  #boosting({ positive, negative, negativeBoost }: BoostingQuery): void {
    const { length } = this.patterns
    this.visit(positive)
    if (this.#mapping.engineVersion !== 'Elasticsearch_6.8') return
    if (this.#highlighter !== 'fvh') this.patterns.length = length
    else {
      const outer = this.#weight
      this.#weight = negativeBoost
      this.visit(negative)
      this.#weight = outer
    }
  }

  /** The words of a range of words, in the order of their bytes. */
  #range(query: RangeQuery): void {
    const field = this.#mapping.field(query.field)
    if (field?.kind !== 'text' && field?.kind !== 'keyword') return
    if (this.#highlighter === 'fvh' && field.kind === 'keyword' && this.#mapping.engineVersion === 'OpenSearch_2.19')
      return
    const bound = (value: RangeEnd | undefined): Buffer | undefined =>
      value === undefined ? undefined : Buffer.from(normalized(field, String(value)))
    const [low, high] = [bound(query.gte ?? query.gt), bound(query.lte ?? query.lt)]
    // Without ends it only asks whether there is a value.
    if (low === undefined && high === undefined) return
    this.#pattern(query.field, `[${low} TO ${high}]`, (term) => {
      const bytes = Buffer.from(term)
      const above = low === undefined ? 1 : Buffer.compare(bytes, low)
      const below = high === undefined ? 1 : Buffer.compare(high, bytes)
      return above >= (query.gte === undefined ? 1 : 0) && below >= (query.lte === undefined ? 1 : 0)
    })
  }

  /**
   * Each word of the rules counts; what they are only related to does not. The plain highlighter knows none that is only
   * begun or like another.
   */
  #intervals(path: string, rule: IntervalRule): void {
    if (this.#highlighter === 'plain' && LIKE_OTHERS.has(rule.kind)) return
    switch (rule.kind) {
      case 'all_of':
      case 'any_of':
        for (const inner of rule.rules) this.#intervals(path, inner)
        return
      case 'match': {
        const field = rule.useField ?? path
        for (const { term } of this.#analyze(field, rule.query, rule.analyzer).words) this.#term(field, term)
        return
      }
      case 'prefix': {
        const asked = rule.useField ?? path
        const beginning = rule.value.toLowerCase()
        if (this.#indexedBeginnings(asked, [beginning]) === undefined)
          this.#pattern(asked, `${rule.value}*`, (term) => term.startsWith(beginning))
        return
      }
      case 'regexp':
        if (this.#concerns(rule.useField ?? path))
          this.#pattern(rule.useField ?? path, rule.value, luceneRegexp(rule.value, rule))
        return
      case 'wildcard':
        this.#pattern(rule.useField ?? path, rule.value, wildcardTest(rule.value.toLowerCase()))
        return
      case 'fuzzy':
        this.#fuzzy(rule.useField ?? path, rule.value, rule.fuzziness, rule.prefixLength, rule.transpositions)
    }
  }

  #spanFirst({ match, end }: Query & { kind: 'span_first' }): void {
    const outer = this.#within
    this.#within = Math.min(end, outer ?? end)
    this.visit(match)
    this.#within = outer
  }

  #addTerm(term: string): void {
    if (!this.#isCrossing) this.#crossed.delete(term)
    else if (!this.terms.has(term)) this.#crossed.add(term)
    this.terms.set(term, this.#weight)
    this.#number(term)
  }

  #addPattern(pattern: Pattern): void {
    this.patterns.push(pattern)
    this.#number(pattern)
  }

  #addPhrase(asked: Phrase): void {
    const phrase = this.#within === undefined ? asked : { ...asked, within: this.#within }
    this.phrases.push(phrase)
    this.#number(phrase)
  }

  #number(part: string | Pattern | Phrase): void {
    if (!this.numbers.has(part)) this.numbers.set(part, this.numbers.size)
  }

  /** Queries that are about other queries (`function_score` and its kin). */
  #visitInner(query: Query): void {
    const inner = (query as { readonly query?: unknown }).query
    if (isQuery(inner)) this.visit(inner)
  }

  #multiMatch(query: MultiMatchQuery): void {
    const crossed = query.type === 'cross_fields' ? this.#crossedPaths(query) : undefined
    for (const [pattern, boost] of this.#patternsOf(query)) {
      this.#weighing(boost, () => {
        for (const path of this.#pathsOf(pattern)) {
          this.#isCrossing = crossed?.has(path) === true
          this.#matchIn(path, query)
          this.#isCrossing = false
        }
      })
    }
  }

  #patternsOf({ fields }: MultiMatchQuery): BoostedPatterns {
    return fields.length === 0 ? defaultPatterns(this.#mapping) : fields
  }

  #pathsOf(pattern: string): readonly string[] {
    return pattern.includes('*') ? this.#mapping.matchFields(pattern) : [pattern]
  }

  /** Those that are searched as one with others. */
  #crossedPaths(query: MultiMatchQuery): ReadonlySet<string> {
    const { analyzer } = query
    const groups = new Map<unknown, Set<string>>()
    for (const path of this.#patternsOf(query).flatMap(([pattern]) => this.#pathsOf(pattern))) {
      const field = this.#mapping.field(path)
      if (field === undefined) continue
      const name = analyzer ?? crossedBy(field)
      groups.set(name, (groups.get(name) ?? new Set()).add(path))
    }
    return new Set([...groups.values()].flatMap((group) => (group.size > 1 ? [...group] : [])))
  }

  #matchIn(path: string, query: MultiMatchQuery): void {
    if (query.type === 'phrase' || query.type === 'phrase_prefix') {
      const prefix = query.type === 'phrase_prefix'
      this.#phrase(path, query.text, { slop: query.slop, analyzer: query.analyzer, prefix })
    } else this.#match(path, query.text, { ...query, transpositions: true, lastIsPrefix: query.type === 'bool_prefix' })
  }

  #concerns(path: string): boolean {
    const field = this.#mapping.field(path)
    // Numbers and their like are looked for as points, not as words.
    if (field !== undefined && POINTS.has(field.kind)) return false
    return this.#path === undefined || (field?.path ?? path) === this.#path
  }

  #wildcard(path: string, pattern: string): string {
    const field = this.#mapping.field(path)
    return field === undefined ? pattern : wildcardPattern(field, pattern, this.#lucene)
  }

  #term(path: string, value: string): void {
    if (!this.#concerns(path)) return
    const term = this.#normalized(path, value)
    if (this.#within === undefined) this.#addTerm(term)
    else this.#addPhrase(single((other) => other === term, this.#weight))
  }

  /** A keyword's value as it is indexed. */
  #normalized(path: string, value: string): string {
    const field = this.#mapping.field(path)
    return field === undefined ? value : normalized(field, value)
  }

  #pattern(path: string, name: string, fits: (term: string) => boolean): void {
    const weight = this.#weight
    if (this.#isWithoutPatterns || !this.#concerns(path)) return
    // The fast vector highlighter looks for what the index has in the field that is asked for.
    const index = this.#highlighter === 'fvh' && this.#path === undefined ? this.#index : undefined
    const accepts = index === undefined ? fits : (term: string) => fits(term) && index.hasTerm(path, term)
    if (this.#within === undefined) this.#addPattern({ name, accepts, weight: () => weight })
    else this.#addPhrase(single(accepts, weight))
  }

  /**
   * Where the beginnings of a field's words are in a field of their own, one is a term of that: nothing of this field.
   *
   * @param isParsed  of a query string: 6.x looks for it among the words themselves
   */
  #prefix(path: string, value: string, isParsed = false): void {
    const field = this.#mapping.field(path)
    const indexed = isParsed && this.#lucene === 7 ? undefined : this.#indexedBeginnings(path, [value])
    const beginnings = this.#beginningsOf(path) ?? indexed
    if (beginnings !== undefined) this.#term(beginnings, value)
    else if (this.#lucene !== 7 && field?.kind === 'text' && isShort(field, value)) this.#term(path, value)
    else {
      const beginning = this.#normalized(path, value)
      this.#pattern(path, `${value}*`, (term) => term.startsWith(beginning))
    }
  }

  #beginningsOf(path: string): string | undefined {
    const field = this.#mapping.field(path)
    return field?.kind === 'text' && field.typeName === 'search_as_you_type' ? field.prefixes?.path : undefined
  }

  /** The field that `index_prefixes` makes for another, where it holds all of these beginnings. */
  #indexedBeginnings(path: string, beginnings: readonly string[]): string | undefined {
    const field = this.#mapping.field(path)
    if (field?.kind !== 'text' || field.typeName === 'search_as_you_type' || field.subField !== undefined)
      return undefined
    return beginnings.every((one) => prefixFieldOf(field, one) !== undefined) ? field.prefixes?.path : undefined
  }

  #eitherCase(path: string, pattern: string): void {
    if (!this.#concerns(path)) return
    const automaton = eitherCase(pattern)
    this.#pattern(path, `${pattern}/i`, (term) => automaton.matches(term))
  }

  #match(
    path: string,
    text: string,
    options: {
      readonly analyzer?: string
      readonly fuzziness?: string
      readonly prefixLength: number
      readonly transpositions: boolean
      readonly lastIsPrefix?: boolean
      readonly prefixAlternatives?: boolean
      readonly autoGenerateSynonymsPhraseQuery?: boolean
    },
  ): void {
    const { words, graph, endsInWord } = this.#analyze(path, text, options.analyzer)
    const word = (term: string, isBegun: boolean): void => {
      if (isBegun) this.#prefix(path, term)
      else if (options.fuzziness === undefined) this.#term(path, term)
      else this.#fuzzy(path, term, options.fuzziness, options.prefixLength, options.transpositions)
    }
    const begun = options.lastIsPrefix === true
    if (graph === undefined || options.prefixAlternatives) {
      // What a mark or a stop word follows is whole, and so are several words at a place, unless all of them are asked for.
      const last = words.filter(({ position }) => position === words.at(-1)?.position)
      const isOpen = begun && (options.prefixAlternatives || (endsInWord && last.length === 1))
      for (const one of words) word(one.term, isOpen && last.includes(one))
      return
    }
    const field = this.#mapping.field(path)
    const isPhrase = options.autoGenerateSynonymsPhraseQuery !== false && field !== undefined && hasOwnPositions(field)
    const stretches = graphStretches(graph)
    for (const [i, stretch] of stretches.entries()) {
      const isBegun = begun && i === stretches.length - 1
      if (stretch.kind === 'words') for (const term of stretch.terms) word(term, isBegun && stretch.terms.length === 1)
      else
        for (const way of stretch.ways) {
          if (way.length > 1 && isPhrase) this.#wayOf(field, way, isBegun)
          else for (const { terms } of way) for (const term of terms) word(term, isBegun && isPhrase)
        }
    }
  }

  /** A way of several words: a phrase of them, or of runs of them where those are indexed. */
  #wayOf(field: FieldMapping, way: GraphWay, isBegun: boolean): void {
    if (isBegun) {
      this.#phraseOf(field.path, wordsOf(way), { slop: 0, prefix: true })
      return
    }
    const { path, places } = wayPlaces(field, way)
    this.#phraseOf(path, wordsOf(places), { slop: 0, prefix: false })
  }

  #fuzzy(path: string, word: string, fuzziness: string, prefixLength: number, transpositions: boolean): void {
    const edits = editsOf(fuzziness, word)
    if (edits === 0) this.#term(path, word)
    else if (this.#concerns(path)) {
      const weight = this.#weight
      const allowed = { edits, prefixLength, transpositions }
      this.#addPattern({
        name: `${word}~${edits}`,
        accepts: (term) => editsBetween(word, term, allowed) <= edits,
        weight: (term) => {
          const shorter = Math.min([...word].length, [...term].length)
          return Math.fround(weight * Math.fround(1 - Math.fround(editsBetween(word, term, allowed) / shorter)))
        },
      })
    }
  }

  #phrase(
    path: string,
    text: string,
    options: { readonly slop: number; readonly analyzer: string | undefined; readonly prefix: boolean },
  ): void {
    const field = this.#mapping.field(path)
    // Words in a phrase that are indexed in pairs are looked for in those: nothing of this field.
    const isRun =
      field?.kind === 'text' && (field.shingles ?? (options.prefix ? undefined : field.phrases)) !== undefined
    const { words, graph } = this.#analyze(path, text, options.analyzer, true)
    if (options.slop === 0 && isRun && graph === undefined) {
      const runs = runsOf(field, this.#analyzer(field, options.analyzer, true).analyze(text))
      if (runs !== undefined) {
        const places = runs.places.flatMap(({ terms, position }) => terms.map((term) => ({ term, position })))
        this.#phraseOf(runs.field.path, places, options)
        return
      }
    }
    if (graph === undefined) this.#phraseOf(path, words, options)
    else if (options.slop === 0 && !options.prefix) this.#graphPhrase(path, graph)
    else for (const way of graphWays(graph)) this.#phraseOf(path, wordsOf(way), options)
  }

  /** Spans of the stretches of a graph, of which the fast vector highlighter knows single words alone. */
  #graphPhrase(path: string, graph: TokenGraph): void {
    if (!this.#concerns(path)) return
    const stretches = graphStretches(graph)
    const [only] = stretches
    const words =
      only?.kind === 'words'
        ? only.terms
        : (only?.ways.flatMap((way) => (way.length > 1 ? [] : (way[0]?.terms ?? []))) ?? [])
    const isWord = stretches.length === 1 && (only?.kind === 'words' || words.length === only?.ways.length)
    if (isWord && (words.length === 1 || this.#highlighter !== 'fvh')) for (const word of words) this.#addTerm(word)
    else if (this.#highlighter !== 'fvh') this.#addSpans(nearTree(stretches.map(stretchTree)))
  }

  #addSpans(spans: SpanTree): void {
    this.#isPlaced = true
    this.#addPhrase({ parts: partsOf(spans), slop: 0, weight: this.#weight, spans })
  }

  /** Spans of the searched field; undefined where others are among them. */
  #spanTree(query: SpanDslQuery): SpanTree | undefined {
    const treesOf = (clauses: readonly SpanDslQuery[]): SpanTree[] | undefined => {
      const trees = clauses.map((clause) => this.#spanTree(clause)).filter((tree) => tree !== undefined)
      return trees.length < clauses.length ? undefined : trees
    }
    switch (query.kind) {
      case 'span_term': {
        const term = this.#normalized(query.field, String(query.value))
        return this.#concerns(query.field) ? { kind: 'words', part: partOf([term], 0) } : undefined
      }
      case 'span_gap':
        return { kind: 'gap', width: query.width }
      case 'span_multi': {
        const inner = new Collector(this.#path, this.#mapping, this.#lucene, this.#highlighter, this.#index)
        inner.visit(query.match)
        if (inner.terms.size === 0 && inner.patterns.length === 0) return undefined
        const accepts = (term: string) => inner.terms.has(term) || inner.patterns.some((one) => one.accepts(term))
        return { kind: 'words', part: { position: 0, accepts } }
      }
      case 'span_or': {
        const clauses = treesOf(query.clauses)
        return clauses === undefined ? undefined : { kind: 'or', clauses }
      }
      case 'span_near': {
        const clauses = treesOf(query.clauses)
        return clauses === undefined ? undefined : { kind: 'near', clauses, slop: query.slop, inOrder: query.inOrder }
      }
      case 'span_first': {
        const match = this.#spanTree(query.match)
        return match === undefined ? undefined : { kind: 'first', match, end: query.end }
      }
      case 'span_not': {
        const [include, exclude] = treesOf([query.include, query.exclude]) ?? []
        if (include === undefined || exclude === undefined) return undefined
        return { kind: 'not', include, exclude, pre: query.pre, post: query.post }
      }
      case 'span_containing':
      case 'span_within': {
        const [big, little] = treesOf([query.big, query.little]) ?? []
        if (big === undefined || little === undefined) return undefined
        return { kind: query.kind === 'span_containing' ? 'big' : 'little', big, little }
      }
      default:
        return undefined
    }
  }

  #phraseOf(
    path: string,
    tokens: readonly { readonly term: string; readonly position: number }[],
    options: { readonly slop: number; readonly prefix: boolean },
  ): void {
    const field = this.#mapping.field(path)
    const isRun = options.prefix && field?.kind === 'text' && field.subField?.kind === 'shingle'
    const beginnings = isRun ? this.#beginningsOf(path) : undefined
    if (beginnings !== undefined && tokens.every(({ position }) => position === tokens[0]?.position)) {
      for (const { term } of tokens) this.#term(beginnings, term)
      return
    }
    const last = tokens[tokens.length - 1]?.position
    const begun = tokens.filter(({ position }) => position === last).map(({ term }) => term)
    if (options.prefix && options.slop === 0 && begun.length > 0) {
      const indexed = this.#indexedBeginnings(path, begun)
      if (indexed !== undefined) {
        if (begun.length === tokens.length) for (const term of begun) this.#term(indexed, term)
        else if (this.#concerns(path)) this.#maskedPhrase(tokens, begun.length)
        return
      }
    }
    if (!this.#concerns(path)) return
    if (options.prefix && this.#isWithoutBegun) {
      const whole = tokens.filter(({ position }) => position !== last)
      this.#phraseOf(path, whole, { slop: options.slop, prefix: false })
      return
    }
    const byPosition = new Map<number, string[]>()
    for (const { term, position } of tokens) byPosition.set(position, [...(byPosition.get(position) ?? []), term])
    const parts = [...byPosition].map(([position, terms]) =>
      options.prefix && position === last
        ? { position, accepts: (term: string) => terms.some((t) => term.startsWith(t)) }
        : partOf(terms, position),
    )
    const [only] = parts
    if (only === undefined) return
    const weight = this.#weight
    this.#isPlaced ||= parts.length > 1 || options.prefix
    if (parts.length > 1)
      this.#addPhrase({ parts, slop: options.slop, weight, ...(options.prefix ? { isBegun: true } : {}) })
    else if (options.prefix)
      this.#addPattern({ name: `${tokens[0]?.term}*`, accepts: only.accepts, weight: () => weight })
    else for (const { term } of tokens) this.#addTerm(term)
  }

  /**
   * A phrase whose last word is a term of another field, the index of words' beginnings: that word is none of this field's. The
   * unified highlighter does not look where the others stand, the fast vector highlighter knows no such phrase.
   */
  #maskedPhrase(tokens: readonly { readonly term: string; readonly position: number }[], begun: number): void {
    if (this.#highlighter === 'fvh') return
    const isOfEveryField = this.#path === undefined
    if (this.#highlighter === 'unified' && !isOfEveryField) {
      for (const { term } of tokens.slice(0, -begun)) this.#addTerm(term)
      return
    }
    const last = tokens.at(-1)?.position
    const parts = [...new Set(tokens.map(({ position }) => position))].map((position): PhrasePart => {
      const terms = tokens.filter((token) => token.position === position).map(({ term }) => term)
      const part = partOf(terms, position)
      return position === last && !isOfEveryField ? { ...part, isUnmarked: true } : part
    })
    this.#addPhrase({ parts, slop: 0, weight: this.#weight })
  }

  /** @param named  the analyzer that the query names, instead of the field's own */
  #analyze(path: string, text: string, named: string | undefined, quoted = false): AnalyzedWords {
    const field = this.#mapping.field(path)
    if (field === undefined) return { words: [], graph: undefined, endsInWord: true }
    const analyzer = this.#analyzer(field, named, quoted)
    if (analyzer === undefined) return { words: [{ term: text, position: 0 }], graph: undefined, endsInWord: true }
    const tokens = analyzer.analyze(text)
    const words: Word[] = []
    let position = -1
    for (let i = 0; i < tokens.length; i++) {
      position += tokens.positionIncrements[i] as number
      words.push({ term: tokens.terms[i] as string, position })
    }
    return { words, graph: tokenGraph(tokens), endsInWord: endsInWord(tokens, text) }
  }

  #analyzer(field: TextField, named: string | undefined, quoted: boolean): Analyzer
  #analyzer(field: FieldMapping, named: string | undefined, quoted: boolean): Analyzer | undefined
  #analyzer(field: FieldMapping, named: string | undefined, quoted: boolean): Analyzer | undefined {
    const asked = named === undefined ? undefined : this.#mapping.analyzers.analyzer(named)
    return asked ?? searchAnalyzer(field, quoted)
  }
}

/** A word of a text. */
interface Word {
  readonly term: string
  readonly position: number
}

/** A text taken apart: as words, and as a graph where some of them span several places. */
interface AnalyzedWords {
  readonly words: readonly Word[]
  readonly graph: TokenGraph | undefined
  /** Whether nothing follows the last word. */
  readonly endsInWord: boolean
}

const partOf = (terms: readonly string[], position: number): PhrasePart => ({
  position,
  terms,
  accepts: (term) => terms.includes(term),
})

const wordsOf = (way: GraphWay): Word[] =>
  way.flatMap(({ terms, position }) => terms.map((term) => ({ term, position })))

/** Span queries that say where words have to stand. */
const PLACED: ReadonlySet<Query['kind']> = new Set(['span_near', 'span_not', 'span_containing', 'span_within'])

const nearTree = (clauses: readonly SpanTree[]): SpanTree => ({ kind: 'near', clauses, slop: 0, inOrder: true })

function stretchTree(stretch: GraphStretch): SpanTree {
  if (stretch.kind === 'words') return { kind: 'words', part: partOf(stretch.terms, 0) }
  return { kind: 'or', clauses: stretch.ways.map(wayTree) }
}

function wayTree(way: GraphWay): SpanTree {
  const clauses: SpanTree[] = []
  let next = 0
  for (const { terms, position } of way) {
    if (position > next) clauses.push({ kind: 'gap', width: position - next })
    next = position + 1
    clauses.push({ kind: 'words', part: partOf(terms, position) })
  }
  return nearTree(clauses)
}

/** Rules of intervals for words by how they are written. */
const LIKE_OTHERS: ReadonlySet<IntervalRule['kind']> = new Set(['prefix', 'regexp', 'wildcard', 'fuzzy'])

/** Kinds of fields whose values are no terms that a text could have. */
const POINTS: ReadonlySet<FieldMapping['kind']> = new Set(['number', 'date', 'boolean', 'ip', 'range'])

/** A word as a phrase. */
const single = (accepts: (term: string) => boolean, weight: number): Phrase => ({
  parts: [{ position: 0, accepts }],
  slop: 0,
  weight,
})

function editsOf(fuzziness: string, word: string): number {
  const auto = /^AUTO(?::(\d+),(\d+))?$/i.exec(fuzziness)
  if (auto === null) return Math.min(2, Number(fuzziness))
  const length = [...word].length
  if (length < Number(auto[1] ?? 3)) return 0
  return length < Number(auto[2] ?? 6) ? 1 : 2
}
