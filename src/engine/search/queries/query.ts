import type { ServiceError } from '../../../errors.ts'
import type { Geometry } from '../../mapping/geo-shape/geometry.ts'
import type { JsonNumber } from '../../mapping/lossless-json.ts'
import type { UseListener } from '../../script/deprecated-use.ts'
import type { IntervalRelation } from '../lucene/positions/interval-lists.ts'
import type { SearchScript } from '../script/search-script.ts'

/**
 * What to look for: a query after parsing, free of wire forms and versions. One kind a query, one file a kind
 * (`rest/query-dsl/<kind>.ts` reads it, `engine/search/<kind>-query.ts` runs it).
 *
 * `boost` multiplies the score; `name` is `_name` (matched_queries); `written` is the whole query as the real server
 * writes it where it fails to be made.
 */
interface QueryBase {
  readonly boost?: number
  readonly name?: string
  readonly written?: () => string | undefined
}

/** How many optional clauses must match: `2`, `-1`, `75%`, `3<90%`. */
export type MinimumShouldMatch = string

/** `AUTO`, `AUTO:3,6`, or a number of edits 0-2. */
export type Fuzziness = string

/** Every document, all with the same score. */
export interface MatchAllQuery extends QueryBase {
  readonly kind: 'match_all'
}
/** No document; `reason`: why, where the real server tells. */
export interface MatchNoneQuery extends QueryBase {
  readonly kind: 'match_none'
  readonly reason?: string
}
/** The words of a text, as the field's analyzer finds them. */
export interface MatchQuery extends QueryBase {
  readonly kind: 'match'
  readonly field: string
  readonly text: string
  readonly operator: 'and' | 'or'
  readonly minimumShouldMatch?: MinimumShouldMatch
  readonly fuzziness?: Fuzziness
  readonly prefixLength: number
  readonly maxExpansions: number
  readonly transpositions: boolean
  /** How the terms that a misspelt word stands for are searched. */
  readonly fuzzyRewrite?: string
  readonly analyzer?: string
  readonly lenient: boolean
  readonly zeroTermsQuery: 'none' | 'all'
  /** Frequent words count only where the others match: {@link CommonTermsOptions}. */
  readonly cutoffFrequency?: number
  readonly autoGenerateSynonymsPhraseQuery: boolean
  /** The last word is only begun (`match_bool_prefix`). */
  readonly lastIsPrefix?: boolean
  /** With {@link lastIsPrefix}: of alternatives at the last place, each is only begun. */
  readonly prefixAlternatives?: boolean
  /** With {@link lastIsPrefix}: it is looked for among the words themselves, not their indexed beginnings. */
  readonly ofWordsAlone?: boolean
}
/** The words of a text one behind the other, `slop` moves apart at most. */
export interface MatchPhraseQuery extends QueryBase {
  readonly kind: 'match_phrase'
  readonly field: string
  readonly text: string
  readonly slop: number
  readonly analyzer?: string
  readonly zeroTermsQuery: 'none' | 'all'
  /** A value the field cannot take matches nothing, instead of failing. */
  readonly lenient?: boolean
  /** Told of phrases in fields without words, which 6.x warns of. */
  readonly heard?: UseListener
}
/** A phrase whose last word is only begun; it stands for the first `maxExpansions` terms that begin so. */
export interface MatchPhrasePrefixQuery extends QueryBase {
  readonly kind: 'match_phrase_prefix'
  readonly field: string
  readonly text: string
  readonly slop: number
  readonly maxExpansions: number
  readonly analyzer?: string
  readonly zeroTermsQuery?: 'none' | 'all'
  /** As of {@link MatchPhraseQuery}. */
  readonly lenient?: boolean
  /** As of {@link MatchPhraseQuery}. */
  readonly heard?: UseListener
}
/** A text in several fields; `type` says how their scores become one. */
export interface MultiMatchQuery extends QueryBase {
  readonly kind: 'multi_match'
  readonly text: string
  /** Field patterns with their boosts, in order; empty: `index.query.default_field`. */
  readonly fields: readonly (readonly [pattern: string, boost: number])[]
  readonly type: 'best_fields' | 'most_fields' | 'cross_fields' | 'phrase' | 'phrase_prefix' | 'bool_prefix'
  readonly tieBreaker?: number
  readonly operator: 'and' | 'or'
  readonly minimumShouldMatch?: MinimumShouldMatch
  readonly fuzziness?: Fuzziness
  readonly prefixLength: number
  readonly maxExpansions: number
  readonly slop: number
  readonly analyzer?: string
  /** Undefined: where every field is searched because none is named. */
  readonly lenient?: boolean
  readonly zeroTermsQuery: 'none' | 'all'
  readonly transpositions?: boolean
  readonly fuzzyRewrite?: string
  /** As of {@link MatchQuery}. */
  readonly cutoffFrequency?: number
  readonly autoGenerateSynonymsPhraseQuery?: boolean
  /** Words of a query string that stand side by side: in a bool, their own clauses take this one's place. */
  readonly isRun?: boolean
  /** Whether {@link fields} are paths in their final order, which a parsed text has found already. */
  readonly isResolved?: boolean
  /** As of {@link MatchPhraseQuery}. */
  readonly heard?: UseListener
}
/** A value that a query names: a number that Java writes otherwise than JavaScript (`1.0`) with its text. */
export type QueryValue = string | number | bigint | boolean | JsonNumber
/** Where a range ends. */
export type RangeEnd = Exclude<QueryValue, boolean>
/** A value as the field indexes it: texts are not analyzed. */
export interface TermQuery extends QueryBase {
  readonly kind: 'term'
  readonly field: string
  readonly value: QueryValue
}
/** A term whose letters of ASCII count in either case; all documents score alike. */
export interface EitherCaseTermQuery extends QueryBase {
  readonly kind: 'either_case_term'
  readonly field: string
  readonly value: QueryValue
}
/** Any of some values; all documents score alike. */
export interface TermsQuery extends QueryBase {
  readonly kind: 'terms'
  readonly field: string
  readonly values: readonly QueryValue[]
  /** The values are those of a document: the real servers put a query that lists them in this one's place. */
  readonly isLookedUp?: true
  /** A serialized Roaring bitmap in place of {@link values}. */
  readonly bitmap?: Uint8Array
}
/** Values between two ends. `relation` is about fields whose values are ranges themselves. */
export interface RangeQuery extends QueryBase {
  readonly kind: 'range'
  readonly field: string
  readonly gt?: RangeEnd
  readonly gte?: RangeEnd
  readonly lt?: RangeEnd
  readonly lte?: RangeEnd
  readonly format?: string
  readonly timeZone?: string
  readonly relation: 'intersects' | 'contains' | 'within'
}
/** Documents with a value of a field, or of any field inside an object. */
export interface ExistsQuery extends QueryBase {
  readonly kind: 'exists'
  readonly field: string
}
/** Documents by `_id`; no types: of any. */
export interface IdsQuery extends QueryBase {
  readonly kind: 'ids'
  readonly types: readonly string[]
  readonly values: readonly string[]
}
/** Documents of a type. */
export interface TypeQuery extends QueryBase {
  readonly kind: 'type'
  readonly value: string
  /** Whether a path or parameter asks for it. */
  readonly isLimit?: boolean
}
/** Terms that begin so. */
export interface PrefixQuery extends QueryBase {
  readonly kind: 'prefix'
  readonly field: string
  readonly value: string
  /** Whether letters of ASCII count in either case. */
  readonly caseInsensitive?: boolean
  readonly rewrite?: string
  /** Stands in a `query_string`, which 6.x looks for among the words themselves only. */
  readonly isParsed?: boolean
}
/** Terms by a pattern: `?` is any character, `*` any number of them. */
export interface WildcardQuery extends QueryBase {
  readonly kind: 'wildcard'
  readonly field: string
  readonly value: string
  /** As of {@link PrefixQuery}. */
  readonly caseInsensitive?: boolean
  readonly rewrite?: string
}
/** Terms by one of Lucene's regular expressions, which match whole terms. */
export interface RegexpQuery extends QueryBase {
  readonly kind: 'regexp'
  readonly field: string
  readonly value: string
  readonly flags: string
  /** The flags as a number. */
  readonly flagsValue?: number
  readonly maxDeterminizedStates: number
  /** As of {@link PrefixQuery}. */
  readonly caseInsensitive?: boolean
  readonly rewrite?: string
}
/** Terms some edits away from a word, which is not analyzed. */
export interface FuzzyQuery extends QueryBase {
  readonly kind: 'fuzzy'
  readonly field: string
  readonly value: string
  readonly fuzziness: Fuzziness
  readonly prefixLength: number
  readonly maxExpansions: number
  /** Undefined: as the version has it. */
  readonly transpositions?: boolean
  readonly rewrite?: string
  /** Part of a parsed text. */
  readonly isParsed?: boolean
}
/** Clauses tied together: all of `must` and `filter`, none of `mustNot`, as many of `should` as must. */
export interface BoolQuery extends QueryBase {
  readonly kind: 'bool'
  readonly must: readonly Query[]
  readonly should: readonly Query[]
  readonly filter: readonly Query[]
  readonly mustNot: readonly Query[]
  readonly minimumShouldMatch?: MinimumShouldMatch
  /** False: a bool of only must_not matches nothing (`adjust_pure_negative`). */
  readonly adjustPureNegative: boolean
  /** Of a query string, not of the DSL: 6.x does not require its optional clauses inside a filter. */
  readonly isParsed?: boolean
  /** In which order its clauses were written, where they were not in groups. */
  readonly order?: readonly ('must' | 'should' | 'must_not')[]
  /** The only index that it is asked of: in others it finds nothing, and is not made from their mappings. */
  readonly ofIndex?: string
}
/** Documents of a query, all with the same score. */
export interface ConstantScoreQuery extends QueryBase {
  readonly kind: 'constant_score'
  readonly filter: Query
}
/** Documents of any query; the best score, and of the others the share that `tieBreaker` says. */
export interface DisMaxQuery extends QueryBase {
  readonly kind: 'dis_max'
  readonly queries: readonly Query[]
  readonly tieBreaker: number
}
/** Documents of one query; the scores of those that another matches too are multiplied with `negativeBoost`. */
export interface BoostingQuery extends QueryBase {
  readonly kind: 'boosting'
  readonly positive: Query
  readonly negative: Query
  readonly negativeBoost: number
}
/** The words of a text, of which the frequent ones only count where the others match (`common`). */
export interface CommonTermsQuery extends QueryBase, CommonTermsOptions {
  readonly kind: 'common'
  readonly field: string
  readonly text: string
  readonly analyzer?: string
}
/** Which words of a text are frequent, and how many of either sort must match. */
export interface CommonTermsOptions {
  /** From 1 on a number of documents, below a share of them; words in more are frequent. */
  readonly cutoffFrequency: number
  readonly lowFreqOperator: 'and' | 'or'
  readonly highFreqOperator: 'and' | 'or'
  readonly lowFreqMinimumShouldMatch?: MinimumShouldMatch
  readonly highFreqMinimumShouldMatch?: MinimumShouldMatch
}
/** Documents that store queries which find what is given. */
export interface PercolateQuery extends QueryBase {
  readonly kind: 'percolate'
  /** Where documents store their queries. */
  readonly field: string
  /** What is given, each as JSON. */
  readonly documents: readonly string[]
  /** The type that the documents must be of. */
  readonly documentType?: string
  /** Tells it from other percolate queries of a search; the field where there is none. */
  readonly label?: string
  /** Reads a stored query from its JSON; `isFixed`: it means the same whenever it is read. */
  readonly readQuery: (json: string) => { readonly query: Query; readonly isFixed: boolean }
}
/** Documents with a value of a field, the better the nearer it is to some origin. */
export interface DistanceFeatureQuery extends QueryBase {
  readonly kind: 'distance_feature'
  readonly field: string
  /** An instant, or a point in any form. */
  readonly origin: unknown
  /** At this distance the score is half of the most. */
  readonly pivot: string
  /** The same as meters; not a number where it is none. */
  readonly pivotMeters: number
}
/** Documents with a feature, the better the larger it is. */
export interface RankFeatureQuery extends QueryBase {
  readonly kind: 'rank_feature'
  readonly field: string
  readonly function: FeatureFunction
}
/** What a feature makes of a score; all numbers are 32-bit floats. */
export type FeatureFunction =
  | { readonly shape: 'log'; readonly scalingFactor: number }
  /** Without a pivot: about the average of all features. */
  | { readonly shape: 'saturation'; readonly pivot?: number }
  | { readonly shape: 'sigmoid'; readonly pivot: number; readonly exponent: number }
  | { readonly shape: 'linear' }
/** What changes a document's score; `filter`: only where it matches. `weight` multiplies what the function says. */
export interface ScoreFunctionClause {
  readonly filter?: Query
  readonly weight?: number
  readonly function?: ScoreFunction
}

/** A number made of a document. */
export type ScoreFunction =
  | {
      readonly kind: 'field_value_factor'
      readonly field: string
      readonly factor: number
      readonly modifier: FieldValueModifier
      readonly missing?: number
    }
  | {
      readonly kind: 'decay'
      readonly shape: 'gauss' | 'exp' | 'linear'
      readonly field: string
      /** Absent: now, for dates. An object or a list: a point. */
      readonly origin?: unknown
      /** Absent: an index says that there must be one. */
      readonly scale?: string | number
      readonly offset: string | number
      /** Scale and offset as meters; not a number where they are none. */
      readonly meters: { readonly scale: number; readonly offset: number }
      readonly decay: number
      readonly multiValueMode: 'min' | 'max' | 'avg' | 'sum'
      /** A member that it does not have: an index says so. */
      readonly unknown?: string
    }
  | {
      readonly kind: 'random'
      /** 32 bits; undefined: the time, and no field counts. */
      readonly seed?: number
      /** Undefined: the documents' ids. */
      readonly field?: string
    }
  | { readonly kind: 'script'; readonly script: SearchScript }

/** What is made of a number before it counts; `log` is of base 10, `1p` and `2p` add 1 and 2 first. */
export type FieldValueModifier =
  | 'none'
  | 'log'
  | 'log1p'
  | 'log2p'
  | 'ln'
  | 'ln1p'
  | 'ln2p'
  | 'square'
  | 'sqrt'
  | 'reciprocal'

/** Documents of a query, with scores that functions change; `scoreMode` ties these, `boostMode` ties them and the score. */
export interface FunctionScoreQuery extends QueryBase {
  readonly kind: 'function_score'
  readonly query: Query
  readonly functions: readonly ScoreFunctionClause[]
  readonly scoreMode: 'multiply' | 'sum' | 'avg' | 'first' | 'max' | 'min'
  readonly boostMode: 'multiply' | 'replace' | 'sum' | 'avg' | 'max' | 'min'
  readonly maxBoost?: number
  readonly minScore?: number
}
/** Documents of which a script says so. */
export interface ScriptQuery extends QueryBase {
  readonly kind: 'script'
  readonly script: SearchScript
}
/** Documents of a query, their scores those that a script gives. */
export interface ScriptScoreQuery extends QueryBase {
  readonly kind: 'script_score'
  readonly query: Query
  readonly script: SearchScript
  readonly minScore?: number
}
/** Documents with as many of some terms as each itself asks for, in a field or by a script. */
export interface TermsSetQuery extends QueryBase {
  readonly kind: 'terms_set'
  readonly field: string
  readonly terms: readonly QueryValue[]
  readonly minimumField?: string
  readonly minimumScript?: SearchScript
}
/** Documents by objects nested in them; `scoreMode` makes one score of the objects'. */
export interface NestedQuery extends QueryBase {
  readonly kind: 'nested'
  readonly path: string
  readonly query: Query
  readonly scoreMode: 'avg' | 'sum' | 'min' | 'max' | 'none'
  readonly ignoreUnmapped: boolean
  /** Which of the nested objects an answer shows (`inner_hits`): opaque here, `rest/`'s affair. */
  readonly innerHits?: unknown
}
/** Parents by their children, as a join field relates them. */
export interface HasChildQuery extends QueryBase {
  readonly kind: 'has_child'
  /** Name of the children. */
  readonly type: string
  readonly query: Query
  readonly scoreMode: NestedQuery['scoreMode']
  readonly minChildren: number
  readonly maxChildren: number
  /** True: an index without such children has no such documents. */
  readonly ignoreUnmapped: boolean
  /** As of {@link NestedQuery}. */
  readonly innerHits?: unknown
}

/** Children by their parent, as a join field relates them. */
export interface HasParentQuery extends QueryBase {
  readonly kind: 'has_parent'
  readonly parentType: string
  readonly query: Query
  /** Whether children get their parent's score. */
  readonly score: boolean
  readonly ignoreUnmapped: boolean
  readonly innerHits?: unknown
}

/** The children of one document. */
export interface ParentIdQuery extends QueryBase {
  readonly kind: 'parent_id'
  /** Name of the children. */
  readonly type: string | undefined
  readonly id: string | undefined
  readonly ignoreUnmapped: boolean
}
/** Lucene's query language, not parsed yet: that takes the index' fields. */
export interface QueryStringQuery extends QueryBase {
  readonly kind: 'query_string'
  readonly query: string
  readonly defaultField?: string
  readonly fields: readonly (readonly [pattern: string, boost: number])[]
  readonly defaultOperator: 'and' | 'or'
  readonly analyzer?: string
  readonly quoteAnalyzer?: string
  /** Phrases are looked for in the fields of this suffix, where there are such. */
  readonly quoteFieldSuffix?: string
  /** False: not so where all fields are searched because none is named. */
  readonly suffixesDefaults?: boolean
  readonly allowLeadingWildcard: boolean
  readonly analyzeWildcard: boolean
  readonly fuzziness: Fuzziness
  readonly fuzzyPrefixLength: number
  readonly fuzzyMaxExpansions: number
  readonly fuzzyTranspositions: boolean
  /** How the terms that a pattern stands for are searched. */
  readonly rewrite?: string
  /** Read, and without effect. */
  readonly fuzzyRewrite?: string
  readonly autoGenerateSynonymsPhraseQuery: boolean
  readonly phraseSlop: number
  readonly tieBreaker?: number
  readonly type: MultiMatchQuery['type']
  readonly minimumShouldMatch?: MinimumShouldMatch
  readonly lenient?: boolean
  readonly timeZone?: string
  readonly maxDeterminizedStates: number
  /** As of {@link MatchPhraseQuery}. */
  readonly heard?: UseListener
}

/** The query language in which nothing is a fault, not parsed yet. */
export interface SimpleQueryStringQuery extends QueryBase {
  readonly kind: 'simple_query_string'
  readonly query: string
  /** Field patterns with their boosts; empty: every field. */
  readonly fields: readonly (readonly [pattern: string, boost: number])[]
  readonly defaultOperator: 'and' | 'or'
  /** Bits of `SIMPLE_QUERY_STRING_FLAGS`. */
  readonly flags: number
  readonly analyzer?: string
  readonly analyzeWildcard: boolean
  readonly fuzzyPrefixLength: number
  readonly fuzzyMaxExpansions: number
  readonly fuzzyTranspositions: boolean
  readonly autoGenerateSynonymsPhraseQuery: boolean
  /** Phrases are looked for in the fields of this suffix, where there are such. */
  readonly quoteFieldSuffix?: string
  readonly minimumShouldMatch?: MinimumShouldMatch
  /** Undefined: as the fields have it. */
  readonly lenient?: boolean
  /** As of {@link MatchPhraseQuery}. */
  readonly heard?: UseListener
}

/** By field: how often each term occurs. */
export type TermFrequencies = ReadonlyMap<string, ReadonlyMap<string, number>>

/** A document that is liked, or is not. */
export interface LikedItem {
  /** Undefined for one that is not in an index. */
  readonly id: string | undefined
  /**
   * Its terms; undefined when there is no such document.
   *
   * @param searched  the index that is searched, where the document's own is not named
   * @param fields    undefined: of every field
   */
  readonly terms: (searched: string, fields: readonly string[] | undefined) => TermFrequencies | undefined
}
/** The terms that tell texts and documents most from others. */
export interface MoreLikeThisQuery extends QueryBase {
  readonly kind: 'more_like_this'
  /** Undefined: all that the liked documents have. */
  readonly fields?: readonly string[]
  readonly likeTexts: readonly string[]
  readonly likeItems: readonly LikedItem[]
  readonly unlikeTexts: readonly string[]
  readonly unlikeItems: readonly LikedItem[]
  readonly analyzer?: string
  readonly maxQueryTerms: number
  /** Least frequency in what is liked, as a whole. */
  readonly minTermFreq: number
  readonly minDocFreq: number
  readonly maxDocFreq: number
  /** UTF-16 code units; 0: any. */
  readonly minWordLength: number
  readonly maxWordLength: number
  readonly stopWords: readonly string[]
  readonly minimumShouldMatch: MinimumShouldMatch
  /** 0: terms are not boosted by their weight. */
  readonly boostTerms: number
  /** Whether liked documents may be found themselves. */
  readonly include: boolean
  readonly failOnUnsupportedField: boolean
}

/** Documents with a shape of a field that stands to another as asked. */
export interface GeoShapeQuery extends QueryBase {
  readonly kind: 'geo_shape'
  readonly field: string
  readonly shape: Geometry
  readonly relation: 'intersects' | 'disjoint' | 'within' | 'contains'
  /** How fields that are cells of a grid are to be asked (6.5 and before). */
  readonly strategy?: 'recursive' | 'term'
  /** True: an index without the field has no such documents. */
  readonly ignoreUnmapped: boolean
}

/** Documents with a point of a field in an area of the earth. */
export interface GeoAreaQuery extends QueryBase {
  readonly kind: 'geo_area'
  readonly field: string
  readonly area: GeoArea
  /** True: an index without the field has no such documents. */
  readonly ignoreUnmapped: boolean
  /** What is wrong with the area; an index that has the field says so. */
  readonly fault?: ServiceError
}

/** An area of the earth, in degrees and meters. */
export type GeoArea =
  | {
      readonly shape: 'circle'
      readonly lat: number
      readonly lon: number
      readonly meters: number
    }
  | {
      /** Crosses the date line where `left` is beyond `right`. */
      readonly shape: 'box'
      readonly top: number
      readonly left: number
      readonly bottom: number
      readonly right: number
    }
  | {
      /** Closed: the last point is the first. */
      readonly shape: 'polygon'
      readonly lats: readonly number[]
      readonly lons: readonly number[]
      /** Rings of what is left out of it. */
      readonly holes?: readonly { readonly xs: readonly number[]; readonly ys: readonly number[] }[]
    }

/** A query that finds nothing where an index cannot make it: no query of the DSL, but a part of a lenient query string. */
export interface LenientQuery extends QueryBase {
  readonly kind: 'lenient'
  readonly query: Query
  /** The field it is about, where that is told. */
  readonly field: string | undefined
}

/** Documents of some shards of their index: no query of the DSL, but what `routing` makes of a search. */
export interface RoutedQuery extends QueryBase {
  readonly kind: 'routed'
  readonly shards: readonly number[]
  /** The shard that a routing value leads to; always the same for an index. */
  readonly shardOf: (routing: string) => number
}

/** Queries that stand for the terms of a pattern. */
export type MultiTermDslQuery = PrefixQuery | WildcardQuery | RegexpQuery | FuzzyQuery | RangeQuery

/** A term, by where it stands. */
export interface SpanTermQuery extends QueryBase {
  readonly kind: 'span_term'
  readonly field: string
  readonly value: QueryValue
}
/** Any words: only between the clauses of a `span_near`. */
export interface SpanGapQuery extends QueryBase {
  readonly kind: 'span_gap'
  readonly field: string
  readonly width: number
}
/** All clauses within `slop` positions that none of them takes. */
export interface SpanNearQuery extends QueryBase {
  readonly kind: 'span_near'
  readonly clauses: readonly SpanDslQuery[]
  readonly slop: number
  readonly inOrder: boolean
}
/** Any of the clauses. */
export interface SpanOrQuery extends QueryBase {
  readonly kind: 'span_or'
  readonly clauses: readonly SpanDslQuery[]
}
/** Where one matches and another does not, `pre` positions before and `post` behind it counted. */
export interface SpanNotQuery extends QueryBase {
  readonly kind: 'span_not'
  readonly include: SpanDslQuery
  readonly exclude: SpanDslQuery
  readonly pre: number
  readonly post: number
}
/** Matches that end at position `end` at the latest. */
export interface SpanFirstQuery extends QueryBase {
  readonly kind: 'span_first'
  readonly match: SpanDslQuery
  readonly end: number
}
/** Any term that a pattern stands for. */
export interface SpanMultiQuery extends QueryBase {
  readonly kind: 'span_multi'
  readonly match: MultiTermDslQuery
}
/** `span_containing`: the big ones with a little one inside; `span_within`: the little ones inside. */
export interface SpanContainmentQuery extends QueryBase {
  readonly kind: 'span_containing' | 'span_within'
  readonly big: SpanDslQuery
  readonly little: SpanDslQuery
}
/** Another field's spans as if they were this one's, so that they can be tied with its own. */
export interface FieldMaskingSpanQuery extends QueryBase {
  readonly kind: 'field_masking_span'
  readonly query: SpanDslQuery
  readonly field: string
}

/** Queries about where words stand, which may stand inside each other. */
export type SpanDslQuery =
  | SpanTermQuery
  | SpanGapQuery
  | SpanNearQuery
  | SpanOrQuery
  | SpanNotQuery
  | SpanFirstQuery
  | SpanMultiQuery
  | SpanContainmentQuery
  | FieldMaskingSpanQuery

/** What other intervals those of a rule must (or must not) be related to. */
export type IntervalFilter =
  | { readonly relation: IntervalRelation; readonly rule: IntervalRule }
  /** What a script must say of each. */
  | { readonly relation: 'script'; readonly script: SearchScript }

/** A rule about where words stand. */
export type IntervalRule =
  | {
      readonly kind: 'match'
      readonly query: string
      /** Positions between the words at most; -1: any. */
      readonly maxGaps: number
      readonly ordered: boolean
      /** In any order, one behind the other. */
      readonly noOverlap?: boolean
      readonly analyzer?: string
      readonly useField?: string
      readonly filter?: IntervalFilter
    }
  | {
      readonly kind: 'all_of'
      readonly rules: readonly IntervalRule[]
      readonly maxGaps: number
      readonly ordered: boolean
      /** In any order, one behind the other. */
      readonly noOverlap?: boolean
      readonly filter?: IntervalFilter
    }
  | { readonly kind: 'any_of'; readonly rules: readonly IntervalRule[]; readonly filter?: IntervalFilter }
  | {
      readonly kind: 'prefix' | 'wildcard'
      readonly value: string
      readonly analyzer?: string
      readonly useField?: string
      /** Terms that a wildcard may stand for. */
      readonly maxExpansions?: number
    }
  | {
      readonly kind: 'regexp'
      readonly value: string
      readonly flags: string
      readonly caseInsensitive: boolean
      readonly useField?: string
      readonly maxExpansions?: number
    }
  | {
      readonly kind: 'fuzzy'
      readonly value: string
      readonly fuzziness: Fuzziness
      readonly prefixLength: number
      readonly transpositions: boolean
      readonly analyzer?: string
      readonly useField?: string
    }
/** Documents in which words stand as a rule says. */
export interface IntervalsQuery extends QueryBase {
  readonly kind: 'intervals'
  readonly field: string
  readonly rule: IntervalRule
}

/** Any query. A new kind fails to compile until every stage handles it. */
export type Query =
  | MatchAllQuery
  | MatchNoneQuery
  | MatchQuery
  | MatchPhraseQuery
  | MatchPhrasePrefixQuery
  | MultiMatchQuery
  | TermQuery
  | EitherCaseTermQuery
  | TermsQuery
  | RangeQuery
  | ExistsQuery
  | IdsQuery
  | TypeQuery
  | PrefixQuery
  | WildcardQuery
  | RegexpQuery
  | FuzzyQuery
  | BoolQuery
  | ConstantScoreQuery
  | DisMaxQuery
  | BoostingQuery
  | CommonTermsQuery
  | DistanceFeatureQuery
  | PercolateQuery
  | RankFeatureQuery
  | FunctionScoreQuery
  | ScriptQuery
  | ScriptScoreQuery
  | TermsSetQuery
  | NestedQuery
  | HasChildQuery
  | HasParentQuery
  | ParentIdQuery
  | QueryStringQuery
  | SimpleQueryStringQuery
  | MoreLikeThisQuery
  | RoutedQuery
  | GeoAreaQuery
  | GeoShapeQuery
  | LenientQuery
  | IntervalsQuery
  | SpanDslQuery
