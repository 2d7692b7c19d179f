import type { KeywordField } from '../field-mapping.ts'

/** The join field of an index: the names its documents bear, and how those are related. */
export interface JoinField {
  /** Its column holds a document's name. */
  readonly field: KeywordField
  /** By a parent's name: its children's names, and the field that holds the parents' ids. */
  readonly parents: ReadonlyMap<string, JoinParent>
}

/** Documents of one name that others are children of. */
export interface JoinParent {
  readonly name: string
  readonly children: readonly string[]
  /** Holds a parent's own id and, in its children, the id of their parent. */
  readonly idField: KeywordField
}

/** The parent that documents of a name are children of; undefined: there is none. */
export function joinParentOf(join: JoinField, child: string): JoinParent | undefined {
  for (const parent of join.parents.values()) if (parent.children.includes(child)) return parent
  return undefined
}
