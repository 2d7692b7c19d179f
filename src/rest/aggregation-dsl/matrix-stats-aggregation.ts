import type { MatrixStatsDefinition } from '../../engine/aggregation/metrics/matrix-stats-aggregator.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { tokenText } from '../body/token-text.ts'
import { type AggregationBody, parsingError } from './aggregation-body.ts'

const MODES = ['avg', 'min', 'max', 'sum', 'median'] as const

/** Members that other aggregations of values have. */
const NO_SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  VALUE_STRING: ['value_type', 'valueType', 'script'],
  START_OBJECT: ['script'],
}

/** `matrix_stats`. */
export function parseMatrixStats(body: AggregationBody): MatrixStatsDefinition {
  body.checkTokens(
    { VALUE_STRING: ['fields', 'mode', 'format'], START_ARRAY: ['fields'], START_OBJECT: ['missing'] },
    (field, token) => {
      const unexpected = `Unexpected token ${token} [${field}] in [${body.name}].`
      return NO_SCRIPTS[token]?.includes(field)
        ? `${unexpected} Multi-field aggregations do not support scripts.`
        : unexpected
    },
  )
  body.string('format')
  const given = body.raw('fields') ?? []
  const fields = (Array.isArray(given) ? given : [given]).map((field: JsonValue, i) => {
    if (typeof field === 'string') return field
    const reason = `Unexpected token ${tokenName(field)} [fields] in [${body.name}].`
    throw parsingError(reason).at(given as readonly JsonValue[], i)
  })
  const missing = Object.entries(body.object('missing') ?? {}).filter(([, value]) => value !== null)
  for (const [, value] of missing) tokenText(value)
  const mode = body.string('mode')
  const found = MODES.find((name) => name === (mode ?? 'avg').toLowerCase())
  if (found === undefined) throw illegalArgument(`Illegal sort mode: ${mode}`)
  const standIns = new Map(missing)
  const sources = [...new Set(fields)].map((field) =>
    standIns.has(field) ? { field, missing: standIns.get(field) } : { field },
  )
  return { kind: 'matrix_stats', sources, mode: found }
}
