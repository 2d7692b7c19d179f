import type { JsonValue } from '../body/parse-json.ts'
import { type Json, RawJson } from '../json/json-writer.ts'
import { writeQuery } from '../query-dsl/write-query.ts'

/** A query with everything that it leaves to defaults, as the real server tells it; as it is where it is of an odd kind. */
export function fullQuery(json: JsonValue): Json {
  const written = writeQuery(json)
  return written === undefined ? (json as Json) : new RawJson(Buffer.from(written))
}
