import type { IndexAnalyzers } from '../analysis/index-analyzers.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { FieldMapping } from './field-mapping.ts'
import type { ParsedDocument } from './parsed-document.ts'
import type { JoinField } from './types/join-field.ts'
import type { MappingListener, MappingSettings } from './types/parameter.ts'
import type { ValueSink } from './value-sink.ts'

/**
 * The mappings of one index: every type's, over one shared set of fields (two types that map one path must agree,
 * as in Elasticsearch 5). A value: an update answers a new one.
 */
export interface IndexMapping {
  readonly analyzers: IndexAnalyzers
  /** Names of the types that have a mapping, in the order they came. */
  readonly types: readonly string[]
  /** A type's mapping as `GET _mapping` shows it (`{ properties: …, dynamic: … }`), or undefined. */
  mapping(type: string): Readonly<Record<string, unknown>> | undefined
  /** The join field; undefined: there is none. */
  readonly join: JoinField | undefined
  /** Leaf field by full path, multi-fields and metadata-free, across types. Resolves field aliases. */
  field(path: string): FieldMapping | undefined
  /** Full paths matching a pattern with `*` (or one plain path); leaf fields only. */
  matchFields(pattern: string): readonly string[]
  /** Whether some field's values are computed while searches run. */
  readonly hasDerived: boolean
  /** Whether these may be searched (`index.query.derived_field.enabled`). */
  readonly allowsDerived: boolean
  /** Whether stored queries may ask for fields that are not mapped (`index.percolator.map_unmapped_fields_as_text`). */
  readonly mapsUnmappedAsText: boolean
  /**
   * The fields that the `derived` of a search defines.
   *
   * @throws {ServiceError} mapper_parsing_exception, illegal_argument_exception, parse_exception
   */
  derivedFields(definitions: Readonly<Record<string, unknown>>): ReadonlyMap<string, FieldMapping>
  /** The field of a type that stands for a member of a derived object. @throws {ServiceError} illegal_argument_exception for no such type */
  derivedMember(object: FieldMapping, part: string, type: string): FieldMapping
  /** True for the path of an object or nested object. */
  isObject(path: string): boolean
  /** True for the path of a nested object. */
  isNested(path: string): boolean
  /** Whether documents of a type keep `_source`. */
  readonly sourceEnabled: (type: string) => boolean
  /** Whether names of fields are kept of documents, by which those without doc values and norms are found (`_field_names`). */
  readonly keepsFieldNames: boolean
  /** Patterns of the parts of `_source` that a type keeps or leaves out; undefined when it keeps all. */
  sourceFilter(type: string): { readonly includes: readonly string[]; readonly excludes: readonly string[] } | undefined
  /** Patterns of the fields that a text is searched in when none is named (`index.query.default_field`). */
  readonly defaultFields: readonly string[]
  /** The same mapping under settings that have changed. */
  withSettings(settings: MappingSettings): IndexMapping
  readonly engineVersion: EngineVersion
  /** Whether any field passes over malformed values (`ignore_malformed`), so that documents may have `_ignored`. */
  readonly ignoresMalformed: boolean
  /** True when `_routing.required` is set for the type. */
  routingRequired(type: string): boolean
  /**
   * Merges a mapping into a type.
   *
   * @param mapping  the body of put mapping, without the type level
   * @throws {ServiceError} mapper_parsing_exception, illegal_argument_exception (conflicts, limits)
   */
  merge(type: string, mapping: Readonly<Record<string, unknown>>, heard?: MappingListener): IndexMapping
  /**
   * Takes a document apart. Pure: dynamic fields come back as `mappingUpdate` (already applied to the fields returned).
   *
   * @param source  the parsed JSON object
   * @param id      for messages only
   * @param raw     the JSON that `source` was parsed from: asked where a number's digits matter (`1.0` is a float to
   *                dynamic mapping and «1.0» to a text field, a long may go beyond 2^53). Without it, numbers are what
   *                JavaScript makes of them. `source` may hold bigints and {@link "lossless-json.ts"} numbers too.
   * @param routing  the document's own, if it has one: children of a join field must
   * @param isStored  of a document that is there already: it need not have what is asked of new ones
   * @throws {ServiceError} mapper_parsing_exception, strict_dynamic_mapping_exception, illegal_argument_exception
   */
  parse(
    type: string,
    id: string,
    source: Readonly<Record<string, unknown>>,
    raw?: string | Uint8Array,
    routing?: string,
    isStored?: boolean,
  ): ParsedDocument
  /**
   * Gives a document's values to a sink while reading its JSON once, where all of it is plain: fields that the mapping
   * knows, values that take no second look. What {@link parse} would have made of it, in the same order.
   *
   * @returns false when it is not that plain, or has a fault: {@link parse} tells, and what the sink got is void
   */
  readonly scan?: (type: string, source: Buffer, sink: ValueSink) => boolean
}
