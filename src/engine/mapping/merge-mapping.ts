import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EngineVersion } from '../engine-version.ts'
import { inHashTrieOrder } from '../java/java-hash-order.ts'
import { NO_TIMESTAMP } from './data-stream-timestamp.ts'
import { javaText } from './java-text.ts'
import type {
  Definition,
  LeafDefinition,
  ObjectDefinition,
  RootDefinition,
  SourceDefinition,
} from './mapping-definition.ts'
import { type FieldType, MULTI_FIELDS } from './types/field-type.ts'
import { fieldType } from './types/field-types.ts'
import type { MappingScope, Parameter } from './types/parameter.ts'

/**
 * Merges a type's new mapping into its current one.
 *
 * @throws {ServiceError} illegal_argument_exception for conflicts, in the real server's words
 */
export function mergeRoot(
  current: RootDefinition,
  update: RootDefinition,
  scope: MappingScope,
  type: string,
): RootDefinition {
  if (scope.engineVersion !== 'Elasticsearch_6.8' && update.routingRequired !== undefined) {
    checkMetadataField('_routing', { required: current.routingRequired === true }, { required: update.routingRequired })
  }
  if (update.timestamp !== undefined)
    checkMetadataField('_data_stream_timestamp', current.timestamp ?? NO_TIMESTAMP, update.timestamp)
  return {
    root: { ...mergeObject(current.root, update.root, '', scope, type, true), enabled: current.root.enabled },
    dateDetection: update.dateDetection ?? current.dateDetection,
    numericDetection: update.numericDetection ?? current.numericDetection,
    dynamicDateFormats: update.dynamicDateFormats ?? current.dynamicDateFormats,
    dynamicTemplates: mergeTemplates(current, update),
    meta: update.meta ?? current.meta,
    source: mergeSource(current.source, update.source, scope),
    routingRequired: current.routingRequired === true || update.routingRequired,
    timestamp: current.timestamp ?? update.timestamp,
    fieldNamesEnabled: update.fieldNamesEnabled ?? current.fieldNamesEnabled,
    allDisabled: current.allDisabled,
  }
}

function mergeTemplates(current: RootDefinition, update: RootDefinition): RootDefinition['dynamicTemplates'] {
  return update.dynamicTemplates ?? current.dynamicTemplates
}

function mergeSource(
  current: SourceDefinition | undefined,
  update: SourceDefinition | undefined,
  { engineVersion }: MappingScope,
): SourceDefinition | undefined {
  if (update === undefined) return current
  const now: SourceDefinition = current ?? { enabled: true, includes: [], excludes: [] }
  if (engineVersion !== 'Elasticsearch_6.8') {
    checkMetadataField('_source', now, update)
    return current
  }
  const conflicts: string[] = []
  const differ = (left: readonly string[], right: readonly string[]): boolean => left.join('\n') !== right.join('\n')
  if (now.enabled !== update.enabled) conflicts.push('Cannot update enabled setting for [_source]')
  if (differ(now.includes, update.includes)) conflicts.push('Cannot update includes setting for [_source]')
  if (differ(now.excludes, update.excludes)) conflicts.push('Cannot update excludes setting for [_source]')
  if (conflicts.length > 0) {
    throw illegalArgument(`Can't merge because of conflicts: [${conflicts.join(', ')}]`)
  }
  return current
}

/** Refuses a change of a metadata field, in 7.x's words. */
function checkMetadataField<T extends object>(name: string, current: T, update: T): void {
  const changes = Object.entries(current).flatMap(([key, from]) => {
    const to = (update as Readonly<Record<string, unknown>>)[key]
    return javaText(from) === javaText(to)
      ? []
      : [`\n\tCannot update parameter [${key}] from [${javaText(from)}] to [${javaText(to)}]`]
  })
  if (changes.length > 0)
    throw illegalArgument(`Mapper for [${name}] conflicts with existing mapper:${changes.join('')}`)
}

/** Merges what stands under one name; `path` is its full path. */
export function mergeDefinition(
  current: Definition,
  update: Definition,
  path: string,
  scope: MappingScope,
  type: string,
): Definition {
  const isLegacy = scope.engineVersion === 'Elasticsearch_6.8'
  if (current.kind === 'object') {
    if (update.kind !== 'object') {
      throw illegalArgument(
        isLegacy
          ? `Can't merge a non object mapping [${path}] with an object mapping [${path}]`
          : `can't merge a non object mapping [${path}] with an object mapping`,
      )
    }
    return mergeObject(current, update, path, scope, type, false)
  }
  if (current.kind === 'alias') {
    if (update.kind !== 'alias') {
      throw illegalArgument(
        `Cannot merge a field alias mapping [${path}] with a mapping that is not for a field alias.`,
      )
    }
    return update
  }
  if (update.kind !== 'leaf') {
    if (!isLegacy) {
      throw illegalArgument(
        update.kind === 'object'
          ? `can't merge a non object mapping [${path}] with an object mapping`
          : `mapper [${path}] cannot be changed from type [${current.type}] to [FieldAliasMapper]`,
      )
    }
    const merged = update.kind === 'object' ? 'ObjectMapper' : 'FieldAliasMapper'
    throw illegalArgument(`mapper [${path}] of different type, current_type [${current.type}], merged_type [${merged}]`)
  }
  return mergeLeaf(current, update, path, scope)
}

function mergeObject(
  current: ObjectDefinition,
  update: ObjectDefinition,
  path: string,
  scope: MappingScope,
  type: string,
  isRoot: boolean,
): ObjectDefinition {
  const isLegacy = scope.engineVersion === 'Elasticsearch_6.8'
  if (current.nested !== update.nested) {
    const [from, to] = current.nested ? ['nested', 'non-nested'] : ['non-nested', 'nested']
    throw illegalArgument(
      isLegacy
        ? `object mapping [${path}] can't be changed from ${from} to ${to}`
        : `cannot change object mapping from ${from} to ${to}`,
    )
  }
  if (current.enabled !== update.enabled && !(isRoot && isLegacy)) {
    throw new ServiceError(
      'mapper_exception',
      isLegacy
        ? `Can't update attribute for type [${type}.${path}.enabled] in index mapping`
        : `the [enabled] parameter can't be updated for the object mapping [${isRoot ? type : path}]`,
    )
  }
  if (!isLegacy) checkNestedFlags(current, update)
  const merged = new Map<string, Definition>()
  for (const name of inHashTrieOrder([...update.children.keys()])) {
    const child = update.children.get(name) as Definition
    const existing = current.children.get(name)
    const childPath = path === '' ? name : `${path}.${name}`
    merged.set(name, existing === undefined ? child : mergeDefinition(existing, child, childPath, scope, type))
  }
  const children = new Map(current.children)
  for (const name of update.children.keys()) children.set(name, merged.get(name) as Definition)
  return {
    ...current,
    dynamic: update.dynamic ?? current.dynamic,
    includeInAll: update.includeInAll ?? current.includeInAll,
    children,
  }
}

/** 7.x refuses changes that 6.x passed over. */
function checkNestedFlags(current: ObjectDefinition, update: ObjectDefinition): void {
  const changed =
    current.includeInParent !== update.includeInParent
      ? 'include_in_parent'
      : current.includeInRoot !== update.includeInRoot
        ? 'include_in_root'
        : undefined
  if (changed === undefined || !current.nested) return
  throw new ServiceError('mapper_exception', `the [${changed}] parameter can't be updated on a nested object mapping`)
}

/** Merges a leaf; also tells whether two types of an index map a field alike. */
function mergeLeaf(current: LeafDefinition, update: LeafDefinition, path: string, scope: MappingScope): LeafDefinition {
  const from = fieldType(current.type) as FieldType
  const to = fieldType(update.type) as FieldType
  const isLegacy = scope.engineVersion === 'Elasticsearch_6.8'
  if (isLegacy && from.family !== to.family) {
    throw illegalArgument(
      `mapper [${path}] of different type, current_type [${current.type}], merged_type [${update.type}]`,
    )
  }
  if (current.type !== update.type) {
    throw illegalArgument(`mapper [${path}] cannot be changed from type [${current.type}] to [${update.type}]`)
  }
  checkConflicts(current, update, path, scope.engineVersion)
  if (isLegacy || from.family === 'join') from.checkMerge?.(current, update, path, scope.engineVersion)
  const parameters = new Map<string, unknown>()
  for (const parameter of from.parameters) {
    const old = current.parameters.get(parameter.name)
    const given = update.parameters.get(parameter.name)
    const value = parameter.frozen ? old : (given ?? (parameter.explicit ? old : undefined))
    if (value !== undefined) parameters.set(parameter.name, value)
  }
  const multiFields = new Map(current.multiFields)
  for (const [name, field] of update.multiFields) {
    const existing = multiFields.get(name)
    multiFields.set(name, existing === undefined ? field : mergeLeaf(existing, field, `${path}.${name}`, scope))
  }
  return { ...update, parameters, multiFields }
}

/** Parameters that 7.x keeps from changing and 6.x did not. */
const FIXED_IN_7: ReadonlySet<string> = new Set([
  'format',
  'index_options',
  'index_prefixes',
  'null_value',
  'position_increment_gap',
  'print_format',
])

/** Types of which those may change all the same. */
const CHANGES_FREELY: ReadonlySet<string> = new Set(['geo_point', 'derived'])

function shown(parameter: Parameter, value: unknown, engineVersion: EngineVersion): string {
  if (value !== undefined) return parameter.shown?.(value, engineVersion) ?? javaText(value)
  if (parameter.name === 'analyzer' || parameter.name === 'normalizer') return 'default'
  return parameter.name === 'position_increment_gap' ? '-1' : 'null'
}

/** Refuses changes of parameters that cannot change. @throws {ServiceError} illegal_argument_exception */
export function checkConflicts(
  current: LeafDefinition,
  update: LeafDefinition,
  path: string,
  engineVersion: EngineVersion,
): void {
  const isLegacy = engineVersion === 'Elasticsearch_6.8'
  const type = fieldType(current.type) as FieldType
  const conflicts: string[] = []
  for (const parameter of type.parameters) {
    const isFixed =
      parameter.conflict !== undefined ||
      (!isLegacy && !CHANGES_FREELY.has(type.name) && FIXED_IN_7.has(parameter.name))
    if (parameter === MULTI_FIELDS || !isFixed) continue
    const from = current.parameters.get(parameter.name) ?? parameter.fallback
    const to = update.parameters.get(parameter.name) ?? parameter.fallback
    if (from === to) continue
    if (isLegacy) conflicts.push(...(parameter.conflict?.(from, to, path) ?? []))
    else if (parameter.conflict?.(from, to, path).length !== 0) {
      const before = shown(parameter, from, engineVersion)
      const after = shown(parameter, to, engineVersion)
      if (before !== after) conflicts.push(`Cannot update parameter [${parameter.name}] from [${before}] to [${after}]`)
    }
  }
  if (conflicts.length === 0) return
  throw illegalArgument(
    isLegacy
      ? `Mapper for [${path}] conflicts with existing mapping in other types:\n[${conflicts.join(', ')}]`
      : `Mapper for [${path}] conflicts with existing mapper:\n\t${conflicts.join('\n\t')}`,
  )
}
