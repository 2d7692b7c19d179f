import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timeZone } from '../../mapping/dates/time-zone.ts'
import { type DateInterval, dateRounding, plainRounding } from './date-rounding.ts'

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
const ZONES = ['UTC', '+09:00', 'Asia/Seoul', 'Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe', '-03:30']

describe('rounding of dates', () => {
  const interval: fc.Arbitrary<DateInterval> = fc.oneof(
    fc.constantFrom(...UNITS).map((unit) => ({ kind: 'calendar', unit }) as const),
    fc.constantFrom(1, 1.5, 12, 24, 72, 720).map((hours) => ({ kind: 'fixed', millis: hours * 3_600_000 }) as const),
  )

  it('finds in its table what the rule says, whatever was asked before', () => {
    fc.assert(
      fc.property(
        interval,
        fc.constantFrom(...ZONES),
        fc.integer({ min: 0, max: 45 }),
        fc.array(fc.integer({ min: 0, max: 60 * 366 * 86_400_000 }), { minLength: 1, maxLength: 30 }),
        (unit, zoneId, year, offsets) => {
          const zone = timeZone(zoneId)
          const tabled = dateRounding(unit, zone, 'OpenSearch_2.19')
          const plain = plainRounding(unit, zone, 'OpenSearch_2.19')
          for (const offset of offsets) {
            const instant = Date.UTC(1905 + year, 0, 1) + offset
            expect(tabled.round(instant)).toBe(plain.round(instant))
          }
        },
      ),
      { numRuns: 80 },
    )
  })

  it('begins the next bucket where values are rounded to', () => {
    fc.assert(
      fc.property(
        interval.filter((unit) => unit.kind === 'fixed' || !['second', 'minute', 'hour'].includes(unit.unit)),
        fc.constantFrom(...ZONES),
        fc.integer({ min: Date.UTC(1905, 0, 1), max: Date.UTC(2026, 0, 1) }),
        (unit, zoneId, instant) => {
          const rounding = dateRounding(unit, timeZone(zoneId), 'OpenSearch_2.19')
          const next = rounding.next(rounding.round(instant))
          expect(next).toBeGreaterThan(instant)
          expect(rounding.round(next)).toBe(next)
          expect(rounding.round(next - 1)).toBe(rounding.round(instant))
        },
      ),
      { numRuns: 150 },
    )
  })

  it('goes on from the midnights after one that clocks skipped', () => {
    // Seoul went from +08:30 to +09:00 at midnight before 1912.
    const rounding = plainRounding({ kind: 'calendar', unit: 'month' }, timeZone('Asia/Seoul'), 'OpenSearch_2.19')
    let start = rounding.round(Date.UTC(1911, 11, 20))
    for (let i = 0; i < 3; i++) start = rounding.next(start)
    expect(new Date(start).toISOString()).toBe('1912-02-29T15:00:00.000Z')
  })
})
