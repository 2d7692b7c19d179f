import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../errors.ts'
import { createDateFormat } from './create-date-format.ts'
import { parseDateMath } from './date-math.ts'

// What range queries of a real server made of date expressions; recorded by `node record-dates.mjs URL FILE` in vectors/.

interface Answer {
  readonly format: string
  readonly text: string
  readonly zone?: string
  readonly down: number | string
  readonly up: number | string
}

const { server, answers } = JSON.parse(
  readFileSync(new URL('vectors/dates-elasticsearch-6.8.json', import.meta.url), 'utf8'),
) as { readonly server: string; readonly answers: readonly Answer[] }

const JAVA_NAMES: Readonly<Record<string, string>> = {
  illegal_argument_exception: 'IllegalArgumentException',
  illegal_field_value_exception: 'IllegalFieldValueException',
}

function evaluate({ format, text, zone }: Answer, roundUp: boolean): number | string {
  try {
    return parseDateMath(text, createDateFormat(format), { now: Date.UTC(2020, 0, 1), roundUp, timeZone: zone })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { cause } = error.detail
    return `[${error.reason}]${cause === undefined ? '' : `; nested: ${JAVA_NAMES[cause.type] ?? cause.type}[${cause.reason}]`}`
  }
}

describe(`date math as ${server}`, () => {
  for (const answer of answers) {
    const { format, text, zone, down, up } = answer
    it(`reads ${text} in ${format}${zone === undefined ? '' : ` at ${zone}`}`, () => {
      for (const [expected, roundUp] of [
        [down, false],
        [up, true],
      ] as const) {
        const ours = evaluate(answer, roundUp)
        if (typeof expected === 'number' || typeof ours === 'number') expect(ours).toBe(expected)
        else expect(`${ours};; `.slice(0, 150)).toBe(`${expected.split(';; ')[0]};; `.slice(0, 150))
      }
    })
  }
})

describe('now', () => {
  const now = Date.UTC(2019, 4, 15, 10, 20, 30, 400)
  const format = createDateFormat('strict_date_optional_time||epoch_millis')
  const at = (text: string, roundUp = false, timeZone?: string): string =>
    new Date(parseDateMath(text, format, { now, roundUp, timeZone })).toISOString()

  it('is the instant it is told', () => {
    expect(at('now')).toBe('2019-05-15T10:20:30.400Z')
  })
  it('is added to and rounded, down and up', () => {
    expect(at('now-1d/d')).toBe('2019-05-14T00:00:00.000Z')
    expect(at('now/M', true)).toBe('2019-05-31T23:59:59.999Z')
    expect(at('now+1y-3M/w')).toBe('2020-02-10T00:00:00.000Z')
  })
  it('is rounded by the calendar of a zone', () => {
    expect(at('now/d', false, 'Asia/Seoul')).toBe('2019-05-14T15:00:00.000Z')
    expect(at('now/d', true, '+09:00')).toBe('2019-05-15T14:59:59.999Z')
  })
  it('keeps local midnight over a change of clocks', () => {
    const summer = Date.UTC(2019, 3, 1, 10)
    const options = { now: summer, roundUp: false, timeZone: 'Europe/Berlin' }
    expect(new Date(parseDateMath('now-1d/d', format, options)).toISOString()).toBe('2019-03-30T23:00:00.000Z')
    expect(new Date(parseDateMath('now/d', format, options)).toISOString()).toBe('2019-03-31T22:00:00.000Z')
  })
})
