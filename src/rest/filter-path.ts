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
  const includes = filters.filter((f) => !f.startsWith('-')).map((f) => f.split('.'))
  const excludes = filters.filter((f) => f.startsWith('-')).map((f) => f.slice(1).split('.'))
  const nothing = Array.isArray(value) ? undefined : {}
  let out: Json | undefined = expandRaw(value)
  if (includes.length > 0) out = include(out, includes) ?? nothing
  if (excludes.length > 0 && out !== undefined) out = exclude(out, excludes) ?? nothing
  return out
}

/** Stored JSON is opened so that paths reach inside. */
function expandRaw(value: Json): Json {
  if (value instanceof RawJson) return readSource(value.text)
  if (isLeaf(value)) return value
  if (Array.isArray(value)) return (value as readonly Json[]).map(expandRaw)
  return Object.fromEntries(Object.entries(value as object).map(([k, v]) => [k, expandRaw(v as Json)]))
}

function include(value: Json, paths: readonly (readonly string[])[]): Json | undefined {
  if (Array.isArray(value)) {
    const kept = (value as readonly Json[]).map((v) => include(v, paths)).filter((v) => v !== undefined)
    return kept.length > 0 ? kept : undefined
  }
  if (isLeaf(value)) return undefined
  const out: Record<string, Json> = {}
  for (const [name, member] of Object.entries(value as Record<string, Json>)) {
    if (member === undefined) continue
    const { done, rest } = step(name, paths)
    const kept = done ? member : rest.length > 0 ? include(member, rest) : undefined
    if (kept !== undefined) out[name] = kept
  }
  return Object.keys(out).length > 0 ? out : undefined
}

/** What a path leads into is there once something in it is. */
function exclude(value: Json, paths: readonly (readonly string[])[]): Json | undefined {
  if (Array.isArray(value)) {
    const kept = (value as readonly Json[]).map((v) => exclude(v, paths)).filter((v) => v !== undefined)
    return kept.length > 0 ? kept : undefined
  }
  if (isLeaf(value)) return value
  const out: Record<string, Json> = {}
  for (const [name, member] of Object.entries(value as Record<string, Json>)) {
    if (member === undefined) continue
    const { done, rest } = step(name, paths)
    if (done) continue
    const kept = rest.length > 0 ? exclude(member, rest) : member
    if (kept !== undefined) out[name] = kept
  }
  return Object.keys(out).length > 0 ? out : undefined
}

/** Which paths a member satisfies, and what is left of those it begins. */
function step(name: string, paths: readonly (readonly string[])[]): { done: boolean; rest: (readonly string[])[] } {
  const rest: (readonly string[])[] = []
  let done = false
  for (const path of paths) {
    const [head, ...tail] = path
    if (head === undefined) continue
    if (head === '**' && tail.length === 0) done = true
    else if (head === '**') {
      rest.push(path)
      const inner = step(name, [tail])
      done ||= inner.done
      rest.push(...inner.rest)
    } else if (matches(head, name)) {
      if (tail.length === 0) done = true
      else rest.push(tail)
    }
  }
  return { done, rest }
}

function matches(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name
  const parts = pattern.split('*')
  let at = 0
  for (const [i, part] of parts.entries()) {
    if (i === 0) {
      if (!name.startsWith(part)) return false
      at = part.length
    } else if (i === parts.length - 1) return name.length - part.length >= at && name.endsWith(part)
    else {
      const found = name.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
  }
  return true
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
