import type { EngineVersion } from '../../engine/engine-version.ts'
import type { FindStoredScript, SearchScript } from '../../engine/search/script/search-script.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readScript } from '../query-dsl/read-script.ts'

/**
 * Reads the `script` of a write.
 *
 * @param find  finds stored scripts, when the script is compiled
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception
 */
export function readWriteScript(json: JsonValue, engineVersion: EngineVersion, find: FindStoredScript): SearchScript {
  return readScript(json, {
    engineVersion,
    unknownQuery: (name) => name,
    lookup: { document: () => undefined, mapping: () => undefined, script: find, index: '' },
  })
}
