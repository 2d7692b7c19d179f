import type { DataStreamTimestamp } from './data-stream-timestamp.ts'
import type { DynamicTemplate } from './dynamic-template.ts'
import type { FieldMeta } from './field-meta.ts'

/** What an object does with fields that its mapping does not know; `strict_allow_templates` is OpenSearch's alone. */
export type Dynamic = 'true' | 'false' | 'strict' | 'strict_allow_templates'

/** A field as the mapping defines it: its type and the parameters that were given, in normalized form. */
export interface LeafDefinition {
  readonly kind: 'leaf'
  /** Last part of the path. */
  readonly name: string
  readonly type: string
  /** Only those given (and, for the ones that a merge keeps, inherited); the type's handler knows the defaults. */
  readonly parameters: ReadonlyMap<string, unknown>
  readonly copyTo: readonly string[]
  readonly multiFields: ReadonlyMap<string, LeafDefinition>
  readonly meta?: FieldMeta
}

/** A second name for a field. */
export interface AliasDefinition {
  readonly kind: 'alias'
  readonly name: string
  /** Full path of the field meant. */
  readonly path: string
}

/** An object or nested object and what is in it. */
export interface ObjectDefinition {
  readonly kind: 'object'
  readonly name: string
  readonly nested: boolean
  readonly includeInParent: boolean
  readonly includeInRoot: boolean
  /** Undefined: as the object around it. */
  readonly dynamic: Dynamic | undefined
  readonly enabled: boolean
  /** Accepted and shown by 6.x, without effect. */
  readonly includeInAll: boolean | undefined
  readonly children: ReadonlyMap<string, Definition>
}

/** Anything that can stand under `properties`. */
export type Definition = LeafDefinition | AliasDefinition | ObjectDefinition

/** A type's whole mapping. Undefined members were not given. */
export interface RootDefinition {
  readonly root: ObjectDefinition
  readonly dateDetection: boolean | undefined
  readonly numericDetection: boolean | undefined
  readonly dynamicDateFormats: readonly string[] | undefined
  readonly dynamicTemplates: readonly DynamicTemplate[] | undefined
  readonly meta: Readonly<Record<string, unknown>> | undefined
  readonly source: SourceDefinition | undefined
  readonly routingRequired: boolean | undefined
  readonly timestamp: DataStreamTimestamp | undefined
  /** `_field_names.enabled`. */
  readonly fieldNamesEnabled: boolean | undefined
  /** `_all.enabled: false`, which 6.x takes and shows. */
  readonly allDisabled: boolean
}

/** `_source`. */
export interface SourceDefinition {
  readonly enabled: boolean
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

/** An object with nothing in it. */
export function emptyObject(name: string): ObjectDefinition {
  return {
    kind: 'object',
    name,
    nested: false,
    includeInParent: false,
    includeInRoot: false,
    dynamic: undefined,
    enabled: true,
    includeInAll: undefined,
    children: new Map(),
  }
}
