import type { DateInterval } from '../../engine/aggregation/buckets/date-rounding.ts'
import type { MovingAverageModel } from '../../engine/aggregation/pipelines/moving-average-model.ts'
import { DERIVATIVE_UNIT } from '../../engine/aggregation/pipelines/parent-pipeline.ts'
import type {
  BucketScriptPipeline,
  BucketSortPipeline,
  BucketsPath,
  GapPolicy,
  MovingAveragePipeline,
  ParentPipeline,
  SiblingPipeline,
} from '../../engine/aggregation/pipelines/pipeline-definition.ts'
import { javaDouble } from '../../engine/java/java-number-text.ts'
import { javaText } from '../../engine/mapping/java-text.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import type { SearchScript } from '../../engine/search/script/search-script.ts'
import type { SortKey } from '../../engine/search/search-request.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { tokenText } from '../body/token-text.ts'
import { readScript } from '../query-dsl/read-script.ts'
import { type AggregationBody, type JsonObject, parsingError, readDouble } from './aggregation-body.ts'
import { parseBucketsPath } from './buckets-path.ts'
import { calendarUnit } from './histogram-aggregations.ts'
import { readValueScript } from './values-source-fields.ts'

/** `avg_bucket`, `sum_bucket`, … */
export function parseSibling(kind: SiblingPipeline['kind']): (body: AggregationBody) => SiblingPipeline {
  const isExtended = kind === 'extended_stats_bucket'
  const isPercentiles = kind === 'percentiles_bucket'
  return (body) => {
    body.checkTokens(
      {
        VALUE_STRING: ['buckets_path', 'format', 'gap_policy'],
        START_ARRAY: isPercentiles ? ['buckets_path', 'percents'] : ['buckets_path'],
        VALUE_NUMBER: isExtended ? ['sigma'] : [],
        VALUE_BOOLEAN: isPercentiles && !body.isLegacy ? ['keyed'] : [],
      },
      (field, token) => `Unexpected token ${token} [${field}] in [${body.name}]`,
    )
    const path = pathOfTokens(body, '')
    const percents = isPercentiles ? body.array('percents')?.map(readDouble) : undefined
    for (const percent of percents ?? []) {
      if (percent >= 0 && percent <= 100) continue
      throw illegalArgument('[percents] must only contain non-null doubles from 0.0-100.0 inclusive')
    }
    const sigma = isExtended ? body.number('sigma') : undefined
    if (sigma !== undefined && sigma < 0) throw illegalArgument('sigma must be a non-negative double')
    return {
      kind,
      path,
      ...formatAndGaps(body),
      sigma: sigma ?? 2,
      percents: percents ?? [1, 5, 25, 50, 75, 95, 99],
      keyed: body.boolean('keyed') ?? true,
    }
  }
}

const PARENT = {
  format: undefined,
  gapPolicy: 'skip',
  lag: 1,
  unit: undefined,
  window: 0,
  shift: 0,
  script: undefined,
} as const

/** `derivative`. */
export function parseDerivative(body: AggregationBody): ParentPipeline {
  body.checkTokens({ VALUE_STRING: ['buckets_path', 'format', 'gap_policy', 'unit'], START_ARRAY: ['buckets_path'] })
  const path = pathOfTokens(body, 'derivative ')
  return { ...PARENT, kind: 'derivative', path, ...formatAndGaps(body), unit: readUnit(body) }
}

/** `cumulative_sum`. */
export function parseCumulativeSum(body: AggregationBody): ParentPipeline {
  if (body.isLegacy) body.checkTokens({ VALUE_STRING: ['buckets_path', 'format'], START_ARRAY: ['buckets_path'] })
  const path = body.isLegacy ? pathOfTokens(body, 'derivative ') : onePath(body)
  return { ...PARENT, kind: 'cumulative_sum', path, format: body.string('format') }
}

/** `serial_diff`. */
export function parseSerialDifference(body: AggregationBody): ParentPipeline {
  body.checkTokens({
    VALUE_STRING: ['buckets_path', 'format', 'gap_policy'],
    VALUE_NUMBER: ['lag'],
    START_ARRAY: ['buckets_path'],
  })
  const lag = body.plainInteger('lag')
  if (lag !== undefined && lag <= 0) {
    throw body.at(
      'lag',
      parsingError(`Lag must be a positive, non-zero integer.  Value supplied was${lag} in [${body.name}]: [lag].`),
    )
  }
  const path = pathOfTokens(body, 'derivative ')
  return { ...PARENT, kind: 'serial_diff', path, ...formatAndGaps(body), lag: lag ?? 1 }
}

/** `moving_fn`. */
export function parseMovingFunction(body: AggregationBody): ParentPipeline {
  const path = body.text('buckets_path', (text) => parseBucketsPath(text, body.isLegacy))
  const window = body.integer('window')
  const shift = body.isLegacy ? 0 : (body.integer('shift') ?? 0)
  const script = readValueScript(body)
  const format = body.text('format', (pattern) => {
    if (pattern !== '') return pattern
    throw illegalArgument('[format] must not be null or an empty string.')
  })
  const gapPolicy = constructedGapPolicy(body)
  const fields = ['buckets_path', 'script', 'window']
  body.require(fields)
  body.build(fields, () => {
    if (window !== undefined && window <= 0) throw illegalArgument('[window] must be a positive, non-zero integer.')
  })
  return {
    ...PARENT,
    kind: 'moving_fn',
    path: path as BucketsPath,
    window: window as number,
    shift,
    script,
    format,
    gapPolicy,
  }
}

/** Buckets that a prediction may add, which no limit of buckets counts: as many as a search may have by default. */
const MOST_PREDICTED = 65_535

/** `moving_avg`. */
export function parseMovingAverage(body: AggregationBody): MovingAveragePipeline {
  body.checkTokens({
    VALUE_STRING: ['buckets_path', 'format', 'gap_policy', 'model'],
    VALUE_NUMBER: ['window', 'predict'],
    VALUE_BOOLEAN: ['minimize'],
    START_ARRAY: ['buckets_path'],
    START_OBJECT: ['settings'],
  })
  const positive = (field: string, range: string, shown: (given: number) => string): number | undefined => {
    const number = body.plainInteger(field)
    if (number === undefined || number > 0) return number
    const reason = `[${field}] value must be a ${range} integer.  Value supplied was [${shown(number)}] in [${body.name}].`
    throw body.at(field, parsingError(reason))
  }
  const window = positive('window', 'positive, non-zero', () => 'null') ?? 5
  const predict = positive('predict', 'positive', String) ?? 0
  if (predict > MOST_PREDICTED)
    throw illegalArgument(`[predict] may be at most [${MOST_PREDICTED}] but was [${predict}]`)
  const path = pathOfTokens(body, 'movingAvg ')
  const name = body.string('model')
  const settings = body.object('settings') ?? {}
  // Without a model nobody looks at its settings.
  const model = body.allRead(() =>
    ofSettings(name, () => readModel(name ?? 'simple', name === undefined ? {} : settings, window, body.isLegacy)),
  )
  const minimize = body.boolean('minimize') ?? model.kind === 'holt_winters'
  return { kind: 'moving_avg', path, ...formatAndGaps(body), window, predict, minimize, model }
}

function readModel(name: string, settings: JsonObject, window: number, is6: boolean): MovingAverageModel {
  // What is null is none of the settings that a model takes out.
  const given = new Map(Object.entries(settings))
  const take = <T>(field: string, what: string, read: (value: JsonValue) => T | undefined): T | undefined => {
    const value = given.get(field) ?? null
    if (value === null) return undefined
    given.delete(field)
    const found = read(value)
    if (found !== undefined) return found
    throw badSettings(`Parameter [${field}] must be ${what}, type \`${classOf(value)}\` provided instead`)
  }
  const share = (field: string, fallback: number): number => {
    const number = take(field, 'a double', numberOf)
    if (number === undefined || (number >= 0 && number <= 1)) return number ?? fallback
    throw badSettings(`Parameter [${field}] must be between 0-1 inclusive.  Providedvalue was [${javaDouble(number)}]`)
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
        const [alpha, beta, gamma] = [share('alpha', 0.3), share('beta', 0.1), share('gamma', 0.3)]
        const length = take('period', 'an integer', intOf) ?? 1
        const type = take('type', 'a String', (value) => (typeof value === 'string' ? value : undefined))
        if (type !== undefined && type !== 'add' && type !== 'mult')
          throw new ServiceError(
            'parse_exception',
            `failed to parse seasonality type [${type}]. accepted values are [[add, mult]]`,
          )
        const multiplicative = type === 'mult'
        const pad = take('pad', 'a boolean', (value) => (typeof value === 'boolean' ? value : undefined))
        if (window < Math.imul(2, length)) {
          const reason = `Field [window] must be at least twice as large as the period when using Holt-Winters.  Value provided was [${window}], which is less than (2*period) == ${Math.imul(2, length)}`
          throw is6 ? badSettings(reason) : illegalArgument(reason)
        }
        return { kind: name, alpha, beta, gamma, period: length, multiplicative, pad: pad ?? multiplicative }
      }
    }
    throw parsingError(`no [moving_avg_model] registered for [${name}]`)
  }
  const model = read()
  if (given.size > 0) throw badSettings(`Unrecognized parameter(s): [[${[...given.keys()].join(', ')}]]`)
  return model
}

const numberOf = (value: JsonValue): number | undefined =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined

/** What Java calls the class of a setting. */
function classOf(value: JsonValue): string {
  switch (tokenName(value)) {
    case 'START_ARRAY':
      return 'ArrayList'
    case 'START_OBJECT':
      return 'HashMap'
    case 'VALUE_BOOLEAN':
      return 'Boolean'
    case 'VALUE_STRING':
      return 'String'
    default:
      if (!isWhole(value)) return 'Double'
      return fitsIn(32, value) ? 'Integer' : fitsIn(64, value) ? 'Long' : 'BigInteger'
  }
}

const isWhole = (value: JsonValue): value is number | bigint => typeof value === 'bigint' || Number.isInteger(value)

const fitsIn = (bits: number, value: number | bigint): boolean => BigInt.asIntN(bits, BigInt(value)) === BigInt(value)

/** A number as Java's `intValue` has it. */
const intOf = (value: JsonValue): number | undefined =>
  isWhole(value)
    ? Number(BigInt.asIntN(32, BigInt(value)))
    : typeof value === 'number'
      ? Math.max(-2147483648, Math.min(2147483647, Math.trunc(value)))
      : undefined

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
  const sort = body.objects('sort', (json) => body.context.parseSort(json).map((key) => bucketSortKey(key, body))) ?? []
  const from = body.integer('from', (number) => {
    if (number < 0) throw illegalArgument(`[from] must be a non-negative integer: [${number}]`)
    return number
  })
  const size = body.integer('size', (number) => {
    if (number <= 0) throw illegalArgument(`[size] must be a positive integer: [${number}]`)
    return number
  })
  const gapPolicy = constructedGapPolicy(body)
  return { kind: 'bucket_sort', sort, from: from ?? 0, size, gapPolicy, format: undefined }
}

/** @throws {ServiceError} illegal_argument_exception for a key that is no field */
function bucketSortKey(key: SortKey, body: AggregationBody): BucketSortPipeline['sort'][number] {
  if (key.kind === 'field') return { path: parseBucketsPath(key.field, body.isLegacy), ascending: key.order === 'asc' }
  if (key.kind === 'doc') return { path: parseBucketsPath('_doc', body.isLegacy), ascending: key.order === 'asc' }
  throw illegalArgument(`[${body.type}] only supports field based sorting; incompatible sort: [${key.kind}]`)
}

/** `bucket_script` and `bucket_selector`. */
export function parseBucketScriptPipeline(
  kind: BucketScriptPipeline['kind'],
): (body: AggregationBody) => BucketScriptPipeline {
  return (body) => {
    const isScript = kind === 'bucket_script'
    const { paths, script, gapPolicy } = isScript && !body.isLegacy ? constructedFrom(body) : takenFrom(body, isScript)
    const format = isScript ? body.string('format') : undefined
    return { kind, paths, script, format, gapPolicy }
  }
}

type Scripted = Pick<BucketScriptPipeline, 'paths' | 'script' | 'gapPolicy'>

/** Paths and a script as `bucket_script` reads them from 7 on. */
function constructedFrom(body: AggregationBody): Scripted {
  const paths = body.ofTokens('buckets_path', ['VALUE_STRING', 'START_OBJECT', 'START_ARRAY'], (value) =>
    namedPaths(value, tokenText, body.isLegacy),
  )
  const script = readValueScript(body)
  const gapPolicy = constructedGapPolicy(body)
  body.require(['buckets_path', 'script'])
  return { paths: paths as Scripted['paths'], script: script as SearchScript, gapPolicy }
}

/** Paths and a script as parsers of the old kind read them. */
function takenFrom(body: AggregationBody, isScript: boolean): Scripted {
  const texts = ['buckets_path', 'script', 'gap_policy']
  body.checkTokens({
    VALUE_STRING: isScript ? [...texts, 'format'] : texts,
    START_ARRAY: ['buckets_path'],
    START_OBJECT: ['buckets_path', 'script'],
  })
  const given = body.raw('buckets_path')
  const json = body.raw('script')
  const shown = isScript ? 'series_arithmetic ' : 'bucket_selector '
  if (given === undefined) throw missingField(body, 'buckets_path', shown)
  if (json === undefined) throw missingField(body, 'script', shown)
  const paths = namedPaths(given, isObject(given) ? javaText : tokenText, body.isLegacy)
  return { paths, script: readScript(json, body.context.queries), gapPolicy: gapPolicyOf(body) }
}

function namedPaths(given: JsonValue, read: (path: JsonValue) => string, isInSix: boolean): Scripted['paths'] {
  const entries: [string, JsonValue][] =
    typeof given === 'string'
      ? [['_value', given]]
      : Array.isArray(given)
        ? given.map((path, i) => [`_value${i}`, path])
        : Object.entries(given as JsonObject)
  return entries.map(([name, path]) => ({ name, path: parseBucketsPath(read(path), isInSix) }))
}

function formatAndGaps(body: AggregationBody): { readonly format: string | undefined; readonly gapPolicy: GapPolicy } {
  return { format: body.string('format'), gapPolicy: gapPolicyOf(body) }
}

function gapPolicyOf(body: AggregationBody): GapPolicy {
  const name = body.string('gap_policy')
  return name === undefined ? 'skip' : readGapPolicy(body, name)
}

function constructedGapPolicy(body: AggregationBody): GapPolicy {
  return body.text('gap_policy', (name) => readGapPolicy(body, name)) ?? 'skip'
}

function readGapPolicy(body: AggregationBody, text: string): GapPolicy {
  const name = text.toLowerCase()
  if (name === 'skip' || name === 'insert_zeros') return name
  throw body.at('gap_policy', parsingError(`Invalid gap policy: [${text}], accepted values: [insert_zeros, skip]`))
}

/** The path of a parser of the old kind. @param shown  what the parser calls the aggregation, and a space */
function pathOfTokens(body: AggregationBody, shown: string): BucketsPath {
  const given = body.raw('buckets_path')
  if (given === undefined) throw missingField(body, 'buckets_path', shown)
  const [path] = Array.isArray(given) ? given.map(tokenText) : [given as string]
  if (path !== undefined) return parseBucketsPath(path, body.isLegacy)
  throw new ServiceError('array_index_out_of_bounds_exception', 'Index 0 out of bounds for length 0')
}

/** The path of a parser that takes several: that there is one is looked at when pipelines are put in order. */
function onePath(body: AggregationBody): BucketsPath {
  const paths = body.strings('buckets_path')
  body.require(['buckets_path'])
  const [path, ...others] = (paths ?? []).map((text) => parseBucketsPath(text, body.isLegacy))
  if (path !== undefined && others.length === 0) return path
  const fault = illegalArgument(`buckets_path must contain a single entry for aggregation [${body.name}]`)
  return { text: '', names: [], metric: undefined, fault }
}

function missingField(body: AggregationBody, field: string, shown: string): ServiceError {
  return body.atEnd(parsingError(`Missing required field [${field}] for ${shown}aggregation [${body.name}]`))
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
