import { isMap, textOf, type Value, type ValueMap } from '../ingest/ingest-document.ts'
import { writeJson } from '../json/json-writer.ts'
import { printable } from '../json/printable-json.ts'
import { MustacheError, type MustachePart } from './mustache-template.ts'

/** How values are written into a template's text. */
export type MustacheEncoder = (text: string) => string

/** Ways to write values by the media type that a template's options name. */
export const MUSTACHE_ENCODERS: Readonly<Record<string, MustacheEncoder>> = {
  'application/json; charset=UTF-8': escapeJson,
  'application/json': escapeJson,
  'text/plain': (text) => text,
  'application/x-www-form-urlencoded': escapeUrl,
}

/** Parts that are written at most: lists within lists multiply them. */
const MAX_PARTS = 5_000_000

interface Run {
  readonly encode: MustacheEncoder
  /** Parts that may still be written. */
  left: number
}

/**
 * Fills a template in.
 *
 * @param scopes  where names are looked up, the last first
 * @throws {MustacheError} for an element that a list does not have
 */
export function renderMustache(
  parts: readonly MustachePart[],
  scopes: readonly ValueMap[],
  encode: MustacheEncoder,
): string {
  return renderAll(parts, scopes, { encode, left: MAX_PARTS })
}

function renderAll(parts: readonly MustachePart[], scopes: readonly Value[], run: Run): string {
  let text = ''
  for (const part of parts) text += renderPart(part, scopes, run)
  return text
}

function renderPart(part: MustachePart, scopes: readonly Value[], run: Run): string {
  if (--run.left < 0)
    throw new MustacheError(`the template has more than ${MAX_PARTS} parts once its lists are written out`)
  switch (part.kind) {
    case 'text':
      return part.text
    case 'value': {
      const value = lookUp(part.name, scopes)
      if (value === null) return ''
      return part.escaped ? run.encode(shownText(value)) : shownText(value)
    }
    case 'section':
      return renderSection(lookUp(part.name, scopes), part.parts, scopes, run)
    case 'inverted':
      return isFalsy(lookUp(part.name, scopes)) ? renderAll(part.parts, scopes, run) : ''
    case 'block':
      return renderAll(part.parts, scopes, run)
    case 'url':
      return escapeUrl(renderAll(part.parts, scopes, run))
    case 'toJson': {
      const value = lookUp(part.name, scopes)
      if (value === null) return ''
      // A value by itself is written as it is, without the quotes of a text.
      return Array.isArray(value) || isMap(value) ? writeJson(printable(value)) : textOf(value)
    }
    case 'join': {
      const value = lookUp(part.name, scopes)
      if (!Array.isArray(value)) return renderAll(part.parts, scopes, run)
      if (value.includes(null)) throw new MustacheError('an element of a list to be joined is null')
      return value.map(textOf).join(part.delimiter)
    }
  }
}

function renderSection(value: Value, parts: readonly MustachePart[], scopes: readonly Value[], run: Run): string {
  if (isFalsy(value)) return ''
  if (value === true) return renderAll(parts, scopes, run)
  if (!Array.isArray(value)) return renderAll(parts, [...scopes, value], run)
  return value.map((element) => renderAll(parts, [...scopes, element], run)).join('')
}

function isFalsy(value: Value): boolean {
  return value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0)
}

/** What a name stands for: its first part in the innermost scope that has it, the others inside that. */
function lookUp(name: string, scopes: readonly Value[]): Value {
  if (name === '.') return scopes[scopes.length - 1] ?? null
  const [first = '', ...rest] = name.split('.')
  for (let i = scopes.length - 1; i >= 0; i--) {
    const found = member(scopes[i] as Value, first, name)
    if (found === undefined) continue
    let at: Value = found
    for (const key of rest) at = member(at, key, name) ?? null
    return at
  }
  return null
}

function member(value: Value, key: string, name: string): Value | undefined {
  if (isMap(value)) return Object.hasOwn(value, key) ? (value[key] as Value) : undefined
  if (!Array.isArray(value)) return undefined
  if (key === 'size') return value.length
  if (!/^[+-]?\d+$/.test(key)) return undefined
  const element = value[Number(key)]
  if (element === undefined) throw new MustacheError(`Failed to get value for ${name} @[query-template:1]`)
  return element
}

/** A value as text: a list shows as the map of its positions that mustache sees it as. */
function shownText(value: Value): string {
  return Array.isArray(value) ? `{${value.map((element, i) => `${i}=${textOf(element)}`).join(', ')}}` : textOf(value)
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function escapeJson(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to be escaped.
  return text.replace(/["\\\u0000-\u001f]/g, (c) => {
    const hex = c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    return SHORT[c] ?? `\\u${hex}`
  })
}

/** Halves of characters, which Java writes as a question mark. */
const LONE_SURROGATE = /\p{Surrogate}/gu

/** As `java.net.URLEncoder` does: a blank is `+`, and `*` stays. */
function escapeUrl(text: string): string {
  return encodeURIComponent(text.replace(LONE_SURROGATE, '?'))
    .replace(/[!'()~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}
