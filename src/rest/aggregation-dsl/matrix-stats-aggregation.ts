import type { MatrixStatsDefinition } from '../../engine/aggregation/matrix-stats-aggregator.ts'
import { type AggregationBody, illegalArgument } from './aggregation-body.ts'

const MODES = ['avg', 'min', 'max', 'sum', 'median'] as const

/** `matrix_stats`. */
export function parseMatrixStats(body: AggregationBody): MatrixStatsDefinition {
  const given = body.raw('fields')
  if (given === undefined) {
    throw illegalArgument('Required one of fields [fields], but none were specified. ')
  }
  const fields = (Array.isArray(given) ? given : [given]).map(String)
  const mode = body.read('mode', (value) => {
    const found = MODES.find((name) => name === String(value).toLowerCase())
    if (found === undefined) throw illegalArgument(`Unknown SortMode [${String(value)}]`)
    return found
  })
  return {
    kind: 'matrix_stats',
    fields: [...new Set(fields)],
    missing: body.object('missing') ?? {},
    mode: mode ?? 'avg',
  }
}
