import type { Definition, ObjectDefinition } from './mapping-definition.ts'

/**
 * A root without the `include_in_root` of nested objects that are in the root by their parents already, as 6.x keeps mappings.
 * Plain objects lead nowhere, though what is in them is in the root as well.
 */
export function withoutRedundantIncludes(object: ObjectDefinition, isInRoot = true): ObjectDefinition {
  let children: Map<string, Definition> | undefined
  for (const [name, child] of object.children) {
    if (child.kind !== 'object') continue
    const isByParent = isInRoot && child.nested && child.includeInParent
    const isByItself = child.nested && child.includeInRoot
    const own = isByParent && isByItself ? { ...child, includeInRoot: false } : child
    const made = withoutRedundantIncludes(own, isByParent || isByItself)
    if (made === child) continue
    children ??= new Map(object.children)
    children.set(name, made)
  }
  return children === undefined ? object : { ...object, children }
}
