import { matchWildcard } from '../../match-wildcard.ts'
import { setOwn } from '../../set-own.ts'
import type { EngineVersion } from '../engine-version.ts'

/** Which parts of a source are meant: paths with `*`, an object's path standing for all in it. */
export interface SourceParts {
  /** Empty: all. */
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

/** A parsed source with the parts that are meant; objects of classes (numbers as they were written) count as values. */
export function partsOfSource(source: unknown, parts: SourceParts, version: EngineVersion): unknown {
  if (parts.includes.length === 0 && parts.excludes.length === 0) return source
  return partsOf(source, '', { keepsEmptyLists: version !== 'Elasticsearch_6.8', ...parts }) ?? {}
}

/** Whether a member of a source, or anything in it, may be among the parts that are meant. */
export function mayHoldParts(name: string, parts: SourceParts): boolean {
  if (excluded(name, parts)) return false
  // In a member without a name paths begin anew.
  return name === '' || included(name, parts) || parts.includes.some((pattern) => mayMatchFrom(pattern, `${name}.`))
}

interface MeantParts extends SourceParts {
  /** True: a list that is meant stays where nothing is left of it. */
  readonly keepsEmptyLists: boolean
}

function partsOf(value: unknown, path: string, parts: MeantParts): unknown {
  if (Array.isArray(value)) {
    // A list that was looked through holds no empty objects and lists, even where they were so before.
    return value
      .map((member) => partsOf(member, path, parts))
      .filter((member) => member !== undefined && !isEmpty(member))
  }
  if (!isPlainObject(value)) return included(path, parts) && !excluded(path, parts) ? value : undefined
  const out: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const inner = path === '' ? name : `${path}.${name}`
    if (excluded(inner, parts)) continue
    if (included(inner, parts) && !mayExcludeInside(inner, parts)) {
      setOwn(out, name, member)
      continue
    }
    if (Array.isArray(member) || isPlainObject(member)) {
      const kept = partsOf(member, inner, included(inner, parts) ? { ...parts, includes: [] } : parts)
      const staysEmpty = included(inner, parts) && (parts.keepsEmptyLists || !Array.isArray(kept))
      if (kept !== undefined && (staysEmpty || !isEmpty(kept))) setOwn(out, name, kept)
    } else if (included(inner, parts)) setOwn(out, name, member)
  }
  return Object.keys(out).length > 0 || path === '' || parts.includes.length === 0 ? out : undefined
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value) as unknown
  return prototype === Object.prototype || prototype === null
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isPlainObject(value) && Object.keys(value).length === 0

function included(path: string, { includes }: SourceParts): boolean {
  if (includes.length === 0) return true
  return includes.some((p) => matchWildcard(p, path) || matchWildcard(`${p}.*`, path))
}

function excluded(path: string, { excludes }: SourceParts): boolean {
  return excludes.some((p) => matchWildcard(p, path) || matchWildcard(`${p}.*`, path))
}

function mayExcludeInside(path: string, { excludes }: SourceParts): boolean {
  return excludes.some((pattern) => mayMatchFrom(pattern, `${path}.`))
}

/** Whether a pattern with `*` matches some text that begins so and goes on. */
function mayMatchFrom(pattern: string, beginning: string): boolean {
  let places = withSkippedStars(pattern, [0])
  for (const character of beginning) {
    const next = places.flatMap((at) => (pattern[at] === '*' ? [at] : pattern[at] === character ? [at + 1] : []))
    places = withSkippedStars(pattern, next)
  }
  return places.some((at) => at < pattern.length)
}

/** Places in a pattern, with those behind the stars that may stand for nothing. */
function withSkippedStars(pattern: string, places: readonly number[]): readonly number[] {
  const all = new Set(places)
  for (const at of all) if (pattern[at] === '*') all.add(at + 1)
  return [...all]
}
