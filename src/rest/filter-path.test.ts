import { expect, it } from 'vitest'
import { filterPath } from './filter-path.ts'

const value = { a: { b: { c: 1, d: [{ c: 2 }, { e: 3 }] } }, c: 4 }

it('keeps and leaves out what paths of any depth name', () => {
  expect(filterPath(value, '**.c')).toEqual({ a: { b: { c: 1, d: [{ c: 2 }] } }, c: 4 })
  expect(filterPath(value, '**.b.**.c')).toEqual({ a: { b: { c: 1, d: [{ c: 2 }] } } })
  expect(filterPath(value, '-**.c,-a.*.d.e')).toEqual({})
})

it('takes no longer for many paths of any depth in one', () => {
  const deep = { a: { a: { a: { a: { a: { a: { a: { a: { b: 1 } } } } } } } } }
  expect(filterPath(deep, `${'**.'.repeat(2_000)}b`)).toEqual(deep)
  expect(filterPath(deep, `${'**.'.repeat(2_000)}c`)).toEqual({})
})
