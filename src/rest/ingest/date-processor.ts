import { createDateFormat } from '../../engine/mapping/dates/create-date-format.ts'
import { readLocale } from '../../engine/mapping/dates/read-locale.ts'
import { ServiceError } from '../../errors.ts'
import { noteDateFormat } from '../deprecation/date-format-deprecations.ts'
import type { Warnings } from '../deprecation/warnings.ts'
import { dateReader, isoTime, readDate } from './date-reader.ts'
import { textOf } from './ingest-document.ts'
import type { ProcessorFactory } from './processor.ts'
import type { ProcessorConfig } from './processor-config.ts'
import { templateOf } from './template-text.ts'

/** `date`: a text as a time, in one of several formats. */
export const date: ProcessorFactory = (config, { engineVersion }) => {
  const field = config.text('field')
  const target = config.text('target_field', '@timestamp')
  const zoneOf = templateOf(config, 'timezone', 'UTC')
  const localeOf = templateOf(config, 'locale', '')
  const formats = config
    .list('formats')
    .map((format) => config.castToText(format, 'String.hashCode()" because "<local1>"'))
  const readers = formats.map((format) => dateReader(format, engineVersion))
  // What is said of them, once: documents may be many.
  const deprecated: Parameters<Warnings['note']>[] = []
  for (const format of formats) noteDateFormat(format, { note: (...noted) => deprecated.push(noted) })
  const isOld = engineVersion === 'Elasticsearch_6.8'
  const output = isOld ? undefined : outputFormat(config)
  const written = (epoch: number, zone: string): string => {
    // Later versions write years of an era.
    const pattern = output ?? (isOld || (epoch >= FIRST_OF_ERA && epoch < FIVE_DIGITS) ? undefined : ISO)
    return pattern === undefined ? isoTime(epoch, zone) : createDateFormat(pattern, engineVersion).format(epoch, zone)
  }
  return (document, run) => {
    const value = document.get(field)
    for (const noted of deprecated) run.deprecated?.(...noted)
    const text = value === null ? null : textOf(value)
    const zone = (): string => zoneOf(document)
    const locale = (): string => {
      const named = localeOf(document)
      // One that there is not is found out by a document, and fails it.
      readLocale(named)
      return named
    }
    const epoch = readDate(text, readers, zone, locale, isOld)
    document.set(target, written(epoch, zone()))
    return undefined
  }
}

const ISO = "yyyy-MM-dd'T'HH:mm:ss.SSSXXX"
/** The second day of the year 1, and the last but one of 9999: whatever the zone, what is between has four digits. */
const FIRST_OF_ERA = Date.parse('0001-01-02T00:00Z')
const FIVE_DIGITS = Date.parse('9999-12-30T00:00Z')

/** The pattern times are written in; undefined: none is asked for. */
function outputFormat(config: ProcessorConfig): string | undefined {
  const pattern = config.optionalText('output_format')
  if (pattern === undefined) return undefined
  try {
    createDateFormat(pattern, 'OpenSearch_2.19')
    return pattern
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw config.failure(
      'illegal_argument_exception',
      'java.lang.IllegalArgumentException',
      `invalid output format [${pattern}]`,
      error,
    )
  }
}
