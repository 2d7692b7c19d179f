import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineVersion } from '../../engine-version.ts'
import { createDateFormat } from './create-date-format.ts'

// How a real server prints dates; recorded by `node record-printed-dates.mjs URL FILE` in vectors/.

const { server, instants, printed } = JSON.parse(
  readFileSync(new URL('vectors/printed-dates-elasticsearch-6.8.json', import.meta.url), 'utf8'),
) as {
  readonly server: string
  readonly instants: readonly number[]
  readonly printed: Readonly<Record<string, readonly string[]>>
}

describe(`date formats print as ${server}`, () => {
  // The root locale of the recorded server's Java has neither full names nor AD.
  const byLocale = ['EEEE MMMM d', 'G yyyy']
  for (const [pattern, texts] of Object.entries(printed)) {
    it.skipIf(byLocale.includes(pattern))(pattern, () => {
      const format = createDateFormat(pattern)
      expect(instants.map((instant) => format.format(instant))).toEqual(texts)
    })
  }
})

describe('date formats', () => {
  it('print in a zone', () => {
    const format = createDateFormat('strict_date_optional_time')
    expect(format.format(1549190430123, 'Asia/Seoul')).toBe('2019-02-03T19:40:30.123+09:00')
    expect(format.format(1549190430123, 'America/New_York')).toBe('2019-02-03T05:40:30.123-05:00')
    expect(createDateFormat('yyyy-MM-dd HH').format(0, '-01:30')).toBe('1969-12-31 22')
  })
  it('read back what they print, where they print all of it', () => {
    for (const pattern of [
      'strict_date_optional_time',
      'date_time',
      'basic_date_time',
      'week_date_time',
      'ordinal_date_time',
      'epoch_millis',
    ]) {
      const format = createDateFormat(pattern)
      for (const instant of instants.filter((candidate) => candidate > -62135596800000)) {
        expect(format.parse(format.format(instant))).toBe(instant)
      }
    }
  })
  it('know the month names of a locale', () => {
    expect(createDateFormat('d MMMM yyyy', 'Elasticsearch_6.8', 'de').parse('3 März 2019')).toBe(Date.UTC(2019, 2, 3))
  })
  it('make longs of counts that are too much for them, as 6.x does', () => {
    const format = createDateFormat('epoch_millis')
    expect(['1e400', '-1e400', '1e-400', '1e20', '-9223372036854775809'].map((text) => format.parse(text))).toEqual([
      0,
      0,
      0,
      7766279631452242000,
      2 ** 63,
    ])
  })
  it('ignore where Date ends', () => {
    const format = createDateFormat('strict_date_optional_time||epoch_millis')
    expect(format.parse('100000000000000000')).toBe(1e17)
    expect(format.format(1e17)).toMatch(/^\d{7}-/)
  })
  it.each<EngineVersion>(['Elasticsearch_6.8', 'Elasticsearch_7.10', 'OpenSearch_2.19'])(
    'read days by a short way as by the long, %s',
    (version) => {
      const short = createDateFormat('yyyy-MM-dd', version)
      const long = createDateFormat("yyyy'-'MM'-'dd", version)
      const read = (format: typeof short, text: string, roundUp: boolean | undefined): number | undefined => {
        try {
          return format.parse(text, roundUp === undefined ? undefined : { roundUp })
        } catch {
          return undefined
        }
      }
      const number = (width: number, max: number) =>
        fc.oneof(
          fc.nat(max).map((n) => String(n).padStart(width, '0')),
          fc.string({ unit: fc.constantFrom(...'0123456789-+ Tx'), maxLength: width + 1 }),
        )
      fc.assert(
        fc.property(
          fc.tuple(number(4, 9999), number(2, 13), number(2, 32)),
          fc.constantFrom(undefined, true, false),
          (parts, roundUp) => {
            const text = parts.join('-')
            expect(read(short, text, roundUp)).toBe(read(long, text, roundUp))
          },
        ),
        { numRuns: 3000 },
      )
    },
  )
})
