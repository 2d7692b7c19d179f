import { expect, it } from 'vitest'
import { wildcard } from './wildcard.ts'

it.each([
  ['book', ['book'], ['books', '']],
  ['b*k', ['book', 'bk'], ['b', 'books']],
  // One character is not both ends of a pattern.
  ['a*a', ['aa', 'aba'], ['a']],
  ['*o*k*', ['book', 'ok'], ['ko', 'b']],
  ['*', ['', 'book'], []],
  ['', [''], ['book']],
])('%s fits what it stands for', (pattern, fitting, others) => {
  expect(fitting.filter((name) => !wildcard(pattern)(name))).toEqual([])
  expect(others.filter(wildcard(pattern))).toEqual([])
})
