import type { JsonValue } from '../parse-json.ts'
import { type IngestDocument, isMap, textOf, type Value, type ValueMap } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'

/** A text with places for a document's values: `{{field}}`, `{{{field}}}`, `{{_ingest.timestamp}}`. */
export type TemplateText = (document: IngestDocument) => string

const PLACE = /\{\{\{\s*([^{}]+?)\s*\}\}\}|\{\{\s*&?\s*([^{}]+?)\s*\}\}/g

/** Reads a template. Values stand in it as they are: nothing is escaped. */
export function templateText(text: string): TemplateText {
  if (!text.includes('{{')) return () => text
  return (document) =>
    text.replace(PLACE, (_, triple: string | undefined, double: string | undefined) =>
      shown(document, (triple ?? double) as string),
    )
}

function shown(document: IngestDocument, path: string): string {
  try {
    const value = document.get(path)
    return value === null ? '' : textOf(value)
  } catch (error) {
    if (error instanceof IngestFault) return ''
    throw error
  }
}

/** A value with templates at any depth. */
export function templateValue(json: JsonValue): (document: IngestDocument) => Value {
  if (typeof json === 'string') return templateText(json)
  if (Array.isArray(json)) {
    const parts = json.map(templateValue)
    return (document) => parts.map((part) => part(document))
  }
  if (isMap(json)) {
    const parts = Object.entries(json as { readonly [name: string]: JsonValue }).map(
      ([key, member]) => [templateText(key), templateValue(member)] as const,
    )
    return (document) => Object.fromEntries(parts.map(([key, part]) => [key(document), part(document)])) as ValueMap
  }
  return () => json as Value
}
