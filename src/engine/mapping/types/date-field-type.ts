import { faultOf, ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { createDateFormat, DEFAULT_DATE_FORMAT } from '../dates/create-date-format.ts'
import type { DateFormat } from '../dates/date-format.ts'
import { storableNanos } from '../dates/date-nanos.ts'
import { readLocale } from '../dates/read-locale.ts'
import type { DateField } from '../field-mapping.ts'
import { commonParameters, fieldBase, scalarText } from './common-parameters.ts'
import { type FieldType, parameterValue } from './field-type.ts'
import {
  booleanParameter,
  differentValues,
  type MappingScope,
  type Parameter,
  readText,
  refuseNull,
} from './parameter.ts'

/** `locale`: `de_DE`. */
export const LOCALE: Parameter = {
  name: 'locale',
  fallback: '',
  read: (value) => readLocale(readText(value)),
  conflict: differentValues('locale'),
}

/** The text of a `format`. @throws {ServiceError} illegal_argument_exception for none in 6.x */
export function formatText(value: unknown, { engineVersion }: MappingScope): string {
  const text = readText(value)
  if (typeof value === 'string' || engineVersion !== 'Elasticsearch_6.8') return text
  throw illegalArgument(`Invalid format: [${text}]: expected string value`)
}

/** `format` of dates; compiled once here, so that a mapping with a bad one is refused. */
export const FORMAT: Parameter = {
  name: 'format',
  fallback: DEFAULT_DATE_FORMAT,
  read: (value, scope) => {
    const pattern = formatText(value, scope)
    try {
      createDateFormat(pattern, scope.engineVersion)
    } catch (error) {
      if (!(error instanceof ServiceError) || scope.engineVersion === 'Elasticsearch_6.8') throw error
      throw illegalArgument(`Error parsing [format] on field [${scope.name}]: ${error.reason}`, error)
    }
    return pattern
  },
  conflict: differentValues('format'),
}

/** `print_format`: what values are shown in, where that is not the first of the formats they are read in. */
const PRINT_FORMAT: Parameter = {
  name: 'print_format',
  fallback: 'strict_date_optional_time',
  isOpenSearch: true,
  read: (value, scope) => {
    const pattern = readText(value)
    const fault = pattern === '' ? undefined : faultOf(() => createDateFormat(pattern, scope.engineVersion))
    if (fault === undefined) return pattern
    const invalid = illegalArgument(`Invalid print format: ${fault.reason}`, fault)
    throw illegalArgument(`Error parsing [format] on field [${scope.name}]: ${invalid.reason}`, invalid)
  },
}

/** A date, kept as milliseconds since 1970. */
export const DATE: FieldType = dateType('date')

/** A date from 1970 to 2262, kept as nanoseconds since 1970. */
export const DATE_NANOS: FieldType = { ...dateType('date_nanos'), isSince7: true }

function dateType(name: 'date' | 'date_nanos'): FieldType {
  const type: FieldType = {
    name,
    family: name,
    parameters: [
      ...commonParameters({ docValues: true }),
      booleanParameter('ignore_malformed', false, { explicit: true }),
      {
        name: 'null_value',
        fallback: undefined,
        read: (value) => {
          refuseNull(value, 'null_value')
          return readText(value)
        },
      },
      FORMAT,
      PRINT_FORMAT,
      LOCALE,
    ],
    build: (scope) => {
      const value = (name: string): unknown => parameterValue(type, scope.definition, name)
      const locale = value('locale') as string
      const format = printedAs(
        fieldDateFormat(value('format') as string, scope.engineVersion, locale),
        scope.definition.parameters.get('print_format') as string | undefined,
      )
      const ignoreMalformed =
        (scope.definition.parameters.get('ignore_malformed') as boolean | undefined) ??
        scope.settings['index.mapping.ignore_malformed'] === 'true'
      const nullText = value('null_value')
      const readsMillis = format.pattern === DEFAULT_DATE_FORMAT
      const inNanos = name === 'date_nanos'
      const read = (text: string): number | bigint =>
        inNanos ? storableNanos(format.parseNanos(text)) : format.parse(text)
      const parse = (json: unknown): number | bigint => {
        // A number of five digits and more is no year: the default format takes it for milliseconds.
        if (readsMillis && !inNanos && typeof json === 'number' && json >= 10_000 && Number.isSafeInteger(json))
          return json
        return read(scalarText(json))
      }
      let nullValue: number | bigint | undefined
      if (typeof nullText === 'string') {
        try {
          nullValue = read(nullText)
        } catch (error) {
          // A null value that is no date is found out when a null comes.
          if (!(error instanceof ServiceError)) throw error
        }
      }
      const field: DateField = {
        kind: 'date',
        nullValue,
        format,
        ignoreMalformed,
        locale,
        ...(inNanos ? { inNanos } : {}),
        ...fieldBase(type, scope),
      }
      return { field, parse }
    },
  }
  return type
}

/** A format that reads as it does and writes as another pattern; none: as its own first one. */
function printedAs(format: DateFormat, pattern: string | undefined): DateFormat {
  if (pattern === undefined || pattern === '') return format
  const { format: print, formatNanos } = format.like(pattern)
  return { ...format, format: print, formatNanos }
}

/** A compiled format in a locale as mappings write it (`de_DE`). */
export function fieldDateFormat(pattern: string, engineVersion: EngineVersion, locale: string): DateFormat {
  const tag = locale.replaceAll('_', '-')
  try {
    return createDateFormat(pattern, engineVersion, tag)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    // A locale the platform has never heard of reads as the root locale does.
    return createDateFormat(pattern, engineVersion)
  }
}
