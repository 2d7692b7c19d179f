import { parametersOf } from '../../engine/aggregation/bucket-expression.ts'
import type { DateInterval } from '../../engine/aggregation/date-rounding.ts'
import type { MovingAverageModel } from '../../engine/aggregation/moving-average-model.ts'
import { DERIVATIVE_UNIT } from '../../engine/aggregation/parent-pipeline.ts'
import type {
  BucketScriptPipeline,
  BucketSortPipeline,
  BucketsPath,
  GapPolicy,
  MovingAveragePipeline,
  ParentPipeline,
  SiblingPipeline,
} from '../../engine/aggregation/pipeline-definition.ts'
import { javaDouble } from '../../engine/java-number-text.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../parse-json.ts'
import { readScript } from '../query-dsl/read-script.ts'
import { type AggregationBody, illegalArgument, parsingError, readDouble, readInteger } from './aggregation-body.ts'
import { notComputable, readExpression } from './bucket-script.ts'
import { parseBucketsPath } from './buckets-path.ts'
import { calendarUnit } from './histogram-aggregations.ts'
import { readValueScript } from './values-source-fields.ts'

/** `avg_bucket`, `sum_bucket`, … */
export function parseSibling(kind: SiblingPipeline['kind']): (body: AggregationBody) => SiblingPipeline {
  return (body) => {
    const path = onePath(body)
    const percents = kind === 'percentiles_bucket' ? body.array('percents')?.map(readDouble) : undefined
    for (const percent of percents ?? []) {
      if (percent >= 0 && percent <= 100) continue
      throw illegalArgument('[percents] must only contain non-null doubles from 0.0-100.0 inclusive')
    }
    const sigma = kind === 'extended_stats_bucket' ? body.number('sigma') : undefined
    if (sigma !== undefined && sigma < 0) throw illegalArgument('[sigma] must be a non-negative double')
    return {
      kind,
      path,
      ...formatAndGaps(body),
      sigma: sigma ?? 2,
      percents: percents ?? [1, 5, 25, 50, 75, 95, 99],
      keyed: kind === 'percentiles_bucket' ? readKeyed(body) : true,
    }
  }
}

/** Whether percentiles are an object (7.x). */
function readKeyed(body: AggregationBody): boolean {
  if (body.context.engineVersion !== 'Elasticsearch_6.8') return body.boolean('keyed') ?? true
  const value = body.raw('keyed')
  if (value === undefined) return true
  throw body.at('keyed', parsingError(`Unexpected token ${tokenName(value)} [keyed] in [${body.name}]`))
}

/** `derivative`, `cumulative_sum`, `cumulative_cardinality`, `serial_diff`. */
export function parseParent(
  kind: 'derivative' | 'cumulative_sum' | 'cumulative_cardinality' | 'serial_diff',
): (body: AggregationBody) => ParentPipeline {
  return (body) => {
    const path = onePath(body)
    const lag = kind === 'serial_diff' ? body.integer('lag') : undefined
    if (lag !== undefined && lag <= 0) {
      throw body.at(
        'lag',
        parsingError(`Lag must be a positive, non-zero integer.  Value supplied was${lag} in [${body.name}]: [lag].`),
      )
    }
    const unit = kind === 'derivative' ? readUnit(body) : undefined
    const rest =
      kind === 'derivative' || kind === 'serial_diff'
        ? formatAndGaps(body)
        : { format: body.string('format'), gapPolicy: 'skip' as const }
    return { kind, path, ...rest, lag: lag ?? 1, unit, window: 0, shift: 0, script: undefined }
  }
}

/** `moving_fn`. */
export function parseMovingFunction(body: AggregationBody): ParentPipeline {
  const path = onePath(body)
  const window = body.integer('window')
  if (window === undefined) throw illegalArgument('Required [window]')
  if (window <= 0) throw illegalArgument('[window] must be a positive, non-zero integer.')
  const shift = body.context.engineVersion === 'Elasticsearch_6.8' ? 0 : (body.integer('shift') ?? 0)
  const script = readValueScript(body)
  if (script === undefined) throw illegalArgument('Required [script]')
  return { kind: 'moving_fn', path, ...formatAndGaps(body), lag: 1, unit: undefined, window, shift, script }
}

/** `moving_avg`. */
export function parseMovingAverage(body: AggregationBody): MovingAveragePipeline {
  const path = onePath(body)
  const positive = (field: string): number | undefined => {
    const number = body.integer(field)
    if (number === undefined || number > 0) return number
    throw body.at(
      field,
      parsingError(
        `[${field}] value must be a positive, non-zero integer.  Value supplied was [null] in [${body.name}].`,
      ),
    )
  }
  const window = positive('window') ?? 5
  const predict = positive('predict') ?? 0
  const name = body.string('model')
  const settings = body.object('settings') ?? {}
  const is6 = body.context.engineVersion === 'Elasticsearch_6.8'
  // Without a model nobody looks at its settings.
  checkSeasonality(settings['type'], name)
  const model = body.allRead(() =>
    ofSettings(name, () => readModel(name ?? 'simple', name === undefined ? {} : settings, window, is6)),
  )
  const minimize = body.boolean('minimize') ?? false
  if (minimize) throw illegalArgument('[minimize] of [moving_avg] is not supported by this domain')
  return { kind: 'moving_avg', path, ...formatAndGaps(body), window, predict, minimize, model }
}

function readModel(
  name: string,
  settings: { readonly [name: string]: JsonValue },
  window: number,
  is6: boolean,
): MovingAverageModel {
  const known = new Set<string>()
  const share = (field: string, fallback: number): number => {
    known.add(field)
    const value = settings[field]
    if (value === undefined) return fallback
    const number = Number(value)
    if (typeof value === 'number' && number >= 0 && number <= 1) return number
    const reason =
      typeof value === 'string'
        ? 'a double, type `String` provided instead'
        : `between 0-1 inclusive.  Providedvalue was [${javaDouble(number)}]`
    throw badSettings(`Parameter [${field}] must be ${reason}`)
  }
  const read = (): MovingAverageModel => {
    switch (name) {
      case 'simple':
      case 'linear':
        return { kind: name }
      case 'ewma':
        return { kind: name, alpha: share('alpha', 0.3) }
      case 'holt':
        return { kind: name, alpha: share('alpha', 0.3), beta: share('beta', 0.1) }
      case 'holt_winters': {
        for (const field of ['period', 'type', 'pad']) known.add(field)
        const { period, type, pad } = settings
        const length = period === undefined ? 1 : readInteger(period)
        const multiplicative = type === 'mult'
        if (window < 2 * length) {
          const reason = `Field [window] must be at least twice as large as the period when using Holt-Winters.  Value provided was [${window}], which is less than (2*period) == ${2 * length}`
          throw is6 ? badSettings(reason) : illegalArgument(reason)
        }
        return {
          kind: name,
          alpha: share('alpha', 0.3),
          beta: share('beta', 0.1),
          gamma: share('gamma', 0.3),
          period: length,
          multiplicative,
          pad: pad === undefined ? multiplicative : pad === true,
        }
      }
    }
    throw parsingError(`no [moving_avg_model] registered for [${name}]`)
  }
  const model = read()
  const unknown = Object.keys(settings).filter((field) => !known.has(field))
  if (unknown.length > 0) throw badSettings(`Unrecognized parameter(s): [[${unknown.join(', ')}]]`)
  return model
}

function checkSeasonality(type: JsonValue | undefined, model: string | undefined): void {
  if (model !== 'holt_winters' || type === undefined || ['add', 'mult'].includes(String(type))) return
  const reason = `failed to parse seasonality type [${String(type)}]. accepted values are [[add, mult]]`
  throw new ServiceError('parse_exception', reason)
}

const badSettings = (reason: string): ServiceError => new ServiceError('parse_exception', reason, { isJava: true })

/** What else is wrong with a model's settings is the cause of one error. */
function ofSettings<T>(model: string | undefined, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof ServiceError) || !cause.detail.isJava) throw cause
    const reason = `Could not parse settings for model [${model}].`
    throw new ServiceError('parsing_exception', reason, { cause })
  }
}

/** `bucket_sort`. */
export function parseBucketSort(body: AggregationBody): BucketSortPipeline {
  const list = body.raw('sort')
  const sort = (list === undefined ? [] : Array.isArray(list) ? list : [list]).flatMap((json) => {
    if (!isObject(json)) return [{ path: parseBucketsPath(String(json)), ascending: true }]
    return Object.entries(json).map(([path, options]) => {
      const order = isObject(options) ? options['order'] : options
      return { path: parseBucketsPath(path), ascending: order === undefined || String(order).toLowerCase() === 'asc' }
    })
  })
  const from = body.integer('from') ?? 0
  if (from < 0) throw illegalArgument(`[from] must be a non-negative integer: [${from}]`)
  const size = body.integer('size')
  if (size !== undefined && size <= 0) throw illegalArgument(`[size] must be a positive integer: [${size}]`)
  const gapPolicy = readGapPolicy(body)
  return { kind: 'bucket_sort', sort, from, size, gapPolicy, format: undefined }
}

/** `bucket_script` and `bucket_selector`. */
export function parseBucketScriptPipeline(
  kind: BucketScriptPipeline['kind'],
): (body: AggregationBody) => BucketScriptPipeline {
  return (body) => {
    const given = body.raw('buckets_path')
    if (given === undefined) throw missingPath(body)
    const entries: [string, JsonValue][] =
      typeof given === 'string'
        ? [['_value', given]]
        : Array.isArray(given)
          ? given.map((path, i) => [`_value${i}`, path])
          : isObject(given)
            ? Object.entries(given)
            : []
    const paths = entries.map(([name, path]) => ({ name, path: parseBucketsPath(String(path)) }))
    const json = body.raw('script')
    const is6 = body.context.engineVersion === 'Elasticsearch_6.8'
    if (json === undefined) {
      const shown = kind === 'bucket_script' && is6 ? 'series_arithmetic' : kind
      throw body.atEnd(parsingError(`Missing required field [script] for ${shown} aggregation [${body.name}]`))
    }
    if (typeof json !== 'string' && !isObject(json)) {
      throw body.at('script', parsingError(`Unexpected token ${tokenName(json)} in [${body.name}].`))
    }
    const script = readScript(json, body.context.queries)
    const expression = readExpression(script)
    for (const name of expression === undefined ? [] : parametersOf(expression)) {
      if (!paths.some((path) => path.name === name)) throw notComputable(name)
    }
    const format = kind === 'bucket_script' ? body.string('format') : undefined
    return { kind, paths, script, expression, format, gapPolicy: readGapPolicy(body) }
  }
}

function formatAndGaps(body: AggregationBody): { readonly format: string | undefined; readonly gapPolicy: GapPolicy } {
  return { format: body.string('format'), gapPolicy: readGapPolicy(body) }
}

function readGapPolicy(body: AggregationBody): GapPolicy {
  const given = body.raw('gap_policy')
  if (given === undefined) return 'skip'
  const name = String(given).toLowerCase()
  if (name === 'skip' || name === 'insert_zeros') return name
  throw body.at(
    'gap_policy',
    parsingError(`Invalid gap policy: [${String(given)}], accepted values: [insert_zeros, skip]`),
  )
}

function onePath(body: AggregationBody): BucketsPath {
  const given = body.raw('buckets_path')
  const path = Array.isArray(given) && given.length === 1 ? given[0] : given
  if (path === undefined) throw missingPath(body)
  if (typeof path !== 'string')
    throw illegalArgument(`[buckets_path] must contain a single entry for aggregation [${body.name}]`)
  return parseBucketsPath(path)
}

function missingPath(body: AggregationBody): ServiceError {
  return body.atEnd(parsingError(`Missing required field [buckets_path] for aggregation [${body.name}]`))
}

function readUnit(body: AggregationBody): DateInterval | string | undefined {
  const text = body.string('unit')
  if (text === undefined) return undefined
  const unit = calendarUnit(text)
  if (unit !== undefined) return { kind: 'calendar', unit }
  try {
    return { kind: 'fixed', millis: parseTimeMs(text, DERIVATIVE_UNIT) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return text
  }
}
