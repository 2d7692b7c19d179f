import { Glob } from './glob.ts'

/** Looks up a condition key by its lower-cased name; undefined when the request has none. */
export type ContextLookup = (key: string) => readonly string[] | undefined

type Part =
  | { readonly kind: 'text'; readonly text: string; readonly literal: boolean }
  | { readonly kind: 'variable'; readonly key: string; readonly fallback: string | undefined }

/** A policy text that may hold variables: `${aws:username}`, `${aws:username, 'guest'}`, and `${*}`, `${?}`, `${$}` for the characters themselves. */
export class PolicyText {
  readonly source: string
  readonly #parts: readonly Part[]
  readonly #fixed: Glob | undefined

  /**
   * @param variables  false for version 2008-10-17, which knows none
   * @throws {Error} for a `${` without its `}`
   */
  constructor(source: string, variables: boolean) {
    this.source = source
    this.#parts = variables ? parse(source) : [{ kind: 'text', text: source, literal: false }]
    this.#fixed = this.hasVariables ? undefined : Glob.fromParts(this.#parts as (Part & { kind: 'text' })[])
  }

  get hasVariables(): boolean {
    return this.#parts.some((part) => part.kind === 'variable')
  }

  /** As a pattern; values of variables hold no wildcards. Undefined when a variable without a default has no value. */
  glob(lookup: ContextLookup): Glob | undefined {
    if (this.#fixed !== undefined) return this.#fixed
    const parts: { text: string; literal: boolean }[] = []
    for (const part of this.#parts) {
      if (part.kind === 'text') parts.push(part)
      else {
        const value = variableValue(part, lookup)
        if (value === undefined) return undefined
        parts.push({ text: value, literal: true })
      }
    }
    return Glob.fromParts(parts)
  }

  /** As plain text, wildcards being characters like others. Undefined as above. */
  text(lookup: ContextLookup): string | undefined {
    let text = ''
    for (const part of this.#parts) {
      const value = part.kind === 'text' ? part.text : variableValue(part, lookup)
      if (value === undefined) return undefined
      text += value
    }
    return text
  }
}

function variableValue(part: Part & { kind: 'variable' }, lookup: ContextLookup): string | undefined {
  const values = lookup(part.key)
  // A key with several values has no single one to put in.
  return values?.length === 1 ? values[0] : part.fallback
}

function parse(source: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (;;) {
    const start = source.indexOf('${', at)
    if (start < 0) break
    const end = source.indexOf('}', start)
    if (end < 0) throw new Error('a policy variable lacks its closing brace')
    if (start > at) parts.push({ kind: 'text', text: source.slice(at, start), literal: false })
    const inner = source.slice(start + 2, end)
    if (inner === '*' || inner === '?' || inner === '$') parts.push({ kind: 'text', text: inner, literal: true })
    else {
      const match = /^\s*([^\s,']+)\s*(?:,\s*'([^']*)'\s*)?$/.exec(inner)
      if (match === null) throw new Error(`\${${inner}} is no policy variable`)
      parts.push({ kind: 'variable', key: (match[1] as string).toLowerCase(), fallback: match[2] })
    }
    at = end + 1
  }
  if (at < source.length || parts.length === 0) parts.push({ kind: 'text', text: source.slice(at), literal: false })
  return parts
}
