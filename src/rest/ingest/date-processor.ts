import { createDateFormat } from '../../engine/mapping/create-date-format.ts'
import { timeZone } from '../../engine/mapping/time-zone.ts'
import { ServiceError } from '../../errors.ts'
import { textOf } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import type { FactoryContext, ProcessorFactory } from './processor.ts'
import { templateText } from './template-text.ts'

/** Reads a text as ms since 1970; a time without a zone is one of the zone given. */
type ReadDate = (text: string, zone: string) => number

/** `date`: a text as a time, in the first of several formats that takes it. */
export const date: ProcessorFactory = (config, context) => {
  const field = config.text('field')
  const target = config.text('target_field', '@timestamp')
  const zoneOf = templateText(config.text('timezone', 'UTC'))
  const locale = config.text('locale', 'en')
  const readers = config.list('formats').map((format) => reader(String(format), locale, context))
  return (document) => {
    const value = document.get(field)
    const text = value === null ? null : textOf(value)
    if (text === null) throw new IngestFault(`field [${field}] is null, cannot process it.`)
    let last: ServiceError | undefined
    for (const read of readers) {
      try {
        const zone = zoneOf(document)
        document.set(target, isoTime(read(text, zone), zone))
        return
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        last = error
      }
    }
    throw new IngestFault(`unable to parse date [${text}]`, 'illegal_argument_exception', last)
  }
}

function reader(format: string, locale: string, { engineVersion }: FactoryContext): ReadDate {
  switch (format) {
    case 'UNIX':
      return (text) => Math.trunc(Number(numeric(text)) * 1000)
    case 'UNIX_MS':
      return (text) => Math.trunc(Number(numeric(text)))
    case 'TAI64N':
      return tai64n
    default: {
      const pattern = format === 'ISO8601' ? 'date_optional_time' : format
      return (text, zone) => createDateFormat(pattern, engineVersion, locale).parse(text, { timeZone: zone })
    }
  }
}

function numeric(text: string): string {
  if (/^[+-]?\d+(?:\.\d+)?$/.test(text)) return text
  throw new ServiceError('number_format_exception', `For input string: "${text}"`)
}

/** `@4000…`: seconds since 1970 in hexadecimal, ten ahead, and nanoseconds. */
function tai64n(text: string): number {
  const digits = text.startsWith('@') ? text.slice(1) : text
  if (!/^[0-9a-fA-F]{24}$/.test(digits))
    throw new ServiceError('number_format_exception', `For input string: "${text}"`)
  const seconds = Number.parseInt(digits.slice(1, 16), 16)
  return (seconds - 10) * 1000 + Math.trunc(Number.parseInt(digits.slice(16), 16) / 1_000_000)
}

/** `2020-01-02T03:04:05.000Z`, or with the zone's distance. */
function isoTime(epoch: number, zone: string): string {
  const offset = timeZone(zone).offsetAt(epoch)
  const local = new Date(epoch + offset).toISOString().slice(0, -1)
  if (offset === 0) return `${local}Z`
  const two = (number: number): string => String(number).padStart(2, '0')
  const minutes = Math.abs(offset) / 60_000
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
