import { createDateFormat } from '../../engine/mapping/create-date-format.ts'
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
  const output = engineVersion === 'Elasticsearch_6.8' ? undefined : outputFormat(config)
  return (document, run) => {
    for (const noted of deprecated) run.deprecated?.(...noted)
    const value = document.get(field)
    const text = value === null ? null : textOf(value)
    const zone = (): string => zoneOf(document)
    const epoch = readDate(text, readers, zone, () => localeOf(document))
    document.set(
      target,
      output === undefined ? isoTime(epoch, zone()) : createDateFormat(output, engineVersion).format(epoch, zone()),
    )
    return undefined
  }
}

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
    )
  }
}
