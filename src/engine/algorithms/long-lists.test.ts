import { describe, expect, it } from 'vitest'
import { append, greatest, least } from './long-lists.ts'

describe('long lists', () => {
  const long = Array.from({ length: 300_000 }, (_, i) => i - 1_000)

  it('are appended and measured whatever their length', () => {
    const list = [7]
    append(list, long)
    expect(list.length).toBe(300_001)
    expect([least(long), greatest(long)]).toEqual([-1_000, 298_999])
  })

  it('have no least or greatest where they are empty, nor with what is no number', () => {
    expect([least([]), greatest([])]).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    expect([least([1, Number.NaN]), greatest([Number.NaN, 1])]).toEqual([Number.NaN, Number.NaN])
  })
})
