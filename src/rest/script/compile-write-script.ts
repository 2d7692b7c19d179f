import type { EngineVersion } from '../../engine/engine-version.ts'
import { type CompiledScript, compileScript } from '../../engine/script/compile/compile-script.ts'
import { inVersion, type ScriptContext } from '../../engine/script/script-context.ts'
import { fixedParams, paramsMap } from '../../engine/script/values/script-json.ts'
import type { ScriptMap } from '../../engine/script/values/script-map.ts'
import { UPDATE_CONTEXT } from '../../engine/script/write-contexts.ts'
import { findScript, type SearchScript } from '../../engine/search/script/search-script.ts'

/** A script of a write, ready to run. */
export interface WriteScript {
  readonly compiled: CompiledScript
  /** Parameters of one run. */
  readonly params: () => ScriptMap
}

/**
 * Compiles a script for a place.
 *
 * @throws {ServiceError} script_exception, resource_not_found_exception, illegal_argument_exception
 */
export function compileWriteScript(
  script: SearchScript,
  context: ScriptContext,
  engineVersion: EngineVersion,
): WriteScript {
  const versioned = inVersion(context, engineVersion)
  const compiled = compileScript(findScript(script, versioned), versioned)
  // 6.8 puts the document beside the parameters of an update, and lets them be changed.
  const params = engineVersion === 'Elasticsearch_6.8' && context === UPDATE_CONTEXT ? paramsMap : fixedParams
  return { compiled, params: () => params(script.params) }
}
