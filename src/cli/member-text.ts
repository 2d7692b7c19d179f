import { objectMembers } from '../digest/raw-json.ts'

/** A member of a JSON object as it stands there, character for character; `null` when it has none of the name. */
export function memberText(json: string, name: string): string {
  const bytes = Buffer.from(json)
  const span = objectMembers(bytes, 0).get(name)
  return span === undefined ? 'null' : bytes.toString('utf8', span.start, span.end)
}
