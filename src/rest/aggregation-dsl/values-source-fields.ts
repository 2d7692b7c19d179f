import type { ValuesSourceConfig, ValueType } from '../../engine/aggregation/values/values-source.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import type { SearchScript } from '../../engine/search/script/search-script.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { readTimeZone } from '../body/time-zone-id.ts'
import { readScript } from '../query-dsl/read-script.ts'
import type { AggregationBody, JsonObject } from './aggregation-body.ts'

const VALUE_TYPES: Readonly<Record<string, ValueType>> = {
  string: 'string',
  byte: 'long',
  short: 'long',
  integer: 'long',
  long: 'long',
  unsigned_long: 'long',
  float: 'double',
  double: 'double',
  number: 'number',
  numeric: 'numeric',
  date: 'date',
  ip: 'ip',
  boolean: 'boolean',
}

/** Those that came later than 6.8. */
const LATER_TYPES: Readonly<Record<string, readonly EngineVersion[]>> = {
  number: ['Elasticsearch_7.10', 'OpenSearch_2.19'],
  unsigned_long: ['OpenSearch_2.19'],
}

/** Aggregations that 6.x does not ask whether a value type is one of theirs. */
const OF_ANY_VALUES: ReadonlySet<string> = new Set(
  'cardinality diversified_sampler missing significant_terms terms value_count'.split(' '),
)

const VALUE_TYPE = 'org.elasticsearch.search.aggregations.support.ValueType'

const NO_VALUE_TYPE = `Cannot invoke "${VALUE_TYPE}.isNotA(${VALUE_TYPE})" because "valueType" is null`

/** Which of the members that aggregations of values share an aggregation takes. */
export interface ValuesSourceOptions {
  readonly formattable: boolean
  readonly timeZone: boolean
  /** Whether it may be absent: then the caller says what that means. */
  readonly optional?: boolean
  /** Whether `missing` may say what stands for no value; it may unless this is false. */
  readonly fillable?: boolean
  /** Whether a script may give the values; it may unless this is false. */
  readonly scriptable?: boolean
}

/**
 * Reads `field`, `missing`, `format`, `time_zone`, `value_type` and `script`.
 *
 * @throws {ServiceError} when there is neither a field nor a script; 6.x says so later
 */
export function readValuesSource(
  body: AggregationBody,
  options: ValuesSourceOptions = { formattable: true, timeZone: false },
): ValuesSourceConfig {
  const { engineVersion } = body.context
  const field = body.string('field')
  const isFillable = options.fillable !== false
  if (isFillable && body.isNull('missing'))
    throw body.failed('missing', illegalArgument(`[missing] must not be null: [${body.name}]`))
  const missing = isFillable ? body.raw('missing') : undefined
  if (typeof missing === 'object') throw body.wrongToken('missing', missing)
  const format = options.formattable ? body.string('format') : undefined
  const zone = options.timeZone
    ? body.scalar('time_zone', (zone) => readTimeZone(zone, engineVersion === 'Elasticsearch_6.8'))
    : undefined
  const valueTypeName = body.has('valueType') || body.isNull('valueType') ? 'valueType' : 'value_type'
  const valueType = body.text(valueTypeName, (name) => {
    const type = Object.hasOwn(VALUE_TYPES, name) ? VALUE_TYPES[name] : undefined
    if (type !== undefined && LATER_TYPES[name]?.includes(engineVersion) !== false) return type
    if (!body.isLegacy) throw illegalArgument(`Unknown value type [${name}]`)
    if (OF_ANY_VALUES.has(body.type)) throw illegalArgument(`[valueType] must not be null: [${body.name}]`)
    throw new ServiceError('null_pointer_exception', NO_VALUE_TYPE)
  })
  const script = options.scriptable === false ? undefined : readValueScript(body)
  if (field === undefined && script === undefined && !options.optional) {
    const reason = 'value source config is invalid; must have either a field context or a script or marked as unwrapped'
    if (engineVersion === 'Elasticsearch_6.8') body.note('illegal_state_exception', reason, true)
    else {
      const fields = options.scriptable === false ? 'field' : 'field, script'
      body.refuse(illegalArgument(`Required one of fields [${fields}], but none were specified. `))
    }
  }
  return {
    field,
    ...(missing === undefined ? {} : { missing }),
    ...(format === undefined ? {} : { format }),
    ...(zone === undefined ? {} : { timeZone: zone }),
    ...(valueType === undefined ? {} : { valueType }),
    ...(script === undefined ? {} : { script }),
  }
}

/** The settings of one of several fields. @throws {ServiceError} x_content_parse_exception, illegal_argument_exception */
export function readFieldConfig(
  outer: AggregationBody,
  json: JsonObject,
  options: ValuesSourceOptions,
): ValuesSourceConfig {
  const body = outer.part(json, 'field_config')
  const read = readValuesSource(body, { ...options, optional: true })
  // An empty name is none.
  const source = read.field === '' ? { ...read, field: undefined } : read
  body.end()
  if ((source.field === undefined) !== (source.script === undefined)) return source
  const fault = source.field === undefined ? 'be null.' : 'be configured.'
  throw illegalArgument(`[field] and [script] cannot both ${fault}  Please specify one or the other.`)
}

/** `script`. @throws {ServiceError} x_content_parse_exception, illegal_argument_exception */
export function readValueScript(body: AggregationBody): SearchScript | undefined {
  if (body.isNull('script')) throw body.wrongToken('script', null)
  const json = body.raw('script')
  if (json === undefined) return undefined
  if (typeof json !== 'string' && !isObject(json)) throw body.wrongToken('script', json)
  return body.read('script', (value) => readScript(value, body.context.queries))
}
