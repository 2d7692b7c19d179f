import type { ValuesSourceConfig, ValueType } from '../../engine/aggregation/values-source.ts'
import { timeZone } from '../../engine/mapping/time-zone.ts'
import { ServiceError } from '../../errors.ts'
import type { JsonValue } from '../parse-json.ts'
import { type AggregationBody, illegalArgument } from './aggregation-body.ts'

const VALUE_TYPES: Readonly<Record<string, ValueType>> = {
  string: 'string',
  byte: 'long',
  short: 'long',
  integer: 'long',
  long: 'long',
  float: 'double',
  double: 'double',
  number: 'number',
  numeric: 'numeric',
  date: 'date',
  ip: 'ip',
  boolean: 'boolean',
  geo_point: 'geo_point',
}

/** Which of the members that aggregations of values share an aggregation takes. */
export interface ValuesSourceOptions {
  readonly formattable: boolean
  readonly timeZone: boolean
}

/**
 * Reads `field`, `missing`, `format`, `time_zone`, `value_type` and refuses `script`.
 *
 * @throws {ServiceError} when there is neither a field nor a script
 */
export function readValuesSource(
  body: AggregationBody,
  options: ValuesSourceOptions = { formattable: true, timeZone: false },
): ValuesSourceConfig {
  const { engineVersion } = body.context
  const field = body.string('field')
  const missing = body.raw('missing')
  const format = options.formattable ? body.string('format') : undefined
  const zone = options.timeZone ? body.read('time_zone', readTimeZone) : undefined
  const valueType = body.read('value_type', (value) => {
    const type = VALUE_TYPES[String(value)]
    if (type !== undefined) return type
    throw illegalArgument(
      engineVersion === 'Elasticsearch_6.8'
        ? `[valueType] must not be null: [${body.name}]`
        : `Unknown value type [${String(value)}]`,
    )
  })
  if (body.has('script')) throw scriptsDisabled()
  if (field === undefined) {
    throw engineVersion === 'Elasticsearch_6.8'
      ? new ServiceError(
          'illegal_state_exception',
          'value source config is invalid; must have either a field context or a script or marked as unwrapped',
          { inQueryPhase: true },
        )
      : illegalArgument('Required one of fields [field, script], but none were specified. ')
  }
  return {
    field,
    ...(missing === undefined ? {} : { missing }),
    ...(format === undefined ? {} : { format }),
    ...(zone === undefined ? {} : { timeZone: zone }),
    ...(valueType === undefined ? {} : { valueType }),
  }
}

/** Id of a zone that exists; a number counts hours. */
export function readTimeZone(value: JsonValue): string {
  const id = typeof value === 'number' ? hourOffset(value) : String(value)
  timeZone(id)
  return id
}

function hourOffset(hours: number): string {
  return `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`
}

/** What a domain answers that runs no scripts. */
export function scriptsDisabled(): ServiceError {
  return illegalArgument('cannot execute [inline] scripts')
}
