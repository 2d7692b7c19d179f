import type { EngineVersion } from '../../engine-version.ts'
import type { FieldMapping, KeywordField, TextField } from '../field-mapping.ts'
import type { LeafDefinition } from '../mapping-definition.ts'
import type { IndexedValue, ParsedField } from '../parsed-document.ts'
import type { JoinField } from './join-field.ts'
import type { MappingScope, Parameter } from './parameter.ts'

/**
 * Makes the indexed value of a JSON value (never null, never an array unless the type reads arrays itself).
 *
 * @param inArray  true for an element of an array, whose field the real parser cannot name
 * @returns undefined where the value is as good as absent
 * @throws {ServiceError} the cause; {@link "parse-document.ts"} wraps it
 */
export type ValueParser = (value: unknown, inArray?: boolean) => IndexedValue | undefined

/** What a field type is told when it builds a field. */
export interface BuildScope extends MappingScope {
  readonly path: string
  readonly nestedPath: string | undefined
  readonly definition: LeafDefinition
}

/** What all kinds of fields share, ready made for a field type to add to. */
export interface BuiltField {
  readonly field: FieldMapping
  readonly parse: ValueParser
  /** Fields that the mapping does not show, which get the same values (those of a join field get their own). */
  readonly subFields?: readonly (TextField | KeywordField)[]
  /** How those read a value that for them is several. */
  readonly parseForSubFields?: (value: unknown, subField: TextField | KeywordField) => readonly IndexedValue[]
  /** What multi-fields of a type get, one after the other, where that is not the value itself. */
  readonly forMultiFields?: (value: unknown, type: string) => readonly unknown[]
  /** Whether values that were passed over are told of in `_ignored`; undefined: where `ignore_malformed` says so. */
  readonly notesIgnored?: boolean
  /** Set for a join field, whose values are read with the document they stand in. */
  readonly join?: JoinField
  /** True: `parse` gets arrays whole (and answers for all of their values through `parseAll`). */
  readonly parseAll?: (value: unknown, onMalformed: () => void) => readonly IndexedValue[]
  /** What a value becomes once all fields of its Lucene document are known. @throws {IndexingFault} */
  readonly complete?: (value: IndexedValue, fields: readonly ParsedField[]) => IndexedValue
  /** True: `parse` gets nulls, too. */
  readonly refusesNull?: true
  /** True: errors of `parse` are not about one field (6.x says only «failed to parse»). */
  readonly bareErrors?: true
}

/** A type that a mapping can name: its parameters and how its values are read. */
export interface FieldType {
  readonly name: string
  /** True: 6.x does not know it. */
  readonly isSince7?: true
  /** True: only OpenSearch knows it. */
  readonly isOpenSearch?: true
  /**
   * In the order `GET _mapping` shows them; `fields` and `copy_to` stand where {@link MULTI_FIELDS} does.
   */
  readonly parameters: readonly Parameter[]
  /** Fields of types that share a family can be changed for one another only by 6.x's own message. */
  readonly family: string
  /** Checks and completes the parameters read, e.g. required ones. */
  readonly check?: (parameters: Map<string, unknown>, scope: MappingScope & { readonly name: string }) => void
  /** Shown though not given (`completion`). */
  readonly shownDefaults?: Readonly<Record<string, unknown>>
  /** Refuses a change that no single parameter can judge. */
  readonly checkMerge?: (from: LeafDefinition, to: LeafDefinition, path: string, engineVersion: EngineVersion) => void
  readonly build: (scope: BuildScope) => BuiltField
}

/** Marks where multi-fields and `copy_to` are shown among the parameters. */
export const MULTI_FIELDS: Parameter = { name: 'fields', fallback: undefined, read: (value) => value }

/** Of the types that were asked for. */
const fallbacks = new WeakMap<FieldType, ReadonlyMap<string, unknown>>()

/** Value of a parameter as given, or its fallback. */
export function parameterValue(type: FieldType, definition: LeafDefinition, name: string): unknown {
  const given = definition.parameters.get(name)
  if (given !== undefined) return given
  let ofType = fallbacks.get(type)
  if (ofType === undefined) {
    // The first of a name counts.
    ofType = new Map(type.parameters.toReversed().map((parameter) => [parameter.name, parameter.fallback]))
    fallbacks.set(type, ofType)
  }
  return ofType.get(name)
}
