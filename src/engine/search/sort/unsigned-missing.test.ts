import { describe, expect, it } from 'vitest'
import { unsignedMissing } from './unsigned-missing.ts'

// As OpenSearch 2.19.3 answers a search sorted by an unsigned_long with such a `missing`.
describe('what stands for missing unsigned longs', () => {
  it.each([
    [1e18, 10n ** 18n],
    [9_223_372_036_854_775_808n, 9_223_372_036_854_775_808n],
    ['9223372036854775808', 9_223_372_036_854_775_808n],
    ['+5', 5],
    ['-0', 0],
    ['18446744073709551616', 0],
    ['00018446744073709551616', 0],
    ['18446744073709551621', 5],
    ['36893488147419103232', 0],
  ])('is read of %s', (given, value) => {
    expect(unsignedMissing(given)).toBe(value)
  })

  it.each([
    ['Infinity', 'For input string: "Infinity"'],
    ['-Infinity', 'For input string: "Infinity"'],
    ['NaN', 'For input string: "NaN"'],
    ['18446744073709551616.0', 'For input string: "9551616.0"'],
    ['1.8446744073709551616e19', 'For input string: "1.8446"'],
    ['12345678901.5', 'For input string: "5678901.5"'],
    ['-0.5', 'For input string: ".5"'],
    ['1e19', 'For input string: "1e19"'],
    [' 12', 'For input string: " 12"'],
    ['1 ', 'For input string: "1 "'],
    ['', 'Zero length BigInteger'],
    ['-', 'Zero length BigInteger'],
    ['--1', 'Illegal embedded sign character'],
    ['123456789-1', 'Illegal embedded sign character'],
    [1.5, '1.5 is not an integer value'],
    [1e19, '1.0E19 is not an integer value'],
    [1e30, '1.0E30 is not an integer value'],
    [Number.POSITIVE_INFINITY, 'Infinity is not an integer value'],
    [-1, 'Value [-1] is out of range for an unsigned long'],
    ['-1', 'Value [-1] is out of range for an unsigned long'],
    ['-18446744073709551621', 'Value [-18446744073709551621] is out of range for an unsigned long'],
    [18_446_744_073_709_551_616n, 'Value [18446744073709551616] is out of range for an unsigned long'],
  ])('is not «%s»', (given, reason) => {
    expect(() => unsignedMissing(given)).toThrow(reason)
  })
})
