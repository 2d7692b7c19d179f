import { expect, it } from 'vitest'
import { ScratchColumns } from './scratch-columns.ts'

it('lends what was given back, as counts all zero', () => {
  const first = new ScratchColumns()
  const column = first.take(1000).fill(7)
  first.giveBack()
  const second = new ScratchColumns()
  const counts = second.counts(1999)
  expect(counts.buffer).toBe(column.buffer)
  expect(counts).toEqual(new Int32Array(1999))
  const others = second.counts(3)
  expect(others.buffer).not.toBe(column.buffer)
  expect(others).toEqual(new Int32Array(3))
})
