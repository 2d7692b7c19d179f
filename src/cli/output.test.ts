import { describe, expect, it } from 'vitest'
import { table, wantsColor } from './output.ts'
import { progressText } from './progress-line.ts'

describe('table', () => {
  it('aligns columns by what a terminal shows, Korean taking two cells', () => {
    expect(
      table([
        { id: '1', title: '영화' },
        { id: '22', title: 'a\nb' },
      ]),
    ).toBe('id  title\n1   영화\n22  a b')
  })
})

describe('a narrow terminal', () => {
  it('gets lines no longer than itself, cut between characters', () => {
    const rows = [
      { id: '1', title: '너의 이름은 아무도 모른다' },
      { id: '2', title: 'x'.repeat(300) },
    ]
    expect(table(rows, 12).split('\n')).toEqual(['id  title', '1   너의 이…', `2   ${'x'.repeat(7)}…`])
    const health = [{ name: 'active_shards_percent', value: 'yellow' }]
    expect(table(health, 20)).toBe('name          value\nactive_shar…  yellow')
    expect(table([{ ...health[0], long: '0123456789' }], 20)).toBe('name      value   l…\nactive_…  yellow  0…')
    expect(table(rows).split('\n').at(-1)).toBe(`2   ${'x'.repeat(99)}…`)
  })
})

describe('colour', () => {
  it('is off with NO_COLOR whatever else is set', () => {
    expect(wantsColor({ NO_COLOR: '1', FORCE_COLOR: '1' }, true)).toBe(false)
    expect(wantsColor({ FORCE_COLOR: '1' }, false)).toBe(true)
    expect(wantsColor({}, true)).toBe(true)
  })
})

describe('progress', () => {
  it('shows documents, rate, throughput, time left, refusals and retries', () => {
    const text = progressText(
      {
        phase: 'documents',
        total: 1_000_000,
        read: 500_000,
        written: 499_990,
        rejected: 10,
        retries: 3,
        bytes: 100 * 1_048_576,
      },
      { seconds: 50, resumedAt: 0 },
    )
    expect(text).toBe(
      '[############------------] 500,000 / 1,000,000 docs · 50% · 10.0 k/s · 2.0 MiB/s · ETA 50s · rejected 10 · retries 3',
    )
  })
})
