import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { compileScript } from '../../script/compile/compile-script.ts'
import { inVersion, type ScriptContext } from '../../script/script-context.ts'
import { scriptValueOf } from '../../script/values/script-json.ts'
import { ScriptMap } from '../../script/values/script-map.ts'
import { doubleBox, type ScriptValue } from '../../script/values/script-value.ts'
import { compileBucketExpression } from '../../search/expression/expression-script.ts'
import { notSpoken } from '../../search/expression/not-spoken.ts'
import { findSpokenScript, type SearchScript } from '../../search/script/search-script.ts'
import { MOVING_FUNCTIONS_CLASS } from './moving-functions-class.ts'

/** Where scripts of pipelines run: over numbers of buckets, with no document in sight. */
const CONTEXTS = {
  bucket_aggregation: { name: 'bucket_aggregation', variables: { params: 'Map' }, returns: 'Number' },
  bucket_selector: { name: 'aggregation_selector', variables: { params: 'Map' }, returns: 'boolean' },
  moving_function: {
    name: 'moving-function',
    variables: { params: 'Map', values: 'double[]' },
    returns: 'double',
    classes: [MOVING_FUNCTIONS_CLASS],
  },
} as const satisfies Readonly<Record<string, ScriptContext>>

/**
 * Opens a script of a pipeline. Expressions are looked at when they are first run, as in the real server: over no buckets
 * nothing is wrong with them.
 *
 * @returns  runs it with variables beside the script's own parameters, which members of `params` shadow
 * @throws {ServiceError} script_exception, of the time when results are put together
 */
export function pipelineScript(
  script: SearchScript,
  name: keyof typeof CONTEXTS,
  engineVersion: EngineVersion,
): (params: ReadonlyMap<string, ScriptValue>, variables?: Readonly<Record<string, unknown>>) => unknown {
  const run = inReducePhase(() => scriptRun(script, name, engineVersion))
  let own: ScriptMap | undefined
  return (params, variables) =>
    inReducePhase(() => {
      own ??= scriptValueOf(script.params) as ScriptMap
      const all = new ScriptMap()
      for (const { entryKey, value } of own.entries()) all.put(entryKey, value)
      for (const [key, value] of params) all.put(key, value)
      return run(all, variables)
    })
}

function scriptRun(
  script: SearchScript,
  name: keyof typeof CONTEXTS,
  engineVersion: EngineVersion,
): (params: ScriptMap, variables?: Readonly<Record<string, unknown>>) => unknown {
  const context = inVersion(CONTEXTS[name], engineVersion)
  const { lang, text } = findSpokenScript(script, context)
  if (lang === 'painless') {
    const compiled = compileScript(text, context)
    return (params, variables) => compiled.run({ ...variables, params })
  }
  let compiled: ((params: ScriptMap) => number) | undefined
  return (params) => {
    if (name === 'moving_function') throw notSpoken(text, context.name)
    compiled ??= compileBucketExpression(text, context)
    const number = compiled(params)
    // A bucket is kept for a 1 alone.
    return name === 'bucket_selector' ? number === 1 : doubleBox(number)
  }
}

/** What goes wrong when the results of all indices are put together is no shard's failure. */
export function inReducePhase<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw error.with({ inReducePhase: true })
  }
}
