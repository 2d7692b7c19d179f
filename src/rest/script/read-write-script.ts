import type { EngineVersion } from '../../engine/engine-version.ts'
import type { FindStoredScript, SearchScript } from '../../engine/search/script/search-script.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { Warnings } from '../deprecation/warnings.ts'
import { readScript } from '../query-dsl/read-script.ts'

/**
 * Reads the `script` of a write.
 *
 * @param find      finds stored scripts, when the script is compiled
 * @param warnings  of the request whose script it is; absent: nobody is told what of it is deprecated
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception
 */
export function readWriteScript(
  json: JsonValue,
  engineVersion: EngineVersion,
  find: FindStoredScript,
  warnings?: Warnings | undefined,
): SearchScript {
  return readScript(json, {
    engineVersion,
    unknownQuery: (name) => name,
    lookup: { document: () => undefined, mapping: () => undefined, script: find, index: '' },
    ...(warnings === undefined ? {} : { warnings }),
  })
}
