import type { Analyzer } from '../analysis/analyzer.ts'
import type { DateFormat } from './dates/date-format.ts'
import type { FieldMeta } from './field-meta.ts'
import type { SimilarityFormula } from './similarity-formula.ts'
import type { SimilarityScripts } from './similarity-scripts.ts'
import type { DerivedField } from './types/derived-field.ts'
import type { TextSubField } from './types/text-sub-field.ts'

/** Numeric mapping types, by how a value is stored and indexed. */
export type NumericType =
  | 'long'
  | 'integer'
  | 'short'
  | 'byte'
  | 'double'
  | 'float'
  | 'half_float'
  | 'scaled_float'
  | 'unsigned_long'

/** What documents a term's postings record: `docs`, `freqs`, `positions` (default of text), `offsets`. */
export type IndexOptions = 'docs' | 'freqs' | 'positions' | 'offsets'

/** Built-in similarities, and what the settings put together (`formula`) or say in scripts. */
export type SimilarityType = 'BM25' | 'classic' | 'boolean' | 'formula' | 'scripted'

/** What the settings of an own similarity change of its type's defaults (BM25: k1 1.2, b 0.75). */
export interface SimilarityParameters {
  /** Instead of the others, for the type `formula`. */
  readonly formula?: SimilarityFormula
  readonly scripts?: SimilarityScripts
  readonly k1?: number
  readonly b?: number
  readonly discountOverlaps?: boolean
}

interface FieldBase {
  /** Full path: `title`, `title.keyword`, `authors.name`. */
  readonly path: string
  readonly index: boolean
  readonly docValues: boolean
  readonly store: boolean
  /** Path of the nearest enclosing nested object; undefined at the root. */
  readonly nestedPath: string | undefined
  readonly boost: number
  /** Full paths that also receive this field's values. */
  readonly copyTo: readonly string[]
  /** Value indexed for an explicit JSON null; undefined: null is as good as absent. */
  readonly nullValue: unknown
  readonly meta?: FieldMeta
  /** Set on a field that is indexed nowhere: its values are computed while a search runs. */
  readonly derived?: DerivedField
}

/** Analyzed text. */
export interface TextField extends FieldBase {
  readonly kind: 'text'
  /** As of {@link KeywordField}. */
  readonly typeName?: 'match_only_text' | 'search_as_you_type'
  readonly analyzer: Analyzer
  readonly searchAnalyzer: Analyzer
  readonly searchQuoteAnalyzer: Analyzer
  readonly norms: boolean
  readonly indexOptions: IndexOptions
  /** From Lucene 8 on a text without frequencies is as long as it has different words. */
  readonly isAsLongAsUnique?: true
  readonly positionIncrementGap: number
  readonly fielddata: boolean
  /** `occurrence`: BM25 as if each word were in each text once. */
  readonly similarity: SimilarityType | 'occurrence'
  readonly similarityParameters?: SimilarityParameters
  readonly termVector: string
  /** Holds the pairs of words, where they are indexed (`index_phrases`). */
  readonly phrases?: TextField
  /** Holds the beginnings of words, where they are indexed (`index_prefixes`). */
  readonly prefixes?: TextField
  /** Hold runs of words, the shortest first, of two words (`search_as_you_type`). */
  readonly shingles?: readonly TextField[]
  /** Set on the fields that a text makes for itself. */
  readonly subField?: TextSubField
}

/** Whole texts as they are, or normalized; also what other types make of themselves (`typeName`). */
export interface KeywordField extends FieldBase {
  readonly kind: 'keyword'
  /** What mappings call it, where that is not `keyword`: a join field, or what one makes for itself. */
  readonly typeName?:
    | 'join'
    | 'parent'
    | 'parent_join'
    | 'wildcard'
    | 'flat_object'
    | 'constant_keyword'
    | '_ignored'
    | '_routing'
  /** The one value that all documents have (`constant_keyword`). */
  readonly constant?: string
  readonly normalizer: Analyzer | undefined
  /** Longest value indexed, in UTF-16 units (Java's String.length). */
  readonly ignoreAbove: number
  readonly norms: boolean
  readonly indexOptions: IndexOptions
  /** As of {@link TextField}. */
  readonly isAsLongAsUnique?: true
  readonly similarity: SimilarityType
  readonly similarityParameters?: SimilarityParameters
  /** What searched texts go through, unless they are quoted: the normalizer, or words where they are split. */
  readonly searchAnalyzer: Analyzer | undefined
  /** Set on what stands for a flat object, or a part of one. */
  readonly flat?: {
    /** The object's path, under which the names in it are indexed. */
    readonly object: string
    /** What mappings call it, which is not where it is indexed. */
    readonly path: string
    /** What comes before the values of a part; undefined: the object itself. */
    readonly prefix: string | undefined
  }
}

/** Numbers; `type` says which of them there are and how they are rounded. */
export interface NumberField extends FieldBase {
  readonly kind: 'number'
  readonly type: NumericType
  /** True for counts of a text's tokens, which the source does not tell. */
  readonly countsTokens?: true
  readonly coerce: boolean
  readonly ignoreMalformed: boolean
  /** scaled_float only. */
  readonly scalingFactor: number | undefined
}

/** Instants, in milliseconds since 1970 unless `inNanos`. */
export interface DateField extends FieldBase {
  readonly kind: 'date'
  /** Values are nanoseconds since 1970, as bigints (`date_nanos`). */
  readonly inNanos?: true
  readonly format: DateFormat
  readonly ignoreMalformed: boolean
  readonly locale: string
}

/** True or false, indexed as `T` and `F`, in columns 1 and 0. */
export interface BooleanField extends FieldBase {
  readonly kind: 'boolean'
}

/** Addresses, each indexed as 16 bytes. */
export interface IpField extends FieldBase {
  readonly kind: 'ip'
  readonly ignoreMalformed: boolean
}

/** Base64, not searched. */
export interface BinaryField extends FieldBase {
  readonly kind: 'binary'
}

/** Points of the earth. */
export interface GeoPointField extends FieldBase {
  readonly kind: 'geo_point'
  readonly ignoreMalformed: boolean
  readonly ignoreZValue: boolean
}

/** A range of numbers, dates or addresses; columns hold its two ends. */
export interface RangeField extends FieldBase {
  readonly kind: 'range'
  readonly type: 'integer_range' | 'long_range' | 'float_range' | 'double_range' | 'date_range' | 'ip_range'
  readonly coerce: boolean
  readonly format: DateFormat | undefined
  readonly ignoreMalformed: boolean
  /** Error type of an end out of range ({@link "number-value.ts"}). */
  readonly rangeError: 'json_parse_exception' | 'input_coercion_exception'
}

/** Accepted and kept in the mapping; indexed only as far as its own feature is built (`completion`, …). */
export interface OpaqueField extends FieldBase {
  readonly kind: 'opaque'
  readonly type: string
}

/** Suggestions as one types; its values are JSON. */
export interface CompletionField extends OpaqueField {
  readonly type: 'completion'
  /** Holds its inputs, each one word, as queries find them. */
  readonly words: TextField
}

/** Numbers that make documents better or worse; its values are JSON, already as precise as they are kept. */
export interface RankFeatureField extends FieldBase {
  readonly kind: 'opaque'
  readonly type: 'rank_feature' | 'rank_features'
  /** False: values are kept as their reciprocals, so that small ones are the better ones. */
  readonly positiveScoreImpact: boolean
}

/** Shapes on the earth; its values are shapes as `geo-shape/encode-shape.ts` writes them (JSON, before there were those). */
export interface GeoShapeField extends FieldBase {
  readonly kind: 'opaque'
  readonly type: 'geo_shape'
  /** How 6.5 and before would index it, as cells of a grid; undefined: as triangles. */
  readonly strategy: 'recursive' | 'term' | undefined
  /** True: a document may have one value only. */
  readonly isSingle: boolean
}

/** A leaf of a mapping: how values at one path are parsed, indexed and kept. */
export type FieldMapping =
  | TextField
  | KeywordField
  | NumberField
  | DateField
  | BooleanField
  | IpField
  | BinaryField
  | GeoPointField
  | RangeField
  | OpaqueField
  | CompletionField
