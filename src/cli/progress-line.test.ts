import { afterEach, describe, expect, it, vi } from 'vitest'
import type { TransferProgress } from '../transfer/document-run.ts'
import { Output } from './output.ts'
import { ProgressLine, progressText } from './progress-line.ts'

const progress: TransferProgress = {
  phase: 'documents',
  total: 1_024_880,
  read: 512_440,
  written: 512_440,
  rejected: 2,
  retries: 3,
  bytes: 41 * 1_048_576 * 60,
}

describe('progressText', () => {
  it('shows a bar, documents, rate, volume, time left, rejected and retries', () => {
    expect(progressText(progress, { seconds: 60, resumedAt: 0 })).toBe(
      '[############------------] 512,440 / 1,024,880 docs · 50% · 8.5 k/s · 41.0 MiB/s · ETA 1m00s · rejected 2 · retries 3',
    )
  })

  it('counts the rate from where a resumed run began', () => {
    expect(progressText(progress, { seconds: 60, resumedAt: 506_440 })).toContain(' 100/s · 41.0 MiB/s · ETA 1h25m ')
  })

  it('shows documents alone where the source cannot tell how many there are', () => {
    expect(progressText({ ...progress, total: undefined }, { seconds: 60, resumedAt: 0 })).toMatch(
      /^512,440 docs · 8\.5 k\/s/,
    )
  })
})

describe('ProgressLine', () => {
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('says that nothing comes while a server is waited for', () => {
    vi.useFakeTimers()
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const line = new ProgressLine(new Output({}))
    vi.advanceTimersByTime(6_000)
    line.show(progress)
    vi.advanceTimersByTime(12_000)
    const said = () => written.mock.calls.map(([text]) => /^(nothing new for \d+s) · /.exec(String(text))?.[1])
    expect(said()).toEqual([undefined, 'nothing new for 5s', 'nothing new for 10s'])
    line.show(progress)
    line.end()
    vi.advanceTimersByTime(60_000)
    expect(said()).toHaveLength(3)
  })
})
