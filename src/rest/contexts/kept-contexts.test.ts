import { afterEach, describe, expect, it, vi } from 'vitest'
import { KeptContexts } from './kept-contexts.ts'

describe('kept contexts', () => {
  afterEach(() => void vi.useRealTimers())

  it('live as long as they are to, however the clock is set', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] })
    const day = 24 * 60 * 60_000
    for (const step of [day, -day]) {
      const contexts = new KeptContexts()
      let closed = 0
      const id = contexts.keep({ indices: [], close: () => void closed++ }, 60_000)
      vi.setSystemTime(Date.now() + step)
      vi.advanceTimersByTime(59_000)
      expect([contexts.size, closed]).toEqual([1, 0])
      expect(contexts.find(id)).toBeDefined()
      vi.advanceTimersByTime(2_000)
      expect([contexts.size, closed]).toEqual([0, 1])
    }
  })
})
