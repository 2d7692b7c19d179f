import { matchWildcard } from '../match-wildcard.ts'
import type { ClusterState } from './cluster-state.ts'

/** Whether an expression can only be read by the cluster: date math, or the index of another cluster. */
export function isBeyondNames(expression: string): boolean {
  return expression.startsWith('<') || expression.includes(':') || expression.startsWith('-<')
}

/**
 * The indices a list of names, aliases and patterns may touch: never fewer than the cluster finds, whatever options say of
 * hidden and closed ones. Of a data stream, and of an index behind one, it is both. Names that nothing has are left out.
 *
 * @param expressions  none: everything
 */
export function resolveNames(expressions: readonly string[], state: ClusterState): ReadonlySet<string> {
  const found = new Set<string>()
  // What is named outright stays, whatever is excluded.
  const named = new Set<string>()
  let sawPattern = expressions.length === 0
  // A leading exclusion has meant «all but» in some versions.
  if (sawPattern || expressions[0]?.startsWith('-')) for (const index of state.indices.keys()) found.add(index)
  for (const given of expressions) {
    if (isPattern(given) && given.startsWith('-') && sawPattern) exclude(given.slice(1), found, state)
    else if (isPattern(given)) {
      sawPattern = true
      include(given, found, state)
    } else if (given.startsWith('-') && sawPattern && !isKnown(given, state)) {
      // Excluding a stream leaves what is behind it.
      if (state.indices.get(given.slice(1))?.isStream !== true) found.delete(given.slice(1))
    }
    // A sign before a name is part of it or not, by version.
    for (const name of [given, given.replace(/^[-+]/, '')]) {
      if (!isPattern(name) && !(given.startsWith('-') && sawPattern && name !== given)) addNamed(name, named, state)
    }
  }
  for (const name of named) found.add(name)
  for (const name of [...found]) {
    const { stream, behind = [] } = state.indices.get(name) ?? {}
    if (stream !== undefined) found.add(stream)
    for (const index of behind) found.add(index)
  }
  return found
}

/** The data stream that an index of a name would stand behind, going by its form; undefined: none. */
export function streamOfBacking(index: string): string | undefined {
  return /^\.ds-(.+)-\d+$/s.exec(index)?.[1]
}

/** The indices that have aliases of these names, or of names that fit; all of them where it is not sure what is meant. */
export function indicesOfAliases(names: readonly string[], state: ClusterState): readonly string[] {
  const matchers = names.map(matcher)
  const isUnsure = names[0]?.startsWith('-') || names.some(isBeyondNames) || matchers.some((matches) => matches(''))
  if (isUnsure) return [...state.indices.keys()]
  return [...state.groups].flatMap(([alias, indices]) =>
    matchers.some((matches) => matches(alias)) ? [...indices] : [],
  )
}

function isPattern(expression: string): boolean {
  return expression === '_all' || expression.includes('*') || expression === ''
}

function isKnown(name: string, state: ClusterState): boolean {
  return state.indices.has(name) || state.groups.has(name)
}

function addNamed(name: string, into: Set<string>, state: ClusterState): void {
  if (state.indices.has(name)) into.add(name)
  for (const index of state.groups.get(name) ?? []) into.add(index)
}

function include(pattern: string, into: Set<string>, state: ClusterState): void {
  const matches = matcher(pattern)
  for (const name of state.indices.keys()) if (matches(name)) into.add(name)
  for (const [group, indices] of state.groups) {
    if (matches(group)) for (const index of indices) into.add(index)
  }
}

/** Hidden ones stay: whether a pattern means them depends on how it is written. */
function exclude(pattern: string, from: Set<string>, state: ClusterState): void {
  const matches = matcher(pattern)
  for (const name of from) {
    const index = state.indices.get(name)
    if (index?.isHidden === false && !index.isStream && matches(name)) from.delete(name)
  }
}

/** Tells names that fit an expression: a pattern, a sign before it or not, or one that stands for all. */
export function matcher(pattern: string): (name: string) => boolean {
  if (pattern === '_all' || pattern === '') return () => true
  const signless = pattern.replace(/^\+/, '')
  return (name) => matchWildcard(signless, name)
}
