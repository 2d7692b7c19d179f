import type { ScriptedMetricDefinition } from '../../engine/aggregation/metrics/scripted-metric-aggregator.ts'
import type { SearchScript } from '../../engine/search/script/search-script.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import { losslessParams, readScript } from '../query-dsl/read-script.ts'
import { type AggregationBody, parsingError } from './aggregation-body.ts'

const SCRIPTS = ['init_script', 'map_script', 'combine_script', 'reduce_script'] as const

/** `scripted_metric`. @throws {ServiceError} parsing_exception and those of scripts */
export function parseScriptedMetric(body: AggregationBody): ScriptedMetricDefinition {
  const is6 = body.context.engineVersion === 'Elasticsearch_6.8'
  if (is6) {
    const known = new Set<string>([...SCRIPTS, 'params'])
    for (const [name, value] of Object.entries(body.whole())) {
      if (known.has(name) && (isObject(value) || (typeof value === 'string' && name !== 'params'))) continue
      throw parsingError(
        known.has(name) || !(typeof value === 'string' || isObject(value))
          ? `Unexpected token ${tokenName(value)} in [${body.name}].`
          : `Unknown key for a ${tokenName(value)} in [${body.name}]: [${name}].`,
      )
    }
  }
  const script = (name: (typeof SCRIPTS)[number]): SearchScript | undefined => {
    const json = body.raw(name)
    return json === undefined ? undefined : readScript(json, body.context.queries)
  }
  const map = script('map_script')
  const init = script('init_script')
  const combine = script('combine_script')
  const reduce = script('reduce_script')
  const params = body.object('params') ?? {}
  if (map === undefined && is6) throw parsingError(`map_script field is required in [${body.name}].`)
  if (map === undefined) body.refuse(illegalArgument(`[mapScript] must not be null: [${body.name}]`))
  if (!is6) {
    const missing = combine === undefined ? 'combineScript' : reduce === undefined ? 'reduceScript' : undefined
    if (missing !== undefined)
      body.note('illegal_argument_exception', `[${missing}] must not be null: [${body.name}]`, true)
  }
  return { kind: 'scripted_metric', init, map: map as SearchScript, combine, reduce, params: losslessParams(params) }
}
