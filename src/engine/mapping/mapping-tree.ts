import type { FieldMapping, KeywordField, TextField } from './field-mapping.ts'
import type { Definition, Dynamic, LeafDefinition, ObjectDefinition } from './mapping-definition.ts'
import type { IndexedValue } from './parsed-document.ts'
import type { BuiltField, FieldType, ValueParser } from './types/field-type.ts'
import { fieldType } from './types/field-types.ts'
import type { JoinField } from './types/join-field.ts'
import type { MappingScope } from './types/parameter.ts'

/** A field ready to take values. */
export interface LeafNode {
  readonly kind: 'leaf'
  readonly path: string
  readonly type: string
  readonly definition: LeafDefinition
  readonly field: FieldMapping
  readonly parse: ValueParser
  /** Takes the whole JSON value, arrays included, where the type reads those itself. */
  readonly parseAll: ((value: unknown, onMalformed: () => void) => readonly IndexedValue[]) | undefined
  /** As of {@link BuiltField}. */
  readonly complete: BuiltField['complete']
  readonly nullValue: IndexedValue | undefined
  /** Values that do not parse are dropped. */
  readonly ignoreMalformed: boolean
  readonly bareErrors: boolean
  /** As of {@link BuiltField}. */
  readonly refusesNull: boolean
  /** Set for a join field: its values are read with this instead of {@link parse}. */
  readonly join: JoinField | undefined
  /** Numbers below this are taken by their digits, as written: all by text, years by dates. */
  readonly readsDigitsBelow: number
  readonly multiFields: readonly LeafNode[]
  /** As of {@link BuiltField}. */
  readonly forMultiFields: BuiltField['forMultiFields']
  /** Values that are passed over are named in `_ignored` (none of a scaled float, whatever is malformed). */
  readonly notesIgnored: boolean
  readonly copyTo: readonly string[]
  /** What `_field_names` gets; undefined where doc values or norms tell that the field is there. */
  readonly fieldNames: readonly string[] | undefined
}

/** A second name, which documents cannot write to. */
export interface AliasNode {
  readonly kind: 'alias'
  readonly path: string
  readonly target: string
}

/** An object: where a key of a document leads. */
export interface ObjectNode {
  readonly kind: 'object'
  /** Full path; empty for the root. */
  readonly path: string
  readonly definition: ObjectDefinition
  /** Own or inherited. */
  readonly dynamic: Dynamic
  readonly enabled: boolean
  readonly isNested: boolean
  /** Path of the nearest nested object, itself included. */
  readonly nestedPath: string | undefined
  readonly children: ReadonlyMap<string, MappingNode>
}

/** Where a key of a document leads. */
export type MappingNode = LeafNode | AliasNode | ObjectNode

/**
 * Builds the tree of an object that documents are taken apart with.
 *
 * @param before  the tree of its path in the same scope as it was: what is defined as then is taken from there
 */
export function buildObject(
  definition: ObjectDefinition,
  path: string,
  parent: { readonly dynamic: Dynamic; readonly nestedPath: string | undefined },
  scope: MappingScope,
  before?: ObjectNode,
): ObjectNode {
  const dynamic = definition.dynamic ?? parent.dynamic
  const nestedPath = definition.nested ? path : parent.nestedPath
  const known = before?.nestedPath === nestedPath ? before : undefined
  if (known?.definition === definition && known.dynamic === dynamic) return known
  const children = new Map<string, MappingNode>()
  for (const [name, child] of definition.children) {
    const childPath = path === '' ? name : `${path}.${name}`
    children.set(name, buildNode(child, childPath, { dynamic, nestedPath }, scope, known?.children.get(name)))
  }
  return {
    kind: 'object',
    path,
    definition,
    dynamic,
    enabled: definition.enabled,
    isNested: definition.nested,
    nestedPath,
    children,
  }
}

function buildNode(
  definition: Definition,
  path: string,
  parent: { readonly dynamic: Dynamic; readonly nestedPath: string | undefined },
  scope: MappingScope,
  before: MappingNode | undefined,
): MappingNode {
  switch (definition.kind) {
    case 'object':
      return buildObject(definition, path, parent, scope, before?.kind === 'object' ? before : undefined)
    case 'alias':
      return { kind: 'alias', path, target: definition.path }
    case 'leaf':
      if (before?.kind === 'leaf' && before.definition === definition) return before
      return buildLeaf(definition, path, parent.nestedPath, scope)
  }
}

function buildLeaf(
  definition: LeafDefinition,
  path: string,
  nestedPath: string | undefined,
  scope: MappingScope,
): LeafNode {
  const type = fieldType(definition.type) as FieldType
  const built = type.build({ path, nestedPath, definition, ...scope })
  const { field, parse, parseAll, bareErrors, refusesNull, join, subFields = [], parseForSubFields } = built
  const ignoreMalformed = 'ignoreMalformed' in field && field.ignoreMalformed
  return {
    kind: 'leaf',
    path,
    type: definition.type,
    definition,
    field,
    parse,
    parseAll,
    complete: built.complete,
    nullValue: field.nullValue as IndexedValue | undefined,
    ignoreMalformed,
    bareErrors: bareErrors === true,
    refusesNull: refusesNull === true,
    join,
    readsDigitsBelow: type.name === 'token_count' ? Number.POSITIVE_INFINITY : readsDigitsBelow(field),
    multiFields: [
      ...[...definition.multiFields.values()].map((child) =>
        buildLeaf(child, `${path}.${child.name}`, nestedPath, scope),
      ),
      ...subFields.map((subField) => subLeaf(subField, parse, parseForSubFields)),
    ],
    forMultiFields: built.forMultiFields,
    notesIgnored: built.notesIgnored ?? ignoreMalformed,
    copyTo: definition.copyTo,
    fieldNames: needsFieldNames(field) ? pathAndParents(path) : undefined,
  }
}

/** A field that another makes for itself. */
function subLeaf(
  field: TextField | KeywordField,
  parse: ValueParser,
  parseAll: BuiltField['parseForSubFields'],
): LeafNode {
  const type = (field.kind === 'text' ? field.subField?.kind : field.typeName) ?? field.kind
  const name = field.path.slice(field.path.lastIndexOf('.') + 1)
  return {
    kind: 'leaf',
    path: field.path,
    type,
    definition: { kind: 'leaf', name, type, parameters: new Map(), copyTo: [], multiFields: new Map() },
    field,
    parse,
    parseAll: parseAll === undefined ? undefined : (value) => parseAll(value, field),
    complete: undefined,
    nullValue: undefined,
    ignoreMalformed: false,
    bareErrors: false,
    refusesNull: false,
    join: undefined,
    readsDigitsBelow: readsDigitsBelow(field),
    multiFields: [],
    forMultiFields: undefined,
    notesIgnored: false,
    copyTo: [],
    // Only that of words' runs can be asked for, where it has norms.
    fieldNames: type === 'shingle' && field.norms ? [field.path] : undefined,
  }
}

function readsDigitsBelow(field: FieldMapping): number {
  if (field.kind === 'text' || field.kind === 'keyword') return Number.POSITIVE_INFINITY
  if (field.kind === 'date' && field.inNanos) return Number.POSITIVE_INFINITY
  return field.kind === 'date' ? 10_000 : Number.NEGATIVE_INFINITY
}

function needsFieldNames(field: FieldMapping): boolean {
  switch (field.kind) {
    case 'text':
    case 'keyword':
      if (field.docValues) return false
      // The real server asks the norms, which what is only stored has none of; ours cannot tell no term from no text.
      return field.index || (field.store && !field.norms)
    case 'opaque':
      return true
    default:
      return !field.docValues && (field.index || field.store)
  }
}

function pathAndParents(path: string): string[] {
  const parts = path.split('.')
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'))
}
