import { exactJson } from '../body/exact-json.ts'
import { type JsonValue, parseJson } from '../body/parse-json.ts'
import type { Value } from '../ingest/ingest-document.ts'
import { hashOrdered } from '../json/hash-ordered.ts'
import { writeJson } from '../json/json-writer.ts'
import { printable } from '../json/printable-json.ts'
import type { EndpointRequest } from '../rest-request.ts'

/**
 * A search's body as the real servers read it within calls by query: they have it as a map, and write that anew before they parse
 * it. Which of several faults is found first, and where, is that text's matter.
 */
export function rewrittenBody(
  { places }: EndpointRequest,
  json: { readonly [name: string]: JsonValue },
): { readonly [name: string]: JsonValue } {
  const text = writeJson(printable(hashOrdered(exactJson(json) as Value)))
  const anew = parseJson(text)
  places?.note(text, anew)
  return anew as { readonly [name: string]: JsonValue }
}
