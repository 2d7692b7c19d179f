import { describe, expect, it } from 'vitest'
import { evaluate } from '../../engine/aggregation/bucket-expression.ts'
import { ServiceError } from '../../errors.ts'
import { parseBucketScript } from './bucket-script.ts'

const compute = (source: string, values: Record<string, number> = {}): unknown =>
  evaluate(parseBucketScript(source, new Map([['limit', 5]])), new Map(Object.entries(values)))

describe('parseBucketScript', () => {
  it('computes arithmetic with the usual precedence', () => {
    expect(compute('params.a + params.b * 2 - (3 - 1) / 2', { a: 1, b: 4 })).toBe(8)
    expect(compute('return -a % 4;', { a: 7 })).toBe(-3)
    expect(compute('Math.max(params.a, 2L) * 1.5', { a: 1 })).toBe(3)
  })

  it('computes conditions', () => {
    expect(compute('params.a > params.limit && !(params.b <= 1)', { a: 6, b: 2 })).toBe(true)
    expect(compute('params.a > 0 ? params.b / params.a : 0', { a: 0, b: 2 })).toBe(0)
  })

  it('refuses whatever is more than that', () => {
    for (const source of [
      'while (true) {}',
      'params.a; params.b',
      'System.exit(1)',
      "params['a']",
      'a.b.c',
      '1 +',
      '(1',
      'new X()',
    ]) {
      expect(() => compute(source), source).toThrow(ServiceError)
    }
    expect(() => compute('('.repeat(10_000))).toThrow(ServiceError)
  })
})
