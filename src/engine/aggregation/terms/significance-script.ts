import type { EngineVersion } from '../../engine-version.ts'
import { compileScript } from '../../script/compile/compile-script.ts'
import { inVersion, type ScriptContext } from '../../script/script-context.ts'
import { paramsMap } from '../../script/values/script-json.ts'
import { inQueryPhase } from '../../search/query-phase.ts'
import { findScript, type SearchScript } from '../../search/script/search-script.ts'
import type { TermFrequencies } from './significance-heuristic.ts'

const CONTEXT: ScriptContext = { name: 'script_heuristic', variables: { params: 'Map' }, returns: 'double' }

/**
 * How a script scores terms, by the counts among its `params`. (In the real servers these are numbers of a kind that a
 * script cannot answer as they are; here they are Integers, as which those reckon.)
 *
 * @throws {ServiceError} script_exception
 */
export function scriptedSignificance(
  script: SearchScript,
  engineVersion: EngineVersion,
): (frequencies: TermFrequencies) => number {
  const context = inVersion(CONTEXT, engineVersion)
  return inQueryPhase(() => {
    const compiled = compileScript(findScript(script, context), context)
    const params = paramsMap(script.params)
    return ({ subsetFreq, subsetSize, supersetFreq, supersetSize }) => {
      params.put('_subset_freq', subsetFreq)
      params.put('_subset_size', subsetSize)
      params.put('_superset_freq', supersetFreq)
      params.put('_superset_size', supersetSize)
      return inQueryPhase(() => compiled.run({ params }) as number)
    }
  })
}
