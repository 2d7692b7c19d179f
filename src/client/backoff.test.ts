import { describe, expect, it } from 'vitest'
import { backoffMs, retryDelayMs } from './backoff.ts'

describe('retryDelayMs', () => {
  it('is what the server asks for and some more, but no longer than a minute', () => {
    for (const [asked, least, most] of [
      [undefined, 50, 100],
      [7_000, 7_050, 7_100],
      [86_400_000, 60_050, 60_100],
    ] as const) {
      const delay = retryDelayMs({ retryAfterMs: asked }, 0)
      expect(delay).toBeGreaterThanOrEqual(least)
      expect(delay).toBeLessThanOrEqual(most)
    }
  })

  it('doubles up to twenty seconds where nothing is asked for', () => {
    expect([0, 1, 7, 8, 50].map((attempt) => backoffMs(attempt, () => 1))).toEqual([100, 200, 12_800, 20_000, 20_000])
  })
})
