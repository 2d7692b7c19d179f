import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mix64, murmur64 } from '../algorithms/murmur.ts'
import { ValueHash } from '../algorithms/value-hash.ts'
import { HdrHistogram } from './metrics/hdr-histogram.ts'
import { HyperLogLog, precisionOf } from './metrics/hyper-log-log.ts'
import { QuantileDigest } from './metrics/quantile-digest.ts'

const number = fc.double({ min: 0.001, max: 1e9, noNaN: true })

describe('QuantileDigest', () => {
  it('stays between the extremes and never falls, but for rounding', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 500 }), (values) => {
        const digest = new QuantileDigest(100)
        for (const value of values) digest.add(value)
        let last = Math.min(...values)
        for (let share = 0; share <= 1; share += 0.05) {
          const value = digest.quantile(share)
          expect(value).toBeGreaterThanOrEqual(last * (1 - 1e-12))
          last = value
        }
        expect(last).toBeLessThanOrEqual(Math.max(...values) * (1 + 1e-12))
      }),
    )
  })

  it('comes close with many values in little room', () => {
    const digest = new QuantileDigest(100)
    const size = 200_000
    for (let i = 0; i < size; i++) digest.add((i * 7919) % size)
    for (const share of [0.001, 0.01, 0.25, 0.5, 0.9, 0.999]) {
      expect(Math.abs(digest.quantile(share) / size - share)).toBeLessThan(0.005)
      expect(Math.abs(digest.rank(share * size) - share)).toBeLessThan(0.005)
    }
  })
})

describe('HdrHistogram', () => {
  it('is off by no more than its digits allow, in whatever order values come', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 200 }), (values) => {
        const histogram = new HdrHistogram(3, true)
        for (const value of values) histogram.add(value)
        const sorted = [...values].sort((a, b) => a - b)
        for (const percent of [1, 50, 99]) {
          const exact = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] as number
          expect(Math.abs(histogram.percentile(percent) - exact) / exact).toBeLessThan(0.002)
        }
      }),
    )
  })
})

describe('ValueHash', () => {
  it('mixes 64 bits as the plain computation does', () => {
    const hash = new ValueHash()
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        hash.ofInteger(value)
        const mixed = (BigInt(hash.high >>> 0) << 32n) | BigInt(hash.low >>> 0)
        expect(mixed).toBe(mix64(BigInt.asUintN(64, BigInt(value))))
      }),
    )
  })

  it('hashes bytes with MurmurHash3', () => {
    const hash = new ValueHash()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        hash.ofBytes(bytes)
        expect((BigInt(hash.high >>> 0) << 32n) | BigInt(hash.low >>> 0)).toBe(murmur64(bytes))
      }),
    )
  })
})

describe('HyperLogLog', () => {
  it('counts few elements exactly and many closely', () => {
    const hash = new ValueHash()
    const whole = new HyperLogLog(precisionOf(3000))
    for (let i = 1; i <= 100_000; i++) {
      hash.ofInteger(i)
      whole.add(hash.high, hash.low)
      if (i === 1000) expect(whole.count()).toBe(1000)
    }
    expect(Math.abs(whole.count() - 100_000)).toBeLessThan(2_000)
  })
})
