import { matchWildcard } from '../match-wildcard.ts'
import { setOwn } from '../set-own.ts'
import { readSource } from './documents/source-filter.ts'
import { JavaDouble, JavaFloat, type Json, RawJson } from './json/json-writer.ts'

/**
 * Keeps what `filter_path` names: dotted paths with `*` (part of a name) and `**` (any depth), comma-separated, a leading
 * `-` leaving out.
 *
 * @returns undefined for a list of which nothing is left
 */
export function filterPath(value: Json, filter: string): Json | undefined {
  const filters = filter
    .split(',')
    .map((f) => f.trim())
    .filter((f) => f !== '')
  const includes = filters.filter((f) => !f.startsWith('-')).map(readPath)
  const excludes = filters.filter((f) => f.startsWith('-')).map((f) => readPath(f.slice(1)))
  const nothing = Array.isArray(value) ? undefined : {}
  let out: Json | undefined = expandRaw(value)
  if (includes.length > 0) out = filtered(out, new Paths(includes), true) ?? nothing
  if (excludes.length > 0 && out !== undefined) out = filtered(out, new Paths(excludes), false) ?? nothing
  return out
}

/** What is left of a path. */
interface Path {
  readonly head: string
  readonly tail: Path | undefined
}

function readPath(text: string): Path {
  const path = text.split('.').reduceRight<Path | undefined>((tail, head) => ({ head, tail }), undefined)
  return path as Path
}

/** Names of which it is remembered where they lead. */
const MOST_REMEMBERED = 1_000

/** Paths that lead on from one place; hits have the same names again and again, so where these lead is remembered. */
class Paths {
  readonly #paths: Iterable<Path>
  readonly #steps = new Map<string, Step>()

  constructor(paths: Iterable<Path>) {
    this.#paths = paths
  }

  /** Where a member leads. */
  step(name: string): Step {
    const known = this.#steps.get(name)
    if (known !== undefined) return known
    if (this.#steps.size >= MOST_REMEMBERED) this.#steps.clear()
    const step = this.#find(name)
    this.#steps.set(name, step)
    return step
  }

  #find(name: string): Step {
    // Every `**` goes on with what is behind it too: without a set, several of them would lead to the same place in ever more ways.
    const rest = new Set<Path>()
    const seen = new Set<Path>()
    let done = false
    for (const first of this.#paths) {
      let path: Path | undefined = first
      while (path !== undefined && !seen.has(path)) {
        seen.add(path)
        const { head, tail }: Path = path
        const isAnyDepth: boolean = head === '**'
        if (isAnyDepth || matchWildcard(head, name)) {
          if (tail === undefined) done = true
          else rest.add(isAnyDepth ? path : tail)
        }
        path = isAnyDepth ? tail : undefined
      }
    }
    return { done, rest: rest.size === 0 ? undefined : new Paths(rest) }
  }
}

/** Whether a member satisfies a path, and what is left of those it begins; undefined: nothing. */
interface Step {
  readonly done: boolean
  readonly rest: Paths | undefined
}

/** Stored JSON is opened so that paths reach inside. */
function expandRaw(value: Json): Json {
  if (value instanceof RawJson) return readSource(value.text)
  if (isLeaf(value)) return value
  if (Array.isArray(value)) return (value as readonly Json[]).map(expandRaw)
  return Object.fromEntries(Object.entries(value as object).map(([k, v]) => [k, expandRaw(v as Json)]))
}

/**
 * What is left of a value: of what no path leads to all or nothing; what a path leads into is there once something in it is.
 *
 * @param includes  whether what paths lead to is what is left
 */
function filtered(value: Json, paths: Paths, includes: boolean): Json | undefined {
  if (Array.isArray(value)) {
    const kept = (value as readonly Json[]).map((v) => filtered(v, paths, includes)).filter((v) => v !== undefined)
    return kept.length > 0 ? kept : undefined
  }
  if (isLeaf(value)) return includes ? undefined : value
  const out: Record<string, Json> = {}
  for (const [name, member] of Object.entries(value as Record<string, Json>)) {
    if (member === undefined) continue
    const { done, rest } = paths.step(name)
    const isMeant = done || rest === undefined
    const kept = isMeant ? (done === includes ? member : undefined) : filtered(member, rest, includes)
    if (kept !== undefined) setOwn(out, name, kept)
  }
  return Object.keys(out).length > 0 ? out : undefined
}

function isLeaf(value: Json): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    value instanceof RawJson ||
    value instanceof JavaFloat ||
    value instanceof JavaDouble
  )
}
