import { describe, expect, it } from 'vitest'
import { KeptArrays, MAX_KEPT_BYTES } from './kept-arrays.ts'

describe('kept arrays', () => {
  it('are dropped when others want the memory, least recently used first', () => {
    const all = Array.from({ length: 11 }, (_, i) => {
      const kept = new KeptArrays<{ readonly sizeBytes: number; readonly name: number }>()
      kept.set({ sizeBytes: MAX_KEPT_BYTES / 12, name: i })
      return kept
    })
    expect(all.every(({ value }) => value !== undefined)).toBe(true)
    expect(all[0]?.value?.name).toBe(0)
    const last = new KeptArrays<{ readonly sizeBytes: number }>()
    last.set({ sizeBytes: MAX_KEPT_BYTES / 6 })
    expect(all[0]?.value?.name).toBe(0)
    expect(all[1]?.value).toBe(undefined)
    expect(all.filter(({ value }) => value !== undefined).length).toBeLessThanOrEqual(10)
  })
})
