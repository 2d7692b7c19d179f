import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { inJavaHashOrder } from '../../java/java-hash-order.ts'
import type { KeywordField } from '../field-mapping.ts'
import { javaClass } from '../java-text.ts'
import type { LeafDefinition, ObjectDefinition } from '../mapping-definition.ts'
import { similarityMembers } from './common-parameters.ts'
import type { BuildScope, FieldType } from './field-type.ts'
import type { JoinParent } from './join-field.ts'
import { type Parameter, readBoolean, readText } from './parameter.ts'
import { plainKeyword } from './plain-keyword.ts'

const RELATIONS: Parameter = {
  name: 'relations',
  fallback: undefined,
  read: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ServiceError('parse_exception', `relations should be a hash but was of type: class ${javaClass(value)}`)
    }
    return Object.fromEntries(Object.entries(value).map(([parent, child]) => [parent, readChildren(child)]))
  },
}

/** One child as its name, several as a list. */
function readChildren(json: unknown): string | readonly string[] {
  if (json === null) {
    const reason =
      'Cannot invoke "Object.toString()" because the return value of "java.util.Map$Entry.getValue()" is null'
    throw new ServiceError('null_pointer_exception', reason)
  }
  const children = [...new Set((Array.isArray(json) ? json : [json]).map(readText))]
  return children.length === 1 ? (children[0] as string) : inJavaHashOrder(children)
}

/** Parents and children in one index. */
export const JOIN: FieldType = {
  name: 'join',
  family: 'join',
  shownDefaults: { eager_global_ordinals: true, relations: {} },
  parameters: [
    {
      name: 'eager_global_ordinals',
      fallback: true,
      read: (value, scope) => readBoolean(value, 'eager_global_ordinals', scope),
    },
    RELATIONS,
  ],
  check: (parameters, { name, settings }) => {
    if (Number(settings['index.routing_partition_size'] ?? 1) > 1) {
      const index = String(settings['index.provided_name'] ?? '')
      const reason = `cannot create join field [${name}] for the partitioned index [${index}]`
      throw new ServiceError('illegal_state_exception', reason)
    }
    const seen = new Set<string>()
    const conflicts: string[] = []
    for (const child of [...relationLists(parameters.get('relations')).values()].flat()) {
      if (seen.has(child)) conflicts.push(`[${child}] cannot have multiple parents`)
      seen.add(child)
    }
    if (conflicts.length === 0) return
    throw illegalArgument(`invalid definition for join field [${name}]:\n[${conflicts.join(', ')}]`)
  },
  checkMerge: (from, to, path, engineVersion) => {
    const conflicts = conflictsOf(relationLists(from.parameters.get('relations')), to, path)
    if (conflicts.length === 0) return
    const told = `:\n[${conflicts.join(', ')}]`
    if (engineVersion !== 'Elasticsearch_6.8')
      throw illegalArgument(`Mapper for [${path}] conflicts with existing mapping${told}`)
    throw new ServiceError('illegal_state_exception', `invalid update for join field [${path}]${told}`)
  },
  build: (scope) => {
    const parents = new Map<string, JoinParent>()
    for (const [name, children] of relationLists(scope.definition.parameters.get('relations'))) {
      parents.set(name, { name, children, idField: joinedField(`${scope.path}#${name}`, 'parent', scope) })
    }
    const field = joinedField(scope.path, 'join', scope)
    return {
      field,
      join: { field, parents },
      subFields: [
        ...[...parents.values()].map(({ idField }) => idField),
        // By its name the real server finds the index' join field.
        { ...joinedField('_parent_join', 'parent_join', scope), index: false, docValues: false },
      ],
      parse: () => undefined,
    }
  },
}

/** What an update would take away, or turn around. */
function conflictsOf(old: ReadonlyMap<string, readonly string[]>, to: LeafDefinition, path: string): string[] {
  const now = relationLists(to.parameters.get('relations'))
  const oldChildren = new Set([...old.values()].flat())
  const conflicts: string[] = []
  for (const parent of old.keys()) {
    if (!now.has(parent)) conflicts.push(`cannot remove parent [${parent}] in join field [${path}]`)
  }
  for (const [parent, children] of now) {
    const kept = old.get(parent)
    if (kept === undefined) {
      if (oldChildren.has(parent)) conflicts.push(`cannot create parent [${parent}] from an existing child`)
      for (const child of children) {
        if (old.has(child)) conflicts.push(`cannot create child [${child}] from an existing parent`)
      }
    } else {
      for (const child of kept) {
        if (!children.includes(child)) conflicts.push(`cannot remove child [${child}] in join field [${path}]`)
      }
    }
  }
  return conflicts
}

function joinedField(path: string, typeName: NonNullable<KeywordField['typeName']>, scope: BuildScope): KeywordField {
  return { ...plainKeyword(path, undefined), typeName, ...similarityMembers(undefined, scope) }
}

function relationLists(relations: unknown): Map<string, readonly string[]> {
  return new Map(
    Object.entries((relations ?? {}) as Record<string, string | readonly string[]>).map(([parent, child]) => [
      parent,
      typeof child === 'string' ? [child] : child,
    ]),
  )
}

/**
 * Checks that join fields stand at the root of a mapping only.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkJoinPlaces(definition: ObjectDefinition | LeafDefinition, path = ''): void {
  const children = definition.kind === 'object' ? definition.children : definition.multiFields
  for (const [name, child] of children) {
    const childPath = path === '' ? name : `${path}.${name}`
    if (child.kind === 'alias') continue
    if (child.kind === 'leaf' && child.type === JOIN.name && path !== '') {
      throw illegalArgument(`join field [${childPath}] cannot be added inside an object or in a multi-field`)
    }
    checkJoinPlaces(child, childPath)
  }
}
