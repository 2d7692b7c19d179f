import { createDateFormat } from '../../engine/mapping/dates/create-date-format.ts'
import { ServiceError } from '../../errors.ts'
import { noteDateFormat } from '../deprecation/date-format-deprecations.ts'
import { checkZone, dateReader, readDate } from './date-reader.ts'
import { textOf } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import type { ProcessorFactory } from './processor.ts'
import type { ProcessorConfig } from './processor-config.ts'
import { templateOf } from './template-text.ts'

/** `date_index_name`: sends a document to the index of its time, by a name that is worked out when it is written. */
export const dateIndexName: ProcessorFactory = (config, { engineVersion, deprecated }) => {
  const locale = config.optionalText('locale')
  const zone = knownZone(config, config.optionalText('timezone') ?? 'UTC')
  if (locale !== undefined) checkLocale(config, locale)
  const formats = config.optionalList('date_formats')?.map(String) ?? [
    engineVersion === 'Elasticsearch_6.8' ? "yyyy-MM-dd'T'HH:mm:ss.SSSZ" : "yyyy-MM-dd'T'HH:mm:ss.SSSXX",
  ]
  for (const format of formats) noteDateFormat(format, { note: deprecated })
  const readers = formats.map((format) => dateReader(format, engineVersion))
  const field = config.text('field')
  const prefix = templateOf(config, 'index_name_prefix', '')
  const rounding = templateOf(config, 'date_rounding')
  const nameFormat = templateOf(config, 'index_name_format', 'yyyy-MM-dd')
  return (document, run) => {
    const value = document.get(field)
    const epoch = readDate(
      value === null ? null : textOf(value),
      readers,
      () => zone,
      () => locale ?? 'en',
      engineVersion === 'Elasticsearch_6.8',
    )
    const format = nameFormat(document)
    if (run.deprecated !== undefined) noteDateFormat(format, { note: run.deprecated })
    // 6.8 writes the time in UTC whatever the zone is, which only says in what zone it is rounded.
    const written = engineVersion === 'Elasticsearch_6.8' ? 'UTC' : zone
    const time = inFormat(() => createDateFormat(format, engineVersion).format(epoch, written))
    document.set('_index', `<${prefix(document)}{${time}||/${rounding(document)}{${format}|${zone}}}>`)
    return undefined
  }
}

function knownZone(config: ProcessorConfig, zone: string): string {
  try {
    checkZone(zone, true)
    return zone
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw config.failure('illegal_argument_exception', 'java.lang.IllegalArgumentException', error.reason)
  }
}

function checkLocale(config: ProcessorConfig, locale: string): void {
  if (/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(locale)) return
  throw config.failure(
    'illegal_argument_exception',
    'java.lang.IllegalArgumentException',
    `Invalid language tag specified: ${locale}`,
  )
}

function inFormat(format: () => string): string {
  try {
    return format()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new IngestFault(error.reason, 'illegal_argument_exception', error.detail.cause)
  }
}
