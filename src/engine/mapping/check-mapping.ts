import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { HEAP_FOR_ONE, tooMuchHeap } from '../heap-share.ts'
import type { FieldMapping } from './field-mapping.ts'
import { mapperParsing } from './mapping-errors.ts'
import type { LeafNode, MappingNode, ObjectNode } from './mapping-tree.ts'
import { METADATA_FIELDS } from './metadata-fields.ts'
import { completionContexts } from './types/completion-field-type.ts'
import type { MappingScope } from './types/parameter.ts'

/** A merged mapping to be checked as a whole. */
export interface CheckedMapping {
  readonly scope: MappingScope
  readonly indexName: string
  /** The type that changed, and its tree. */
  readonly type: string
  /** Whether the index was there before. */
  readonly isUpdate: boolean
  readonly root: ObjectNode
  /** Of all types. */
  readonly fields: ReadonlyMap<string, FieldMapping>
  readonly aliases: ReadonlyMap<string, string>
  readonly objects: ReadonlyMap<string, ObjectNode>
}

/**
 * Checks what no single field can: names used twice, aliases, `copy_to`. {@link checkLimits} is for what changes.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkMapping(mapping: CheckedMapping): void {
  checkNames(mapping)
  checkSubFields(mapping.root, mapping)
  checkAliases(mapping)
  checkCopies(mapping.root, mapping)
}

function checkNames(mapping: CheckedMapping): void {
  const { root, fields, scope } = mapping
  for (const [name, node] of root.children) {
    if (!METADATA_FIELDS[scope.engineVersion].has(name)) continue
    throw node.kind === 'object' ? definedAsBoth(name, mapping) : definedTwice(name, mapping)
  }
  let joins = root.children.has('_parent_join') ? 1 : 0
  for (const field of fields.values()) if (field.kind === 'keyword' && field.typeName === 'join') joins++
  for (const node of root.children.values()) {
    if (node.kind !== 'leaf' || node.join === undefined) continue
    for (const { path } of node.multiFields) {
      if (path !== '_parent_join' && root.children.has(path)) throw definedTwice(path, mapping)
    }
  }
  if (joins > 1) throw definedTwice('_parent_join', mapping)
}

/** What a field makes for itself cannot have the name of one of its multi-fields. */
function checkSubFields(node: MappingNode, mapping: CheckedMapping): void {
  if (node.kind === 'object') {
    for (const child of node.children.values()) checkSubFields(child, mapping)
    return
  }
  if (node.kind !== 'leaf') return
  const paths = new Set<string>()
  for (const { path } of node.multiFields) {
    if (paths.has(path)) throw definedTwice(path, mapping)
    paths.add(path)
  }
}

function definedTwice(path: string, { scope, type, isUpdate }: CheckedMapping): ServiceError {
  if (scope.engineVersion === 'Elasticsearch_6.8')
    return illegalArgument(`Field [${path}] is defined twice in [${type}]`)
  return inMapping(`Field [${path}] is defined more than once`, type, isUpdate)
}

function definedAsBoth(path: string, { scope, type, isUpdate }: CheckedMapping): ServiceError {
  const reason = `Field [${path}] is defined both as an object and a field`
  if (scope.engineVersion === 'Elasticsearch_6.8') return illegalArgument(`${reason} in [${type}]`)
  return inMapping(reason, type, isUpdate)
}

/** What is wrong with a mapping, of a new index told with its type. */
function inMapping(reason: string, type: string, isUpdate: boolean): ServiceError {
  if (isUpdate) return mapperParsing(reason)
  return mapperParsing(`Failed to parse mapping [${type}]: ${reason}`, mapperParsing(reason))
}

function nestedScope(path: string, objects: ReadonlyMap<string, ObjectNode>): string | undefined {
  // At 0 there is nothing before it, and lastIndexOf() would find it again for ever.
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const object = objects.get(path.slice(0, dot))
    if (object !== undefined) return object.nestedPath
  }
  return undefined
}

function checkAliases({ aliases, fields, objects, scope }: CheckedMapping): void {
  const fail = scope.engineVersion === 'Elasticsearch_6.8' ? illegalArgument : mapperParsing
  for (const [alias, target] of aliases) {
    const invalid = `Invalid [path] value [${target}] for field alias [${alias}]: an alias`
    if (alias === target) throw fail(`${invalid} cannot refer to itself.`)
    if (aliases.has(target)) throw fail(`${invalid} cannot refer to another alias.`)
    if (!fields.has(target)) throw fail(`${invalid} must refer to an existing field in the mappings.`)
    const own = nestedScope(alias, objects)
    const other = nestedScope(target, objects)
    if (own === other) continue
    const described = own === undefined ? 'The alias is not nested' : `The alias's nested scope is [${own}]`
    const targetText = other === undefined ? 'the target is not nested.' : `the target's nested scope is [${other}].`
    throw fail(`${invalid} must have the same nested scope as its target. ${described}, but ${targetText}`)
  }
}

function checkCopies(node: MappingNode, mapping: CheckedMapping): void {
  if (node.kind === 'object') {
    for (const child of node.children.values()) checkCopies(child, mapping)
    return
  }
  if (node.kind !== 'leaf') return
  const source = node.field.nestedPath
  for (const target of node.copyTo) {
    if (mapping.objects.has(target)) {
      throw illegalArgument(`Cannot copy to field [${target}] since it is mapped as an object`)
    }
    const nested = nestedScope(target, mapping.objects)
    // Only to the same nested object or one around it.
    if (nested === undefined || source === nested || source?.startsWith(`${nested}.`)) continue
    throw illegalArgument(
      `Illegal combination of [copy_to] and [nested] mappings: [copy_to] may only copy data to the current nested document or any of its parents, however one [copy_to] directive is trying to copy data from nested object [${source ?? 'null'}] to [${nested}]`,
    )
  }
}

/**
 * From 7.0 on fields that give completions a place must be points. Completions that are there already keep theirs.
 *
 * @param before  the fields that were there
 * @throws {ServiceError} parse_exception
 */
export function checkPlaces({ root, aliases, scope }: CheckedMapping, before: ReadonlyMap<string, FieldMapping>): void {
  if (scope.engineVersion === 'Elasticsearch_6.8') return
  const leaves = leavesOf(root)
  const types = new Map(leaves.map(({ path, type }) => [path, type]))
  for (const leaf of leaves) {
    if (before.has(leaf.path)) continue
    for (const { name, type, path } of completionContexts(leaf.definition)) {
      if (type !== 'GEO' || path === undefined) continue
      const found = types.get(aliases.get(path) ?? path)
      if (found === 'geo_point') continue
      const what =
        found === undefined ? 'is not defined in the mapping' : `must be mapped to geo_point, found [${found}]`
      throw new ServiceError('parse_exception', `field [${path}] referenced in context [${name}] ${what}`)
    }
  }
}

/**
 * Multi-fields neither copy their values nor get those of others. What is there already stays.
 *
 * @param before  the fields that were there
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkCopiesApart(
  { root, fields, aliases }: CheckedMapping,
  before: ReadonlyMap<string, FieldMapping>,
): void {
  const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')))
  /** Whether a path has come to lie in a field. */
  const isInField = (path: string, wasThere: boolean): boolean => {
    const parent = parentOf(path)
    return (fields.has(parent) || aliases.has(parent)) && !(wasThere && before.has(parent))
  }
  for (const { path, copyTo } of leavesOf(root)) {
    const known = before.get(path)?.copyTo ?? []
    for (const target of copyTo) {
      const wasThere = known.includes(target)
      if (isInField(path, wasThere))
        throw illegalArgument(`[copy_to] may not be used to copy from a multi-field: [${path}]`)
      if (isInField(target, wasThere))
        throw illegalArgument(`[copy_to] may not be used to copy to a multi-field: [${target}]`)
    }
  }
}

/** A node's fields, with their multi-fields. */
function leavesOf(node: MappingNode): LeafNode[] {
  if (node.kind === 'object') return [...node.children.values()].flatMap(leavesOf)
  return node.kind === 'leaf' ? [node, ...node.multiFields.flatMap(leavesOf)] : []
}

/** One of the limits among an index' settings: `index.mapping.<name>.limit`. */
export function mappingLimit({ settings }: MappingScope, name: string, fallback: number): number {
  const value = settings[`index.mapping.${name}.limit`]
  return typeof value === 'string' ? Number(value) : fallback
}

/** What a mapping is told that has more fields than the index allows. */
export function tooManyFields(scope: MappingScope, indexName: string, limit: number): ServiceError {
  return illegalArgument(`Limit of total fields [${limit}]${placeOf(scope, indexName)} has been exceeded`)
}

/** 6.8 says in which index. */
const placeOf = ({ engineVersion }: MappingScope, indexName: string): string =>
  engineVersion === 'Elasticsearch_6.8' ? ` in index [${indexName}]` : ''

/** Fields beyond their limit from which on a mapping is not even read: a million of them took ten seconds and gigabytes. */
const FAR_TOO_MANY = 10_000
/** What a field takes of the heap while a mapping is made, measured with keywords. */
const FIELD_BYTES = 2_000

/**
 * Looks at a mapping's JSON before it is read: what is wrong with a field is told first unless there are far too many.
 *
 * @throws {ServiceError} {@link tooManyFields}, circuit_breaking_exception where the heap would not hold them
 */
export function checkFieldCount(json: unknown, scope: MappingScope, indexName: string, heapBytes = HEAP_FOR_ONE): void {
  const limit = mappingLimit(scope, 'total_fields', 1000)
  const count = countFields(json, limit + FAR_TOO_MANY)
  if (count > limit + FAR_TOO_MANY) throw tooManyFields(scope, indexName, limit)
  const bytes = count * FIELD_BYTES
  if (bytes > heapBytes) throw tooMuchHeap('mapping', bytes, scope.engineVersion, heapBytes)
}

/** Members of all `properties` and `fields` within one another, up to `most`. */
function countFields(json: unknown, most: number): number {
  if (!isObject(json)) return 0
  let count = 0
  for (const name in json) {
    const members = name === 'properties' || name === 'fields' ? json[name] : undefined
    if (!isObject(members)) continue
    for (const field in members) {
      count += 1 + countFields(members[field], most - count)
      if (count > most) return count
    }
  }
  return count
}

/**
 * Checks how many fields there are, of which depth, names and kinds, against the index' settings. As in the real server
 * an index keeps what it has when a limit is lowered below it.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkLimits({ scope, indexName, fields, aliases, objects }: CheckedMapping): void {
  const limit = (name: string, fallback: number): number => mappingLimit(scope, name, fallback)
  const total = limit('total_fields', 1000)
  if (fields.size + aliases.size + objects.size > total) throw tooManyFields(scope, indexName, total)
  const most = limit('field_name_length', Number.POSITIVE_INFINITY)
  for (const path of [...objects.keys(), ...fields.keys(), ...aliases.keys()]) {
    if (path.length <= most) continue
    const name = path.slice(path.lastIndexOf('.') + 1)
    if (name.length > most)
      throw illegalArgument(`Field name [${name}] is longer than the limit of [${most}] characters`)
  }
  const nested = limit('nested_fields', 50)
  let nestedCount = 0
  for (const object of objects.values()) if (object.isNested) nestedCount++
  if (nestedCount > nested) {
    throw illegalArgument(`Limit of nested fields [${nested}]${placeOf(scope, indexName)} has been exceeded`)
  }
  const depth = limit('depth', 20)
  for (const path of objects.keys()) {
    if (path.split('.').length + 1 > depth) {
      throw illegalArgument(
        `Limit of mapping depth [${depth}]${placeOf(scope, indexName)} has been exceeded due to object field [${path}]`,
      )
    }
  }
  if (nestedCount > 0 && (scope.settings['index.sort.field'] ?? '').length > 0)
    throw illegalArgument('cannot have nested fields when index sort is activated')
}
