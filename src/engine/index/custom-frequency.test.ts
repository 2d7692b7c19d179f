import { expect, it } from 'vitest'
import { keepsFrequency } from './custom-frequency.ts'
import type { SegmentTextField } from './segment-field.ts'

const field = (indexOptions: SegmentTextField['indexOptions'], typeName = 'text') =>
  ({ path: 'f', indexOptions, typeName }) as SegmentTextField

it('keeps frequencies where there are no positions, up to a limit that a short text cannot get past', () => {
  expect(keepsFrequency(field('freqs'), 65_536)).toBe(true)
  expect(() => keepsFrequency(field('freqs'), 65_537)).toThrow('more than [65536] together are not supported')
  expect(() => keepsFrequency(field('positions'), 2)).toThrow('cannot index positions')
  expect(() => keepsFrequency(field('docs'), 2)).toThrow('must index term freq')
  expect(keepsFrequency(field('positions', 'match_only_text'), 2)).toBe(false)
})
